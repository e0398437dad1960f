// Says whether the results of a tool hold texts that strangers may have written. decision: 063
import type { Access } from './access.ts';
import type { Integration, Tool } from './integration.ts';
import type { RegisteredTool } from './registry.ts';

/** What the server of an imported tool says, what the row says, or else what its integration is. */
export const isOpenWorld = (integration: Integration, { listed, openWorld }: Tool): boolean =>
  listed?.openWorld ?? openWorld ?? integration.isClosed !== true;

/**
 * Whether an agent that has the answer of a call has read content from outside. Any tool of an MCP server answers in the
 * words of its server, and `access` is often only what the server has said.
 */
export function readsOutside(integration: Integration, tool: Tool, access: readonly Access[]): boolean {
  return isOpenWorld(integration, tool) && (access.includes('read') || integration.imported?.kind === 'mcp');
}

/**
 * The same for an answer that was kept. Nobody can say any more what a tool was that is gone, nor which method a raw request
 * had.
 */
export function mayHoldOutside(found: RegisteredTool | null): boolean {
  if (found === null) return true;
  const { integration, tool } = found;
  return readsOutside(integration, tool, tool.methodsOf === undefined ? [tool.access] : ['read']);
}
