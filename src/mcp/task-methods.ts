// Answers with tasks, and the methods of tasks. MCP Tasks extension 2026-07-28; reference: Tasks
import * as z from 'zod';
import { ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import type { KnownCaller } from '../kit/integration.ts';
import { capabilitiesIn, extensionIn } from './client-capabilities.ts';
import { modeOf, requestOf, Responses } from './elicitation.ts';
import type { Request, RpcError } from './json-rpc.ts';
import { WAIT_FOR_CONNECTION } from './meta-tools/wait-for-connection.ts';
import type { ToolCall } from './methods.ts';
import { complete, TASKS_EXTENSION } from './modern.ts';
import type { Served } from './served.ts';
import type { Task, TaskQuestion } from './tasks/show-task.ts';
import type { CallTasks } from './tasks/tasks.ts';

type Answered = { result: Record<string, unknown> } | { error: RpcError };
export type RunnableCall = Exclude<ToolCall, { error: RpcError }>;

/** The server at whose address a task is asked for. */
type TaskServer = Pick<Served, 'about' | 'showOutcome'>;

export interface TaskMethods {
  /** Null for every other method. Another process may have begun the task. */
  answer(caller: KnownCaller, request: Request, server: TaskServer): Promise<Answered> | null;
  /** Returns the task that waits in the place of the call. Null where it has to run first, or where its client knows no tasks. */
  before(
    caller: KnownCaller,
    params: Request['params'],
    call: RunnableCall,
  ): Promise<Record<string, unknown> | null>;
  /** Whether the call may become a task while it runs. */
  mayHold(params: Request['params'], call: RunnableCall): boolean;
  /** Makes a task of a call that runs. Null where it cannot be kept. */
  during(
    caller: KnownCaller,
    params: Request['params'],
    call: RunnableCall,
    value: Promise<unknown>,
  ): Promise<Record<string, unknown> | null>;
  /** Returns the task of what the call has left to wait for. Null where nothing waits, or where its client knows no tasks. */
  after(
    caller: KnownCaller,
    params: Request['params'],
    call: RunnableCall,
    value: unknown,
  ): Promise<Record<string, unknown> | null>;
}

const UpdateParams = z.object({ taskId: z.string(), inputResponses: Responses });
const TaskParams = z.object({ taskId: z.string() });

export function createTaskMethods({
  callTasks,
  isIsolated = false,
}: {
  callTasks: CallTasks;
  /** True where nothing runs for long after its response, as on an edge runtime. */
  isIsolated?: boolean | undefined;
}): TaskMethods {
  async function get(
    caller: KnownCaller,
    { params }: Request,
    { about, showOutcome }: TaskServer,
  ): Promise<Answered> {
    const task = await callTasks.get(caller, idIn(params));
    if (task === null) return UNKNOWN;
    const { outcome } = task;
    if (outcome === undefined) return { result: complete(about, show(task, params)) };
    const rendered = await showOutcome(caller, outcome);
    return { result: complete(about, { ...show(task, params), result: complete(about, { ...rendered }) }) };
  }

  async function update(caller: KnownCaller, { params }: Request, server: TaskServer): Promise<Answered> {
    const given = UpdateParams.safeParse(params).data;
    if (given === undefined) return INVALID;
    const questions = Object.keys(given.inputResponses);
    return acknowledge(server, await callTasks.answer(caller, given.taskId, questions));
  }

  const METHODS = new Map([
    ['tasks/get', get],
    ['tasks/update', update],
    [
      'tasks/cancel',
      async (caller: KnownCaller, { params }: Request, server: TaskServer): Promise<Answered> =>
        acknowledge(server, await callTasks.cancel(caller, idIn(params))),
    ],
  ]);

  return {
    answer(caller, request, server) {
      const method = METHODS.get(request.method);
      if (method === undefined) return null;
      return declaresTasks(request.params) ? method(caller, request, server) : Promise.resolve(NOT_DECLARED);
    },

    async before(caller, params, { name, args }) {
      if (name !== WAIT_FOR_CONNECTION || !declaresTasks(params)) return null;
      return created(await callTasks.beginWait(caller, args), params);
    },

    mayHold: (params, { batch }) => !isIsolated && batch !== undefined && declaresTasks(params),

    async during(caller, params, { batch }, value) {
      return created(await callTasks.hold(caller, batch, value), params);
    },

    async after(caller, params, { batch }, value) {
      if (batch === undefined || !declaresTasks(params)) return null;
      return created(await callTasks.begin(caller, batch, value), params);
    },
  };
}

const idIn = (params: Request['params']): string => TaskParams.safeParse(params).data?.taskId ?? '';

const acknowledge = ({ about }: TaskServer, isKnown: boolean): Answered =>
  isKnown ? { result: complete(about, {}) } : UNKNOWN;

function created(task: Task | null, params: Request['params']): Record<string, unknown> | null {
  if (task === null) return null;
  const { inputRequests: _, ...shown } = show(task, params);
  return { resultType: 'task', ...shown };
}

/** The questions are left out for a client that cannot show them. */
function show(task: Task, params: Request['params']): Record<string, unknown> {
  const { taskId, status, statusMessage, createdAt, updatedAt, expiresAt, pollMs, questions } = task;
  const mode = modeOf(params);
  const isAsking = mode !== null && questions.length > 0;
  return {
    taskId,
    status: isAsking ? 'input_required' : status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: timeOf(createdAt),
    lastUpdatedAt: timeOf(updatedAt),
    ttlMs: (expiresAt - createdAt) * 1000,
    pollIntervalMs: pollMs,
    ...(isAsking
      ? { inputRequests: Object.fromEntries(questions.map((each) => [each.id, ask(mode, each)])) }
      : {}),
  };
}

const ask = (mode: 'url' | 'form', { id, url, tool, integration }: TaskQuestion) =>
  requestOf(mode, {
    id,
    url,
    message: `A person has to approve ${tool} before it runs.`,
    formMessage: `A call of ${integration} waits for your yes or no. Open this address in your browser and decide there, then answer here. This form approves nothing.`,
  });

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const declaresTasks = (params: Request['params']): boolean =>
  extensionIn(capabilitiesIn(params), TASKS_EXTENSION) !== undefined;

/** The same for every reason, so that it says nothing about the tasks of others. */
const UNKNOWN: Answered = {
  error: {
    code: JsonRpcCode.INVALID_PARAMS,
    message:
      'Task not found. A task is for the caller that it was given to, and is kept for an hour after its question. Send the call again',
  },
};

const INVALID: Answered = {
  error: {
    code: JsonRpcCode.INVALID_PARAMS,
    message: `${ErrorText.INVALID_ARGUMENTS}: tasks/update takes taskId, and inputResponses with an action for each key of inputRequests`,
  },
};

const NOT_DECLARED: Answered = {
  error: {
    code: JsonRpcCode.MISSING_CAPABILITY,
    message: `Missing required client capability: declare the extension ${TASKS_EXTENSION} in _meta`,
    data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  },
};
