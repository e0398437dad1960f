// Speaks with a server of the operator over its standard input and output. decision: 044
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { parseExactJson, whyNotToParse } from '../../json/exact.ts';
import { DriverFailure } from '../../ports/driver-failure.ts';
import type { LocalProcess, LocalServers } from '../../ports/local-servers.ts';
import { Unavailable } from '../../ports/unavailable.ts';
import { nameOfProcess } from '../model/process-address.ts';
import type { CallScope } from './call-scope.ts';
import { McpFailure } from './client.ts';
import { asOurs } from './failures.ts';
import { loadLibrary, type McpLibrary } from './library.ts';
import type { Session, SessionEvents } from './session.ts';
import { openSharedSession } from './shared-session.ts';

const MAX_LINE = 16 * 1024 * 1024;

export async function openProcessSession(
  localServers: LocalServers | null,
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
    const { transport, reason } = createProcessTransport(library, host, start);
    try {
      return await openSharedSession({
        library,
        scope,
        events,
        inner: transport,
        kind: 'stdio',
        isLegacy,
        reason,
      });
    } catch (error) {
      // Some older servers end when they are asked for what they do not know.
      if (!isLegacy && reason() !== undefined && !scope.signal.aborted) return open(true);
      throw reason() === undefined ? error : new McpFailure(reason(), { cause: error });
    }
  };
  return open(speaksOlder);
}

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
      throw new McpFailure('As many local servers run as may. Try again in some minutes', { cause });
    if (cause instanceof DriverFailure)
      throw new McpFailure(`${scope.host} could not be started. Ask the operator to look into the log`, {
        cause,
      });
    throw asOurs(cause);
  }
}

function createProcessTransport(
  library: McpLibrary,
  host: string,
  start: () => Promise<LocalProcess>,
): { transport: Transport; reason: () => string | undefined } {
  let process: LocalProcess | undefined;
  let reason: string | undefined;

  function read(line: string): JSONRPCMessage | undefined {
    if (line.length > MAX_LINE || whyNotToParse(line) !== undefined) {
      reason ??= `${host} sends messages that are too large or nested too deeply`;
      void transport.close();
      return undefined;
    }
    try {
      return library.parseJSONRPCMessage(parseExactJson(line));
    } catch {
      // Some servers write their log between the messages.
      return undefined;
    }
  }

  const transport: Transport = {
    async start() {
      const started = await start();
      process = started;
      started.onMessage = (line) => {
        const message = read(line);
        if (message !== undefined) transport.onmessage?.(message);
      };
      started.onEnd = (why) => {
        reason ??= why;
        process = undefined;
        transport.onclose?.();
      };
    },
    async send(message) {
      if (process === undefined) throw new McpFailure(`${host} has ended`);
      await process.send(JSON.stringify(message));
    },
    async close() {
      const running = process;
      process = undefined;
      if (running === undefined) return;
      running.onMessage = null;
      running.onEnd = null;
      transport.onclose?.();
      await running.end();
    },
  };
  return { transport, reason: () => reason };
}
