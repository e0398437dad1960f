// Tests how several accounts of one integration are connected, shown, changed and disconnected. reference: Several accounts
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_ACCOUNTS } from '../../src/connections/model/limits.ts';
import { UNSEEN } from '../../src/connections/model/state.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { respond } from '../support/fake-probed.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';

const OCTOCAT = { id: '583231', label: 'octocat', default: true, defaultForWrites: false, status: 'ok' };
const EVE = { id: '7', label: 'eve', default: false, defaultForWrites: false, status: 'ok' };

const compare = (one: string, other: string) => one.localeCompare(other);

let stand: ProbedStand;
beforeEach(async () => {
  stand = await openProbedStand();
});
afterEach(() => stand.close());

/** Enters a token. The provider says whose it is. */
async function enter(token: string, id = 583231, name = 'octocat'): Promise<number> {
  stand.provider.tokens.add(token);
  stand.provider.script.push({ path: '/personal/whoami', answer: respond(200, { user: { id, name } }) });
  return (await stand.enter(token)).status;
}
const rows = () => stand.app.deps.store.connections.of(stand.ana.id, 'probed');
const ids = async () => (await rows()).map(({ account_id }) => account_id ?? '').toSorted(compare);
const accounts = async () => (await stand.state()).accounts;

async function change(id: string, body: object, headers: Record<string, string> = stand.ana.sessionHeader) {
  const response = await stand.app.request(`/api/connections/probed/accounts/${id}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('connecting', () => {
  it('renews the account that the provider names, with its label and its defaults', async () => {
    await enter('one');
    await enter('two', 7, 'eve');
    expect((await change('7', { label: 'work', default: true })).status).toBe(200);
    const before = await rows();
    expect(await enter('three', 7, 'eve')).toBe(200);
    const after = await rows();
    expect(after.map(({ account, label }) => [account, label])).toEqual(
      before.map(({ account, label }) => [account, label]),
    );
    expect(after.map(({ access_token: sealed }, at) => sealed === before[at]?.access_token)).toEqual([
      true,
      false,
    ]);
    expect(await accounts()).toEqual([
      { ...OCTOCAT, default: false },
      { ...EVE, label: 'work', default: true },
    ]);
  });

  it('adds nothing to the answers while there is one account', async () => {
    await enter('one');
    await enter('two');
    expect(await rows()).toHaveLength(1);
    expect(await stand.state()).not.toHaveProperty('accounts');
  });

  it('keeps labels where they are when another account is disconnected', async () => {
    await enter('one', 1, 'ana');
    await enter('two', 2, 'ana');
    expect((await accounts()).map(({ label }: { label: string }) => label)).toEqual(['ana', 'ana 2']);
    await stand.api('DELETE', '/api/connections/probed?account=ana');
    expect((await rows()).map(({ label }) => label)).toEqual(['ana 2']);
  });

  it('keeps both of two different accounts that are connected first, at once', async () => {
    expect(await Promise.all([enter('one', 1, 'ana'), enter('two', 2, 'bea')])).toEqual([200, 200]);
    expect(await ids()).toEqual(['1', '2']);
  });

  it('adds a new account once when it is connected several times at once', async () => {
    await enter('one');
    await Promise.all([enter('two', 7, 'eve'), enter('three', 7, 'eve'), enter('four', 7, 'eve')]);
    expect(await ids()).toEqual(['583231', '7']);
  });

  it('asks whose a credential of 0.1 is before it adds another account', async () => {
    await enter('one');
    const [row] = await rows();
    if (row === undefined) throw new Error('nothing is stored');
    await stand.app.deps.store.connections.mark(row, UNSEEN);
    stand.provider.tokens.add('two');
    stand.provider.script.push({
      path: '/personal/whoami',
      answer: respond(200, { user: { id: 7, name: 'eve' } }),
    });
    expect((await stand.enter('two')).status).toBe(200);
    expect(await accounts()).toEqual([OCTOCAT, EVE]);
  });

  it('replaces a credential that the provider refuses and whose account nobody knows', async () => {
    await enter('one');
    const [row] = await rows();
    if (row === undefined) throw new Error('nothing is stored');
    await stand.app.deps.store.connections.mark(row, { ...UNSEEN, status: 'reconnect' });
    expect(await enter('two', 7, 'eve')).toBe(200);
    expect((await rows()).map(({ account_id }) => account_id)).toEqual(['7']);
  });

  it('is refused beyond the most accounts, and loses none', async () => {
    for (let id = 1; id <= MAX_ACCOUNTS; id++) expect(await enter(`token ${id}`, id, `n${id}`)).toBe(200);
    expect(await enter('one more', 99, 'late')).toBe(409);
    expect(await enter('again', 1, 'n1')).toBe(200);
    expect(await rows()).toHaveLength(MAX_ACCOUNTS);
  });

  it('names an account where nothing tells accounts apart', async () => {
    const save = (account?: string) =>
      stand.api('POST', '/api/auth/apikey/keyed', {
        values: { region: 'eu', apiKey: 'x', appKey: 'y' },
        ...(account === undefined ? {} : { account }),
      });
    const stored = () => stand.app.deps.store.connections.of(stand.ana.id, 'keyed');
    for (const account of [undefined, undefined, 'work', 'work', 'home'])
      expect((await save(account)).status).toBe(200);
    const before = await stored();
    expect(before.map(({ label }) => label).toSorted((a, b) => compare(a ?? '', b ?? ''))).toEqual([
      'Account',
      'home',
      'work',
    ]);
    expect((await save('\u202e')).status).toBe(400);
    const { status, body } = await save();
    expect(status).toBe(400);
    expect(body.error).toMatch(
      /^Keyed does not say which account this is for\. Name it in "account": ("\w+", ){2}"\w+" to renew one of them, or a new name to add one\.$/,
    );
    for (const { label } of before) expect(body.error).toContain(`"${label}"`);
    expect(await stored()).toEqual(before);
  });
});

describe('entering a token for a named account', () => {
  beforeEach(async () => {
    await enter('one');
    await enter('two', 7, 'eve');
  });
  const enterFor = (account: string, token: string) => {
    stand.provider.tokens.add(token);
    const values = { token, email: 'ana@corp.example' };
    return stand.api('POST', '/api/auth/apikey/probed', { values, account });
  };

  it.each([
    ['of nobody yet', { id: 8, name: 'bea' }, 'bea'],
    ['of another stored account', { id: 583231, name: 'octocat' }, 'octocat'],
  ])('refuses one %s, and changes nothing', async (_, user, found) => {
    const before = await rows();
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(200, { user }) });
    expect(await enterFor('eve', 'three')).toEqual({
      status: 409,
      body: {
        error: `This belongs to the account "${found}" and not to "eve", so nothing was changed. Give the credential of "eve", or connect "${found}" without a name.`,
      },
    });
    expect(await rows()).toEqual(before);
  });

  it('renews the account that the token belongs to when the name is a new one', async () => {
    expect((await enterFor('work', 'three')).body.account).toEqual({ id: '583231', label: 'octocat' });
    expect(await ids()).toEqual(['583231', '7']);
  });
});

describe('changing an account', () => {
  beforeEach(async () => {
    await enter('one');
    await enter('two', 7, 'eve');
  });

  it('answers the account as it is then', async () => {
    expect(await change('583231', { label: ' private ', defaultForWrites: true })).toEqual({
      status: 200,
      body: { ...OCTOCAT, label: 'private', defaultForWrites: true },
    });
    expect((await change('7', { defaultForWrites: true })).body.defaultForWrites).toBe(true);
    expect((await accounts()).map((each: { defaultForWrites: boolean }) => each.defaultForWrites)).toEqual([
      false,
      true,
    ]);
    expect((await change('7', { defaultForWrites: false })).body.defaultForWrites).toBe(false);
  });

  it.each([
    [{ label: '' }, 400],
    [{ label: 'x'.repeat(65) }, 400],
    [{ label: 'a\u0000b' }, 400],
    [{ label: 'eve' }, 409],
    [{ name: 'x' }, 400],
    [{ default: 'yes' }, 400],
  ])('refuses %j with %i, and changes nothing', async (body, status) => {
    expect((await change('583231', body)).status).toBe(status);
    expect(await accounts()).toEqual([OCTOCAT, EVE]);
  });

  it('names the accounts when it does not know one', async () => {
    expect(await change('8', { label: 'x' })).toEqual({
      status: 404,
      body: { error: 'Probed has no such account. The accounts are "octocat", "eve".' },
    });
  });

  it('needs a session of the portal', async () => {
    expect((await change('7', { label: 'x' }, stand.ana.keyHeader)).status).toBe(403);
  });
});

describe('disconnecting and checking', () => {
  beforeEach(async () => {
    await enter('one');
    await enter('two', 7, 'eve');
  });
  const left = async () => (await rows()).map(({ account_id }) => account_id);

  it.each(['', '&revoke=true'])('ends the named account only (%s)', async (more) => {
    expect((await stand.api('DELETE', `/api/connections/probed?account=octocat${more}`)).status).toBe(200);
    expect(await left()).toEqual(['7']);
  });

  it.each(['', '?revoke=true'])('ends all accounts without a name (%s)', async (query) => {
    expect((await stand.api('DELETE', `/api/connections/probed${query}`)).status).toBe(200);
    expect(await left()).toEqual([]);
  });

  it('ends nothing when the name is unknown', async () => {
    const { status, body } = await stand.api('DELETE', '/api/connections/probed?account=nobody');
    expect([status, body.error]).toEqual([
      404,
      'Probed has no such account. The accounts are "octocat", "eve".',
    ]);
    expect(await left()).toEqual(['583231', '7']);
  });

  it('checks every account once a day, and says which one needs the person', async () => {
    stand.provider.seen.length = 0;
    stand.provider.tokens.delete('two');
    stand.app.clock.advance(86_400);
    await maintainOnce(stand.app.deps);
    expect(stand.provider.seen).toEqual(['GET /personal/whoami', 'GET /personal/whoami']);
    expect(await accounts()).toEqual([OCTOCAT, { ...EVE, status: 'reconnect' }]);
    expect((await rows()).map(({ checked_at }) => checked_at)).toEqual(Array(2).fill(stand.app.clock.now()));
  });

  it('adds nobody whose user was deleted by hand', async () => {
    const { vault } = stand.app.deps;
    await expect(vault.save('a person who is gone', 'keyed', { accessToken: '{}' })).rejects.toThrow(
      'You are no longer a user of this gateway. Sign in again to become one.',
    );
  });

  it('asks the provider about the named account only', async () => {
    stand.provider.seen.length = 0;
    expect((await stand.api('POST', '/api/connections/probed/check?account=octocat')).status).toBe(200);
    expect(stand.provider.seen).toHaveLength(1);
  });
});

describe('grants of accounts that nobody can tell apart', () => {
  beforeEach(async () => {
    await stand.signIn();
    stand.provider.script.push({
      path: '/api/whoami',
      answer: respond(200, { user: { id: 7, name: 'eve' } }),
    });
    await stand.signIn();
    for (const row of await rows())
      await stand.app.deps.store.connections.mark(row, { ...row, account_id: null, account_label: null });
  });
  const revoke = async (query: string) =>
    (await stand.api('DELETE', `/api/connections/probed?revoke=true${query}`)).body;

  it('are not ended while another account may need them, and the person is told where to remove them', async () => {
    expect(await revoke('&account=octocat')).toEqual({
      success: true,
      revoked: 'not-offered',
      removeAt: 'https://probed.example/settings/apps',
    });
    expect(stand.provider.revocations).toEqual([]);
    expect(await rows()).toHaveLength(1);
    expect(await stand.use()).toMatchObject({ result: { status: 200 } });
  });

  it('are all ended when all accounts are disconnected', async () => {
    expect(await revoke('')).toEqual({ success: true, revoked: 'done' });
    expect(stand.provider.revocations).toHaveLength(2);
    expect([stand.provider.grants, await rows()]).toEqual([[], []]);
  });
});
