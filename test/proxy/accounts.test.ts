// Tests which of several accounts a call uses, through every door. reference: Several accounts; decision: 028
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../support/mcp.ts';
import { bearer, openStage, type Stage } from '../support/proxy-stage.ts';
import { putRules } from '../support/raw-policy.ts';

interface Wanted {
  writes: boolean;
  account?: string;
}

/** What came of a call: which token reached the upstream, and what the answer says. */
interface Came {
  sent: string | undefined;
  error?: string;
  account?: string;
  accounts?: string[];
}

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  stage.answer((_, outgoing) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
afterEach(() => stage.close());

const add = (account: string) =>
  stage.app.deps.vault.save(stage.ana.id, 'vaulted', { accessToken: `${account}-token`, account });

async function setDefault(label: string, use: 'reads' | 'writes'): Promise<void> {
  const { connections } = stage.app.deps.store;
  const row = (await connections.of(stage.ana.id, 'vaulted')).find((each) => each.label === label);
  if (row === undefined) throw new Error(`no account ${label}`);
  await connections.setDefault(row, use, true);
}

// oxlint-disable-next-line typescript/no-explicit-any
async function post(path: string, body: object): Promise<any> {
  const response = await stage.app.request(path, {
    method: 'POST',
    headers: { ...stage.ana.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered = await response.json();
  return { ...answered, status: response.status };
}

const toolOf = ({ writes }: Wanted) => ({
  tool: 'vaulted_request',
  args: { method: writes ? 'POST' : 'GET', path: '/x' },
});
const named = ({ account }: Wanted) => (account === undefined ? {} : { account });

// oxlint-disable-next-line typescript/no-explicit-any
const DOORS: Record<string, (wanted: Wanted) => Promise<any>> = {
  async execute_tools(wanted) {
    const executions = [{ ...toolOf(wanted), ...named(wanted) }];
    return (await call(stage.app, stage.ana.keyHeader, 'execute_tools', { executions })).results[0];
  },
  REST: (wanted) => post('/rest/vaulted', { ...toolOf(wanted), ...named(wanted) }),
  async 'a REST batch'(wanted) {
    const executions = [{ ...toolOf(wanted), ...named(wanted) }];
    return (await post('/rest/vaulted', { executions })).results[0];
  },
  'the address of a tool': (wanted) =>
    post(`/rest/vaulted/request?${new URLSearchParams(named(wanted))}`, toolOf(wanted).args),
  async 'the curl proxy'(wanted) {
    const lent = await call(stage.app, stage.ana.keyHeader, 'curl_session', {
      integrations: ['vaulted'],
      ...named(wanted),
    });
    if (lent.token === undefined) return lent;
    const init = { method: wanted.writes ? 'POST' : 'GET', headers: bearer(lent.token) };
    const response = await stage.get('/c/vaulted/x', init);
    const text = await response.text();
    return response.status === 200 ? {} : { ...JSON.parse(text), status: response.status };
  },
};

async function outcome(door: string, wanted: Wanted): Promise<Came & { status?: number }> {
  stage.seen.length = 0;
  const use = DOORS[door];
  if (use === undefined) throw new Error(`there is no door ${door}`);
  const { error, account, accounts, status } = await use(wanted);
  await stage.app.deps.audit.flush();
  const sent = stage.seen.at(-1)?.headers.authorization?.replace('Bearer ', '');
  return {
    sent,
    ...(error === undefined ? {} : { error }),
    ...(account === undefined ? {} : { account }),
    ...(accounts === undefined ? {} : { accounts }),
    ...(error === undefined || status === undefined ? {} : { status }),
  };
}

async function newest(): Promise<Record<string, unknown>> {
  const response = await stage.app.request('/api/audit', { headers: stage.ana.keyHeader });
  return (await response.json()).entries[0];
}

const LABELS = ['Account', 'work'];
const AMBIGUOUS = { sent: undefined, error: 'AMBIGUOUS_ACCOUNT', accounts: LABELS };
const UNKNOWN = { sent: undefined, error: 'UNKNOWN_ACCOUNT', accounts: LABELS };
const FIRST = { sent: 'upstream-token', account: 'Account' };
const WORK = { sent: 'work-token', account: 'work' };

describe.each(Object.keys(DOORS))('a call through %s', (door) => {
  // A raw answer is the upstream's own, so it cannot name the account.
  const shown = ({ account, ...came }: Came): Came =>
    door === 'the curl proxy' || account === undefined ? came : { ...came, account };
  const isHttp = door !== 'execute_tools' && door !== 'a REST batch';

  it.each([
    ['reads', { writes: false }],
    ['writes', { writes: true }],
  ])('%s with the only account, and says nothing of it', async (_, wanted) => {
    expect(await outcome(door, wanted)).toEqual({ sent: 'upstream-token' });
    expect(await newest()).not.toHaveProperty('account');
  });

  it('takes the label of the only account, and no other one', async () => {
    await add('work');
    await stage.app.deps.store.connections.delete(stage.ana.id, 'vaulted', '');
    expect(await outcome(door, { writes: true, account: 'work' })).toEqual({ sent: 'work-token' });
    const { status: _, ...came } = await outcome(door, { writes: false, account: 'Account' });
    expect(came).toEqual({ ...UNKNOWN, accounts: ['work'] });
  });

  it.each<[string, Wanted, Came]>([
    ['reads with the oldest', { writes: false }, FIRST],
    ['does not write without a name', { writes: true }, AMBIGUOUS],
    ['reads with the named one', { writes: false, account: 'work' }, WORK],
    ['writes with the named one', { writes: true, account: 'work' }, WORK],
    ['writes with the other named one', { writes: true, account: 'Account' }, FIRST],
    ['does nothing for a name that none has', { writes: false, account: 'home' }, UNKNOWN],
  ])('%s where there are two', async (_name, wanted, expected) => {
    await add('work');
    const { status, ...came } = await outcome(door, wanted);
    expect(came).toEqual(shown(expected));
    const isSent = door !== 'the curl proxy' || expected.error !== 'UNKNOWN_ACCOUNT';
    if (expected.error !== undefined && isHttp && isSent) expect(status).toBe(409);
  });

  it('uses the defaults that the person has chosen', async () => {
    await add('work');
    await add('home');
    await setDefault('work', 'reads');
    await setDefault('home', 'writes');
    expect(await outcome(door, { writes: false })).toEqual(shown(WORK));
    expect(await outcome(door, { writes: true })).toEqual(shown({ sent: 'home-token', account: 'home' }));
    expect((await newest())['account']).toBe('home');
  });
});

describe('a token for one account', () => {
  it.each(['', '?revoke=true'])(
    'ends when its account is disconnected (%s) and connected again within a second',
    async (query) => {
      const now = stage.app.clock.now();
      await stage.app.deps.vault.save(stage.ana.id, 'vaulted', { accessToken: 'first-token' });
      const session = { integrations: ['vaulted'], account: 'Account' };
      const { token } = await call(stage.app, stage.ana.keyHeader, 'curl_session', session);
      const get = async () => (await stage.get('/c/vaulted/x', { headers: bearer(token) })).status;
      expect(await get()).toBe(200);
      const init = { method: 'DELETE', headers: stage.ana.sessionHeader };
      expect((await stage.app.request(`/api/connections/vaulted${query}`, init)).status).toBe(200);
      await stage.app.deps.vault.save(stage.ana.id, 'vaulted', { accessToken: 'later-token' });
      expect(await get()).toBe(409);
      // A real clock would have waited for the rest of the second.
      expect(stage.app.clock.now()).toBe(now + 1);
    },
  );

  it('does not reach an account that was connected later, even under the same name', async () => {
    await add('work');
    const { token } = await call(stage.app, stage.ana.keyHeader, 'curl_session', {
      integrations: ['vaulted'],
      account: 'work',
    });
    const get = async () => (await stage.get('/c/vaulted/x', { headers: bearer(token) })).status;
    expect(await get()).toBe(200);
    expect(stage.seen.at(-1)?.headers.authorization).toBe('Bearer work-token');
    const { connections } = stage.app.deps.store;
    const row = (await connections.of(stage.ana.id, 'vaulted')).find(({ label }) => label === 'work');
    await connections.delete(stage.ana.id, 'vaulted', row?.account ?? '');
    expect(await get()).toBe(409);
    stage.app.clock.advance(1);
    await add('work');
    expect(await get()).toBe(409);
  });
});

describe('an audit row', () => {
  it('says that nobody was named where a call was ambiguous', async () => {
    await add('work');
    await outcome('REST', { writes: true });
    expect(await newest()).toMatchObject({ success: false, error: 'AMBIGUOUS_ACCOUNT', outcome: 'error' });
  });

  it('is written for a raw request too, with its method and path', async () => {
    await add('work');
    await outcome('the curl proxy', { writes: true });
    expect(await newest()).toMatchObject({
      tool: 'POST /x',
      action: 'CURL',
      success: false,
      error: 'AMBIGUOUS_ACCOUNT',
      outcome: 'error',
    });
  });
});

describe('a raw request that is refused', () => {
  const ask = async (path: string, account: string): Promise<unknown> => {
    const [, , integration = ''] = path.split('/');
    const session = { integrations: [integration], account };
    const { token } = await call(stage.app, stage.ana.keyHeader, 'curl_session', session);
    return (await stage.get(path, { headers: bearer(token) })).json();
  };

  it('names the account whose session has expired', async () => {
    const [row] = await stage.app.deps.store.connections.of(stage.ana.id, 'jar');
    await stage.app.deps.vault.save(stage.ana.id, 'jar', {
      cookies: JSON.stringify({ v: 1, cookies: [], capturedAt: 1 }),
      config: JSON.parse(row?.config ?? '{}'),
      account: 'second',
    });
    expect(await ask('/c/jar/x', 'second')).toEqual({
      error: 'NOT_CONNECTED',
      integration: 'jar',
      message: expect.stringMatching(/^Jar is not connected\. /),
      account: 'second',
    });
  });

  it('names the account that a person is asked about', async () => {
    await add('work');
    await putRules(stage, [{ integration: 'vaulted', decision: 'ask' }]);
    const asked = { error: 'APPROVAL_REQUIRED', integration: 'vaulted', account: 'work' };
    expect(await ask('/c/vaulted/x', 'work')).toMatchObject(asked);
  });
});
