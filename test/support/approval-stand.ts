// Asks for approvals from two processes on one store, with a clock that only a test moves.
import type { ApprovalRecord } from '../../src/ports/policy.ts';
import type { AuditEntry } from '../../src/ports/records.ts';
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import {
  type Approvals,
  type AskedCall,
  createApprovals,
  type Entry,
  type RunEnd,
} from '../../src/policy/model/approvals.ts';
import { createRuns, type Runs } from '../../src/policy/model/runs.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createTestApp, type TestApp } from './test-app.ts';

export interface ApprovalStand {
  app: TestApp;
  clock: ManualClock;
  userId: string;
  /** Enters the call on one of the processes. */
  enter(changes?: Partial<AskedCall>, process?: number): Promise<Entry>;
  /** Enters a call that must be asked about, and returns its row. */
  ask(changes?: Partial<AskedCall>): Promise<ApprovalRecord>;
  /** Enters a call that must run, and ends the run. */
  run(end: RunEnd): Promise<void>;
  approve(id: string | undefined, covers?: 'once' | 'hour', seconds?: number): Promise<void>;
  deny(id: string | undefined, reason?: string | null, seconds?: number): Promise<void>;
  row(id: string): Promise<ApprovalRecord>;
  rows(): Promise<ApprovalRecord[]>;
  /** The person's audit rows, the oldest first. */
  audited(): Promise<AuditEntry[]>;
  close(): Promise<void>;
}

/** `runs` keeps the runs of the first process alive. */
export async function openApprovals(runs?: Runs): Promise<ApprovalStand> {
  const clock = createManualClock();
  const app = await createTestApp({ ports: { clock } });
  const { deps } = app;
  const { approvals } = deps.store;
  const userId = (await app.user()).id;
  const processes: Approvals[] = [runs ?? createRuns(deps), createRuns(deps)].map((each) =>
    createApprovals({ ...deps, runs: each }),
  );
  const call: AskedCall = {
    userId,
    actor: PERSONAL_KEY,
    integration: 'echo',
    tool: 'shout',
    access: 'write',
    definition: 'of the tool',
    account: '',
    accountLabel: null,
    owner: null,
    args: { text: 'a' },
    because: null,
    revision: 'r1',
  };

  async function enter(changes: Partial<AskedCall> = {}, process = 0): Promise<Entry> {
    const approvalsOf = processes[process];
    if (approvalsOf === undefined) throw new Error('there is no such process');
    return approvalsOf.enter({ ...call, ...changes });
  }

  async function row(id: string): Promise<ApprovalRecord> {
    const found = await approvals.get(userId, id);
    if (found === null) throw new Error('there is no such approval');
    return found;
  }

  async function decide(id = '', change: Partial<ApprovalRecord>, seconds: number): Promise<void> {
    const now = clock.now();
    const decided = { ...change, decided_at: now, expires_at: now + seconds };
    if (!(await approvals.move(await row(id), decided))) throw new Error('it was decided before');
  }

  return {
    app,
    clock,
    userId,
    enter,
    row,
    async ask(changes) {
      const entry = await enter(changes);
      if (entry.kind !== 'asked') throw new Error(`not asked: ${JSON.stringify(entry)}`);
      return row(entry.approval.id);
    },
    async run(end) {
      const entry = await enter();
      if (entry.kind !== 'run') throw new Error(`it does not run: ${JSON.stringify(entry)}`);
      await entry.finish(end);
    },
    approve: (id, covers = 'once', seconds = 3_600) => decide(id, { state: 'approved', covers }, seconds),
    deny: (id, reason = null, seconds = 3_600) => decide(id, { state: 'denied', reason }, seconds),
    rows: () => approvals.list({ user_id: userId, limit: 1_000 }),
    async audited() {
      await deps.audit.flush();
      return (await deps.store.audit.list({ user_id: userId, limit: 1_000 })).toReversed();
    },
    close: () => app.close(),
  };
}
