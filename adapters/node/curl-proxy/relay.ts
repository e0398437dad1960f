// Relays one exchange between the caller and the upstream: bytes as they arrive, with back-pressure both ways.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isNotConnected, type PinnedPools } from '../../../drivers/network/pinned-pools.ts';
import type { Exchange, Relayed } from '../../../src/calls/wire.ts';
import { sentenceFor } from '../../../src/egress/door.ts';
import { createAnswer } from './answer.ts';
import type { Access } from './call.ts';
import { createCheckedAnswer } from './checked-answer.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { hasBody, uploadOf } from './upload.ts';

const MAX_INFORMATIONAL = 1_000;
/** A refusal that is longer says nothing in one sentence. */
const MAX_REFUSAL_CHARACTERS = 4_096;
const CALLER_GONE = 'cancelled by the caller';
const ACCESS_OVER = 'the access of the person has ended';
const NOT_CHECKED = 'the answer cannot be checked';

/** The two sockets of one exchange. */
export interface Sockets {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  requestId: string;
  /** Its end ends an approved call too. */
  access: Access;
}

export function relay(
  pools: PinnedPools,
  { incoming, outgoing, requestId, access }: Sockets,
  exchange: Exchange,
): Promise<Relayed> {
  const { destination, keepsCookies, mayRetry, approved, note, added, redactions } = exchange;
  if (access.isEnded) return Promise.resolve({ kind: 'access-ended', isSent: false });
  // The caller disconnected while the call was being checked.
  if (outgoing.destroyed) return Promise.resolve({ kind: 'caller-gone' });
  return new Promise((resolve) => {
    const plain = createAnswer(incoming, outgoing);
    const answer =
      redactions === null
        ? plain
        : createCheckedAnswer(plain, outgoing, redactions, {
            onDrain: () => resume(),
            onWithheld: (what) => stopAnswer(what),
            onFailure: () => stopAnswer(null),
          });
    let controller: Dispatcher.DispatchController | null = null;
    let answered: Relayed | null = null;
    // The caller's next call may follow as soon as this one is answered, and needs what this one stores.
    let noted: Promise<unknown> | null = null;
    let gone = false;
    let informed = 0;
    let endsWithConnection = false;
    let isSettled = false;
    const body = approved === null ? streamOf(incoming) : approved.body;

    const leave = () => {
      if (outgoing.writableFinished) return;
      gone = true;
      if (approved === null || answered !== null) controller?.abort(new Error(CALLER_GONE));
    };
    outgoing.once('close', leave);
    // The upstream's client ends only what it has begun, so the call does not wait for it.
    const stop = () => {
      controller?.abort(new Error(ACCESS_OVER));
      if (body instanceof Readable) body.destroy();
      settle({ kind: 'access-ended', isSent: controller !== null });
    };
    access.stop = stop;

    const resume = () => controller?.resume();
    const settle = (relayed: Relayed) => {
      isSettled = true;
      outgoing.off('close', leave);
      access.stop = null;
      outgoing.off('drain', resume);
      resolve(relayed);
    };

    /** Ends an answer that the rules want checked. One that has begun breaks off. */
    const stopAnswer = (withheld: string | null) => {
      if (answered?.kind !== 'answered') return;
      if (withheld !== null) answered.withheld = withheld;
      settle(answered);
      if (withheld === null) outgoing.destroy();
      controller?.abort(new Error(NOT_CHECKED));
    };

    const giveUp = (started: Dispatcher.DispatchController, reason: string) => {
      answered = { kind: 'failed', reason };
      started.abort(new Error(reason));
    };

    const afterNotes = (then: () => void) => {
      if (noted === null) then();
      else void noted.then(then);
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (access.isEnded) started.abort(new Error(ACCESS_OVER));
        else if (gone && approved === null) started.abort(new Error(CALLER_GONE));
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
        const setCookies = keepsCookies ? valuesOf(pairs, 'set-cookie') : [];
        endsWithConnection = ['content-length', 'transfer-encoding'].every((name) => !(name in headers));
        outgoing.on('drain', resume);
        const begin = () => {
          if (access.isEnded) return started.abort(new Error(ACCESS_OVER));
          if (gone) return started.abort(new Error(CALLER_GONE));
          answer.begin(status, keepAscii(statusMessage), responseHeaders(pairs, keepsCookies, requestId));
        };
        const stored = note(status, setCookies);
        answered = { kind: 'answered', status, noted: stored };
        if (status === 403 && headers['content-encoding'] === undefined)
          answered.refusal = { status, headers: toHeaders(pairs), text: '' };
        if (stored === null) return begin();
        started.pause();
        noted = stored.then(() => {
          begin();
          if (!gone && !access.isEnded) started.resume();
        });
      },

      onResponseData(started, chunk) {
        const refusal = answered?.kind === 'answered' ? answered.refusal : undefined;
        if (refusal !== undefined && refusal.text.length < MAX_REFUSAL_CHARACTERS)
          refusal.text += chunk.toString('utf8', 0, MAX_REFUSAL_CHARACTERS);
        if (!answer.write(chunk)) started.pause();
      },

      onResponseEnd() {
        afterNotes(() => {
          answer.end(() => settle(answered ?? { kind: 'failed', reason: 'it ended without a response' }));
        });
      },

      onResponseError(_controller, error) {
        if (access.isEnded || isSettled) return;
        if (gone) return settle((approved === null ? null : answered) ?? { kind: 'caller-gone' });
        if (answered?.kind === 'answered') {
          // An upstream that closes during an upload may have answered in full. Any other answer is broken off.
          const isSending = body instanceof Readable && !body.readableEnded;
          if (endsWithConnection && isSending) afterNotes(() => answer.end());
          else outgoing.destroy();
          return settle(answered);
        }
        settle(answered ?? { kind: 'failed', reason: reasonFor(error, destination.declared.host) });
      },
    };

    const own = requestHeaders(incoming.rawHeaders, exchange);
    const headers = added === undefined ? own : [...own, ...added];
    // Node's parser gives the method as a string, and the curl proxy has refused every method that is not in METHODS.
    const method = incoming.method as Dispatcher.HttpMethod;
    pools
      .poolFor(destination.origin, destination.addresses)
      .dispatch({ method, path: destination.target, headers, body }, handler);
  });
}

const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

/** What is not about the connection keeps its own words. */
function reasonFor(error: NodeJS.ErrnoException, host: string): string {
  if (isNotConnected(error)) return sentenceFor('unreachable', host);
  return LOST.has(error.code ?? '') ? sentenceFor('lost', host) : error.message;
}

function streamOf(incoming: IncomingMessage): Readable | null {
  return hasBody(incoming) ? uploadOf(incoming) : null;
}

/** Node has read the message as UTF-8, so a message beyond ASCII cannot be written as it was. */
function keepAscii(statusMessage = ''): string {
  return /^[\t\x20-\x7e]*$/.test(statusMessage) ? statusMessage : '';
}

/** Only the headers that tell a limit or a permission are looked at. */
function toHeaders(pairs: readonly string[]): Headers {
  const headers = new Headers();
  for (const name of ['retry-after', 'x-ratelimit-remaining', 'cf-mitigated', 'www-authenticate'])
    for (const value of valuesOf(pairs, name)) headers.append(name, value);
  return headers;
}

function valuesOf(pairs: readonly string[], wanted: string): string[] {
  return pairs.filter((_, index) => index % 2 === 1 && pairs[index - 1]?.toLowerCase() === wanted);
}
