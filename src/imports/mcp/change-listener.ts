// Hears over Streamable HTTP that the tools of a server have changed: by a stream beside the calls of a session.
import type { Clock } from '../../ports/clock.ts';
import type { CallScope } from './call-scope.ts';
import { createHttpClient, type HttpClient, type HttpState, resume } from './http-client.ts';
import type { McpLibrary } from './library.ts';

export interface ChangeListener {
  /** Listens if nothing listens, with what this call may send. It does not wait. */
  ensure: (scope: CallScope) => void;
  end: () => void;
}

interface Needs {
  library: McpLibrary;
  clock: Clock;
  state: HttpState;
  onToolsChanged: () => void;
}

/** Sessions are idle for five minutes at most, so a stream is rarely needed for longer. */
const LISTEN_MS = 600_000;
/** A server that ends its streams is asked again with a call after this time. */
const PAUSE_MS = 300_000;

export function createChangeListener({ library, clock, state, onToolsChanged }: Needs): ChangeListener {
  let current: HttpClient | undefined;
  let openedAt = -Infinity;
  let isOver = false;

  function stop(opened: HttpClient): void {
    if (current === opened) current = undefined;
    void opened.client.close().catch(() => {});
  }

  async function listen(opened: HttpClient): Promise<void> {
    await resume(opened, state);
    if (state.discover === undefined) {
      await opened.inner.resumeStream('');
      return;
    }
    const subscription = await opened.client.listen({ toolsListChanged: true });
    await subscription.closed;
    stop(opened);
  }

  return {
    ensure(call) {
      if (isOver || current !== undefined || clock.millis() - openedAt < PAUSE_MS) return;
      openedAt = clock.millis();
      // It is no part of the call: the call neither waits for it nor fails with it.
      const scope: CallScope = { ...call, fail: () => {} };
      const opened = createHttpClient({
        library,
        clock,
        scope,
        state,
        isResumed: true,
        onToolsChanged,
        listenMs: LISTEN_MS,
      });
      const end = (): void => stop(opened);
      // The library reports the end of the stream as an error, and servers without such a stream answer 405.
      Object.assign(opened.client, { onerror: end });
      current = opened;
      listen(opened).catch(end);
    },
    end() {
      isOver = true;
      if (current !== undefined) stop(current);
    },
  };
}
