// Tests that a yes for one account does not let the same call run with another one. decision: 038
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixtures } from '../support/fixtures.ts';
import { ask, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';

const ME = { result: 'me at keyed' };
let stand: PolicyStand;
beforeEach(async () => {
  stand = await openPolicyStand({ integrations: fixtures, rules: [ask('keyed_whoami')] });
  for (const account of ['work', 'home'])
    await stand.app.deps.vault.save(stand.ana.id, 'keyed', {
      accessToken: JSON.stringify({ apiKey: account }),
      account,
    });
});
afterEach(() => stand.close());

const whoami = (account: string) => stand.run(stand.key, 'keyed_whoami', {}, { account });
const rowOf = async (label: string) => {
  const rows = await stand.app.deps.store.connections.of(stand.ana.id, 'keyed');
  const row = rows.find((each) => each.label === label);
  if (row === undefined) throw new Error(`there is no account ${label}`);
  return row;
};

async function approveFor(account: string): Promise<string> {
  const { approval } = await whoami(account);
  await stand.approve(approval.id, 'hour');
  return approval.id;
}

it('a yes names its account and holds for that account only', async () => {
  const id = await approveFor('work');
  expect((await stand.row(id)).account).toBe('work');
  expect(await whoami('home')).toMatchObject({ error: 'APPROVAL_REQUIRED', account: 'home' });
  expect(await whoami('work')).toEqual({ ...ME, account: 'work' });
});

it('a question shows the new label of its account, and is still a question for that account', async () => {
  const { approval } = await whoami('home');
  const { body } = await stand.send(stand.ana.sessionHeader, 'GET', '/api/connections');
  const keyed = body.connections.find(({ name }: { name: string }) => name === 'keyed');
  const { id } = keyed.accounts.find(({ label }: { label: string }) => label === 'home');
  const path = `/api/connections/keyed/accounts/${id}`;
  const renamed = await stand.send(stand.ana.sessionHeader, 'PATCH', path, { label: 'flat' });
  expect(renamed).toMatchObject({ status: 200, body: { label: 'flat' } });
  const shown = await stand.send(stand.ana.sessionHeader, 'GET', `/api/approvals/${approval.id}`);
  expect(shown.body).toMatchObject({ account: 'flat', state: 'pending' });
  await stand.approve(approval.id);
  expect(await whoami('flat')).toEqual({ ...ME, account: 'flat' });
});

it('a yes stays with its account when another one gets its label', async () => {
  await approveFor('work');
  const { connections } = stand.app.deps.store;
  const [work, home] = [await rowOf('work'), await rowOf('home')];
  expect(await connections.rename(work, 'former')).toBe('renamed');
  expect(await connections.rename(home, 'work')).toBe('renamed');
  expect(await whoami('work')).toMatchObject({ error: 'APPROVAL_REQUIRED', account: 'work' });
  expect(await whoami('former')).toEqual({ ...ME, account: 'former' });
});
