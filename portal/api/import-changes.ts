// Looks at services, adds them as imports, and reviews what changed in them. reference: Imports
import type {
  Change,
  Checked,
  ImportChange,
  ImportEntry,
  NewImport,
  Preview,
} from '../../src/imports/operations.ts';
import { request } from './client.ts';

export type { Change, Checked, Preview };
export type AddedTool = Checked['added'][number];
/** How an import is to be connected. `{field}` is a secret that each person fills in. */
export type GivenAuth = NonNullable<ImportPatch['auth']>;
/** Where the definitions come from: an address, or the text of a description. */
export type ImportSource = { address: string; kind?: SourceKind } | { document: string };
/** What an address is, where the gateway cannot find it out. */
export type SourceKind = NonNullable<NewImport['kind']>;
export type ImportForm = ({ address: string } | { document: string }) &
  Omit<NewImport, 'address' | 'document'>;
export type ImportPatch = ImportChange;

const pathOf = (name: string) => `/api/imports/${encodeURIComponent(name)}`;

/** Asks what an import would be. Nothing is stored. */
export function previewImport(source: ImportSource, signal?: AbortSignal): Promise<Preview> {
  const options = signal === undefined ? {} : { signal };
  return request('/api/imports/preview', { method: 'POST', body: source, ...options });
}

export function addImport(body: ImportForm): Promise<ImportEntry> {
  return request('/api/imports', { method: 'POST', body });
}

export function changeImport(name: string, body: ImportPatch): Promise<ImportEntry> {
  return request(pathOf(name), { method: 'PATCH', body });
}

export function deleteImport(name: string): Promise<unknown> {
  return request(pathOf(name), { method: 'DELETE' });
}

/** Asks the source again. */
export function checkImport(name: string): Promise<Checked> {
  return request(`${pathOf(name)}/check`, { method: 'POST' });
}

export function fetchChanges(name: string): Promise<Checked> {
  return request(`${pathOf(name)}/changes`);
}

/** Accepts the definitions of these tools that wait, unless they are not those that the person has seen. */
export function acceptChanges(name: string, tools: readonly string[], seen: string): Promise<ImportEntry> {
  return request(`${pathOf(name)}/accept`, { method: 'POST', body: { tools, version: seen } });
}
