// Declares a session with an MCP server, whatever carries it.
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { JsonSchema } from '../../kit/validation.ts';
import { isProcess } from '../model/process-address.ts';
import { type CallScope, TimeOver } from './call-scope.ts';
import type { Listed } from './client.ts';
import { pause } from './pause.ts';
import type { Relayed } from './relayed-methods.ts';

export interface Ask {
  method: 'tools/call' | 'tools/list' | Relayed;
  params: Record<string, unknown>;
  /** Says which arguments the server wants in headers too. */
  inputSchema?: JsonSchema | undefined;
}

export interface Session extends Pick<Listed, 'serverName' | 'title' | 'instructions' | 'era' | 'transport'> {
  /** Sends a request within a call and returns the result as the server gave it. */
  ask: (scope: CallScope, ask: Ask) => Promise<unknown>;
  /** Ends the session at the server. It does not wait for calls. */
  end: () => Promise<void>;
}

export interface SessionEvents {
  onToolsChanged: () => void;
  /** The session can carry no further calls. */
  onOver: () => void;
}

/** A server that does not begin a session within this time is down. A process may have to be installed first. */
const CONNECT_MS = 30_000;
const START_MS = 120_000;

/** Begins the session, or picks up one that was begun. Frees everything when that fails. */
export async function connect(
  scope: CallScope,
  client: Client,
  transport: Transport,
  isLegacy: boolean,
): Promise<void> {
  const limit = Math.min(scope.timeLeft(), isProcess(scope.reached.address) ? START_MS : CONNECT_MS);
  const late = pause(limit).then(() => {
    throw new TimeOver(`${scope.host} did not begin a session within ${limit / 1000} seconds`);
  });
  late.catch(() => {});
  const prior = isLegacy ? { prior: { kind: 'legacy' as const } } : {};
  try {
    await scope.wait(Promise.race([client.connect(transport, { timeout: limit, ...prior }), late]));
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
}
