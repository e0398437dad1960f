// Loads the services that this person and the administrators have added.
import { fetchImport, fetchImports, type ImportEntry, type ImportList } from '../api/imports.ts';
import { take } from './cache.ts';
import { type Resource, useResource } from './use-resource.ts';

export const IMPORTS = 'imports';

export function useImports(): Resource<ImportList> {
  return useResource(IMPORTS, fetchImports);
}

/** Loads one of them with all its tools. Null for no name. */
export function useImport(name: string): Resource<ImportEntry | null> {
  return useResource(`import ${name}`, () => (name === '' ? Promise.resolve(null) : fetchImport(name)));
}

/** Puts the entry that the gateway has just answered into the list. */
export function withEntry(list: ImportList, entry: ImportEntry): ImportList {
  return { ...list, imports: list.imports.map((each) => (each.name === entry.name ? entry : each)) };
}

/** Forgets what was loaded before an import came or went, so that the next page waits for the new lists. */
export function forgetLists(): void {
  for (const key of [IMPORTS, 'integrations', 'connections', 'tools']) take(key);
}
