// Declares a session with an MCP server, whatever carries it.
import type { CallScope } from './call-scope.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { Listed } from './client.ts';

export interface Ask {
  method: 'tools/call' | 'tools/list';
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

/** Waits in real time, for what no test has to wait for. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve(), { once: true });
  });
}
