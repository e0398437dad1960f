// Declares an MCP server of the gateway: what it says of itself, its tools, and how they are called. `/mcp` is one, and each
// set is one. reference: MCP endpoint; Sets
import type { KnownCaller } from '../kit/integration.ts';
import type { Request, RpcError } from './json-rpc.ts';
import { createLegacyReply, type LegacyReply } from './legacy.ts';
import type { About, Reply, ToolCall } from './methods.ts';
import { createModernReply, type ModernReply } from './modern.ts';
import type { Rendered } from './render.ts';
import type { TaskOutcome } from './tasks/show-task.ts';

export interface Served {
  about: Pick<About, 'cache' | 'serverInfo'>;
  /** Answer every method but `tools/call`, and `resources/read` of a client that shows apps. */
  replyLegacy: LegacyReply;
  replyModern: ModernReply;
  call(
    caller: KnownCaller,
    params: Record<string, unknown>,
    showsApps: boolean,
  ): ToolCall | Promise<ToolCall>;
  /** Reads a page for a client that shows apps. Null for any other address. */
  readPage(caller: KnownCaller, uri: string): Promise<Record<string, unknown> | null>;
  /** Shows the end of a task as the call itself would have. */
  showOutcome(caller: KnownCaller, outcome: TaskOutcome): Promise<Rendered>;
  /** Answers what only this server knows, before the methods that every server has. Null for every other request. */
  replyMore?: (caller: KnownCaller, request: Request) => Promise<Reply | null>;
  /** Answers in both eras what this server relays from others. Null for every other request. */
  relay?: (caller: KnownCaller, request: Request, showsApps: boolean) => Promise<PlainReply | null>;
  /** Whether a call of this tool can need the approval of a person. */
  mayAsk(name: unknown): boolean;
}

/** A reply before an era has finished it. */
export type PlainReply = { result: Record<string, unknown> } | { error: RpcError };

/** Finds the server that answers a request. Null where the caller has none at this address. */
export type OpenServed = (caller: KnownCaller, request: Request) => Served | Promise<Served | null>;

/** `about` is asked for the tools at the first `tools/list` of each era. */
export const createReplies = (about: About): Pick<Served, 'about' | 'replyLegacy' | 'replyModern'> => ({
  about,
  replyLegacy: createLegacyReply(about),
  replyModern: createModernReply(about),
});
