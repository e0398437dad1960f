// Looks at services, adds them as imports, and reviews what changed in them. reference: Imports
import { request } from './client.ts';
import type { Checked, ImportEntry, ImportForm, ImportPatch, ImportSource, Preview } from './import-types.ts';

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
