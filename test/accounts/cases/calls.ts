// Cases of calls through MCP, REST and /c.
import { expect } from 'vitest';
import { call } from '../../support/mcp.ts';
import { bearer, openStage, type Stage } from '../../support/proxy-stage.ts';
import type { Case, Until } from './case.ts';

const ALL = 'MCP, REST, `/c`';
const AMBIGUOUS = '`AMBIGUOUS_ACCOUNT` with the labels, nothing is sent';
const UNKNOWN = '`UNKNOWN_ACCOUNT` with the labels, nothing is sent';

interface Asked {
  method: 'GET' | 'POST';
  account?: string;
}

/** Opens a gateway whose person has these accounts of one service, the oldest first. */
export async function openAccounts(until: Until, labels: readonly string[]): Promise<Stage> {
  const stage = until(await openStage());
  stage.answer((_, outgoing) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  const { store, vault } = stage.app.deps;
  await store.connections.delete(stage.ana.id, 'vaulted', '');
  for (const account of labels) {
    await vault.save(stage.ana.id, 'vaulted', { accessToken: `token-of-${account}`, account });
    stage.app.clock.advance(1);
  }
  return stage;
}

export async function rowOf({ app, ana }: Stage, label: string) {
  const row = (await app.deps.store.connections.of(ana.id, 'vaulted')).find((each) => each.label === label);
  if (row === undefined) throw new Error(`there is no account ${label}`);
  return row;
}

async function setDefault(stage: Stage, label: string, use: 'reads' | 'writes'): Promise<void> {
  await stage.app.deps.store.connections.setDefault(await rowOf(stage, label), use, true);
}

/** The accounts whose tokens reached the service. */
export const sent = ({ seen }: Stage) =>
  seen.map(({ headers }) => headers.authorization?.replace('Bearer token-of-', ''));

export async function lend({ app, ana }: Stage, account?: string) {
  return call(app, ana.keyHeader, 'curl_session', {
    integrations: ['vaulted'],
    ...(account === undefined ? {} : { account }),
  });
}

export async function sendRaw(stage: Stage, token: string, method: string) {
  const response = await stage.get('/c/vaulted/x', { method, headers: bearer(token) });
  const body = await response.json();
  return { status: response.status, ...body };
}

const execution = ({ method, account }: Asked) => ({
  tool: 'vaulted_request',
  args: { method, path: '/x' },
  ...(account === undefined ? {} : { account }),
});

// oxlint-disable-next-line typescript/no-explicit-any
const DOORS: readonly ((stage: Stage, asked: Asked) => Promise<any>)[] = [
  async ({ app, ana }, asked) =>
    (await call(app, ana.keyHeader, 'execute_tools', { executions: [execution(asked)] })).results[0],
  async ({ app, ana }, asked) => {
    const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(execution(asked)) };
    return (await app.request('/rest/vaulted', init)).json();
  },
  async (stage, { method, account }) => {
    const lent = await lend(stage, account);
    return lent.token === undefined ? lent : sendRaw(stage, lent.token, method);
  },
];

interface Prepared {
  accounts: readonly string[];
  reads?: string;
  writes?: string;
}

/** Runs the call through each door. `ends` is the account that it uses, or the error that it ends in. */
function through(prepared: Prepared, asked: Asked, ends: { uses: string } | { error: string }): Case['run'] {
  return async (until) => {
    const stage = await openAccounts(until, prepared.accounts);
    if (prepared.reads !== undefined) await setDefault(stage, prepared.reads, 'reads');
    if (prepared.writes !== undefined) await setDefault(stage, prepared.writes, 'writes');
    for (const use of DOORS) {
      stage.seen.length = 0;
      const answer = await use(stage, asked);
      if ('uses' in ends) {
        expect(sent(stage)).toEqual([ends.uses]);
        expect(answer).not.toHaveProperty('error');
        if (prepared.accounts.length === 1) expect(answer).not.toHaveProperty('account');
      } else {
        expect(sent(stage)).toEqual([]);
        expect(answer).toMatchObject({ error: ends.error, accounts: prepared.accounts });
      }
    }
  };
}

const BOTH = ['work', 'home'];
const GET = { method: 'GET' } as const;
const POST = { method: 'POST' } as const;
const WRITES = 'several accounts, none named, a call that can change something';

export const CALL_CASES: readonly Case[] = [
  {
    situation: 'one account, none named',
    door: ALL,
    outcome: 'uses it, and no answer has `account`',
    run: through({ accounts: ['work'] }, POST, { uses: 'work' }),
  },
  {
    situation: 'one account, its label',
    door: ALL,
    outcome: 'uses it, and no answer has `account`',
    run: through({ accounts: ['work'] }, { ...POST, account: 'work' }, { uses: 'work' }),
  },
  {
    situation: 'one account, another label',
    door: ALL,
    outcome: UNKNOWN,
    run: through({ accounts: ['work'] }, { ...GET, account: 'home' }, { error: 'UNKNOWN_ACCOUNT' }),
  },
  {
    situation: 'several accounts, a label that none has',
    door: ALL,
    outcome: UNKNOWN,
    run: through(
      { accounts: BOTH, reads: 'work', writes: 'work' },
      { ...GET, account: 'club' },
      { error: 'UNKNOWN_ACCOUNT' },
    ),
  },
  {
    situation: 'several accounts, one named, another one is the default',
    door: ALL,
    outcome: 'uses the named one',
    run: through(
      { accounts: BOTH, reads: 'work', writes: 'work' },
      { ...POST, account: 'home' },
      { uses: 'home' },
    ),
  },
  {
    situation: 'several accounts, none named, a call that reads, no default',
    door: ALL,
    outcome: 'uses the oldest',
    run: through({ accounts: BOTH }, GET, { uses: 'work' }),
  },
  {
    situation: 'several accounts, none named, a call that reads, a default',
    door: ALL,
    outcome: 'uses the default',
    run: through({ accounts: BOTH, reads: 'home', writes: 'work' }, GET, { uses: 'home' }),
  },
  {
    situation: `${WRITES}, no default`,
    door: ALL,
    outcome: AMBIGUOUS,
    run: through({ accounts: BOTH }, POST, { error: 'AMBIGUOUS_ACCOUNT' }),
  },
  {
    situation: `${WRITES}, a default for reads only`,
    door: ALL,
    outcome: AMBIGUOUS,
    run: through({ accounts: BOTH, reads: 'home' }, POST, { error: 'AMBIGUOUS_ACCOUNT' }),
  },
  {
    situation: `${WRITES}, a default for writes`,
    door: ALL,
    outcome: 'uses the default for writes',
    run: through({ accounts: BOTH, reads: 'work', writes: 'home' }, POST, { uses: 'home' }),
  },
  {
    situation: 'a batch whose items name different accounts',
    door: 'MCP',
    outcome: 'each item uses its account, and an item that is ambiguous fails alone',
    async run(until) {
      const stage = await openAccounts(until, BOTH);
      const { results } = await call(stage.app, stage.ana.keyHeader, 'execute_tools', {
        executions: [
          execution({ ...POST, account: 'home' }),
          execution(POST),
          execution({ ...POST, account: 'work' }),
        ],
      });
      expect(results).toMatchObject([
        { account: 'home' },
        { error: 'AMBIGUOUS_ACCOUNT' },
        { account: 'work' },
      ]);
      expect(new Set(sent(stage))).toEqual(new Set(BOTH));
      expect(stage.seen).toHaveLength(2);
    },
  },
  {
    situation: 'the default for writes is disconnected',
    door: ALL,
    outcome: `no other account becomes it: ${AMBIGUOUS}`,
    async run(until) {
      const stage = await openAccounts(until, ['work', 'home', 'club']);
      await setDefault(stage, 'work', 'writes');
      await stage.app.deps.store.connections.delete(
        stage.ana.id,
        'vaulted',
        (await rowOf(stage, 'work')).account,
      );
      for (const use of DOORS)
        expect(await use(stage, POST)).toMatchObject({
          error: 'AMBIGUOUS_ACCOUNT',
          accounts: ['home', 'club'],
        });
      expect(sent(stage)).toEqual([]);
    },
  },
  {
    situation: 'one of two accounts is disconnected',
    door: ALL,
    outcome: 'every call uses the other one, and no answer has `account`',
    async run(until) {
      const stage = await openAccounts(until, BOTH);
      await stage.app.deps.store.connections.delete(
        stage.ana.id,
        'vaulted',
        (await rowOf(stage, 'work')).account,
      );
      for (const use of DOORS) expect(await use(stage, POST)).not.toHaveProperty('account');
      expect(sent(stage)).toEqual(['home', 'home', 'home']);
    },
  },
];
