// Tests how several accounts of one integration are connected, shown, changed and disconnected. reference: Several accounts
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_ACCOUNTS } from '../../src/config/limits.ts';
import { NO_STANDING } from '../../src/connections/standing.ts';
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
    await stand.app.deps.store.connections.mark(row, NO_STANDING);
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
    await stand.app.deps.store.connections.mark(row, { ...NO_STANDING, status: 'reconnect' });
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
    for (const account of [undefined, undefined, 'work', 'work', 'home'])
      expect((await save(account)).status).toBe(200);
    const stored = await stand.app.deps.store.connections.of(stand.ana.id, 'keyed');
    expect(stored).toHaveLength(3);
    expect(new Set(stored.map(({ label }) => label))).toEqual(new Set(['Account', 'work', 'home']));
    expect((await save('\u202e')).status).toBe(400);
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

  it('asks the provider about the named account only', async () => {
    stand.provider.seen.length = 0;
    expect((await stand.api('POST', '/api/connections/probed/check?account=octocat')).status).toBe(200);
    expect(stand.provider.seen).toHaveLength(1);
  });
});
