// Sends calls as a client that declares the Tasks extension, and polls for them. MCP Tasks extension 2026-07-28
import { type Answer, modernHeaders, modernMeta, rpc } from './mcp.ts';
import type { TestApp } from './test-app.ts';
import { waitUntil } from './wait.ts';

export const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const DECLARED = { extensions: { [TASKS]: {} } };

type Target = Pick<TestApp, 'request'>;
type Headers = Record<string, string>;

/** What a task says of itself. */
export interface ShownTask {
  resultType: string;
  taskId: string;
  status: string;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  inputRequests?: Record<string, { method: string; params: Record<string, unknown> }>;
  result?: { content: { text: string }[]; isError?: boolean };
}

export interface SentTo {
  /** What is declared beside the extension. Null declares nothing at all. */
  capabilities?: object | null;
  headers?: Headers;
}

const metaOf = ({ capabilities = {} }: SentTo) => ({
  ...modernMeta,
  [CAPABILITIES]: capabilities === null ? {} : { ...capabilities, ...DECLARED },
});

export function createTaskClient(app: Target, key: Headers) {
  const client = {
    call(name: string, args: object, to: SentTo = {}): Promise<Answer> {
      const headers = { ...(to.headers ?? key), ...modernHeaders('tools/call', name) };
      return rpc(app, headers, 'tools/call', { _meta: metaOf(to), name, arguments: args });
    },
    /** Sends a method of tasks. */
    send(method: string, params: object, to: SentTo = {}): Promise<Answer> {
      const taskId = 'taskId' in params ? String(params.taskId) : undefined;
      const headers = { ...(to.headers ?? key), ...modernHeaders(`tasks/${method}`, taskId) };
      return rpc(app, headers, `tasks/${method}`, { _meta: metaOf(to), ...params });
    },
    /** Sends a batch that must become a task. */
    async begin(executions: readonly object[], to: SentTo = {}, more: object = {}): Promise<ShownTask> {
      return shown(await client.call('execute_tools', { executions, ...more }, to), 'task');
    },
    get: async (taskId: string, to: SentTo = {}): Promise<ShownTask> =>
      shown(await client.send('get', { taskId }, to), 'complete'),
    /** Polls until the task has ended. */
    async settle(taskId: string, to: SentTo = {}): Promise<ShownTask> {
      let task: ShownTask | undefined;
      await waitUntil(
        'the end of the task',
        async () => {
          task = await client.get(taskId, to);
          return task.status !== 'working' && task.status !== 'input_required';
        },
        () => task,
      );
      if (task === undefined) throw new Error('there is no task');
      return task;
    },
    // oxlint-disable-next-line typescript/no-explicit-any
    async resultsOf(taskId: string, to: SentTo = {}): Promise<any[]> {
      return resultsIn(await client.settle(taskId, to));
    },
    cancel: (taskId: string, to: SentTo = {}) => client.send('cancel', { taskId }, to),
    update: (taskId: string, inputResponses: object, to: SentTo = {}) =>
      client.send('update', { taskId, inputResponses }, to),
  };
  return client;
}

export type TaskClient = ReturnType<typeof createTaskClient>;

/** Parses the results that a completed task carries. */
// oxlint-disable-next-line typescript/no-explicit-any
export function resultsIn(task: ShownTask): any[] {
  const text = task.result?.content[0]?.text;
  if (task.status !== 'completed' || text === undefined)
    throw new Error(`the task has no result: ${JSON.stringify(task)}`);
  return JSON.parse(text).results;
}

function shown({ body }: Answer, resultType: string): ShownTask {
  if (body.result?.['resultType'] !== resultType)
    throw new Error(`no ${resultType}: ${JSON.stringify(body)}`);
  // The tests compare what is in it.
  return body.result as unknown as ShownTask;
}
