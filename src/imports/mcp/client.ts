// Declares the client for MCP servers of others.
import type { ToolFiles } from '../../kit/files.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { Reached } from '../model/reach.ts';
import type { SourceTool } from '../model/source-description.ts';
import type { Relayed } from './relayed-methods.ts';

export interface Listed {
  /** What the server calls itself. */
  serverName: string;
  title: string | undefined;
  instructions: string | undefined;
  era: 'legacy' | 'modern';
  transport: 'streamable-http' | 'sse' | 'stdio';
  tools: readonly SourceTool[];
  /** What was left out, in sentences for the person. */
  warnings: readonly string[];
}

export interface McpClients {
  /**
   * Asks for all tools. Throws a SourceFailure. Throws `Unauthorized` when the server wants somebody to sign in, and
   * `InsufficientScope` when it wants more permission.
   */
  list(reached: Reached): Promise<Listed>;
  /** Runs a tool. A tool error is thrown with the server's words. */
  call(
    reached: Reached,
    /** Some servers want arguments in headers too, and only `inputSchema` says which. */
    tool: { name: string; inputSchema?: JsonSchema | undefined; outputSchema?: unknown },
    args: Record<string, unknown>,
    files: ToolFiles,
    /** Told the result as it came. */
    onAnswer?: (answer: Readonly<Record<string, unknown>>) => void,
  ): Promise<unknown>;
  /** Asks for prompts or resources. Null where the server does not know the method. */
  ask(reached: Reached, method: Relayed, params: Record<string, unknown>): Promise<unknown>;
  /** Ends the sessions and processes whose key begins with `prefix`: somebody has disconnected. */
  end(prefix: string): Promise<void>;
  /** Called with the key when a server says that its tools have changed. */
  onToolsChanged(listener: (key: string) => void): void;
  close(): Promise<void>;
}

/** The server wants a credential. `challenge` is its WWW-Authenticate header. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
  readonly challenge: string | null;

  constructor(message: string, challenge: string | null) {
    super(message);
    this.challenge = challenge;
  }
}

/** The credential is good, and these scopes are missing. The list is empty when the server names none. */
export class InsufficientScope extends Error {
  override readonly name = 'InsufficientScope';
  readonly scopes: readonly string[];

  constructor(message: string, scopes: readonly string[]) {
    super(message);
    this.scopes = scopes;
  }
}

/** Whether the server refuses the credential, or the request that came without one. */
export const isAboutAccess = (error: unknown): error is Unauthorized | InsufficientScope =>
  error instanceof Unauthorized || error instanceof InsufficientScope;

/** Says in a sentence of the gateway's own why a server cannot be used. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
}
