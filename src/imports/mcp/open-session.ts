// Opens a session the way that works at an address: Streamable HTTP of either era, HTTP+SSE, or a local process.
import { createLru } from '../../memory/lru.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LocalServers } from '../../ports/local-servers.ts';
import { isProcess } from '../model/process-address.ts';
import type { CallScope } from './call-scope.ts';
import { isAboutAccess } from './client.ts';
import { explainOpening, explainStarting, statusOf } from './failures.ts';
import { openHttpSession } from './http-session.ts';
import { loadLibrary } from './library.ts';
import { openProcessSession } from './process-session.ts';
import { createStreamLimit } from './server-stream.ts';
import type { Session, SessionEvents } from './session.ts';
import type { OpenSession } from './session-pool.ts';
import { openSseSession } from './sse-session.ts';

type Way = 'modern' | 'legacy' | 'sse';

const MAX_ADDRESSES = 1_000;
/** An upgraded server is noticed after this time. */
const REMEMBER_SECONDS = 3_600;
/** The statuses with which a server of HTTP+SSE answers the request that begins a session. */
const OLD_SERVER = new Set([400, 404, 405, 406, 415, 501]);

interface Needs {
  clock: Clock;
  localServers: LocalServers | null;
  /** Whether connections may stay open between calls. */
  keepsConnections: boolean;
  silenceMs?: number | undefined;
}

export interface SessionOpener {
  open: OpenSession;
  /** The server no longer answers as it did. The next session finds out how it answers. */
  forget(address: string): void;
}

export function createOpenSession({
  clock,
  localServers,
  keepsConnections,
  silenceMs,
}: Needs): SessionOpener {
  const worked = createLru<{ way: Way | undefined; until: number }>(MAX_ADDRESSES);

  const takeStream = keepsConnections ? createStreamLimit() : null;

  function remember(address: string, way: Way | undefined): void {
    worked.set(address, { way, until: clock.now() + REMEMBER_SECONDS }, 1);
  }

  async function openAs(way: Way | undefined, scope: CallScope, events: SessionEvents): Promise<Session> {
    if (way === 'sse') return openSseSession({ clock }, scope, events);
    return openHttpSession({ clock, takeStream }, scope, events, way === 'legacy');
  }

  async function negotiate(scope: CallScope, events: SessionEvents): Promise<Session> {
    try {
      return await openAs(undefined, scope, events);
    } catch (error) {
      const library = await loadLibrary();
      const status = statusOf(library, error);
      if (status === undefined || !OLD_SERVER.has(status) || scope.signal.aborted) throw error;
      return openAs('sse', scope, events).catch((second: unknown) => {
        // A server that offers no stream either has said more in its first answer.
        throw statusOf(library, second) === undefined ? second : error;
      });
    }
  }

  /** A server that was asked in the newer era once and does not know it is not asked again: some log an essay each time. */
  async function openProcess(scope: CallScope, events: SessionEvents): Promise<Session> {
    const { address } = scope.reached;
    const isOlder = worked.get(address)?.way === 'legacy';
    const start = (speaksOlder: boolean) =>
      openProcessSession({ localServers, silenceMs }, scope, events, speaksOlder);
    const session = await start(isOlder).catch((error: unknown) => {
      if (!isOlder || scope.signal.aborted) throw error;
      remember(address, undefined);
      return start(false);
    });
    remember(address, session.era);
    return session;
  }

  async function open(scope: CallScope, events: SessionEvents): Promise<Session> {
    const { address } = scope.reached;
    if (isProcess(address)) return openProcess(scope, events);
    const known = worked.get(address);
    const way = known === undefined || known.until <= clock.now() ? undefined : known.way;
    if (way !== undefined) {
      try {
        return await openAs(way, scope, events);
      } catch (error) {
        if (isAboutAccess(error) || statusOf(await loadLibrary(), error) === undefined) throw error;
        // The server has changed since.
        remember(address, undefined);
      }
    }
    const session = await negotiate(scope, events);
    remember(address, session.transport === 'sse' ? 'sse' : session.era);
    return session;
  }

  return {
    open: (scope, events) =>
      open(scope, events).catch((error: unknown) => {
        throw isProcess(scope.reached.address) ? explainStarting(error) : explainOpening(error, scope.host);
      }),
    forget: (address) => remember(address, undefined),
  };
}
