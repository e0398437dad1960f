// Speaks HTTP+SSE, the transport of 2024: one stream of answers, and a request for each message. decision: 044
import type { Clock } from '../../ports/clock.ts';
import type { CallScope } from './call-scope.ts';
import { createGuardedFetch, isFinal, type Outgoing } from './guarded-fetch.ts';
import { loadLibrary } from './library.ts';
import { openSharedSession } from './shared-session.ts';
import type { Session, SessionEvents } from './session.ts';

const CALL = 'x-gateway-call';
/** A stream that may have to end soon carries no new calls: a call takes five minutes at most. */
const STREAM_MS = 1_800_000;
const MAX_AGE_MS = 1_200_000;
/** The egress ends a stream after 16 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;

export async function openSseSession(
  { clock }: { clock: Clock },
  scope: CallScope,
  events: SessionEvents,
): Promise<Session> {
  const library = await loadLibrary();
  const address = new URL(scope.reached.address);
  const began = clock.millis();
  const calls = new Map<string, CallScope>();
  /** The calls of the messages that are about to be sent, by the text of the message. */
  const sending = new Map<string, CallScope>();
  let latest = scope;
  let nextCall = 0;
  let reason: string | undefined;
  let isOpened = false;
  let bytes = 0;

  /** The library opens the stream again when it ends, and would use a session that was never begun. */
  function scopeOf({ method, body }: Outgoing): CallScope | null {
    if (method === 'GET') {
      if (isOpened) return null;
      isOpened = true;
      return scope;
    }
    const found = body === null ? undefined : sending.get(body);
    if (body !== null) sending.delete(body);
    return found ?? latest;
  }

  const inner = new library.SSEClientTransport(address, {
    fetch: createGuardedFetch({
      library,
      address,
      scopeOf,
      timeoutFor: ({ method }) => (method === 'GET' ? STREAM_MS : undefined),
      throwsRefusals: true,
      onStreamError: (error) => {
        if (isFinal(error)) reason = error.message;
      },
      onBytes(count) {
        bytes += count;
        if (bytes > MAX_BYTES) events.onOver();
      },
    }),
  });
  const session = await openSharedSession({
    library,
    scope,
    events,
    inner,
    kind: 'sse',
    isLegacy: true,
    reason: () => reason,
    beforeSend: (message, headers) => {
      sending.set(JSON.stringify(message), calls.get(headers[CALL] ?? '') ?? latest);
    },
    enter(call) {
      const id = String(nextCall++);
      calls.set(id, call);
      latest = call;
      return { headers: { [CALL]: id }, leave: () => calls.delete(id) };
    },
  });
  return {
    ...session,
    ask(call, ask) {
      if (clock.millis() - began > MAX_AGE_MS) events.onOver();
      return session.ask(call, ask);
    },
  };
}
