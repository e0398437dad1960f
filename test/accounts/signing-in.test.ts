// Tests signing in to a named account of several. reference: Several accounts
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_ACCOUNTS } from '../../src/connections/model/limits.ts';
import { readConfigOf } from '../../src/connections/model/config.ts';
import { respond } from '../support/fake-probed.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';

const HTML = { accept: 'text/html' };
const [OCTOCAT, EVE, BEA] = [
  { id: 583231, name: 'octocat' },
  { id: 7, name: 'eve' },
  { id: 8, name: 'bea' },
] as const;
type Person = typeof OCTOCAT | typeof EVE | typeof BEA;

let stand: ProbedStand;
let codes = 0;
beforeEach(async () => {
  stand = await openProbedStand();
});
afterEach(() => stand.close());

const rows = () => stand.app.deps.store.connections.of(stand.ana.id, 'probed');
const labelled = async () =>
  Object.fromEntries((await rows()).map(({ label, account_label }) => [label, account_label]));
const sealedOf = async (label: string) => (await rows()).find((row) => row.label === label)?.access_token;

/** Begins to connect, and returns the address of the provider. */
async function begin(account?: string): Promise<URL> {
  const query = account === undefined ? '' : `?${new URLSearchParams({ account })}`;
  const { status, body } = await stand.api('GET', `/api/auth/probed${query}`);
  expect(status).toBe(200);
  return new URL(body.url);
}

/** Consents as this person of the provider, and comes back to the gateway. */
async function comeBack(url: URL, { id, name }: Person, headers: Record<string, string> = HTML) {
  const code = `code-${codes++}`;
  stand.provider.expect(code, url.searchParams.get('code_challenge') ?? '');
  stand.provider.script.push({ path: '/api/whoami', answer: respond(200, { user: { id, name } }) });
  const query = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' });
  const response = await stand.app.request(`/api/auth/plugin/probed/callback?${query}`, { headers });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
}
const signIn = async (person: Person, account?: string) => comeBack(await begin(account), person);
const isConnected = ({ status, location }: { status: number; location: string | null }) =>
  status === 302 && location?.endsWith('#connected=probed') === true;

describe('a sign-in with a name', () => {
  it('adds the account under the name, and keeps the name out of the stored config', async () => {
    for (const [person, account] of [
      [OCTOCAT, 'private'],
      [EVE, 'work'],
    ] as const)
      expect(isConnected(await signIn(person, account))).toBe(true);
    expect(await labelled()).toEqual({ private: 'octocat', work: 'eve' });
    expect((await rows()).map(readConfigOf)).toEqual([{}, {}]);
  });

  it('renews the named account and no other one', async () => {
    await signIn(OCTOCAT, 'private');
    await signIn(EVE, 'work');
    const [kept, renewed] = [await sealedOf('private'), await sealedOf('work')];
    expect(isConnected(await signIn(EVE, 'work'))).toBe(true);
    expect(await sealedOf('private')).toBe(kept);
    expect(await sealedOf('work')).not.toBe(renewed);
    expect(await rows()).toHaveLength(2);
  });

  it('leaves the choice to the provider where no name is given', async () => {
    await signIn(OCTOCAT);
    await signIn(OCTOCAT);
    expect(await rows()).toHaveLength(1);
    expect(isConnected(await signIn(EVE))).toBe(true);
    expect(await labelled()).toEqual({ octocat: 'octocat', eve: 'eve' });
  });

  it.each(['', ' ', 'x'.repeat(65), 'a\u0000b', '\u202e'])(
    'is refused at the start when the name is %j',
    async (account) => {
      const { status, body } = await stand.api('GET', `/api/auth/probed?${new URLSearchParams({ account })}`);
      expect([status, body.error]).toEqual([
        400,
        'The name of an account has 1 to 64 characters, and none that cannot be seen',
      ]);
    },
  );

  it('is refused for an integration without sign-in', async () => {
    const started = await stand.api('GET', '/api/auth/echo?account=work');
    const entered = await stand.api('POST', '/api/auth/apikey/echo', { values: {}, account: 'work' });
    const error = 'Echo needs no sign-in, so it has no accounts. Leave "account" out.';
    for (const answer of [started, entered]) expect(answer).toEqual({ status: 400, body: { error } });
    expect((await stand.api('POST', '/api/auth/apikey/echo', { values: {} })).status).toBe(404);
  });
});

describe('a name that changes during a sign-in', () => {
  it('stores a new account under a free name when another one has taken its name', async () => {
    const url = await begin('work');
    await signIn(OCTOCAT, 'work');
    expect(isConnected(await comeBack(url, EVE))).toBe(true);
    expect(await labelled()).toEqual({ work: 'octocat', 'work 2': 'eve' });
  });

  it('renews the account that had the name, under the name that it has by now', async () => {
    await signIn(OCTOCAT, 'private');
    await signIn(EVE, 'work');
    const [url, before, kept] = [await begin('work'), await sealedOf('work'), await sealedOf('private')];
    const { connections } = stand.app.deps.store;
    const [first, second] = await rows();
    if (first === undefined || second === undefined) throw new Error('nothing is stored');
    expect(await connections.rename(second, 'former')).toBe('renamed');
    expect(await connections.rename(first, 'work')).toBe('renamed');
    expect(isConnected(await comeBack(url, EVE))).toBe(true);
    expect(await labelled()).toEqual({ work: 'octocat', former: 'eve' });
    expect(await sealedOf('work')).toBe(kept);
    expect(await sealedOf('former')).not.toBe(before);
  });

  it('adds the account again when it was disconnected meanwhile', async () => {
    await signIn(OCTOCAT, 'private');
    await signIn(EVE, 'work');
    const url = await begin('work');
    await stand.api('DELETE', '/api/connections/probed?account=work');
    expect(isConnected(await comeBack(url, EVE))).toBe(true);
    expect(await labelled()).toEqual({ private: 'octocat', work: 'eve' });
  });
});

describe('a sign-in to another account than the named one', () => {
  beforeEach(async () => {
    await signIn(OCTOCAT, 'private');
    await signIn(EVE, 'work');
  });

  it('changes nothing when nobody has connected it, and tells the person what to do', async () => {
    const before = await rows();
    const { status, text } = await signIn(BEA, 'work');
    expect(status).toBe(400);
    expect(text).toContain('<h1>This is another account</h1>');
    expect(text).toContain('Probed signed you in as &quot;bea&quot;. Nothing was changed');
    expect(text).toContain('To connect &quot;work&quot;, sign out at Probed, then start again here.');
    expect(await rows()).toEqual(before);
  });

  it.each([
    ['of an account that is stored', 'private'],
    ['of a new account', 'third'],
  ])('renews its own account when that one is stored, and says so, with the name %s', async (_, account) => {
    const [work, own] = [await sealedOf('work'), await sealedOf('private')];
    const { status, text } = await signIn(EVE, account);
    expect(status).toBe(400);
    expect(text).toContain('signed you in as &quot;work&quot;. The gateway has renewed that account');
    expect(text).toContain(`To connect &quot;${account}&quot;, sign out at Probed`);
    expect(await sealedOf('work')).not.toBe(work);
    expect(await sealedOf('private')).toBe(own);
    expect(await labelled()).toEqual({ private: 'octocat', work: 'eve' });
  });

  it('answers a program with the sentence only', async () => {
    const { status, text } = await comeBack(await begin('work'), BEA, stand.ana.keyHeader);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      {
        error:
          'Probed signed you in as "bea". Nothing was changed: to connect that account too, add another account. To connect "work", sign out at Probed, then start again here.',
      },
    ]);
  });
});

it('shows a page when the person has too many accounts', async () => {
  const { vault } = stand.app.deps;
  for (let at = 0; at < MAX_ACCOUNTS; at++)
    await vault.save(stand.ana.id, 'probed', { accessToken: 'x', account: `account ${at}` });
  const { status, text } = await signIn(EVE, 'one more');
  expect(status).toBe(400);
  expect(text).toContain('<h1>Probed is not connected</h1>');
  expect(text).toContain(`You have ${MAX_ACCOUNTS} accounts of this integration. Disconnect one first.`);
  expect(await rows()).toHaveLength(MAX_ACCOUNTS);
});
