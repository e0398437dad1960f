// Tests the pages of scripts: a run as a picture, saving, sharing and reviewing. reference: Scripts
import { expect, it } from 'vitest';
import { axeViolations, expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const COUNTED = `const now = await tools.time_now({ timeZone: 'Asia/Tokyo' });
console.log('now', now.offset);
const all = await Promise.all(['Europe/Paris', 'America/Lima'].map((timeZone) => tools.time_now({ timeZone })));
return { first: now.offset, others: all.map(({ offset }) => offset) };`;

const FAILED = `await tools.time_now({});
await tools.time_now({ timeZone: 'Nowhere/Land' });
return 1;`;

const WAITING = `await tools.time_now({});
await tools.deploy_jot({ name: 'plan', files: [{ path: 'index.html', content: '<h1>Plan</h1>' }] });
return 'published';`;

export function itShowsScripts(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function api(path: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
    const answer = await subject.gateway().request(path, {
      method,
      headers: { authorization: `Bearer ${subject.gateway().session}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** Runs a script as an agent does, and returns the id of the run. */
  async function run(code: string): Promise<string> {
    const answer = await subject.gateway().request('/rest/scripts/script_run', {
      method: 'POST',
      headers: { 'x-service-api-key': subject.gateway().apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const text = await answer.text();
    const id = /"run":"([^"]+)"/.exec(text)?.[1];
    if (id === undefined) throw new Error(`no run: ${answer.status} ${text}`);
    return id;
  }

  it('shows a run as a picture, and what failed where', async () => {
    const [counted, failed] = [await run(COUNTED), await run(FAILED)];
    const { page, complaints, settled, close } = await signIn(subject);
    await page.goto(at('/agents'));
    await page.getByRole('link', { name: 'Scripts', exact: true }).click();
    await page.getByRole('heading', { name: 'Scripts', level: 1 }).waitFor();
    await settled();
    expect(await page.getByRole('link', { name: 'Code that an agent sent' }).count()).toBe(2);
    await expectSoundInEveryLook(page, 'scripts-list');
    await page.goto(at(`/scripts/runs/${counted}`));
    const calls = page.getByRole('list', { name: 'Calls' });
    await calls.waitFor();
    expect(await calls.getByRole('listitem').count()).toBe(3);
    await page.getByText('now +09:00').waitFor();
    await page.getByText('"first": "+09:00"').waitFor();
    await expectSoundInEveryLook(page, 'scripts-run');
    await page.goto(at(`/scripts/runs/${failed}`));
    const line = page.locator('[data-line="2"]');
    await line.getByText('The run failed at this line').waitFor();
    expect(await calls.innerText()).toContain('must be an IANA time zone');
    expect(await calls.innerText()).not.toContain('INVALID_ARGUMENTS');
    await expectSoundInEveryLook(page, 'scripts-failed');
    await page.goto(at('/scripts/runs/none'));
    await page.getByRole('heading', { name: 'Run not found' }).waitFor();
    expect(complaints.filter((each) => !each.includes('/api/script-runs/none'))).toEqual([]);
    await close();
  });

  it('leads from the call that waits to its approval', async () => {
    const put = await api('/api/policy', { rules: [{ tool: 'deploy_jot', decision: 'ask' }] }, 'PUT');
    expect([put.status, put.text]).toEqual([200, expect.anything()]);
    const id = await run(WAITING);
    const { page, close } = await signIn(subject);
    await page.goto(at(`/scripts/runs/${id}`));
    await page.locator('[data-line="2"]').getByText('The run waits at this line').waitFor();
    expect(await page.locator('main .button-primary').allInnerTexts()).toEqual(['Decide']);
    await expectSoundInEveryLook(page, 'scripts-waiting');
    await page.getByRole('link', { name: 'Decide about deploy_jot' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/approvals\//);
    await close();
  });

  it('runs again, saves as a tool, shares, and reviews', async () => {
    const id = await run(COUNTED);
    const { page, close } = await signIn(subject);
    await page.goto(at(`/scripts/runs/${id}`));
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => /\/scripts\/runs\//.test(url.pathname) && !url.pathname.endsWith(id));
    await page.getByText('now +09:00').waitFor();
    await page.getByRole('button', { name: 'Save as tool' }).click();
    await page.getByLabel('Name').fill('9');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('begin with a letter').waitFor();
    await page.getByLabel('Name').fill('Three offsets');
    await page.getByLabel('What it does').fill('Compares three clocks');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'three_offsets', level: 1 }).waitFor();
    await expectSoundInEveryLook(page, 'scripts-one');
    await page.getByRole('button', { name: 'Share with the team' }).click();
    await page.getByText('Waits for an administrator').waitFor();
    await page.goto(at('/scripts'));
    await page.getByRole('button', { name: 'Accept three_offsets for the team' }).waitFor();
    await expectSoundInEveryLook(page, 'scripts-review');
    await page.getByRole('button', { name: 'Accept three_offsets for the team' }).click();
    await page.getByText('The team has it').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'three_offsets' }).first().click();
    await page.getByRole('button', { name: 'Delete the script' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the script' }).click();
    await page.getByRole('heading', { name: 'Scripts', level: 1 }).waitFor();
    await close();
  });
}
