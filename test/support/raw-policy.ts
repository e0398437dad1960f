// Sets rules and decides about approvals for the tests of raw requests, and reads what was recorded.
import type { Rule } from '../../src/kit/actor.ts';
import type { ApprovalChange, ApprovalRecord } from '../../src/ports/policy.ts';
import type { AuditEntry } from '../../src/ports/records.ts';
import type { Stage } from './proxy-stage.ts';

let revisions = 0;

/** Stores the rules of a person, by default of the one on the stage. */
export async function putRules(
  { app, ana }: Stage,
  rules: readonly Rule[],
  owner: string = ana.id,
): Promise<void> {
  const revision = `r${++revisions}`;
  const record = { owner, rules: JSON.stringify(rules), revision, updated_at: app.deps.clock.now() };
  await app.deps.store.policies.putRules(record);
}

async function decide({ app, ana }: Stage, id: string, change: ApprovalChange): Promise<void> {
  const row = await app.deps.store.approvals.get(ana.id, id);
  if (row?.state !== 'pending') throw new Error(`the approval ${id} is ${row?.state ?? 'unknown'}`);
  const now = app.deps.clock.now();
  await app.deps.store.approvals.move(row, { ...change, decided_at: now, expires_at: now + 3_600 });
}

export const approve = (stage: Stage, id: string, covers: 'once' | 'hour' = 'once'): Promise<void> =>
  decide(stage, id, { state: 'approved', covers });

export const deny = (stage: Stage, id: string, reason: string): Promise<void> =>
  decide(stage, id, { state: 'denied', reason });

/** The person's approvals, the newest first. */
export const approvalsOf = ({ app, ana }: Stage): Promise<ApprovalRecord[]> =>
  app.deps.store.approvals.list({ user_id: ana.id, limit: 100 });

/** The audit rows of a person, the newest first. */
export async function auditOf({ app }: Stage, userId: string): Promise<AuditEntry[]> {
  await app.deps.audit.flush();
  return app.deps.store.audit.list({ user_id: userId, limit: 100 });
}
