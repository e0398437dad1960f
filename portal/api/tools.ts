// Lists tools, and runs a tool as any REST caller would. reference: REST
import type { CatalogTool } from '../../src/search/catalog/operations.ts';
import type { RestIntegration } from '../../src/rest/operations.ts';
import { ApiError, request, send } from './client.ts';

export type Tool = CatalogTool;
export type Access = Tool['access'];
export type ToolWithSchema = RestIntegration['tools'][number];

export interface Answer {
  status: number;
  ms: number;
  bytes: number;
  text: string;
}

export async function fetchTools(): Promise<Tool[]> {
  return (await request<{ tools: Tool[] }>('/api/tools')).tools;
}

/** The tools that fit the query best, in the gateway's own ranking. */
export async function fetchRankedTools(query: string, limit: number, signal: AbortSignal): Promise<Tool[]> {
  const search = new URLSearchParams({ q: query, limit: String(limit) });
  return (await request<{ tools: Tool[] }>(`/api/tools?${search}`, { signal })).tools;
}

export async function fetchToolsOf(integration: string): Promise<ToolWithSchema[]> {
  return (await request<RestIntegration>(`/rest/${encodeURIComponent(integration)}`)).tools;
}

export async function runTool(
  { integration, name }: Pick<Tool, 'integration' | 'name'>,
  args: Record<string, unknown>,
  signal: AbortSignal,
  account?: string,
): Promise<Answer> {
  const began = performance.now();
  const path = `/rest/${encodeURIComponent(integration)}`;
  const response = await send(path, {
    method: 'POST',
    body: { tool: name, args, ...(account === undefined ? {} : { account }) },
    signal,
  });
  const bytes = await response.arrayBuffer().catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new ApiError(0, '');
  });
  return {
    status: response.status,
    ms: performance.now() - began,
    bytes: bytes.byteLength,
    text: new TextDecoder().decode(bytes),
  };
}
