// Tests that each of two accounts is renewed once, and for itself only. reference: Token refresh; Several accounts
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/ports/records.ts';
import { openEmptyPostgres, openEmptySqlite, storeOn } from '../contracts/store/open.ts';
import type { OpenStore } from '../contracts/store-contract.ts';
import { respond } from '../support/fake-probed.ts';
import { call } from '../support/mcp.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';
import { describeService, postgresUrl } from '../support/services.ts';

const LABELS = ['octocat', 'eve'];
const CALLS = 20;

function refreshOn(name: string, open: () => Promise<OpenStore>): void {
  describe(`two accounts on ${name}`, () => {
    let opening: OpenStore;
    let stand: ProbedStand;

    beforeEach(async () => {
      opening = await open();
      // The database is closed when it is removed.
      const store = { ...opening.store, close: async () => {} };
      stand = await openProbedStand({ ports: { store } });
      await stand.signIn();
      const eve = respond(200, { user: { id: 7, name: 'eve' } });
      stand.provider.script.push({ path: '/api/whoami', answer: eve });
      await stand.signIn();
      stand.provider.seen.length = 0;
    });
    afterEach(async () => {
      await stand.close();
      await opening.close();
    });

    const refreshes = () => stand.provider.seen.filter((line) => line === 'POST /token').length;
    async function rowOf(label: string): Promise<Connection> {
      const rows = await opening.store.connections.of(stand.ana.id, 'probed');
      const row = rows.find((each) => each.account_label === label);
      if (row === undefined) throw new Error(`there is no account ${label}`);
      return row;
    }
    async function tokenOf(label: string): Promise<string | null> {
      return stand.app.deps.vault.open(await rowOf(label), 'access_token');
    }
    /** Ends the access token of an account at the provider. Its refresh token stays good. */
    async function endAccess(label: string): Promise<void> {
      const token = await tokenOf(label);
      stand.provider.grants = stand.provider.grants.map((grant) =>
        grant.access === token ? { ...grant, access: 'none' } : grant,
      );
    }
    /** Calls with all these accounts at once, and returns the status of each. */
    async function useAtOnce(labels: readonly string[]): Promise<number[]> {
      const executions = Array.from({ length: CALLS }, (_, at) => ({
        tool: 'probed_get',
        args: { path: '/x' },
        account: labels[at % labels.length],
      }));
      const { results } = await call(stand.app, stand.ana.keyHeader, 'execute_tools', { executions });
      return results.map((each: { result?: { status: number } }) => each.result?.status);
    }
    const all = (status: number) => Array.from({ length: CALLS }, () => status);

    async function expectBothRenewed(before: readonly (string | null)[]): Promise<void> {
      expect(refreshes()).toBe(LABELS.length);
      const now = await Promise.all(LABELS.map(tokenOf));
      expect(new Set([...before, ...now]).size).toBe(2 * LABELS.length);
      expect(new Set(stand.provider.grants.map(({ access }) => access))).toEqual(new Set(now));
    }

    it('are refreshed once each when both tokens have expired', async () => {
      const before = await Promise.all(LABELS.map(tokenOf));
      stand.app.clock.advance(3_600);
      expect(await useAtOnce(LABELS)).toEqual(all(200));
      await expectBothRenewed(before);
    });

    it('are renewed once each when the provider refuses both tokens', async () => {
      const before = await Promise.all(LABELS.map(tokenOf));
      for (const label of LABELS) await endAccess(label);
      expect(await useAtOnce(LABELS)).toEqual(all(200));
      await expectBothRenewed(before);
    });

    it.each([
      ['octocat', 'eve'],
      ['eve', 'octocat'],
    ])('leave the other one alone when the provider refuses that of %s', async (label, other) => {
      const before = await rowOf(other);
      await endAccess(label);
      expect(await useAtOnce(LABELS)).toEqual(all(200));
      expect(refreshes()).toBe(1);
      expect(await rowOf(other)).toStrictEqual(before);
    });

    it('ask the person about the one whose grant has ended, and about no other', async () => {
      const before = await rowOf('octocat');
      const ended = await tokenOf('eve');
      stand.provider.grants = stand.provider.grants.filter(({ access }) => access !== ended);
      expect(await useAtOnce(['eve'])).not.toContain(200);
      expect((await rowOf('eve')).status).toBe('reconnect');
      expect(await rowOf('octocat')).toStrictEqual(before);
      expect(await useAtOnce(['octocat'])).toEqual(all(200));
    });
  });
}

refreshOn('SQLite', () => storeOn(openEmptySqlite()));
await describeService('PostgreSQL', postgresUrl(), () =>
  refreshOn('PostgreSQL', () => storeOn(openEmptyPostgres())),
);
