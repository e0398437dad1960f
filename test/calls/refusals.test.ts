// Sends every call that is refused or fails through all three doors, and compares the answer, the audit row and the counts.
// docs/calls.md has the table; the snapshots have the bodies and the rows. reference: Execution rules; Curl proxy
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { ApprovalRecord } from '../../src/ports/policy.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { TEAM_ACCOUNT } from '../../src/ports/team.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { MANY_QUESTIONS } from '../contracts/store/records.ts';
import {
  type Answered,
  type Call,
  type CallStage,
  type Counts,
  type Door,
  DOORS,
  openCallStage,
  type Row,
} from '../support/call-doors.ts';
import { approvalsOf, approve, deny, putRules } from '../support/raw-policy.ts';

interface Refusal {
  env?: Record<string, string>;
  /** The limits of the key that calls. */
  limits?: object;
  call?: Call | ((door: Door) => Call);
  /** Brings the gateway into the state in which the call is refused. Returns what the call says further. */
  prepare?(stage: CallStage, door: Door): Promise<Call | void> | void;
  /** Runs while the call is at the upstream. */
  meanwhile?(stage: CallStage): void;
  /** The doors that can refuse so. */
  doors?: readonly Door[];
}

const POST: Call = { method: 'POST' };
const TOOLS: readonly Door[] = ['execute_tools', 'REST', 'REST batch'];
const RAW: readonly Door[] = ['/c'];
const BLOCK: Rule[] = [{ integration: 'vaulted', decision: 'block' }];
const ASK: Rule[] = [{ integration: 'vaulted', decision: 'ask' }];
const KEYED: Call = { ...POST, key: 'order-1' };
const APPROVALS_OF_ONE_CALLER = 100;

async function questionOf(stage: CallStage): Promise<ApprovalRecord> {
  const [row] = await approvalsOf(stage);
  if (row === undefined) throw new Error('nothing was asked');
  return row;
}

async function ask(stage: CallStage, door: Door): Promise<ApprovalRecord> {
  await putRules(stage, ASK);
  await stage.send(door, POST);
  return questionOf(stage);
}

async function runApproved(stage: CallStage, door: Door): Promise<void> {
  const { id } = await ask(stage, door);
  await approve(stage, id);
  stage.hold();
  void stage.send(door, POST);
  await stage.atUpstream(1);
}

async function fillQuestions(stage: CallStage, door: Door): Promise<void> {
  const first = await ask(stage, door);
  const { approvals } = stage.app.deps.store;
  for (let n = 1; n < APPROVALS_OF_ONE_CALLER; n++)
    await approvals.ask({ ...first, id: `${n}`, slot: `${n}`, digest: `${n}` }, MANY_QUESTIONS);
}

function endAccess({ app, ana }: CallStage): void {
  const { clock, digest, runningWork } = app.deps;
  runningWork.stop(ana.id, { person: digest.sha256(ana.id), before: clock.now() });
}

/** The access ends while the rules are read. */
function endEarly(stage: CallStage): void {
  const { policies } = stage.app.deps.store;
  const { read } = policies;
  policies.read = async (...query) => {
    endAccess(stage);
    return read(...query);
  };
}

function failRules({ app }: CallStage, error: Error): void {
  app.deps.store.policies.read = () => Promise.reject(error);
}

const disconnect = ({ app, ana }: CallStage) => app.deps.store.connections.delete(ana.id, 'vaulted', '');

/** The person has no account of their own, and the team connection may only read. */
async function useTeam(stage: CallStage): Promise<Call> {
  const { vault, store } = stage.app.deps;
  await disconnect(stage);
  await vault.saveForTeam(stage.ana.id, 'vaulted', { accessToken: 'of-the-team' });
  await store.team.change('vaulted', { access: 'read', who: 'everyone' }, stage.app.deps.clock.now());
  const row = await store.connections.get(EVERYONE, 'vaulted', TEAM_ACCOUNT);
  return {
    ...POST,
    session: { accounts: { vaulted: { account: TEAM_ACCOUNT, created_at: row?.created_at } } },
  };
}

/** The caller leaves when its call has reached the upstream. */
let caller = new AbortController();
function leaveLater(stage: CallStage): Call {
  stage.hold();
  caller = new AbortController();
  return { tool: 'vaulted_get', args: { path: '/x' }, signal: caller.signal };
}

const REFUSALS: Record<string, Refusal> = {
  'too many calls of the person run': {
    env: { PERSON_MAX_CALLS: '1' },
    prepare: ({ app, ana }) => void app.deps.calls.begin(ana.id),
  },
  'the person has begun too many calls this minute': {
    env: { PERSON_CALLS_PER_MINUTE: '1' },
    prepare({ app, ana }) {
      app.deps.calls.begin(ana.id);
      app.deps.calls.end(ana.id);
    },
  },
  'the key has begun too many calls this minute': {
    limits: { perMinute: 1 },
    prepare: ({ app, ana, actor }) => void app.deps.calls.countFor(`${ana.id}\n${actor.id}`, 1),
  },
  'a rule of the person blocks it': { prepare: (stage) => putRules(stage, BLOCK) },
  'a rule for everyone blocks it': { prepare: (stage) => putRules(stage, BLOCK, EVERYONE) },
  'the limits of the key block it': { limits: { access: 'read' }, call: POST },
  'the team connection may not be used for it': { prepare: useTeam },
  'no account has that label': { call: { account: 'home' }, doors: TOOLS },
  'the account of the token is gone': {
    call: { session: { accounts: { vaulted: { account: 'gone', created_at: 1 } } } },
    doors: RAW,
  },
  'it does not say which account is meant': {
    call: POST,
    async prepare({ app, ana }) {
      await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'other', account: 'work' });
    },
  },
  'the integration is not connected': { prepare: async (stage) => void (await disconnect(stage)) },
  'the sign-in has expired': {
    async prepare({ app, ana }) {
      await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'old', expiresAt: 1 });
    },
  },
  'the provider answers 401': {
    prepare: (stage) => stage.answer((_, outgoing) => outgoing.writeHead(401).end('no')),
  },
  'a person has to approve it': { call: POST, prepare: (stage) => putRules(stage, ASK) },
  'the person has said no': {
    call: POST,
    async prepare(stage, door) {
      const { id } = await ask(stage, door);
      await deny(stage, id, 'not today');
    },
  },
  'the approved call runs already': { call: POST, prepare: runApproved },
  'a call with its key runs already': {
    call: KEYED,
    async prepare(stage, door) {
      stage.hold();
      void stage.send(door, KEYED);
      await stage.atUpstream(1);
    },
    doors: TOOLS,
  },
  'its key belongs to another call': {
    call: { ...KEYED, path: '/other' },
    prepare: async (stage, door) => void (await stage.send(door, KEYED)),
    doors: TOOLS,
  },
  'it is not known what came of its key': {
    call: KEYED,
    async prepare(stage, door) {
      stage.answer((_, outgoing) => outgoing.writeHead(500).end('oh'));
      await stage.send(door, KEYED);
    },
    doors: TOOLS,
  },
  'the result of its key is not kept': {
    call: KEYED,
    async prepare(stage, door) {
      await stage.send(door, KEYED);
      await stage.app.deps.store.executionKeys.trim(stage.ana.id, 0);
    },
    doors: TOOLS,
  },
  'the person has used up the keys of a day': {
    call: KEYED,
    prepare({ app }) {
      const { executionKeys } = app.deps.store;
      const { claim } = executionKeys;
      executionKeys.claim = (row) => claim(row, 0);
    },
    doors: TOOLS,
  },
  'it is too long to be shown': {
    call: { ...POST, body: 'x'.repeat(300_000) },
    prepare: (stage) => putRules(stage, ASK),
  },
  'its body cannot be shown': {
    call: { ...POST, body: 'x', headers: { 'content-encoding': 'gzip' } },
    prepare: (stage) => putRules(stage, ASK),
    doors: RAW,
  },
  'too many calls wait for the person': { call: { ...POST, path: '/other' }, prepare: fillQuestions },
  'a rule wants its answer checked, and it cannot be': {
    async prepare(stage) {
      await putRules(stage, [{ redact: 'secrets', decision: 'allow' }]);
      stage.answer((_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'image/png' }).end('x'));
    },
    doors: RAW,
  },
  'the access ended before it ran': { prepare: endEarly },
  'the access ended while it read': {
    call: { tool: 'vaulted_get', args: { path: '/x' } },
    prepare: (stage) => stage.hold(),
    meanwhile: endAccess,
  },
  'the access ended while it wrote': {
    call: POST,
    prepare: (stage) => stage.hold(),
    meanwhile: endAccess,
  },
  'the caller left while it read': {
    prepare: async (stage) => leaveLater(stage),
    meanwhile: () => caller.abort(),
  },
  'there is no such tool': { call: { tool: 'vaulted_gett' }, doors: TOOLS },
  'its arguments are wrong': { call: { args: { path: 'x' } }, doors: TOOLS },
  'its path could leave the API': { call: { path: '/a%2f..%2f..' }, doors: RAW },
  'select is not an expression': { call: { select: '[' }, doors: TOOLS },
  'select cannot be applied': { call: { select: 'abs(@)' }, doors: TOOLS },
  'the store is away': { prepare: (stage) => failRules(stage, new Unavailable('the store is away')) },
  'the store fails': { prepare: (stage) => failRules(stage, new DriverFailure('the store fails')) },
  'the method is not one that passes': { call: { method: 'PROPFIND' }, doors: RAW },
  'there is no token': { call: { headers: { authorization: '' } }, doors: RAW },
  'the token is wrong': { call: { headers: { authorization: 'Bearer x' } }, doors: RAW },
  'the token is for other integrations': { call: { integration: 'keyed' }, doors: RAW },
  'the token is for others, and the name is unknown': { call: { integration: 'nobody' }, doors: RAW },
  'the token is for an unknown integration': {
    call: { integration: 'nobody', session: { integrations: ['nobody'] } },
    doors: RAW,
  },
  'the integration has no API': {
    call: { integration: 'echo', session: { integrations: ['echo'] } },
    doors: RAW,
  },
  'the token does not allow the method': { call: { ...POST, session: { methods: ['GET'] } }, doors: RAW },
  'the token does not allow the path': { call: { session: { pathPrefix: '/y' } }, doors: RAW },
};

interface Came extends Answered {
  /** Null where the call left no row. */
  row: Row | null;
  counts: Counts;
}

let stage: CallStage;
/** A server that stops waits a moment for its clients, so all of them stop together. */
const closing: Promise<void>[] = [];
afterAll(() => Promise.all(closing));

async function refuse({ env, limits, call = {}, prepare, meanwhile }: Refusal, door: Door): Promise<Came> {
  stage = await openCallStage(env, limits);
  stage.answer((_, outgoing) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  const further = (await prepare?.(stage, door)) ?? {};
  const before = (await stage.rows()).length;
  const sending = stage.send(door, { ...(typeof call === 'function' ? call(door) : call), ...further });
  if (meanwhile !== undefined) {
    await stage.atUpstream(1);
    meanwhile(stage);
  }
  const answered = await sending;
  const isLeft = answered.status === null;
  if (isLeft) await expect.poll(async () => (await stage.rows()).length).toBe(before + 1);
  const rows = (await stage.rows()).slice(before);
  expect(rows.length).toBeLessThanOrEqual(1);
  return { ...answered, row: rows[0] ?? null, counts: await stage.counts() };
}

/** Ids and addresses with them differ from run to run. */
const withoutIds = (text: string): string => text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '<id>');

/** The text keeps the order of the members, which clients see too. */
function describeCame({ status, body, headers, row, counts }: Came): string {
  const named = ['allow', 'retry-after'].flatMap((name) => headers.get(name) ?? []);
  const lines = { status, headers: named, body, row, counts };
  return withoutIds(JSON.stringify(lines, null, 2));
}

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/calls.md'), 'utf8');

/** A row of the table in docs/calls.md, cell by cell. */
function rowOf(name: string): string[] {
  const line = PAGE.split('\n').find((each) => each.startsWith(`| ${name} `)) ?? '';
  return line.split('|').map((cell) => cell.trim());
}

function answerCell({ status, body }: Came): string {
  if (status === null) return 'gone';
  const code = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
  return /^[A-Z_]+$/.test(code) ? `${status} ${code}` : String(status);
}
const rowCell = ({ row }: Came): string => row?.outcome ?? '–';
function countCell({ counts }: Came): string {
  const counted = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [name]));
  return counted.length === 0 ? '–' : counted.join(', ');
}

describe.each(Object.entries(REFUSALS))('when %s', (name, refusal) => {
  const { doors = DOORS } = refusal;
  afterEach(() => {
    for (const outgoing of stage.held) outgoing.end('late');
    closing.push(stage.close());
  });
  const [, , batch, rest, raw, row, rawRow, count, rawCount] = rowOf(name);
  const cellsOf = (door: Door) =>
    door === '/c' ? [raw, rawRow, rawCount] : [door === 'REST' ? rest : batch, row, count];

  it.each(doors)('%s answers as the table says', async (door) => {
    const came = await refuse(refusal, door);
    expect(describeCame(came)).toMatchSnapshot();
    expect([answerCell(came), rowCell(came), countCell(came)]).toEqual(cellsOf(door));
  });
});

it('names every line of the table in docs/calls.md', () => {
  const named = [...PAGE.matchAll(/^\| ([a-z][^|]+?) +\|/gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(REFUSALS));
});
