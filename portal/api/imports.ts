// Lists imports and the well-known servers that can become imports. reference: Imports
import type {
  CatalogueServer,
  ImportedTool,
  ImportEntry,
  ImportList,
  KnownServers,
  ShownAuth,
} from '../../src/imports/operations.ts';
import { request } from './client.ts';

export type { CatalogueServer, ImportedTool, ImportEntry, ImportList, ShownAuth };
export type ImportKind = ImportEntry['kind'];
export type AuthWay = ShownAuth['type'];

/** Lists imports. Of their tools it has only those that wait for a decision. */
export function fetchImports(): Promise<ImportList> {
  return request('/api/imports?tools=blocked');
}

export function fetchImport(name: string): Promise<ImportEntry> {
  return request(`/api/imports/${encodeURIComponent(name)}`);
}

/** Lists the well-known MCP servers. */
export async function fetchCatalogue(): Promise<CatalogueServer[]> {
  return (await request<KnownServers>('/api/imports/catalogue')).servers;
}
