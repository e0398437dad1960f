// Tests the page of a single call: from the list to the facts, and on to running it again.
import { describe, expect, it } from 'vitest';
import { callTool, setRules } from '../gateway-calls.ts';
import { ask, seedMember, visitAs } from '../members.ts';
import { expectSoundInEveryLook, LOW } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itOpensCalls(subject: Subject): void {
  describe('A single call', () => {
    // One test, because each starts a gateway.
    it('is opened, run again, copied, shared and no longer kept', async () => {
      const { base, request, session } = subject.gateway();
      const ben = await seedMember(subject, 'ben@example.com');
      const args = { time: '2026-05-04T12:00', from: 'Europe/Berlin', to: 'Asia/Tokyo' };
      await callTool(subject, 'time_convert', { integration: 'time', args });
      await callTool(subject, 'time_now', { integration: 'time', key: ben.apiKey });
      const rows = async (path = '/api/audit') => {
        const { entries }: { entries: { id: number; tool: string }[] } = await (
          await ask(subject, path)
        ).json();
        return entries;
      };
      const id = (await rows())[0]?.id ?? 0;
      const stateOf = async () => {
        const one: { details: { state: string } } = await (await ask(subject, `/api/calls/${id}`)).json();
        return one.details.state;
      };
      await expect.poll(stateOf).toBe('kept');

      const { page, settled, complaints, close } = await signIn(subject);
      await page.goto(`${base}/overview`);
      await page.getByRole('list', { name: 'Latest calls' }).getByRole('link', { name: 'Convert' }).click();
      await page.getByRole('heading', { name: 'time_convert', level: 1 }).waitFor();
      expect(page.url()).toBe(`${base}/activity/${id}`);
      await page.getByText('Personal key').waitFor();
      const shown = page.getByRole('region', { name: 'Arguments' });
      await shown.getByText('Europe/Berlin').waitFor();
      await page.getByRole('region', { name: 'Result as JSON' }).getByText('"Asia/Tokyo"').first().waitFor();
      await page.getByText(/^Private to you, deleted /).waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'call');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });

      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const curl = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(curl).toContain(`curl '${base}/rest/time'`);
      expect(curl).toContain('x-service-api-key: YOUR_API_KEY');
      expect(curl).toContain(JSON.stringify({ tool: 'time_convert', args }));

      await page.getByRole('button', { name: 'Edit and run' }).click();
      await page.getByRole('heading', { name: 'time_convert', level: 2 }).waitFor();
      expect(await page.locator('[name="from"]').inputValue()).toBe('Europe/Berlin');
      expect(await page.locator('[name="to"]').inputValue()).toBe('Asia/Tokyo');
      expect((await rows()).length).toBe(1);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('Succeeded').waitFor();
      expect((await rows()).map(({ tool }) => tool)).toEqual(['time_convert', 'time_convert']);

      // The owner opens the call of somebody else without its arguments and result, and may not run it again.
      const [ofBen] = (await rows('/api/admin/audit')).filter(({ tool }) => tool === 'time_now');
      await page.goto(`${base}/activity/${ofBen?.id}`);
      await page.getByText('ben@example.com').waitFor();
      await page.getByText('Only the person who made this call sees its arguments and result.').waitFor();
      expect(await page.getByRole('button', { name: 'Edit and run' }).count()).toBe(0);
      await settled();
      await expectSoundInEveryLook(page, 'call-of-somebody');

      // A call that waits leads to its approval, and says nothing of a service that it never reached.
      await setRules(subject, [{ tool: 'time_now', decision: 'ask' }]);
      await callTool(subject, 'time_now', { integration: 'time' });
      const [waiting] = await rows();
      await page.goto(`${base}/activity/${waiting?.id}`);
      await page.getByText('It did not run: a rule asks a person first.').waitFor();
      await page.getByRole('heading', { name: 'Arguments' }).waitFor();
      expect(await page.getByText(/APPROVAL_REQUIRED|What the service sent/).count()).toBe(0);
      await settled();
      await expectSoundInEveryLook(page, 'call-waiting');
      await page.getByRole('link', { name: 'Open the approval' }).click();
      await page.getByRole('heading', { name: 'Approve this call?' }).waitFor();
      await setRules(subject, []);

      // Ben may not open the call of the owner, and learns nothing of it.
      const window = await visitAs(subject, ben, `/activity/${id}`);
      await window.page.getByRole('heading', { name: 'Call not found' }).waitFor();
      await window.page.getByText('ben@example.com may not see this call, or it does not exist.').waitFor();
      await expectSoundInEveryLook(window.page, 'call-missing');
      await window.close();

      await page.goto(`${base}/account`);
      await page.getByRole('button', { name: 'Stop keeping them' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stop keeping them' }).click();
      await page.getByText('Nothing is kept any more.').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'account-nothing-kept');
      expect(await stateOf()).toBe('off');
      await page.goto(`${base}/activity/${id}`);
      await page.getByText('Saving of call details is off.').waitFor();
      await page.getByRole('button', { name: 'Open the tool' }).waitFor();
      await page.getByRole('link', { name: 'Change it in your settings' }).click();
      await page.getByRole('button', { name: 'Keep them for a day' }).click();
      await page.getByText('Kept from now on.').waitFor();
      const me = await request('/api/me', { headers: { authorization: `Bearer ${session}` } });
      expect(await me.json()).toMatchObject({ callDetails: 'kept' });
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
