// Lists the tools of an MCP server without the credential of a person, in a session of its own.
import type { Ports } from '../../ports/ports.ts';
import type { Reach } from '../model/reach.ts';
import type { Listed, McpClients } from './client.ts';

export type ListAsNobodyNeeds = Pick<Ports, 'random'> & { mcp: McpClients; reach: Reach };

/** Throws as `McpClients.list` does. `headers` are the same for everybody. */
export async function listAsNobody(
  { mcp, random, reach }: ListAsNobodyNeeds,
  address: string,
  headers?: Readonly<Record<string, string>>,
  importId?: string,
): Promise<Listed> {
  const reached = reach.asNobody(address, random.uuid(), headers, importId);
  try {
    return await mcp.list(reached);
  } finally {
    await mcp.end(reached.key);
  }
}
