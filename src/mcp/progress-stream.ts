// Tells a client that asked for it how far its call has come. Without any progress the answer stays one JSON document.
// MCP 2025-11-25, Progress
import { isObject } from '../json/json.ts';
import type { Progress } from '../kit/integration.ts';

type Token = string | number;
type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

export interface ProgressStream {
  onProgress: (progress: Progress) => void;
  /** Waits until there is progress, or until the work is over. Returns whether there was progress first. */
  begins(work: Promise<unknown>): Promise<boolean>;
  /** Sends the notices, those of the past included, and then the answer as the last event. `work` must not reject. */
  stream(work: Promise<string>, onGone: () => void): Bytes;
}

const encoder = new TextEncoder();
/** Bounds the notices that wait for a client that does not read. */
const MAX_WAITING = 100;

/** Null when the client did not ask, or does not take a stream of events. */
export function createProgressStream(
  params: Record<string, unknown>,
  accept: string | undefined,
  /** The call waits for a person, so its notices are not only those of a tool. */
  waits: boolean,
): ProgressStream | null {
  const meta = params['_meta'];
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  if (typeof token !== 'string' && typeof token !== 'number') return null;
  return accept?.includes('text/event-stream') === true ? openStream(token, waits || isBatch(params)) : null;
}

function openStream(progressToken: Token, mixes: boolean): ProgressStream {
  const begun = Promise.withResolvers<true>();
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  let last = -Infinity;

  function send(event: Uint8Array<ArrayBuffer>): void {
    if (controller !== undefined && (controller.desiredSize ?? 0) > -MAX_WAITING) controller.enqueue(event);
    else if (controller === undefined && waiting.length < MAX_WAITING) waiting.push(event);
  }

  return {
    onProgress({ progress, ...more }) {
      // The value has to grow. The calls of a batch count each for itself, and waiting has no measure.
      const value = mixes ? Math.max(last, 0) + 1 : progress;
      if (value <= last) return;
      last = value;
      const { message } = more;
      const told = mixes
        ? { progress: value, ...(message === undefined ? {} : { message }) }
        : { progress, ...more };
      const params = { progressToken, ...told };
      send(eventOf(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })));
      begun.resolve(true);
    },
    begins: (work) =>
      Promise.race([
        begun.promise,
        work.then(
          () => false,
          () => false,
        ),
      ]),
    stream: (work, onGone) =>
      new ReadableStream({
        start(opened) {
          for (const event of waiting) opened.enqueue(event);
          waiting = [];
          controller = opened;
          void work.then((text) => {
            if (controller === undefined) return;
            controller = undefined;
            opened.enqueue(eventOf(text));
            opened.close();
          });
        },
        cancel() {
          controller = undefined;
          onGone();
        },
      }),
  };
}

const eventOf = (text: string): Uint8Array<ArrayBuffer> =>
  encoder.encode(`event: message\ndata: ${text}\n\n`);

function isBatch({ arguments: args }: Record<string, unknown>): boolean {
  const executions = isObject(args) ? args['executions'] : undefined;
  return Array.isArray(executions) && executions.length > 1;
}
