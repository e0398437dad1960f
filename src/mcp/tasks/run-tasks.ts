// Runs the calls of tasks once their person has said yes: of any number of processes exactly one, and each call at most once.
// reference: Tasks
import type { RunningWork } from '../../auth/running-work.ts';
import type { Execute } from '../../calls/execute.ts';
import { toExecutionResult } from '../../calls/execution-result.ts';
import type { InFlight } from '../../calls/in-flight.ts';
import type { Outcome } from '../../calls/outcome.ts';
import { inPool, TOO_MUCH } from '../../calls/pool.ts';
import type { StoredResults } from '../../calls/results/stored-results.ts';
import type { Seal } from '../../crypto/seal.ts';
import { ErrorCode } from '../../http/error-codes.ts';
import { describe } from '../../http/errors.ts';
import { isObject } from '../../json/json.ts';
import type { KnownCaller } from '../../kit/integration.ts';
import { createKeepAlive } from '../../kit/keep-alive.ts';
import type { MemoryBudget } from '../../memory/budget.ts';
import { APPROVAL_RUN_BEAT_MS, APPROVAL_RUN_SECONDS } from '../../policy/model/limits.ts';
import { isOver } from '../../policy/model/open-approval.ts';
import type { SettleApprovals } from '../../policy/model/settle.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TaskRecord, TaskWrite } from '../../ports/tasks.ts';
import { nearestForBatch, type ToolboxOf } from '../../search/toolbox.ts';
import type { CurrentCaller } from '../../auth/current-caller.ts';
import { createKeepResult } from './keep-result.ts';
import {
  isOpenPart,
  type KeptBatch,
  type KeptPart,
  openBatch,
  sealBatch,
  waitsFor,
  type Waits,
} from './kept-batch.ts';
import { TASK_WRITES, TASKS_PAGE } from './limits.ts';
import { accessEnded, failedText, type Step, stepOf } from './part-ends.ts';

export interface RunTasks {
  /**
   * Does what can be done for the task now, until every part waits or has ended. A failure is logged: another look finds the
   * task again.
   */
  start(row: TaskRecord): Promise<void>;
  /** Holds a task whose calls run already, and keeps their results. It never rejects. */
  hold(row: Held, batch: KeptBatch, caller: KnownCaller, running: Promise<readonly unknown[]>): Promise<void>;
  /** Starts all that `find` returns. It never rejects. */
  startAll(find: () => Promise<readonly TaskRecord[]>): Promise<void>;
  /** Starts what no process has taken up. */
  takeUp(): Promise<void>;
  /** Returns the approval as it is now: its end is noted if its time is over. */
  approvalOf(userId: string, id: string): Promise<ApprovalRecord | null>;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'random' | 'scriptRunner' | 'store'> & {
  currentCaller: CurrentCaller;
  execute: Execute;
  executions: InFlight;
  memoryBudget: MemoryBudget;
  results: StoredResults;
  runningWork: RunningWork;
  seal: Seal;
  settleApprovals: SettleApprovals;
  toolboxOf: ToolboxOf;
};

/** What a part has come to in one run. */
type PartEnd = { result: Record<string, unknown> } | { waits: Waits } | null;

type Held = Pick<TaskRecord, 'id' | 'version' | 'user_id' | 'created_at' | 'expires_at'>;

export function createRunTasks(deps: Needs): RunTasks {
  const { clock, currentCaller, execute, executions, log, memoryBudget, random, runningWork, seal } = deps;
  const { scriptRunner, settleApprovals, store, toolboxOf } = deps;
  const keepAlive = createKeepAlive(deps);
  const keepResult = createKeepResult(deps);

  async function approvalOf(userId: string, id: string): Promise<ApprovalRecord | null> {
    const row = await store.approvals.get(userId, id);
    if (row === null || row.ended_at !== null || !isOver(row, clock.now())) return row;
    await settleApprovals.one(row);
    return store.approvals.get(userId, id);
  }

  async function look(userId: string, part: KeptPart): Promise<Step> {
    if (!isOpenPart(part)) return { kind: 'wait' };
    // Another process can.
    if (part.script !== undefined && scriptRunner === undefined) return { kind: 'wait' };
    return stepOf(part, part.approval === null ? null : await approvalOf(userId, part.approval));
  }

  async function writeOf(row: Held, batch: KeptBatch): Promise<TaskWrite> {
    return { version: random.uuid(), sealed: await sealBatch(seal, row, batch), updated_at: clock.now() };
  }

  const keepHeld = (held: Held): (() => void) =>
    keepAlive(
      APPROVAL_RUN_BEAT_MS,
      () => store.tasks.keep(held, clock.now() + APPROVAL_RUN_SECONDS),
      'a task was not kept alive',
    );

  /** Whether the call was not run. What becomes of it is for the next look to say. */
  async function isLeft(userId: string, approval: string, outcome: Outcome): Promise<boolean> {
    const { kind } = outcome;
    // Another process has the turn of the key.
    if (kind === 'not-repeated' && outcome.error === 'IN_PROGRESS') return true;
    if (kind !== 'asked' && kind !== 'too-many' && kind !== 'unavailable') return false;
    const row = await approvalOf(userId, approval);
    // A yes that ends here was for another call than this one has become.
    if (kind === 'asked') return row !== null && row.state !== 'expired';
    return row?.state === 'approved' && row.covers === 'once';
  }

  /** Returns the result of each part in its order. Null for one that did not run and waits on, or what a script waits for now. */
  async function runParts(
    { user_id: userId, created_at }: Held,
    { actor, requestId }: KeptBatch,
    parts: readonly KeptPart[],
    all: number,
  ): Promise<PartEnd[]> {
    const identity = await currentCaller(userId, actor, created_at);
    if (identity === null) return parts.map((part) => ({ result: accessEnded(part) }));
    const work = runningWork.begin(userId);
    const lease = memoryBudget.open(userId);
    try {
      const caller: KnownCaller = { ...identity, requestId, ended: work.ended, lease };
      const near = nearestForBatch(toolboxOf, identity);
      return await inPool(
        caller,
        parts,
        async (partCaller, { execution, approval, script }): Promise<PartEnd> => {
          if (approval === null) return null;
          // The approval is about a call of the script: its run goes on where it waited, and one that has ended is not repeated.
          const only = script === undefined ? { approval } : { begun: script };
          const outcome = await execute(partCaller, { ...execution, within: null, ...only });
          if (outcome.kind === 'asked' && outcome.script !== undefined) {
            const { integration, approval: next } = outcome;
            return {
              waits: { integration, approval: next.id, until: next.expiresAt, script: outcome.script.run },
            };
          }
          if (await isLeft(userId, approval, outcome)) return null;
          // The question that was asked is over, so nobody should be sent there.
          const { approval: _, ...result } = { approval: null, ...(await toExecutionResult(outcome, near)) };
          return { result: await keepResult(partCaller, result, { tool: outcome.tool, parts: all }) };
        },
        ({ integration }): PartEnd => ({ result: { error: TOO_MUCH, integration } }),
      );
    } finally {
      lease.close();
      work.end();
    }
  }

  /**
   * Gives the task back. What has run must not be lost because the store is away for a moment, or because another process has taken
   * this one for lost.
   */
  async function release(
    held: Held,
    batch: KeptBatch,
    change: { ended?: readonly string[]; begun?: readonly string[] },
  ): Promise<void> {
    let [seen, next] = [held, batch];
    for (let tries = 1; ; tries++) {
      try {
        const state = next.parts.some(isOpenPart) ? 'open' : 'ended';
        if (await store.tasks.release(seen, { ...(await writeOf(held, next)), state }, change)) return;
        const row = await store.tasks.get(held.user_id, held.id);
        const other = row === null ? null : await openBatch(seal, row);
        if (row === null || other === null) return;
        [seen, next] = [
          row,
          { ...other, parts: other.parts.map((part, at) => known(batch.parts[at], part)) },
        ];
      } catch (error) {
        if (tries === TASK_WRITES) throw error;
        log.write('error', 'the end of a task was not noted', describe(error));
        await clock.sleep(1_000);
      }
      if (tries === TASK_WRITES) throw new Error('others keep writing the task');
    }
  }

  /** Returns whether a part has ended. */
  async function takeSteps(row: TaskRecord): Promise<boolean> {
    const { user_id: userId, running_until, cancelled_at } = row;
    const isHeld = running_until !== null && running_until > clock.now();
    if (row.state === 'ended' || cancelled_at !== null || isHeld) return false;
    const batch = await openBatch(seal, row);
    if (batch === null) return false;
    const steps = await Promise.all(batch.parts.map((part) => look(userId, part)));
    if (steps.every(({ kind }) => kind === 'wait')) return false;

    const parts = batch.parts.map((part, at): KeptPart => {
      const step = steps[at];
      if (step?.kind === 'run') return { ...part, isBegun: true };
      return step?.kind === 'end' ? { ...part, result: step.result } : part;
    });
    const begun = { ...batch, parts };
    const write = await writeOf(row, begun);
    const claim = { ...write, running_until: clock.now() + APPROVAL_RUN_SECONDS };
    if (!(await store.tasks.claim(row, claim))) return false;
    const held = { ...row, version: write.version };
    const stop = keepHeld(held);
    try {
      const chosen = parts.filter((_, at) => steps[at]?.kind === 'run');
      const results = chosen.length === 0 ? [] : await runParts(held, begun, chosen, parts.length);
      const given = new Map(chosen.map((part, at) => [part, results[at] ?? null]));
      const begunFor: string[] = [];
      const after = parts.map((part): KeptPart => {
        const end = given.get(part);
        if (end === undefined) return part;
        if (end === null) return { ...part, isBegun: false };
        if ('result' in end) return { ...part, result: end.result };
        const { until: _, ...waits } = end.waits;
        if (waits.approval !== null) begunFor.push(waits.approval);
        return { ...part, ...waits, isBegun: false };
      });
      const ended = after.flatMap((part, at) => {
        const before = batch.parts[at];
        if (before === undefined || !isOpenPart(before) || before.approval === null) return [];
        return isOpenPart(part) && part.approval === before.approval ? [] : [before.approval];
      });
      const isNeeded = (approval: string): boolean =>
        after.some((part) => isOpenPart(part) && part.approval === approval);
      const over = ended.filter((approval) => !isNeeded(approval));
      await release(held, { ...begun, parts: after }, { ended: over, begun: begunFor });
      return ended.length > 0;
    } finally {
      stop();
    }
  }

  async function goOn(row: TaskRecord): Promise<void> {
    // A gateway that stops waits for what runs, and for its result.
    executions.begin();
    try {
      let next: TaskRecord | null = row;
      // Other parts may have been decided meanwhile.
      while (next !== null && (await takeSteps(next))) next = await store.tasks.get(row.user_id, row.id);
    } finally {
      executions.end();
    }
  }

  async function start(row: TaskRecord): Promise<void> {
    try {
      await goOn(row);
    } catch (error) {
      log.write('error', 'a task did not go on', { user: row.user_id, ...describe(error) });
    }
  }

  /** What the calls of a batch have come to. One that waits for its person from now on is run like any other. */
  async function endParts(
    { parts }: KeptBatch,
    caller: KnownCaller,
    running: Promise<readonly unknown[]>,
  ): Promise<KeptPart[]> {
    let results: readonly unknown[];
    try {
      results = await running;
    } catch (error) {
      log.write('error', 'the calls of a task failed', describe(error));
      return parts.map((part) => ({ ...part, result: failedText(part) }));
    }
    return Promise.all(
      parts.map(async (part, at): Promise<KeptPart> => {
        const result = results[at];
        const waits = waitsFor(result);
        if (waits !== null) {
          const { until: _, ...now } = waits;
          return { ...part, ...now, isBegun: false };
        }
        const from = { tool: part.execution.tool, parts: parts.length };
        return {
          ...part,
          result: isObject(result) ? await keepResult(caller, result, from) : failedText(part),
        };
      }),
    );
  }

  async function hold(
    row: Held,
    batch: KeptBatch,
    caller: KnownCaller,
    running: Promise<readonly unknown[]>,
  ): Promise<void> {
    executions.begin();
    const stop = keepHeld(row);
    try {
      const parts = await endParts(batch, caller, running);
      const begun = parts.flatMap((part) => (isOpenPart(part) ? (part.approval ?? []) : []));
      await release(row, { ...batch, parts }, { begun });
    } catch (error) {
      log.write('error', 'the end of a task was lost', describe(error));
    } finally {
      stop();
      executions.end();
    }
  }

  return {
    start,
    hold,
    approvalOf,
    async startAll(find) {
      executions.begin();
      try {
        await Promise.all((await find()).map(start));
      } catch (error) {
        log.write('error', 'the tasks of an approval were not found', describe(error));
      } finally {
        executions.end();
      }
    },
    async takeUp() {
      // The round does not wait for the calls.
      for (const row of await store.tasks.due(clock.now(), TASKS_PAGE)) void start(row);
    },
  };
}

/** What this process knows of a part, or what another one has written. */
function known(mine: KeptPart | undefined, other: KeptPart): KeptPart {
  const isUnknown = other.result === null || other.result['error'] === ErrorCode.UNKNOWN_OUTCOME;
  return mine !== undefined && !isOpenPart(mine) && isUnknown ? mine : other;
}
