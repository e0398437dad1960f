// Turns a call that takes long into a task: the process that runs it holds the task, and keeps its result. reference: Tasks
import type { KnownCaller } from '../kit/integration.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import type { Clock } from '../ports/clock.ts';
import type { Request } from './json-rpc.ts';
import type { Called } from './methods.ts';
import type { RunnableCall, TaskMethods } from './task-methods.ts';
import { LONG_CALL_MS } from './tasks/limits.ts';

/** The call has ended, or it goes on as a task. `over` resolves when it has ended. */
export type Ran = { called: Called } | { task: Record<string, unknown>; over: Promise<unknown> };

/** The signal cancels the call until it is a task. */
export type RunLong = (
  caller: KnownCaller,
  params: Request['params'],
  call: RunnableCall,
  signal: AbortSignal | undefined,
) => Promise<Ran>;

interface Needs {
  clock: Pick<Clock, 'sleep'>;
  memoryBudget: MemoryBudget;
  taskMethods: TaskMethods;
}

export function createRunLong({ clock, memoryBudget, taskMethods }: Needs): RunLong {
  return async function runLong(caller, params, call, signal) {
    const own = new AbortController();
    const cancel = () => own.abort();
    const given = [signal, caller.ended].filter((each) => each !== undefined);
    if (given.some(({ aborted }) => aborted)) cancel();
    for (const each of given) each.addEventListener('abort', cancel);
    // The lease of the request ends with its response.
    const lease = memoryBudget.open(caller.userId);
    const running = call.run(own.signal, lease).finally(() => {
      lease.close();
      for (const each of given) each.removeEventListener('abort', cancel);
    });
    const over = running.then(
      () => false,
      () => false,
    );
    const early = new AbortController();
    const late = clock.sleep(LONG_CALL_MS, early.signal).then(() => true);
    const isLong = await Promise.race([over, late]);
    early.abort();
    if (!isLong || own.signal.aborted) return { called: await running };
    const value = running.then((called) => called.value);
    // The task hears of a failure, if there is one.
    value.catch(() => {});
    const task = await taskMethods.during(caller, params, call, value);
    if (task === null) return { called: await running };
    // From here on only tasks/cancel cancels it.
    signal?.removeEventListener('abort', cancel);
    return { task, over };
  };
}
