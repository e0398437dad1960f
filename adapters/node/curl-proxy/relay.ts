// Relays one exchange between the caller and the upstream: bytes as they arrive, with back-pressure both ways.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { PinnedPools } from '../../../drivers/network/pinned-pools.ts';
import type { Permitted } from '../../../src/proxy/permit.ts';
import { createAnswer } from './answer.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { hasBody, uploadOf } from './upload.ts';

export type Relayed =
  | { kind: 'answered'; status: number }
  /** The upstream answered 401 and nothing has been sent to the caller, so the call can be repeated. */
  | { kind: 'turned-down' }
  | { kind: 'failed'; reason: string }
  | { kind: 'caller-gone' };

const MAX_INFORMATIONAL = 1_000;

export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  permitted: Permitted;
  /** Whether the gateway handles a 401 itself instead of passing it on. */
  mayRetry: boolean;
  /** Stores the cookies that the upstream sets in a session. It never rejects. */
  keep: (setCookies: readonly string[]) => Promise<void>;
}

export function relay(
  pools: PinnedPools,
  { incoming, outgoing, permitted, mayRetry, keep }: Exchange,
): Promise<Relayed> {
  const { destination, credential } = permitted;
  // The caller disconnected while the call was being checked.
  if (outgoing.destroyed) return Promise.resolve({ kind: 'caller-gone' });
  return new Promise((resolve) => {
    const answer = createAnswer(incoming, outgoing);
    let controller: Dispatcher.DispatchController | null = null;
    let answered: Relayed | null = null;
    // The caller's next call may follow as soon as this one is answered, and needs the cookies that this one set.
    let kept: Promise<void> | null = null;
    let gone = false;
    let informed = 0;
    let endsWithConnection = false;
    const body = hasBody(incoming) ? uploadOf(incoming) : null;

    const leave = () => {
      if (outgoing.writableFinished) return;
      gone = true;
      controller?.abort(new Error('cancelled by the caller'));
    };
    outgoing.once('close', leave);

    const settle = (relayed: Relayed) => {
      outgoing.off('close', leave);
      outgoing.removeAllListeners('drain');
      resolve(relayed);
    };

    const giveUp = (started: Dispatcher.DispatchController, reason: string) => {
      answered = { kind: 'failed', reason };
      started.abort(new Error(reason));
    };

    const afterCookies = (then: () => void) => {
      if (kept === null) then();
      else void kept.then(then);
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (gone) started.abort(new Error('cancelled by the caller'));
      },

      onResponseStart(started, status, headers, statusMessage) {
        // Informational answers are not passed on.
        if (status >= 100 && status < 200) {
          informed++;
          if (informed > MAX_INFORMATIONAL) giveUp(started, 'it sends only informational responses');
          return;
        }
        if (status < 200 || status > 599) return giveUp(started, `it answered with status ${status}`);
        if (status === 401 && mayRetry) {
          answered = { kind: 'turned-down' };
          started.abort(new Error('to be tried again'));
          return;
        }
        const raw = (started.rawHeaders as (string | Buffer)[] | null) ?? [];
        const pairs = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
        const keepsCookies = credential.kind === 'cookies';
        const setCookies = keepsCookies ? valuesOf(pairs, 'set-cookie') : [];
        answered = { kind: 'answered', status };
        endsWithConnection = ['content-length', 'transfer-encoding'].every((name) => !(name in headers));
        outgoing.on('drain', () => started.resume());
        const begin = () =>
          answer.begin(status, keepAscii(statusMessage), responseHeaders(pairs, keepsCookies));
        if (setCookies.length === 0) return begin();
        started.pause();
        kept = keep(setCookies).then(() => {
          begin();
          started.resume();
        });
      },

      onResponseData(started, chunk) {
        if (!answer.write(chunk)) started.pause();
      },

      onResponseEnd() {
        afterCookies(() => {
          answer.end();
          settle(answered ?? { kind: 'failed', reason: 'it ended without a response' });
        });
      },

      onResponseError(_controller, error) {
        if (gone) return settle({ kind: 'caller-gone' });
        if (answered?.kind === 'answered') {
          // An upstream that closes during an upload may have answered in full. Any other answer is broken off.
          if (endsWithConnection && body?.readableEnded === false) afterCookies(() => answer.end());
          else outgoing.destroy();
          return settle(answered);
        }
        settle(answered ?? { kind: 'failed', reason: error.message });
      },
    };

    const headers = requestHeaders(incoming.rawHeaders, permitted);
    // Node's parser gives the method as a string, and the curl proxy has refused every method that is not in METHODS.
    const method = incoming.method as Dispatcher.HttpMethod;
    pools
      .poolFor(destination.origin, destination.addresses)
      .dispatch({ method, path: destination.target, headers, body }, handler);
  });
}

/** Node has read the message as UTF-8, so a message beyond ASCII cannot be written as it was. */
function keepAscii(statusMessage = ''): string {
  return /^[\t\x20-\x7e]*$/.test(statusMessage) ? statusMessage : '';
}

function valuesOf(pairs: readonly string[], wanted: string): string[] {
  return pairs.filter((_, index) => index % 2 === 1 && pairs[index - 1]?.toLowerCase() === wanted);
}
