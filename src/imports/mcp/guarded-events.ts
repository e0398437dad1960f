// Passes on a stream of server-sent events, and checks the JSON of each event before the library parses it.
import { quoteLargeIntegers, whyNotToParse } from '../../json/exact.ts';
import { parseJson } from '../../json/json.ts';
import { pruneDeep } from '../../json/prune.ts';
import { isTooLarge } from '../model/cut-text.ts';
import { McpFailure } from './client.ts';
import { cutAnswer } from './cut-answer.ts';
import { readMessage } from './read-message.ts';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** The library parses each event, so a flood of tiny events takes time even within the limit of bytes. */
const MAX_EVENTS = 10_000;
/** A longer message is passed on as it is: it would be parsed twice. */
const MAX_READ = 64 * 1024;
export const ODD_MESSAGES = 'it writes messages in another form than JSON-RPC';
const LINE_END = /\r\n|\n|\r/;

interface Options {
  host: string;
  signal: AbortSignal | undefined;
  onBytes?: ((count: number) => void) | undefined;
  /** Told why the stream ends too early. The library would only note that it has ended. */
  onError?: ((error: unknown) => void) | undefined;
  /** Told in words what the server should not do. */
  onOdd?: ((what: string) => void) | undefined;
  /** The request that the stream answers. The beginning of a text that is too long for it is kept. */
  messageId?: string | null;
  /** One tool of a list may be nested too deeply, and the others are good. */
  isList?: boolean;
}

/**
 * The bytes of a stream are bounded by the egress. The stream ends with an error when its reader aborts, even if the
 * server says nothing more.
 */
export function guardEvents(
  body: Bytes,
  { host, signal, onBytes, onError, onOdd, messageId = null, isList = false }: Options,
): Bytes {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const guard = createEventGuard(host, onOdd, isList);
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  const end = () => signal?.removeEventListener('abort', stop);

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await reader.read();
            signal?.throwIfAborted();
            onBytes?.(value?.byteLength ?? 0);
            const text = guard.read(done ? decoder.decode() : decoder.decode(value, { stream: true }));
            if (text !== '') controller.enqueue(encoder.encode(text));
            if (done) {
              end();
              return controller.close();
            }
            if (text !== '') return;
          }
        } catch (error) {
          end();
          const cut =
            isTooLarge(error) && messageId !== null ? cutAnswer(guard.rest(), messageId, error) : null;
          if (cut !== null) {
            controller.enqueue(encoder.encode(`data: ${JSON.stringify(cut)}\n\n`));
            return controller.close();
          }
          if (signal?.aborted !== true) onError?.(error);
          await reader.cancel().catch(() => {});
          throw error;
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

interface EventGuard {
  /** Returns the part of the stream that is complete and checked. An event that never ends is never passed on. */
  read(piece: string): string;
  /** Returns the line that has begun and not ended. */
  rest(): string;
}

function createEventGuard(host: string, onOdd: Options['onOdd'], isList: boolean): EventGuard {
  /** The beginning of a line, in pieces: joining them for each piece would take quadratic time. */
  let begun: string[] = [];
  let endedWithReturn = false;
  let data: string[] = [];
  let events = 0;

  function readLine(line: string): string {
    if (line === '') return endEvent();
    if (!line.startsWith('data:')) return `${line}\n`;
    data.push(line.slice('data:'.length));
    return '';
  }

  function endEvent(): string {
    if (++events > MAX_EVENTS)
      throw new McpFailure(`${host} sends more than ${MAX_EVENTS} messages for one request`);
    const text = data.map((line) => line.replace(/^ /, '')).join('\n');
    const lines =
      data.length === 0 ? [] : checkJson(isList ? pruneDeep(text) : text, host, onOdd).split('\n');
    data = [];
    return `${lines.map((line) => `data: ${line}\n`).join('')}\n`;
  }

  function read(piece: string): string {
    // The second half of a line end that was cut in two.
    const rest = endedWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') endedWithReturn = piece.endsWith('\r');
    const [first = '', ...others] = rest.split(LINE_END);
    begun.push(first);
    const last = others.pop();
    if (last === undefined) return '';
    const passed = [begun.join(''), ...others].map(readLine).join('');
    begun = [last];
    return passed;
  }

  return { read, rest: () => begun.join('') };
}

/** Writes large integers as strings, as in every other answer of an upstream. */
function checkJson(text: string, host: string, onOdd: Options['onOdd']): string {
  const why = whyNotToParse(text);
  if (why !== undefined) throw new McpFailure(`The answer of ${host} ${why}`);
  const exact = quoteLargeIntegers(text);
  if (exact.length > MAX_READ) return exact;
  const { value, isOdd } = readMessage(parseJson(exact));
  if (!isOdd) return exact;
  onOdd?.(ODD_MESSAGES);
  return JSON.stringify(value);
}
