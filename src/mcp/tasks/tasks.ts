// Begins, shows, answers and cancels the tasks of a caller. Any process answers: all it needs is in the store and in the id.
// reference: Tasks
import * as z from 'zod';
import type { Seal } from '../../crypto/seal.ts';
import { ErrorCode } from '../../http/error-codes.ts';
import { portalPage } from '../../http/portal-page.ts';
import { integrationPage } from '../../connections/model/ways.ts';
import { writeJson } from '../../json/exact-integers.ts';
import { isObject, parseJson } from '../../json/json.ts';
import type { Identity } from '../../kit/actor.ts';
import type { KnownCaller } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Gate } from '../../policy/model/gate.ts';
import { APPROVAL_RUN_SECONDS } from '../../policy/model/limits.ts';
import type { SettleApprovals } from '../../policy/model/settle.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TaskRecord } from '../../ports/tasks.ts';
import type { ConnectionWait } from '../meta-tools/wait-for-connection.ts';
import { isOpenPart, type KeptBatch, openBatch, sealBatch, waitsFor } from './kept-batch.ts';
import {
  PERSON_POLL_MS,
  RUN_POLL_MS,
  TASK_ANSWER_MS,
  TASK_CHARACTERS_PER_CALLER,
  TASK_KEPT_SECONDS,
  TASK_REQUEST_BYTES,
  TASK_RESULT_BYTES,
  TASKS_PER_CALLER,
} from './limits.ts';
import type { RunTasks } from './run-tasks.ts';
import { openTaskId, sealTaskId, type TaskSubject } from './task-id.ts';

/** A question that the client may show the person. Its answer decides nothing. */
export interface TaskQuestion {
  id: string;
  url: string;
  tool: string;
  integration: string;
}

export interface Task {
  taskId: string;
  status: 'working' | 'completed' | 'cancelled';
  statusMessage?: string;
  /** Unix seconds. */
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  pollMs: number;
  /** What the client has not answered yet. */
  questions: readonly TaskQuestion[];
  /** What the call answers, once it has ended. */
  outcome?: TaskOutcome;
}

export interface TaskOutcome {
  value: Record<string, unknown>;
  maxChars: number | undefined;
  /** The tools that the value is from. */
  tools: string[];
}

export interface CallTasks {
  /** Makes a task of a batch of which something waits for the person. Null where nothing does, or where it is too large to keep. */
  begin(caller: KnownCaller, args: unknown, value: unknown): Promise<Task | null>;
  /** Makes a task of a batch that this process runs already. Null where it is too large to keep. */
  hold(caller: KnownCaller, args: unknown, value: Promise<unknown>): Promise<Task | null>;
  /** Makes a task of the waiting for a connection. Null where there is nothing to wait for. */
  beginWait(caller: KnownCaller, args: unknown): Promise<Task | null>;
  /** Null for every id that names no task of this caller. */
  get(caller: Identity, taskId: string): Promise<Task | null>;
  /** Notes which questions the client has answered, whatever the answers say. Returns false for an unknown task. */
  answer(caller: Identity, taskId: string, questions: readonly string[]): Promise<boolean>;
  /** Returns false for an unknown task. */
  cancel(caller: Identity, taskId: string): Promise<boolean>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'pending' | 'random' | 'store'> & {
  connectionWait: ConnectionWait;
  gate: Gate;
  registries: Registries;
  runTasks: RunTasks;
  seal: Seal;
  settleApprovals: SettleApprovals;
};

const BatchArguments = z.object({
  executions: z.array(
    z.object({
      tool: z.string(),
      args: z.unknown(),
      select: z.string().optional(),
      account: z.string().optional(),
      key: z.string().optional(),
    }),
  ),
  maxChars: z.number().optional(),
});

type WaitSubject = Extract<TaskSubject, { connection: string }>;

const WaitArguments = z.object({ connectionId: z.string(), timeoutSec: z.number() });

const MOST = { tasks: TASKS_PER_CALLER, characters: TASK_CHARACTERS_PER_CALLER };
const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

export function createCallTasks(deps: Needs): CallTasks {
  const { clock, config, connectionWait, digest, gate, pending, random } = deps;
  const { registries, runTasks, seal, settleApprovals, store } = deps;

  const addressOf = (approval: string): string => portalPage(config, `/approvals/${approval}`);

  /** Returns null for a task of somebody else, of another caller, and for one that is over. */
  async function rowOf({ userId, actor }: Identity, id: string): Promise<TaskRecord | null> {
    const row = await store.tasks.get(userId, id);
    return row === null || row.caller !== actor.id || row.expires_at <= clock.now() ? null : row;
  }

  const isHeld = ({ running_until }: TaskRecord): boolean =>
    running_until !== null && running_until > clock.now();

  async function showBatch(caller: Identity, taskId: string, row: TaskRecord): Promise<Task | null> {
    const batch = await openBatch(seal, row);
    if (batch === null) return null;
    const open = batch.parts.filter(isOpenPart);
    const base = {
      taskId,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      expiresAt: row.expires_at,
      pollMs: PERSON_POLL_MS,
      questions: [],
    };
    if (open.length === 0) return { ...base, status: 'completed', outcome: await outcomeOf(caller, batch) };
    if (row.cancelled_at !== null && !isHeld(row)) {
      const begun = open.filter(({ isBegun }) => isBegun).map(({ execution }) => execution.tool);
      const message =
        begun.length === 0
          ? 'Cancelled'
          : `Cancelled. ${begun.join(', ')} had begun, and may have taken effect`;
      return { ...base, status: 'cancelled', statusMessage: message };
    }
    const approvals = await Promise.all(
      open.flatMap(({ approval }) => (approval === null ? [] : runTasks.approvalOf(row.user_id, approval))),
    );
    const waiting = approvals.filter((each): each is ApprovalRecord => each?.state === 'pending');
    const answered: unknown = parseJson(row.answered);
    const isAnswered = (id: string) => Array.isArray(answered) && answered.includes(id);
    return {
      ...base,
      status: 'working',
      statusMessage: waiting.length > 0 ? waitingText(waiting) : runningText(batch),
      pollMs: waiting.length === open.length ? PERSON_POLL_MS : RUN_POLL_MS,
      questions: waiting
        .filter(({ id }) => !isAnswered(id))
        .map(({ id, tool, integration }) => ({ id, url: addressOf(id), tool, integration })),
    };
  }

  const waitingText = (waiting: readonly ApprovalRecord[]): string =>
    waiting.map(({ id, tool }) => `A person has to approve ${tool}: ${addressOf(id)}`).join('\n');

  /** A result is for its caller for as long as it may use the tool. */
  async function outcomeOf(caller: Identity, { parts, maxChars }: KeptBatch): Promise<TaskOutcome> {
    const permissions = await gate.permissionsOf(caller);
    const registry = permissions.isOpen ? null : await registries.of(caller.userId);
    const results = parts.map(({ execution, integration, result }) => {
      const found = registry?.tool(execution.tool) ?? null;
      const verdict = found === null ? null : permissions.ofTool(found.integration, found.tool);
      return verdict?.decision === 'block' && isObject(result) && 'result' in result
        ? { error: ErrorCode.BLOCKED, integration, message: gate.blockedText(verdict, execution.tool) }
        : result;
    });
    return {
      value: { results },
      maxChars,
      tools: [...new Set(parts.map(({ execution }) => execution.tool))],
    };
  }

  const showNew = async (caller: Identity, row: TaskRecord): Promise<Task | null> =>
    showBatch(caller, await sealTaskId(seal, caller, { task: row.id }), row);

  async function showWait(caller: Identity, taskId: string, subject: WaitSubject): Promise<Task | null> {
    const { connection, from, until } = subject;
    const now = clock.now();
    const expiresAt = until + TASK_KEPT_SECONDS;
    if (expiresAt <= now) return null;
    const value =
      now >= until
        ? await connectionWait.end(caller, connection)
        : await connectionWait.look(caller, connection, false);
    const base = {
      taskId,
      createdAt: from,
      updatedAt: value === null ? from : Math.min(now, until),
      expiresAt,
      pollMs: PERSON_POLL_MS,
      questions: [],
    };
    if (value !== null) {
      const outcome = { value: { ...value }, maxChars: undefined, tools: [] };
      return { ...base, status: 'completed', outcome };
    }
    const record = await pending.get(connection);
    const integration = await registries.integration(caller.userId, record?.integration ?? '');
    // An import may be gone by now.
    const [name, page] =
      integration === null
        ? ['The integration', config.PORTAL_URL]
        : [integration.displayName, integrationPage(integration.name, config)];
    const statusMessage = `${name} is not connected yet. The person opens the url that connect gave, or ${page}`;
    return { ...base, status: 'working', statusMessage };
  }

  /** `until` is when the last question of the task is over. */
  async function rowFor(
    caller: KnownCaller,
    given: Pick<KeptBatch, 'maxChars' | 'parts'>,
    { slot, until, heldUntil = null }: { slot: string; until: number; heldUntil?: number | null },
  ): Promise<{ row: TaskRecord; batch: KeptBatch }> {
    const { userId: user_id, actor, requestId } = caller;
    const batch = { actor, requestId, ...given };
    const now = clock.now();
    const id = random.uuid();
    const row = {
      id,
      user_id,
      caller: actor.id,
      slot,
      version: random.uuid(),
      state: 'open',
      running_until: heldUntil,
      cancelled_at: null,
      answered: '[]',
      created_at: now,
      updated_at: now,
      expires_at: until + TASK_KEPT_SECONDS,
      sealed: await sealBatch(seal, { id, user_id }, batch),
    } satisfies TaskRecord;
    return { row, batch };
  }

  return {
    async hold(caller, args, value) {
      const given = BatchArguments.safeParse(args).data;
      if (given === undefined) return null;
      const { executions, maxChars } = given;
      const sent = writeOrNull(executions);
      if (sent === null || bytesOf(sent) > TASK_REQUEST_BYTES) return null;
      const parts = executions.map((execution) => ({
        execution,
        integration: null,
        approval: null,
        isBegun: true,
        result: null,
      }));
      const now = clock.now();
      const until = now + config.APPROVAL_TTL_SECONDS;
      const times = { slot: random.uuid(), until, heldUntil: now + APPROVAL_RUN_SECONDS };
      const { row, batch } = await rowFor(caller, { maxChars, parts }, times);
      if (!(await store.tasks.add(row, [], MOST))) return null;
      const { lease: _, signal: __, ...absent } = caller;
      void runTasks.hold(row, batch, absent, value.then(resultsOf));
      return showNew(caller, row);
    },

    async begin(caller, args, value) {
      const given = BatchArguments.safeParse(args).data;
      const results = resultsOf(value);
      if (given === undefined || results.length !== given.executions.length) return null;
      const { executions, maxChars } = given;
      let until = 0;
      const parts = executions.map((execution, at) => {
        const result: unknown = results[at];
        const waits = waitsFor(result);
        until = Math.max(until, waits?.until ?? 0);
        return {
          execution,
          integration: waits?.integration ?? null,
          approval: waits?.approval ?? null,
          isBegun: false,
          result: waits === null && isObject(result) ? result : null,
        };
      });
      const approvals = [...new Set(parts.flatMap(({ approval }) => approval ?? []))];
      // Every part either has ended or waits.
      if (
        approvals.length === 0 ||
        parts.some(({ approval, result }) => (approval === null) === (result === null))
      )
        return null;
      const sent = writeOrNull(executions);
      const kept = writeOrNull(parts.map(({ result }) => result));
      if (sent === null || kept === null) return null;
      if (bytesOf(sent) > TASK_REQUEST_BYTES || bytesOf(kept) > TASK_RESULT_BYTES) return null;
      const slot = digest.sha256(
        JSON.stringify([caller.userId, caller.actor.id, maxChars ?? null, sent, kept, approvals]),
      );
      const { row } = await rowFor(caller, { maxChars, parts }, { slot, until });
      if (await store.tasks.add(row, approvals, MOST)) return showNew(caller, row);
      const same = await store.tasks.bySlot(caller.userId, slot);
      return same?.state === 'open' && same.cancelled_at === null ? showNew(caller, same) : null;
    },

    async beginWait(caller, args) {
      const { connectionId: connection, timeoutSec } = WaitArguments.parse(args);
      if ((await connectionWait.look(caller, connection, true)) !== null) return null;
      const from = clock.now();
      const subject = { connection, from, until: from + timeoutSec };
      return showWait(caller, await sealTaskId(seal, caller, subject), subject);
    },

    async get(caller, taskId) {
      const subject = await openTaskId(seal, caller, taskId);
      if (subject === null) return null;
      if (!('task' in subject)) return showWait(caller, taskId, subject);
      const row = await rowOf(caller, subject.task);
      if (row === null) return null;
      const over = new AbortController();
      const soon = clock.sleep(TASK_ANSWER_MS, over.signal);
      await Promise.race([runTasks.start(row), soon]);
      over.abort();
      const now = await rowOf(caller, row.id);
      return now === null ? null : showBatch(caller, taskId, now);
    },

    async answer(caller, taskId, questions) {
      const subject = await openTaskId(seal, caller, taskId);
      if (subject === null) return false;
      // The waiting for a connection asks nothing.
      if (!('task' in subject)) return (await showWait(caller, taskId, subject)) !== null;
      for (;;) {
        const row = await rowOf(caller, subject.task);
        if (row === null) return false;
        const batch = await openBatch(seal, row);
        const known = batch?.parts.flatMap(({ approval }) => approval ?? []) ?? [];
        const before: unknown = parseJson(row.answered);
        const answered = new Set(Array.isArray(before) ? before : []);
        for (const question of questions) if (known.includes(question)) answered.add(question);
        if (await store.tasks.answer(row, JSON.stringify([...answered]))) return true;
      }
    },

    async cancel(caller, taskId) {
      const subject = await openTaskId(seal, caller, taskId);
      if (subject === null) return false;
      // The person may be signing in right now, so the link stays good, as it does when a client leaves.
      if (!('task' in subject)) return (await showWait(caller, taskId, subject)) !== null;
      const row = await rowOf(caller, subject.task);
      if (row === null) return false;
      await store.tasks.cancel(row.user_id, row.id, clock.now());
      const batch = await openBatch(seal, row);
      const asked = batch?.parts.filter(isOpenPart).flatMap(({ approval }) => approval ?? []) ?? [];
      for (const id of asked) {
        const approval = await store.approvals.get(row.user_id, id);
        if (approval !== null) await settleApprovals.withdraw(approval);
      }
      return true;
    },
  };
}

function runningText({ parts }: KeptBatch): string {
  const tools = parts.filter(isOpenPart).map(({ execution }) => execution.tool);
  return `${[...new Set(tools)].join(', ')} ${tools.length === 1 ? 'is' : 'are'} running`;
}

function resultsOf(value: unknown): readonly unknown[] {
  const results = isObject(value) ? value['results'] : undefined;
  return Array.isArray(results) ? results : [];
}

/** A tool may give what JSON cannot say. */
function writeOrNull(value: unknown): string | null {
  try {
    return writeJson(value);
  } catch {
    return null;
  }
}
