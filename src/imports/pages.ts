// Keeps the pages of imported tools: those of the accepted definitions, and those that wait for a person with theirs.
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import { parseDefinition } from './pinned/definition.ts';
import type { Pinned } from './pinned/pin.ts';

export interface Pages {
  /** Tells whether the owner may have these pages beside those of their other imports. */
  hasSpace(record: Pick<ImportRecord, 'id' | 'owner'>, pinned: readonly Pinned[]): Promise<boolean>;
  store(importId: string, pinned: readonly Pinned[]): Promise<void>;
  /** Deletes the pages that no definition of the import names. */
  tidy(importId: string, rows: readonly ImportToolRecord[]): Promise<void>;
}

/** Bounds the pages of all imports of one owner. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

export function createPages({ store: { importPages } }: Pick<Ports, 'store'>): Pages {
  return {
    async hasSpace({ id, owner }, pinned) {
      const own = sum(pagesOf(pinned).values());
      return own === 0 || own + (await importPages.size(owner, id)) <= MAX_CHARACTERS;
    },

    async store(importId, pinned) {
      const pages = [...pagesOf(pinned)].map(([digest, html]) => ({ digest, html }));
      if (pages.length > 0) await importPages.store(importId, pages);
    },

    async tidy(importId, rows) {
      const texts = rows.flatMap(({ definition, found }) => [definition, found]);
      const digests = texts.flatMap((text) =>
        // Most definitions have no page, and need not be parsed to know it.
        text?.includes('"app":') === true ? (parseDefinition(text)?.app?.digest ?? []) : [],
      );
      await importPages.keepOnly(importId, [...new Set(digests)]);
    },
  };
}

function pagesOf(pinned: readonly Pinned[]): Map<string, string> {
  const pages = new Map<string, string>();
  for (const { app, definition } of pinned)
    if (app !== undefined && definition.app !== undefined) pages.set(definition.app.digest, app.html);
  return pages;
}

const sum = (pages: Iterable<string>): number => [...pages].reduce((total, { length }) => total + length, 0);
