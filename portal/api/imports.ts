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

export function fetchImports(): Promise<ImportList> {
  return request('/api/imports');
}

/** Lists the well-known MCP servers. */
export async function fetchCatalogue(): Promise<CatalogueServer[]> {
  return (await request<KnownServers>('/api/imports/catalogue')).servers;
}
