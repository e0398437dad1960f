// A session in which all calls share one client: those of HTTP+SSE and of local processes.
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { CallScope } from './call-scope.ts';
import { McpFailure } from './client.ts';
import { anyResult } from './any-result.ts';
import { createClient, type McpLibrary } from './library.ts';
import { createProgressTokens } from './progress.ts';
import { connect, type Session, type SessionEvents } from './session.ts';
import { type Tracking, trackTransport, unwrap } from './tracked-transport.ts';

interface Shared {
  library: McpLibrary;
  scope: CallScope;
  events: SessionEvents;
  inner: Transport;
  kind: 'sse' | 'stdio';
  /** It is known that the server speaks the older protocol. */
  isLegacy: boolean;
  /** After so many milliseconds without an answer a process is asked in the older protocol too. */
  probeMs?: number | undefined;
  beforeSend?: Tracking['beforeSend'];
  /** Names a call in the headers of its messages. */
  enter?: (scope: CallScope) => { headers: Record<string, string>; leave: () => void };
  /** Says why the transport has closed, without a full stop. */
  reason?: (() => string | undefined) | undefined;
}

/** A value takes more memory than its text. */
const VALUE_WEIGHT = 4;

export async function openSharedSession(shared: Shared): Promise<Session> {
  const { library, scope, events, inner, kind, isLegacy, probeMs, beforeSend, enter, reason } = shared;
  const { host } = scope;
  const isProcess = kind === 'stdio';
  const client = createClient(library, probeMs);
  let flood: Error | undefined;
  const close = (): void => void client.close().catch(() => {});
  const tokens = createProgressTokens();
  const transport = trackTransport(inner, {
    host,
    isProcess,
    beforeSend,
    onToolsChanged: events.onToolsChanged,
    onProgress: tokens.tell,
    onOdd: scope.note,
    onFlood(error) {
      flood ??= error;
      close();
    },
  });
  Object.assign(client, {
    // The stream has ended or broken off. The library would begin another session that it does not initialize.
    onerror(error: Error) {
      if (library.SseError.isInstance(error)) close();
    },
  });
  try {
    await connect(scope, client, transport, isLegacy);
  } catch (error) {
    throw isClosed(library, error) ? (flood ?? error) : error;
  }
  Object.assign(client, { onclose: events.onOver });
  if (client.getProtocolEra() === 'modern') hearOfChanges(client);
  const server = client.getServerVersion();

  return {
    serverName: server?.name ?? '',
    title: server?.title,
    instructions: client.getInstructions(),
    era: client.getProtocolEra() ?? 'legacy',
    transport: kind,
    async ask(call, { method, params: given }) {
      const { params, close: stopProgress } = tokens.ask(call, given);
      const entered = enter?.(call);
      const options = { signal: call.signal, timeout: call.timeLeft(), headers: entered?.headers ?? {} };
      try {
        const result = unwrap(await call.wait(client.request({ method, params }, anyResult, options)));
        // The stream was charged to the call that opened it, if at all.
        const { lease } = call.reached;
        if (lease !== undefined) lease.charge(JSON.stringify(result).length * VALUE_WEIGHT);
        return result;
      } catch (error) {
        const why = flood?.message ?? reason?.();
        throw why !== undefined && isClosed(library, error)
          ? new McpFailure(`${why}. The call may have run`, { cause: error })
          : error;
      } finally {
        stopProgress();
        entered?.leave();
      }
    },
    end: () => client.close().catch(() => {}),
  };
}

function isClosed({ SdkError, SdkErrorCode }: McpLibrary, error: unknown): boolean {
  return SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed;
}

/** A server of the newer era tells of changes only those that have asked for it. */
function hearOfChanges(client: Client): void {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  client.listen({ toolsListChanged: true }).catch(() => {});
}
