// Answers tools/call: at once, as a task, or as a stream while it runs or waits for a person. reference: MCP endpoint
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { sendWhileAllowed } from '../auth/ending-stream.ts';
import type { RunningWork, Work } from '../auth/running-work.ts';
import { ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { ACCESS_ENDED, describe, unavailableText } from '../http/errors.ts';
import type { SendJson } from '../http/large-json.ts';
import { isObject } from '../json/json.ts';
import { truncate } from '../json/truncate.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { Lease, MemoryBudget } from '../memory/budget.ts';
import { orAborted } from '../memory/or-aborted.ts';
import type { Ports } from '../ports/ports.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { InputRequired, Round } from './input-required.ts';
import { errorText, type Request, resultText, type RpcError } from './json-rpc.ts';
import { keepAlive } from './keep-alive.ts';
import type { RunLong } from './long-calls.ts';
import { READ_RESULT } from './meta-tools/read-result.ts';
import { WAIT_FOR_CONNECTION } from './meta-tools/wait-for-connection.ts';
import type { Called } from './methods.ts';
import { createProgressStream } from './progress-stream.ts';
import { JSON_TYPE, refuse, tell } from './send.ts';
import type { Served } from './served.ts';
import type { TaskMethods } from './task-methods.ts';
import { tellWaiting } from './tell-waiting.ts';
import type { McpEnv } from './traced-request.ts';

export interface UnderWay {
  work: Work;
  /** The work goes on after the response has begun. */
  isStreamed: boolean;
  /** The work goes on as a task, which ends it. */
  isHeld: boolean;
}

export interface Era {
  errorStatus: ContentfulStatusCode;
  finish: (result: Record<string, unknown>) => Record<string, unknown>;
  /** Whether mistakes of a model are results that it reads, instead of protocol errors. SEP-1303 */
  tellsModel: boolean;
  /** Whether the client shows the pages of tools. */
  showsApps: boolean;
  /** Aborts when the call is cancelled, and when the access of the person ends. */
  signal: AbortSignal;
  underWay: UnderWay;
  /** Set in the era in which a client can be asked to show the person a question. */
  round?: Round;
}

export type AnswerCall = (
  c: Context<McpEnv>,
  server: Pick<Served, 'call'>,
  caller: KnownCaller,
  request: Request,
  era: Era,
) => Promise<Response>;

type Needs = Pick<Ports, 'clock' | 'log'> & {
  inputRequired: InputRequired;
  memoryBudget: MemoryBudget;
  runLong: RunLong;
  runningWork: RunningWork;
  sendJson: SendJson;
  taskMethods: TaskMethods;
};

const ACCESS_ENDED_ERROR: RpcError = { code: JsonRpcCode.UNAUTHORIZED, message: ACCESS_ENDED };
const NOT_HELD_BACK = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
const EVENTS_TYPE = { ...NOT_HELD_BACK, 'Content-Type': 'text/event-stream' };
const STREAM_TYPE = { ...JSON_TYPE, ...NOT_HELD_BACK };

export function createAnswerCall({
  clock,
  inputRequired,
  log,
  memoryBudget,
  runLong,
  runningWork,
  sendJson,
  taskMethods,
}: Needs): AnswerCall {
  return async function answerCall(
    c,
    server,
    caller,
    // Takes only these two fields: a wait of minutes must not keep the rest of the request in memory.
    { id, params },
    era,
  ) {
    const asked = era.round?.retry?.results.flatMap(({ approval }) => approval?.url ?? []) ?? null;
    const waits = params['name'] === WAIT_FOR_CONNECTION || asked !== null;
    const progress = createProgressStream(params, c.req.header('accept'), waits);
    const onProgress = progress?.onProgress;
    const called = server.call(
      onProgress === undefined ? caller : { ...caller, onProgress },
      params,
      era.showsApps,
    );
    const call = called instanceof Promise ? await called : called;
    if ('error' in call) {
      if (!era.tellsModel || call.isMistake !== true) return refuse(c, era.errorStatus, id, call.error);
      const mistake = { content: [{ type: 'text', text: truncate(call.error.message) }], isError: true };
      return tell(c, id, era.finish(mistake));
    }
    const { round, underWay } = era;
    const begun = round === undefined ? null : await taskMethods.before(caller, params, call);
    if (begun !== null) return c.body(resultText(id, JSON.stringify(era.finish(begun))), 200, JSON_TYPE);
    const guard = sendWhileAllowed(runningWork, caller.userId, era.underWay.work);
    const runRound = async (
      asking: Round,
      signal: AbortSignal,
      lease: Lease | undefined,
    ): Promise<Record<string, unknown>> => {
      if (asking.answer !== null) return { ...(await call.render(asking.answer)) };
      if (asking.retry !== null) await inputRequired.wait(caller, asking, signal);
      const ran = taskMethods.mayHold(params, call)
        ? await runLong(caller, params, call, signal)
        : { called: await call.run(signal, lease) };
      if ('task' in ran) {
        underWay.isHeld = true;
        void ran.over.then(() => underWay.work.end());
        return ran.task;
      }
      const task = await taskMethods.after(caller, params, call, ran.called.value);
      return task ?? inputRequired.ask(caller, asking, ran.called.value) ?? show(ran.called);
    };
    const show = ({ value, rendered }: Called): Record<string, unknown> =>
      era.tellsModel && call.name === READ_RESULT && isObject(value) && 'error' in value
        ? { ...rendered, isError: true }
        : { ...rendered };
    const { ended } = underWay.work;
    const notes = c.get('notes');
    const untilEnded = <T>(running: Promise<T>): Promise<T> =>
      call.tellsEnd === true ? running : orAborted(running, ended);
    const work = async (signal: AbortSignal, lease?: Lease) => {
      const result =
        round === undefined
          ? show(await untilEnded(call.run(signal, lease)))
          : await untilEnded(runRound(round, signal, lease));
      if (notes !== undefined && result['isError'] === true) notes.error = 'tool_error';
      return resultText(id, JSON.stringify(era.finish(result)));
    };
    const { span } = caller;
    /** The status line is sent before this text, so the text has to carry an error. */
    const carry = async (running: Promise<string>): Promise<string> => {
      try {
        const text = await running;
        span?.end({ error: notes?.error });
        return text;
      } catch (error) {
        span?.end({ error: 'internal_error' });
        if (ended.aborted) return errorText(id, ACCESS_ENDED_ERROR);
        log.write('error', 'wait failed', { requestId: caller.requestId, ...describe(error) });
        const message = error instanceof Unavailable ? unavailableText(error) : ErrorText.INTERNAL_ERROR;
        return errorText(id, { code: JsonRpcCode.INTERNAL_ERROR, message });
      } finally {
        if (!underWay.isHeld) underWay.work.end();
      }
    };
    const beginStream = () => {
      underWay.isStreamed = true;
      if (notes !== undefined) notes.isStream = true;
    };
    // The lease of the request ends when a stream begins.
    const onOwnLease = async (signal: AbortSignal): Promise<string> => {
      const lease = memoryBudget.open(caller.userId);
      try {
        return await work(signal, lease);
      } finally {
        lease.close();
      }
    };
    if (!waits) {
      let running: Promise<string>;
      if (progress === null) running = work(era.signal);
      else {
        const gone = new AbortController();
        // Only in the newer era does a client that leaves cancel its call.
        const signal = round === undefined ? era.signal : AbortSignal.any([era.signal, gone.signal]);
        running = onOwnLease(signal);
        if (await progress.begins(running)) {
          beginStream();
          return c.body(
            progress.stream(carry(running), () => gone.abort()),
            200,
            EVENTS_TYPE,
          );
        }
      }
      try {
        return sendJson(c, caller.userId, await running, guard);
      } catch (error) {
        if (ended.aborted) return refuse(c, 401, id, ACCESS_ENDED_ERROR);
        throw error;
      }
    }
    beginStream();
    if (progress !== null) {
      const [gone, over] = [new AbortController(), new AbortController()];
      const ending = carry(onOwnLease(AbortSignal.any([gone.signal, ended]))).finally(() => over.abort());
      const message =
        asked === null
          ? 'The person has not finished connecting yet'
          : `A person has to decide: ${asked.join(' ')}`;
      void tellWaiting(clock, progress.onProgress, message, AbortSignal.any([gone.signal, over.signal]));
      return c.body(
        progress.stream(ending, () => gone.abort()),
        200,
        EVENTS_TYPE,
      );
    }
    const stream = keepAlive(clock, (gone) => carry(onOwnLease(AbortSignal.any([gone, ended]))));
    return c.body(stream, 200, STREAM_TYPE);
  };
}
