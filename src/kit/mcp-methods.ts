// Declares methods of MCP that a feature adds to the server of /mcp, in the modern era alone. reference: MCP endpoint
import type { JsonRpcCode } from '../http/error-codes.ts';
import type { KnownCaller } from './integration.ts';

export interface McpMethods {
  /** What `server/discover` says of them, beside the names of extensions. */
  capabilities: Readonly<Record<string, object>>;
  extensions: Readonly<Record<string, object>>;
  /** Null for every other method. */
  answer(caller: KnownCaller, method: string, params: Record<string, unknown>): Promise<McpAnswer> | null;
}

export type McpAnswer =
  | { result: Record<string, unknown> }
  | { error: { code: JsonRpcCode; message: string; data?: unknown } };
