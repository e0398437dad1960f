// Speaks with a server of the operator over its standard input and output. decision: 044
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { parseExactJson, whyNotToParse } from '../../json/exact.ts';
import { isObject } from '../../json/json.ts';
import { DriverFailure } from '../../ports/driver-failure.ts';
import type { LocalProcess, LocalServers, ProcessEnd } from '../../ports/local-servers.ts';
import { Busy, Unavailable } from '../../ports/unavailable.ts';
import { nameOfProcess } from '../model/process-address.ts';
import type { CallScope } from './call-scope.ts';
import { McpFailure } from './client.ts';
import { asOurs, UNSUPPORTED_VERSION } from './failures.ts';
import { loadLibrary, type McpLibrary } from './library.ts';
import type { Session, SessionEvents } from './session.ts';
import { openSharedSession } from './shared-session.ts';

const MAX_LINE = 16 * 1024 * 1024;
/** Some servers of the older protocol never answer a question of the newer one, and others only begin slowly. */
const SILENCE_MS = 10_000;
/** The first revision of the protocol without a handshake. */
const NEWER_ERA = '2026-07-28';

interface Needs {
  localServers: LocalServers | null;
  silenceMs?: number | undefined;
}

export async function openProcessSession(
  { localServers, silenceMs = SILENCE_MS }: Needs,
  scope: CallScope,
  events: SessionEvents,
  speaksOlder: boolean,
): Promise<Session> {
  const { host, reached } = scope;
  if (localServers === null)
    throw new McpFailure(`${host} cannot be started, because this gateway starts no local servers`);
  const name = nameOfProcess(reached.address);
  if (!localServers.servers.some((server) => server.name === name))
    throw new McpFailure(`${host} is not in the operator's list of local servers`);
  const library = await loadLibrary();
  const start = () => startProcess(localServers, name, scope);

  const open = async (isLegacy: boolean): Promise<Session> => {
    const people = new Set<string>();
    const channel = createChannel(library, host, start);
    /** What a process says may be about anybody, so it is told only while the process has served one person. */
    const reason = (): string | undefined => channel.reason(people.size <= 1);
    const connect = (probeMs: number): Promise<Session> =>
      openSharedSession({
        library,
        scope,
        events,
        inner: channel.connect(),
        kind: 'stdio',
        isLegacy,
        probeMs,
        reason,
      });
    const connectInItsEra = (): Promise<Session> =>
      connect(silenceMs).catch((error: unknown) => {
        if (!channel.isNewer()) throw error;
        if (!scope.signal.aborted) return connect(scope.timeLeft());
        void channel.end();
        throw error;
      });
    try {
      const session = await connectInItsEra();
      return {
        ...session,
        ask(call, ask) {
          if (people.size <= 1) people.add(personOf(call));
          return session.ask(call, ask);
        },
      };
    } catch (error) {
      // Some older servers end when they are asked for what they do not know.
      if (!isLegacy && reason() !== undefined && !scope.signal.aborted) return open(true);
      throw reason() === undefined ? error : new McpFailure(reason(), { cause: error });
    }
  };
  return open(speaksOlder);
}

/** `<importId> <userId> …` */
const personOf = ({ reached }: CallScope): string => reached.key.split(' ', 2)[1] ?? '';

async function startProcess(
  localServers: LocalServers,
  name: string,
  scope: CallScope,
): Promise<LocalProcess> {
  const values = await scope.reached.values().catch((error: unknown) => {
    throw asOurs(error);
  });
  try {
    return await localServers.start(name, values);
  } catch (cause) {
    if (cause instanceof Unavailable)
      throw new Busy('As many local servers run as may. Try again in some minutes', { cause });
    if (cause instanceof DriverFailure)
      throw new McpFailure(`${scope.host} could not be started. Ask the operator to look into the log`, {
        cause,
      });
    throw asOurs(cause);
  }
}

/** A process, and the transports that speak with it one after the other. */
interface Channel {
  connect(): Transport;
  /**
   * Whether the process speaks the newer protocol although it was asked in the older one meanwhile: a slow start is no
   * sign of an older server. Another client may then connect to the same process.
   */
  isNewer(): boolean;
  reason(withWords: boolean): string | undefined;
  end(): Promise<void>;
}

function createChannel(library: McpLibrary, host: string, start: () => Promise<LocalProcess>): Channel {
  let process: LocalProcess | undefined;
  let ended: ProcessEnd | undefined;
  let current: Transport | undefined;
  let probe: unknown;
  let isProbeAnswered = false;
  let olderAsked: unknown;
  let isNewer = false;

  function read(line: string): JSONRPCMessage | undefined {
    if (line.length > MAX_LINE || whyNotToParse(line) !== undefined) {
      ended ??= { reason: `${host} sends messages that are too large or nested too deeply`, words: '' };
      void end();
      return undefined;
    }
    try {
      return library.parseJSONRPCMessage(parseExactJson(line));
    } catch {
      // Some servers write their log between the messages.
      return undefined;
    }
  }

  function note(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return;
    if (message.method === 'server/discover') probe = message.id;
    if (message.method === 'initialize' && probe !== undefined) olderAsked = message.id;
  }

  /**
   * The late answer to the first question, or the refusal of the second one. Some servers answer the first question after they
   * have refused the second, so a refusal counts whatever its code while the first one has no answer.
   */
  function showsNewerEra(message: JSONRPCMessage): boolean {
    if ('error' in message)
      return message.error.code === UNSUPPORTED_VERSION || (message.id === olderAsked && !isProbeAnswered);
    return 'result' in message && message.id === probe && namesNewerEra(message.result);
  }

  async function end(): Promise<void> {
    const running = process;
    process = undefined;
    if (running === undefined) return;
    running.onMessage = null;
    running.onEnd = null;
    current?.onclose?.();
    await running.end();
  }

  function listen(started: LocalProcess): void {
    started.onMessage = (line) => {
      const message = read(line);
      if (message === undefined) return;
      const isNews = olderAsked !== undefined && !isNewer && showsNewerEra(message);
      if ('id' in message && !('method' in message) && message.id === probe) isProbeAnswered = true;
      if (!isNews) return current?.onmessage?.(message);
      isNewer = true;
      // The library waits for the answer of an older server.
      current?.onclose?.();
    };
    started.onEnd = (why) => {
      ended ??= why;
      process = undefined;
      current?.onclose?.();
    };
  }

  return {
    connect() {
      const isSecond = current !== undefined;
      const transport: Transport = {
        async start() {
          if (isSecond) return;
          process = await start();
          listen(process);
        },
        async send(message) {
          if (process === undefined) throw new McpFailure(`${host} has ended`);
          note(message);
          await process.send(JSON.stringify(message));
        },
        async close() {
          if (current === transport && (isSecond || !isNewer)) await end();
        },
      };
      current = transport;
      return transport;
    },
    isNewer: () => isNewer,
    reason(withWords) {
      if (ended === undefined) return undefined;
      return withWords && ended.words !== '' ? `${ended.reason} after it said: ${ended.words}` : ended.reason;
    },
    end,
  };
}

const namesNewerEra = (result: unknown): boolean =>
  isObject(result) &&
  Array.isArray(result['supportedVersions']) &&
  result['supportedVersions'].some((version) => typeof version === 'string' && version >= NEWER_ERA);
