// Sends one call through each door over a real socket, and reads what came of it: the answer, the audit row and the counts.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { type Actor, agentKeyActorId } from '../../src/kit/actor.ts';
import type { AuditEntry } from '../../src/ports/records.ts';
import { modernHeaders, modernMeta } from './mcp.ts';
import { makeKey } from './policy.ts';
import { bearer, openStage, type Stage } from './proxy-stage.ts';
import { auditOf } from './raw-policy.ts';

export const DOORS = ['execute_tools', 'REST', 'REST batch', '/c'] as const;
export type Door = (typeof DOORS)[number];

/** A call of the API behind `vaulted`. The tools send it with `vaulted_request`, and `/c` as it is. */
export interface Call {
  method?: string;
  path?: string;
  body?: string;
  /** Only for tools. */
  tool?: string;
  args?: unknown;
  select?: string;
  account?: string;
  key?: string;
  /** Only for /c. */
  headers?: Record<string, string>;
  /** Only for /c: what the token says beside its person, caller and integration. */
  session?: object;
  /** Only for /c: another integration than `vaulted`. */
  integration?: string;
  signal?: AbortSignal;
}

export interface Answered {
  /** Null where the caller left before the answer. */
  status: number | null;
  /** For a batch: its only result. */
  body: unknown;
  headers: Headers;
}

/** The members of an audit row by which a call is told apart from another. */
export type Row = Pick<
  AuditEntry,
  | 'access'
  | 'account'
  | 'action'
  | 'error'
  | 'integration'
  | 'outcome'
  | 'owner'
  | 'status'
  | 'success'
  | 'tool'
> & { hasApproval: boolean };

/** What was counted for a call: for its person, for its key, and as an execution in the metrics. */
export interface Counts {
  person: number;
  key: number;
  executions: number;
}

export interface CallStage extends Stage {
  actor: Actor;
  /** The answers of the upstream that wait, in order. */
  held: ServerResponse[];
  send(door: Door, call: Call): Promise<Answered>;
  /** The rows of calls, the oldest first. */
  rows(): Promise<Row[]>;
  counts(): Promise<Counts>;
  /** Lets every later answer of the upstream wait. */
  hold(): void;
  /** Resolves when this many requests have reached the upstream. */
  atUpstream(count: number): Promise<void>;
}

/** No minute begins while a test counts. */
const NOON = { ...createSystemClock(setImmediate), now: () => 1_800_000_000 };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Every call comes from a named key with a limit of its own, so that all counts are kept. */
export async function openCallStage(
  env: Record<string, string> = {},
  limits: object = {},
): Promise<CallStage> {
  const stage = await openStage({ clock: NOON, env: { PERSON_CALLS_PER_MINUTE: '1000', ...env } });
  const { app, ana, base } = stage;
  const { deps } = app;
  const made = await makeKey(app, ana, { name: 'Robot', perMinute: 1000, ...limits });
  const actor: Actor = { id: agentKeyActorId(made.id), name: 'Robot', clientId: null, limits: [] };
  const held: ServerResponse[] = [];
  let before: Counts = { person: 0, key: 0, executions: 0 };

  const executionOf = ({ tool = 'vaulted_request', args, select, account, ...call }: Call) => ({
    tool,
    args: args ?? {
      method: call.method ?? 'GET',
      path: call.path ?? '/x',
      ...(call.body === undefined ? {} : { body: call.body }),
    },
    ...(select === undefined ? {} : { select }),
    ...(account === undefined ? {} : { account }),
  });
  const keyed = (call: Call) =>
    call.key === undefined ? executionOf(call) : { ...executionOf(call), key: call.key };

  async function post(
    path: string,
    body: object,
    signal: AbortSignal | undefined,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${base}${path}`, {
      method: 'POST',
      headers: { ...made.header, ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  }

  async function read(response: Response): Promise<Answered> {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }

  const senders: Record<Door, (call: Call) => Promise<Answered>> = {
    async execute_tools(call) {
      const executions = [keyed(call)];
      const params = { _meta: modernMeta, name: 'execute_tools', arguments: { executions } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const named = modernHeaders('tools/call', 'execute_tools');
      const answered = await read(await post('/mcp', message, call.signal, named));
      // The shape is that of JSON-RPC: either a result with one text, or an error.
      const { result, error } = answered.body as {
        result?: { content: { text: string }[] };
        error?: unknown;
      };
      const text = result?.content[0]?.text;
      return { ...answered, body: text === undefined ? error : JSON.parse(text).results[0] };
    },
    async REST(call) {
      const headers = call.key === undefined ? {} : { 'idempotency-key': call.key };
      return read(await post('/rest/vaulted', executionOf(call), call.signal, headers));
    },
    async 'REST batch'(call) {
      const answered = await read(await post('/rest/vaulted', { executions: [keyed(call)] }, call.signal));
      // A batch that ran has results, and any other answer is an error.
      const { results } = answered.body as { results?: unknown[] };
      return results === undefined ? answered : { ...answered, body: results[0] };
    },
    async '/c'({ method = 'GET', path = '/x', body, headers, session, integration = 'vaulted', signal }) {
      const token = await stage.token({ actor, integrations: ['vaulted'], ...session });
      const all = { ...bearer(token), ...headers };
      const init = { method, headers: all, body: body ?? null, signal: signal ?? null };
      return read(await fetch(`${base}/c/${integration}${path}`, init));
    },
  };

  async function countNow(): Promise<Counts> {
    const { text } = await deps.metrics.expose();
    const lines = text.match(/^\w*executions_total\{.*\} \d+$/gm) ?? [];
    const executions = lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    const [person, key] = [ana.id, `${ana.id}\n${actor.id}`].map((who) => deps.calls.used(who).thisMinute);
    return { person: person ?? 0, key: key ?? 0, executions };
  }

  return {
    ...stage,
    actor,
    held,
    async send(door, call) {
      before = await countNow();
      return senders[door](call).catch((error: unknown) => {
        if (call.signal?.aborted === true) return { status: null, body: null, headers: new Headers() };
        throw error;
      });
    },
    async rows() {
      const entries = (await auditOf(stage, ana.id)).filter(
        ({ action }) => action === 'CURL' || action === 'EXECUTE',
      );
      return entries.toReversed().map((entry) => {
        const { action, integration, tool, success, error, outcome, access, account, owner, status } = entry;
        expect(entry).toMatchObject({ actor: actor.id, client_name: 'Robot' });
        expect(entry.request_id).toMatch(/.+/);
        const hasApproval = entry.approval !== null;
        const named = { action, integration, tool, success, error, outcome };
        return { ...named, access, account, owner, hasApproval, status };
      });
    },
    async counts() {
      const now = await countNow();
      return {
        person: now.person - before.person,
        key: now.key - before.key,
        executions: now.executions - before.executions,
      };
    },
    hold: () => stage.answer((_, outgoing) => void held.push(outgoing)),
    async atUpstream(count) {
      while (stage.seen.length < count) await delay(1);
    },
  };
}
