// Shows a task as it is now: what it waits for, and what its call has come to. reference: Tasks
import { integrationPage } from '../../connections/model/ways.ts';
import type { Seal } from '../../crypto/seal.ts';
import { ErrorCode } from '../../http/error-codes.ts';
import { portalPage } from '../../http/portal-page.ts';
import { isObject, parseJson } from '../../json/json.ts';
import { type Identity, serviceKeyIdOf } from '../../kit/actor.ts';
import type { Registries } from '../../kit/registries.ts';
import { sayReason } from '../../policy/model/approvals.ts';
import type { Gate } from '../../policy/model/gate.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TaskRecord } from '../../ports/tasks.ts';
import type { ConnectionWait } from '../meta-tools/wait-for-connection.ts';
import { isOpenPart, type KeptBatch, openBatch } from './kept-batch.ts';
import { PERSON_POLL_MS, RUN_POLL_MS, TASK_KEPT_SECONDS } from './limits.ts';
import type { RunTasks } from './run-tasks.ts';
import type { TaskSubject } from './task-id.ts';

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

export interface ShowTask {
  /** Null where what the row keeps cannot be opened. */
  batch(caller: Identity, taskId: string, row: TaskRecord): Promise<Task | null>;
  /** Null once the waiting is not kept any more. */
  wait(caller: Identity, taskId: string, subject: WaitSubject): Promise<Task | null>;
}

export type WaitSubject = Extract<TaskSubject, { connection: string }>;

type Needs = Pick<Ports, 'clock' | 'config' | 'pending'> & {
  connectionWait: ConnectionWait;
  gate: Gate;
  registries: Registries;
  runTasks: Pick<RunTasks, 'approvalOf'>;
  seal: Seal;
};

export function createShowTask(deps: Needs): ShowTask {
  const { clock, config, connectionWait, gate, pending, registries, runTasks, seal } = deps;

  const addressOf = (approval: string): string => portalPage(config, `/approvals/${approval}`);

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
    waiting
      .map((row) => `A person has to approve ${row.tool}${sayReason(row)}: ${addressOf(row.id)}`)
      .join('\n');

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
    // The user of a product has no portal.
    const elsewhere = serviceKeyIdOf(caller.actor) === null ? `, or ${page}` : '';
    const statusMessage = `${name} is not connected yet. The person opens the url that connect gave${elsewhere}`;
    return { ...base, status: 'working', statusMessage };
  }

  return { batch: showBatch, wait: showWait };
}

function runningText({ parts }: KeptBatch): string {
  const tools = parts.filter(isOpenPart).map(({ execution }) => execution.tool);
  return `${[...new Set(tools)].join(', ')} ${tools.length === 1 ? 'is' : 'are'} running`;
}
