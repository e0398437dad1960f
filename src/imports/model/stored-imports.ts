// Reads and writes imports with their settings and tools.
import type { Integration } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../../ports/records.ts';
import { EVERYONE, type Store } from '../../ports/store.ts';
import type { ImportSettings, Settings } from './settings.ts';

/** An import with all that is stored of it. The settings are null when no key opens them. */
export interface StoredImport {
  record: ImportRecord;
  settings: Settings | null;
  rows: readonly ImportToolRecord[];
}

/** What a person reads about an import whose settings are null. */
export const UNREADABLE = 'The settings of this import can no longer be opened. Delete it and add it again';

/** Lists the records of an owner, or of everyone, each with its tools. */
export async function listRecords(
  { imports }: Pick<Store, 'imports'>,
  owner: string,
): Promise<Pick<StoredImport, 'record' | 'rows'>[]> {
  const records = await imports.list(owner);
  const tools = await imports.tools(records.map(({ id }) => id));
  const rows = Map.groupBy(tools, ({ import_id }) => import_id);
  return records.map((record) => ({ record, rows: rows.get(record.id) ?? [] }));
}

export type Done<T> = { ok: true; value: T } | { ok: false; status: 400 | 409; message: string };

export const refuse = (status: 400 | 409, message: string) => ({ ok: false as const, status, message });

export interface NextState {
  record?: Partial<ImportRecord>;
  settings?: Settings;
  tools?: NextTools;
}

export interface NextTools {
  /** All tools as they are then. */
  rows: readonly ImportToolRecord[];
  /** Those that differ from the stored ones. */
  written: readonly ImportToolRecord[];
  /** The names of those that go. */
  removed?: readonly string[];
}

export interface StoredImports {
  /** Those of an owner, or of everyone. */
  list(owner: string): Promise<StoredImport[]>;
  /** Looks among the imports of everyone first. */
  find: (userId: string, name: string) => Promise<StoredImport | null>;
  /** Null when the import has gone, or another one has its name. */
  of(userId: string, integration: Integration): Promise<StoredImport | null>;
  /** Reads the rest of a record that was just read. */
  complete(record: ImportRecord): Promise<StoredImport>;
  /** Refuses when somebody else has changed the import meanwhile. */
  save(stored: StoredImport, next: NextState): Promise<Done<StoredImport>>;
}

type Needs = Pick<Ports, 'random' | 'store'> & { settings: ImportSettings };

export function createStoredImports({ random, store, settings: sealed }: Needs): StoredImports {
  async function read(owner: string, name: string): Promise<StoredImport | null> {
    const record = await store.imports.get(owner, name);
    return record === null ? null : complete(record);
  }

  async function complete(record: ImportRecord): Promise<StoredImport> {
    const rows = await store.imports.tools([record.id]);
    return { record, rows, settings: await sealed.open(record) };
  }

  return {
    complete,

    async list(owner) {
      const listed = await listRecords(store, owner);
      return Promise.all(listed.map(async (each) => ({ ...each, settings: await sealed.open(each.record) })));
    },

    find: async (userId, name) => (await read(EVERYONE, name)) ?? read(userId, name),

    async of(userId, { imported, name }) {
      if (imported === undefined) return null;
      const found = await read(imported.for === 'everyone' ? EVERYONE : userId, name);
      return found?.record.id === imported.id ? found : null;
    },

    async save({ record, settings, rows }, next) {
      const nextRecord: ImportRecord = {
        ...record,
        ...next.record,
        ...(next.settings && { settings: await sealed.seal(record.id, next.settings) }),
        version: random.uuid(),
      };
      const { tools } = next;
      const changes = { tools: tools?.written ?? [], removed: tools?.removed ?? [] };
      if (!(await store.imports.update(record, nextRecord, changes)))
        return refuse(409, 'Somebody else has changed this import meanwhile. Look at it again');
      return {
        ok: true,
        value: { record: nextRecord, settings: next.settings ?? settings, rows: tools?.rows ?? rows },
      };
    },
  };
}
