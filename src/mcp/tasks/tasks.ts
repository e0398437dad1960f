// Begins, finds, answers and cancels the tasks of a caller. Any process answers: all it needs is in the store and in the id.
// reference: Tasks
import * as z from 'zod';
import type { Seal } from '../../crypto/seal.ts';
import { writeWithin } from '../../calls/results/json-pieces.ts';
import { isObject, parseJson } from '../../json/json.ts';
import type { Identity } from '../../kit/actor.ts';
import type { KnownCaller } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Gate } from '../../policy/model/gate.ts';
import { APPROVAL_RUN_SECONDS } from '../../policy/model/limits.ts';
import type { SettleApprovals } from '../../policy/model/settle.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TaskRecord } from '../../ports/tasks.ts';
import type { ConnectionWait } from '../meta-tools/wait-for-connection.ts';
import { isOpenPart, type KeptBatch, openBatch, sealBatch, SentExecution, waitsFor } from './kept-batch.ts';
import {
  TASK_ANSWER_MS,
  TASK_CHARACTERS_PER_CALLER,
  TASK_KEPT_SECONDS,
  TASK_REQUEST_BYTES,
  TASK_RESULT_BYTES,
  TASKS_PER_CALLER,
} from './limits.ts';
import type { RunTasks } from './run-tasks.ts';
import { createShowTask, type Task } from './show-task.ts';
import { openTaskId, sealTaskId } from './task-id.ts';

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
  executions: z.array(SentExecution),
  maxChars: z.number().optional(),
});

const WaitArguments = z.object({ connectionId: z.string(), timeoutSec: z.number() });

const MOST = { tasks: TASKS_PER_CALLER, characters: TASK_CHARACTERS_PER_CALLER };

export function createCallTasks(deps: Needs): CallTasks {
  const { clock, config, connectionWait, digest, random } = deps;
  const { runTasks, seal, settleApprovals, store } = deps;
  const show = createShowTask(deps);

  /** Returns null for a task of somebody else, of another caller, and for one that is over. */
  async function rowOf({ userId, actor }: Identity, id: string): Promise<TaskRecord | null> {
    const row = await store.tasks.get(userId, id);
    return row === null || row.caller !== actor.id || row.expires_at <= clock.now() ? null : row;
  }

  const showNew = async (caller: Identity, row: TaskRecord): Promise<Task | null> =>
    show.batch(caller, await sealTaskId(seal, caller, { task: row.id }), row);

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
      if (writeOrNull(executions, TASK_REQUEST_BYTES) === null) return null;
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
          ...(waits?.script === undefined ? {} : { script: waits.script }),
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
      const sent = writeOrNull(executions, TASK_REQUEST_BYTES);
      const kept = writeOrNull(
        parts.map(({ result }) => result),
        TASK_RESULT_BYTES,
      );
      if (sent === null || kept === null) return null;
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
      return show.wait(caller, await sealTaskId(seal, caller, subject), subject);
    },

    async get(caller, taskId) {
      const subject = await openTaskId(seal, caller, taskId);
      if (subject === null) return null;
      if (!('task' in subject)) return show.wait(caller, taskId, subject);
      const row = await rowOf(caller, subject.task);
      if (row === null) return null;
      const over = new AbortController();
      const soon = clock.sleep(TASK_ANSWER_MS, over.signal);
      await Promise.race([runTasks.start(row), soon]);
      over.abort();
      const now = await rowOf(caller, row.id);
      return now === null ? null : show.batch(caller, taskId, now);
    },

    async answer(caller, taskId, questions) {
      const subject = await openTaskId(seal, caller, taskId);
      if (subject === null) return false;
      // The waiting for a connection asks nothing.
      if (!('task' in subject)) return (await show.wait(caller, taskId, subject)) !== null;
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
      if (!('task' in subject)) return (await show.wait(caller, taskId, subject)) !== null;
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

function resultsOf(value: unknown): readonly unknown[] {
  const results = isObject(value) ? value['results'] : undefined;
  return Array.isArray(results) ? results : [];
}

/** Null for what takes more bytes. A tool may also give what JSON cannot say. */
function writeOrNull(value: unknown, bytes: number): string | null {
  try {
    return writeWithin(value, bytes);
  } catch {
    return null;
  }
}
