// Attacks that use the yes for one account with another one. decision: 038
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeProbed, respond, startProbed } from '../support/fake-probed.ts';
import { probed } from '../support/fixtures.ts';
import { ask, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';

const ME = { result: 'me at probed' };

let provider: FakeProbed;
let stand: PolicyStand;
/** Runs before an approval of an integration is ended. */
let beforeEnd: () => void;

beforeEach(async () => {
  beforeEnd = () => {};
  provider = await startProbed();
  stand = await openPolicyStand({ integrations: [probed], env: provider.env, rules: [ask('probed_whoami')] });
  const { approvals } = stand.app.deps.store;
  const end = approvals.end.bind(approvals);
  approvals.end = async (...place) => {
    beforeEnd();
    await end(...place);
  };
  expect(await enter('one')).toBe(200);
});
afterEach(async () => {
  await stand.close();
  await provider.close();
});

const whoami = () => stand.run(stand.key, 'probed_whoami');
const askAbout = () => stand.ask(stand.key, 'probed_whoami');
/** The next person that the provider names. */
const become = (id: number, name: string) =>
  provider.script.push({ path: '/personal/whoami', answer: respond(200, { user: { id, name } }) });

async function enter(token: string): Promise<number> {
  provider.tokens.add(token);
  const values = { token, email: 'ana@corp.example' };
  return (await stand.send(stand.key, 'POST', '/api/auth/apikey/probed', { values })).status;
}

async function approved(covers: 'once' | 'hour' = 'hour'): Promise<string> {
  const id = await askAbout();
  await stand.approve(id, covers);
  return id;
}

it('a yes is used by the account that it was given for', async () => {
  const id = await approved('once');
  expect((await stand.row(id)).account).toBe('octocat');
  expect(await whoami()).toEqual(ME);
});

it('a yes does not hold for an account that was connected after the former one was disconnected', async () => {
  const id = await approved();
  expect((await stand.send(stand.key, 'DELETE', '/api/connections/probed')).status).toBe(200);
  expect(await whoami()).toMatchObject({ error: 'NOT_CONNECTED' });
  become(7, 'eve');
  expect(await enter('two')).toBe(200);
  expect(await askAbout()).not.toBe(id);
});

it('a yes does not hold after another account was connected beside the first', async () => {
  const id = await approved();
  become(7, 'eve');
  expect(await enter('two')).toBe(200);
  expect((await stand.row(id)).state).toBe('expired');
  const next = await askAbout();
  expect(next).not.toBe(id);
  expect((await stand.row(next)).account).toBe('octocat');
});

it('a question ends with the account that it was asked for', async () => {
  const id = await askAbout();
  become(7, 'eve');
  expect(await enter('two')).toBe(200);
  expect(await stand.decide(id, { decision: 'approve' })).toBe(409);
});

it('a yes does not hold after the same account was connected again', async () => {
  const id = await approved();
  expect(await enter('two')).toBe(200);
  expect(await askAbout()).not.toBe(id);
});

it('a yes does not hold when a check finds another account behind the same credential', async () => {
  const id = await approved();
  become(7, 'eve');
  await stand.app.deps.checks.now({ user_id: stand.ana.id, integration: 'probed', account: '' }, probed);
  const next = await askAbout();
  expect(next).not.toBe(id);
  expect((await stand.row(next)).account).toBe('eve');
});

it('a yes holds while a check finds the same account', async () => {
  await approved();
  await stand.app.deps.checks.now({ user_id: stand.ana.id, integration: 'probed', account: '' }, probed);
  expect(await whoami()).toEqual(ME);
});

it.each([1, 2])(
  'a yes does not survive a gateway that stops at write %i while it stores an account without a name',
  async (write) => {
    const unnamed = { path: '/personal/whoami', answer: respond(503) };
    // A credential of unknown owner replaces none whose account is known.
    await stand.app.deps.store.connections.delete(stand.ana.id, 'probed', '');
    provider.script.push(unnamed);
    expect(await enter('two')).toBe(200);
    await approved();
    const seen = await stand.app.deps.store.connections.get(stand.ana.id, 'probed', '');
    provider.script.push(unnamed);
    let writes = 0;
    beforeEnd = () => {
      if (++writes === write) throw new Error('the gateway stops');
    };
    expect(await enter('three')).toBe(500);
    const now = await stand.app.deps.store.connections.get(stand.ana.id, 'probed', '');
    const isStored = write === 2;
    expect(now?.access_token !== seen?.access_token).toBe(isStored);
    expect(await whoami()).toMatchObject(isStored ? { error: 'APPROVAL_REQUIRED' } : ME);
  },
);
