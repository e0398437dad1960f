// Serves the calls that a person is asked about, and takes the person's decisions. reference: Approvals; decision: 038
import { Hono } from 'hono';
import type { AuditRecorder } from '../record/model/recorder.ts';
import type { Identify } from '../kit/actor.ts';
import type { ApprovalDecided } from '../kit/approval-decided.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { APPROVAL_ARGUMENT_CHARACTERS } from './model/limits.ts';
import type { Seal } from '../crypto/seal.ts';
import { HttpError } from '../http/errors.ts';
import type { SendJson } from '../http/large-json.ts';
import type { RequestEnv } from '../http/observe.ts';
import type { Registries } from '../kit/registries.ts';
import { describeIssues } from '../kit/validation.ts';
import { createFairQueue, QueueFull } from '../memory/fair-queue.ts';
import type { ApprovalRecord } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import {
  type ApprovalList,
  ApprovalsQuery,
  type Decisions,
  DecisionForm,
  DecisionsForm,
  type ShownApproval,
} from './approval-operations.ts';
import { createDecide, NO_SUCH_APPROVAL } from './decide.ts';
import { isId } from '../http/id.ts';
import { readForm } from '../kit/read-form.ts';
import type { SettleApprovals } from './model/settle.ts';
import { createShowApprovals, type FindFiles } from './show-approvals.ts';

type Needs = Pick<Ports, 'clock' | 'config' | 'store' | 'texts'> & {
  approvalDecided: ApprovalDecided;
  audit: AuditRecorder;
  files: FindFiles;
  identify: Identify;
  registries: Registries;
  seal: Seal;
  sendJson: SendJson;
  settleApprovals: SettleApprovals;
};

type Env = { Variables: PortalEnv['Variables'] & RequestEnv['Variables'] };

/** These bound the memory of reads: an agent chooses how long its arguments are. */
const MAX_LIST_CHARACTERS = 16 * APPROVAL_ARGUMENT_CHARACTERS;
const READS_AT_ONCE = 2;
const READS_WAITING = 20;

export function createApprovalRoutes(deps: Needs): Hono<Env> {
  const { identify, sendJson, settleApprovals, store } = deps;
  const person = requirePortalUser(identify);
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const reads = createFairQueue({ maxRunning: READS_AT_ONCE, maxWaitingPerOwner: READS_WAITING });
  const decide = createDecide(deps);
  const showApprovals = createShowApprovals(deps);

  async function showAll(userId: string, rows: readonly ApprovalRecord[]): Promise<string> {
    const show = showApprovals(userId);
    const approvals: ShownApproval[] = [];
    let characters = 0;
    for (const row of rows) {
      characters += row.sealed?.length ?? 0;
      if (characters > MAX_LIST_CHARACTERS) break;
      approvals.push(await show(row));
    }
    return JSON.stringify({ approvals } satisfies ApprovalList);
  }

  /** Reads for a few people at a time, and once at a time for each of them. */
  async function queue(userId: string, read: () => Promise<string>): Promise<string> {
    try {
      return await reads.run(userId, read);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new HttpError(
        429,
        { error: 'Your approvals are being read too often. Try again in a moment' },
        { 'Retry-After': '1' },
      );
    }
  }

  async function showOne(row: ApprovalRecord): Promise<string> {
    const shown = await showApprovals(row.user_id)(row);
    return JSON.stringify(shown satisfies ShownApproval);
  }

  const app = new Hono<Env>();

  app.get('/api/approvals', person, async (c) => {
    const { userId: user_id } = c.var;
    const query = ApprovalsQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const { state: states, limit } = query.data;
    const json = await queue(user_id, async () => {
      await settleApprovals.ofPerson(user_id);
      return showAll(user_id, await store.approvals.list({ user_id, states, limit }));
    });
    return sendJson(c, user_id, json);
  });

  app.get('/api/approvals/:id', person, async (c) => {
    const { userId } = c.var;
    const id = c.req.param('id');
    const json = await queue(userId, async () => {
      await settleApprovals.ofPerson(userId);
      const row = isId(id) ? await store.approvals.get(userId, id) : null;
      if (row === null) throw new HttpError(404, { error: NO_SUCH_APPROVAL });
      return showOne(row);
    });
    return sendJson(c, userId, json);
  });

  app.post('/api/approvals/:id', signedIn, async (c) => {
    const form = await readForm(c, DecisionForm);
    const decided = await decide(c.var.userId, c.req.param('id'), form, c.var);
    if (!decided.ok) throw new HttpError(decided.status, { error: decided.message });
    return sendJson(c, c.var.userId, await showOne(decided.row));
  });

  app.post('/api/approvals', signedIn, async (c) => {
    const { ids, ...form } = await readForm(c, DecisionsForm);
    const results: Decisions['results'] = [];
    for (const id of ids) {
      const decided = await decide(c.var.userId, id, form, c.var);
      results.push(decided.ok ? { id, state: decided.row.state } : { id, error: decided.message });
    }
    return c.json({ results } satisfies Decisions);
  });

  return app;
}
