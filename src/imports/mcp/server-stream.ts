// Keeps the stream open on which a server of Streamable HTTP says and asks what belongs to no call.
import type { Clock } from '../../ports/clock.ts';
import type { CallScope } from './call-scope.ts';
import { createHttpClient, type HttpClient, type HttpState, resume } from './http-client.ts';
import type { McpLibrary } from './library.ts';
import { pause } from './pause.ts';

export interface ServerStream {
  /**
   * Opens the stream if it is not open, with what this call may send. Resolves as soon as the server has answered, or a
   * moment after it was asked: some servers answer only when they have something to say.
   */
  ensure: (scope: CallScope) => Promise<void>;
  end: () => void;
}

/** Bounds the open streams of all sessions. Null when there are too many; otherwise what gives the place back. */
export type TakeStream = () => (() => void) | null;

interface Needs {
  library: McpLibrary;
  clock: Clock;
  state: HttpState;
  onToolsChanged: () => void;
  onProgress: (params: unknown) => void;
  takeStream: TakeStream;
}

/** Each connection ends after this time, and the stream goes on in the next one. */
const LISTEN_MS = 600_000;
/** A server that has no stream, or sends too much on it, is asked again with a call after this time. */
const PAUSE_MS = 300_000;
/** The first reconnection is quick, and each further one waits twice as long. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** In one session, which lives as long as it is used. */
const MAX_RECONNECTS = 200;
const ANSWER_MS = 250;
/** For the refusal of what the server asks. */
const REPLY_MS = 30_000;
const MAX_STREAMS = 500;

export function createStreamLimit(): TakeStream {
  let open = 0;
  return () => {
    if (open >= MAX_STREAMS) return null;
    open++;
    return () => open--;
  };
}

export function createServerStream(needs: Needs): ServerStream {
  const { library, clock, state, onToolsChanged, onProgress, takeStream } = needs;
  let current: { own: HttpClient; release: () => void; opened: Promise<void> } | undefined;
  let endedAt = -Infinity;
  let reconnects = 0;
  let isOver = false;

  function stop(own: HttpClient): void {
    if (current?.own !== own) return;
    current.release();
    current = undefined;
    endedAt = clock.millis();
    void own.client.close().catch(() => {});
  }

  async function listen(own: HttpClient): Promise<void> {
    await resume(own, state);
    if (state.discover === undefined) return own.inner.resumeStream('');
    const subscription = await own.client.listen({ toolsListChanged: true });
    await subscription.closed;
    stop(own);
  }

  /** The stream has ended. A server that never keeps one open is asked less and less often. */
  async function reconnect(own: HttpClient, again: () => void): Promise<void> {
    if (++reconnects > MAX_RECONNECTS) return stop(own);
    await pause(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(reconnects - 1, 10)));
    if (current?.own === own) again();
  }

  function open(call: CallScope, release: () => void): Promise<void> {
    const answered = Promise.withResolvers<void>();
    const { reached } = call;
    // The stream is no part of the call: it outlives the call, and the call does not fail with it.
    const scope: CallScope = {
      ...call,
      send: reached.sendAfterwards ?? reached.send,
      timeLeft: () => REPLY_MS,
      fail: () => stop(own),
      note: () => {},
    };
    const own: HttpClient = createHttpClient({
      library,
      clock,
      scope,
      state,
      isResumed: true,
      onToolsChanged,
      onProgress,
      stream: {
        ms: LISTEN_MS,
        onAnswer(isOpen) {
          answered.resolve();
          if (!isOpen) stop(own);
        },
        onEnd: (again) => void reconnect(own, again),
      },
    });
    const opened = Promise.race([answered.promise, pause(ANSWER_MS)]);
    current = { own, release, opened };
    listen(own).catch(() => {
      answered.resolve();
      stop(own);
    });
    return opened;
  }

  return {
    async ensure(call) {
      if (current !== undefined) return current.opened;
      if (isOver || clock.millis() - endedAt < PAUSE_MS) return;
      const release = takeStream();
      if (release !== null) await open(call, release);
    },
    end() {
      isOver = true;
      if (current !== undefined) stop(current.own);
    },
  };
}
