// Tests the page about the whole gateway: what is shared, the sign-ins of integrations and the registered agents.
import { describe, expect, it } from 'vitest';
import type { GatewayState, Instrument, RegisteredAgent } from '../../../portal/api/gateway.ts';
import { ask } from '../members.ts';
import { expectSoundInEveryLook, fetchWhole, LOW } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const NOW = Math.floor(Date.now() / 1000);
const AGENTS: readonly RegisteredAgent[] = [
  { id: 'a-client', name: 'Claude Code', people: 4, createdAt: NOW - 90_000, lastUsedAt: NOW - 300 },
  {
    id: `https://agents.example.com/${'long/'.repeat(20)}client.json`,
    name: null,
    people: 1,
    createdAt: NOW,
  },
  { id: 'unused', name: 'W'.repeat(80), people: 0, createdAt: NOW - 9_000_000 },
];

export function itShowsTheGateway(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('The page of the gateway', () => {
    it('says what is there while nothing is set up', async () => {
      const { page, settled, complaints, close } = await signIn(subject);
      await page.getByRole('link', { name: 'This gateway' }).click();
      await page.getByText('No agent has signed in yet.').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'gateway-empty');
      const state = page.getByRole('region', { name: 'State of the gateway' });
      expect(await state.getByRole('listitem').filter({ hasText: 'Database' }).innerText()).toMatch(
        /Works\s+SQLite/,
      );
      await state.getByText('You reach it at this address.').waitFor();
      await page.getByRole('link', { name: 'Rules for everyone' }).click();
      await page.getByRole('tab', { name: 'For everyone', selected: true }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('lists and removes sign-ins and agents', async () => {
      const client = { clientId: 'Iv1.0123456789abcdef', clientSecret: 'the secret' };
      await ask(subject, '/api/admin/clients/github', { method: 'PUT', body: client });
      const { page, settled, complaints, close } = await signIn(subject);
      const removed: string[] = [];
      await page.route('**/api/admin/agents**', (route) => {
        if (route.request().method() !== 'DELETE') return route.fulfill({ json: { agents: AGENTS } });
        removed.push(decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1) ?? ''));
        return route.fulfill({ json: { success: true } });
      });
      await page.goto(at('/gateway'));
      await page.getByText('4 people use it').waitFor();
      await page.getByText(client.clientId).waitFor();
      expect(await page.content()).not.toContain(client.clientSecret);
      await settled();
      await expectSoundInEveryLook(page, 'gateway');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);

      await page.getByRole('button', { name: 'Remove the OAuth app of GitHub' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('The OAuth app of GitHub is removed.').waitFor();
      expect((await ask(subject, '/api/admin/clients/github')).status).toBe(404);

      await page.getByRole('button', { name: 'Remove Claude Code' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove Claude Code?' });
      await dialog.getByText('It is signed out for 4 people').waitFor();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Claude Code is removed.').waitFor();
      expect(removed).toEqual(['a-client']);
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows first what is bad, and what to do', async () => {
      const { page, settled, complaints, close } = await signIn(subject);
      await page.route('**/api/admin/gateway', async (route) => {
        const state: GatewayState = await (await fetchWhole(route)).json();
        const disk: Instrument = { name: 'disk', state: 'bad', cure: 'Free space on the disk of DATA_DIR.' };
        await route.fulfill({ json: { ...state, instruments: [disk, ...state.instruments] } });
      });
      await page.goto(at('/gateway'));
      const tiles = page.getByRole('region', { name: 'State of the gateway' }).getByRole('listitem');
      expect(await tiles.first().innerText()).toMatch(
        /Disk\s+Needs attention\s+The disk is full\.\s+Free space/,
      );
      await settled();
      await expectSoundInEveryLook(page, 'gateway-bad');
      expect(complaints).toEqual([]);
      await close();
    });

    it('says what could not be loaded, and loads it again', async () => {
      const { page, close } = await signIn(subject);
      let isDown = true;
      await page.route('**/api/admin/clients', (route) =>
        isDown ? route.fulfill({ status: 500, json: { error: 'The store is full.' } }) : route.fallback(),
      );
      await page.goto(at('/gateway'));
      await page.getByRole('alert').getByText('The store is full.').waitFor();
      isDown = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('No integration has one yet.').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await close();
    });
  });
}
