// Lists imports and the well-known servers that can become imports. reference: Imports
import { request } from './client.ts';
import type { CatalogueServer, ImportList } from './import-types.ts';

export function fetchImports(): Promise<ImportList> {
  return request('/api/imports');
}

/** Lists the well-known MCP servers. */
export async function fetchCatalogue(): Promise<CatalogueServer[]> {
  return (await request<{ servers: CatalogueServer[] }>('/api/imports/catalogue')).servers;
}
