// The client for MCP servers of others: lists their tools and runs them. decision: 044
import { withRawIntegers } from '../../json/exact-integers.ts';
import { isObject } from '../../json/json.ts';
import type { LocalServer } from '../../ports/local-servers.ts';
import type { Ports } from '../../ports/ports.ts';
import { isProcess, nameOfProcess } from '../model/process-address.ts';
import type { Reached } from '../model/reach.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { readResult } from './call-result.ts';
import { type CallScope, openScope } from './call-scope.ts';
import { type McpClients, Unauthorized } from './client.ts';
import {
  clean,
  explain,
  explainToImporter,
  isOfOtherEra,
  isUnknownMethod,
  isUnknownSession,
} from './failures.ts';
import { loadLibrary } from './library.ts';
import { listTools } from './listed-tools.ts';
import { type AskServer, readApps } from './read-apps.ts';
import { createOpenSession } from './open-session.ts';
import type { Session } from './session.ts';
import { createSessionPool, EVERYBODY, type Hold } from './session-pool.ts';

type Needs = Pick<Ports, 'clock' | 'log' | 'localServers'> & {
  hold: Hold;
  /** True where a request may not use connections of another, as on an edge runtime. */
  isIsolated?: boolean;
  /**
   * The milliseconds that a listing and a call may take without an answer, and how long a local server may be silent before
   * it is asked in the older protocol too.
   */
  limits?: { list: number; call: number; silence?: number };
};

const LIMITS = { list: 30_000, call: 60_000 };
/** With progress, a call may go on so long. */
const MAX_CALL_MS = 300_000;
/** A program may have to be installed before it answers. */
const STARTING_MS = 120_000;

export function createMcpClients({
  clock,
  hold,
  log,
  localServers,
  isIsolated = false,
  limits = LIMITS,
}: Needs): McpClients {
  const listeners: ((key: string) => void)[] = [];

  const opener = createOpenSession({
    clock,
    localServers,
    keepsConnections: !isIsolated,
    silenceMs: limits.silence,
  });
  const pool = createSessionPool({
    clock,
    hold,
    isIsolated,
    maxProcesses: localServers?.maxProcesses ?? Infinity,
    open: opener.open,
    onToolsChanged: (key) => {
      for (const listener of listeners) listener(key);
    },
  });

  /** Runs the work in a session. It runs again in a new session when the server did not know the first one. */
  async function inSession<T>(scope: CallScope, work: (session: Session) => Promise<T>): Promise<T> {
    const attempt = (mayRepeat: boolean): Promise<T | typeof AGAIN> =>
      pool.use(scope, async (session) => {
        try {
          scope.begin();
          return await work(session);
        } catch (error) {
          const library = await loadLibrary();
          const isModern = session.era === 'modern';
          if (isModern ? !isOfOtherEra(library, error) : !isUnknownSession(library, error)) throw error;
          // The next session begins with the question which era the server speaks.
          if (isModern || library.ProtocolError.isInstance(error)) opener.forget(scope.reached.address);
          pool.forget(session);
          if (mayRepeat) return AGAIN;
          throw error;
        }
      });
    const first = await attempt(true);
    if (first !== AGAIN) return first;
    log.write('info', 'a session with an MCP server is begun again', { host: scope.host });
    // The second attempt never answers `AGAIN`.
    return (await attempt(false)) as T;
  }

  async function listAll(scope: CallScope, session: Session) {
    const { serverName, title, instructions, era, transport } = session;
    const about = { serverName, title, instructions, era, transport };
    try {
      const listed = await listTools(scope.host, (cursor) =>
        session.ask(scope, { method: 'tools/list', params: cursor === undefined ? {} : { cursor } }),
      );
      return { ...about, ...listed };
    } catch (error) {
      if (!isUnknownMethod(await loadLibrary(), error)) throw error;
      return { ...about, tools: [], warnings: [`${scope.host} offers no tools`] };
    }
  }

  return {
    async list(reached) {
      const scope = open(reached, limits.list);
      try {
        const listed = await inSession(scope, (session) => listAll(scope, session));
        const { tools, warnings } = await readApps(listed, askApart(reached, clock.millis()));
        return { ...listed, tools, warnings: [...warnings, ...describeOddities(scope)] };
      } catch (error) {
        throw explainToImporter(await loadLibrary(), error, scope.host);
      } finally {
        scope.close();
      }
    },

    async call(reached, { name, inputSchema }, args, files, onAnswer) {
      const scope = open(reached, reached.timeoutMs ?? limits.call);
      const { host } = scope;
      let result;
      try {
        const { meta } = reached;
        const params = {
          name,
          arguments: withRawIntegers(args),
          ...(meta === undefined ? {} : { _meta: meta }),
        };
        result = await inSession(scope, (session) =>
          session.ask(scope, { method: 'tools/call', params, inputSchema }),
        );
      } catch (error) {
        if (error instanceof Unauthorized) throw refusedCall(error, host);
        throw explain(await loadLibrary(), error, host);
      } finally {
        scope.close();
      }
      if (isObject(result)) onAnswer?.(result);
      return readResult(result, { host, files, lease: reached.lease });
    },

    async ask(reached, method, params) {
      const scope = open(reached, reached.timeoutMs ?? limits.call);
      try {
        return await inSession(scope, (session) => session.ask(scope, { method, params }));
      } catch (error) {
        if (error instanceof Unauthorized) throw refusedCall(error, scope.host);
        const library = await loadLibrary();
        if (isUnknownMethod(library, error)) return null;
        throw explain(library, error, scope.host);
      } finally {
        scope.close();
      }
    },

    end: (prefix) => pool.end(prefix),
    onToolsChanged: (listener) => void listeners.push(listener),
    close: () => pool.close(),
  };

  /** Each question is a call of its own: a page that is too large, or no page, ends no listing. */
  function askApart(reached: Reached, since: number): AskServer {
    return async (method, params) => {
      const scope = open(reached, Math.max(1, limits.list - (clock.millis() - since)));
      try {
        return await inSession(scope, (session) => session.ask(scope, { method, params }));
      } catch (error) {
        throw explain(await loadLibrary(), error, scope.host);
      } finally {
        scope.close();
      }
    };
  }

  function startingMs(reached: Reached): number {
    return isProcess(reached.address) && !pool.has(sessionOf(reached)) ? STARTING_MS : 0;
  }

  function open(reached: Reached, limitMs: number): CallScope {
    if (!isProcess(reached.address) && !/^https?:/.test(URL.parse(reached.address)?.protocol ?? ''))
      throw new SourceFailure(400, `"${clean(reached.address)}" is not the address of an MCP server`);
    return openScope(
      clock,
      reached,
      { silentMs: limitMs, mostMs: Math.max(limitMs, MAX_CALL_MS), startingMs: startingMs(reached) },
      sessionOf(reached),
    );
  }

  /** Returns the key of the session: that of everybody where one process serves all people. */
  function sessionOf({ address, key, isPassing = false }: Reached): string {
    const server = isProcess(address) ? serverAt(address) : undefined;
    if (server?.isShared !== true) return key;
    const [importId = ''] = key.split(' ', 1);
    const shared = `${importId} ${EVERYBODY} `;
    return isPassing && !pool.has(shared) ? key : shared;
  }

  function serverAt(address: string): LocalServer | undefined {
    const name = nameOfProcess(address);
    return localServers?.servers.find((server) => server.name === name);
  }
}

/** The person can have a credential that is not accepted, or the import can have none: a call does not tell which. */
const refusedCall = ({ challenge }: Unauthorized, host: string): Unauthorized =>
  new Unauthorized(
    `${host} refuses the call, because it came without a credential that the server accepts. The import may need a credential now, or a new one`,
    challenge,
  );

const describeOddities = ({ host, notes }: CallScope): string[] =>
  notes.size === 0
    ? []
    : [`${host} does not follow MCP in everything, and works all the same: ${[...notes].join('; ')}`];

const AGAIN = Symbol('again');
