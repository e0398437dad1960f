// One exchange between the caller's sockets and the upstream's: bytes as they come, back-pressure both ways.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { PinnedPools } from '../../../drivers/network/pinned-pools.ts';
import type { Permitted } from '../../../src/proxy/permit.ts';
import { createAnswer } from './answer.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { hasBody, uploadOf } from './upload.ts';

export type Relayed =
  | { kind: 'answered'; status: number }
  /** The upstream said 401 and nothing has been sent to the caller: the call can be made again. */
  | { kind: 'turned-down' }
  | { kind: 'failed'; reason: string }
  | { kind: 'caller-gone' };

const MOST_INFORMATIONAL = 1_000;

export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  permitted: Permitted;
  /** Whether a 401 is for the gateway to deal with. */
  mayRetry: boolean;
  /** What a cookie session is set on the way; never rejects. */
  keep: (setCookies: readonly string[]) => Promise<void>;
}

export function relay(
  pools: PinnedPools,
  { incoming, outgoing, permitted, mayRetry, keep }: Exchange,
): Promise<Relayed> {
  const { destination, integration } = permitted;
  // Gone while the call was being permitted: nobody would hear of it any more.
  if (outgoing.destroyed) return Promise.resolve({ kind: 'caller-gone' });
  return new Promise((resolve) => {
    const answer = createAnswer(incoming, outgoing);
    let controller: Dispatcher.DispatchController | null = null;
    let answered: Relayed | null = null;
    // The caller's next call may follow as soon as this one has its answer, and goes on with what was set.
    let kept: Promise<void> | null = null;
    let gone = false;
    let informed = 0;
    let endsWithConnection = false;
    const body = hasBody(incoming) ? uploadOf(incoming) : null;

    const leave = () => {
      if (outgoing.writableFinished) return;
      gone = true;
      controller?.abort(new Error('the caller has gone'));
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

    const onceKept = (then: () => void) => {
      if (kept === null) then();
      else void kept.then(then);
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (gone) started.abort(new Error('the caller has gone'));
      },

      onResponseStart(started, status, headers, statusMessage) {
        // Informational answers are between the gateway and the upstream.
        if (status >= 100 && status < 200) {
          informed++;
          if (informed > MOST_INFORMATIONAL) giveUp(started, 'it sends informational answers only');
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
        const keepsCookies = integration.auth.type === 'cookie';
        const setCookies = keepsCookies ? valuesOf(pairs, 'set-cookie') : [];
        answered = { kind: 'answered', status };
        endsWithConnection = ['content-length', 'transfer-encoding'].every((name) => !(name in headers));
        outgoing.on('drain', () => started.resume());
        const begin = () =>
          answer.begin(status, writable(statusMessage), responseHeaders(pairs, keepsCookies));
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
        onceKept(() => {
          answer.end();
          settle(answered ?? { kind: 'failed', reason: 'it ended without an answer' });
        });
      },

      onResponseError(_controller, error) {
        if (gone) return settle({ kind: 'caller-gone' });
        if (answered?.kind === 'answered') {
          // Who hangs up on an upload may have said everything; else breaking off is all that is left to say.
          if (endsWithConnection && body?.readableEnded === false) onceKept(() => answer.end());
          else outgoing.destroy();
          return settle(answered);
        }
        settle(answered ?? { kind: 'failed', reason: error.message });
      },
    };

    const headers = requestHeaders(incoming.rawHeaders, permitted);
    // Node gives a method as the parser read it; the handler lets only real ones through.
    const method = incoming.method as Dispatcher.HttpMethod;
    pools
      .poolFor(destination.origin, destination.addresses)
      .dispatch({ method, path: destination.target, headers, body }, handler);
  });
}

/** It has been read as UTF-8, and what is beyond ASCII cannot be written again as it was. */
function writable(statusMessage = ''): string {
  return /^[\t\x20-\x7e]*$/.test(statusMessage) ? statusMessage : '';
}

function valuesOf(pairs: readonly string[], wanted: string): string[] {
  return pairs.filter((_, index) => index % 2 === 1 && pairs[index - 1]?.toLowerCase() === wanted);
}
