// Opens a fresh, empty database of each engine with its schema.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openD1 } from '../../../drivers/sql/d1.ts';
import { createSchema, type Engine } from '../../../drivers/sql/engine.ts';
import { createSqlStore, type StoreOptions } from '../../../drivers/sql/store.ts';
import { startD1 } from '../../support/d1/harness.ts';
import { createPostgresSchema } from '../../support/services.ts';
import type { OpenStore } from '../store-contract.ts';
import { openAt } from './open-at.ts';

export interface Place {
  /** `sqlite:<path>` or `postgres://…`. Nothing exists there yet. */
  url: string;
  remove: () => Promise<void>;
}

export interface OpenEngine {
  engine: Engine;
  close: () => Promise<void>;
}

export async function sqlitePlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'store-'));
  const url = `sqlite:${join(directory, 'data', 'service.db')}`;
  return { url, remove: () => rm(directory, { recursive: true }) };
}

export async function postgresPlace(): Promise<Place> {
  const { url, drop } = await createPostgresSchema();
  return { url, remove: drop };
}

const opened = async (place: Place): Promise<OpenEngine> => {
  const engine = openAt(place.url);
  await createSchema(engine);
  return {
    engine,
    async close() {
      await engine.close();
      await place.remove();
    },
  };
};

export const openEmptySqlite = async (): Promise<OpenEngine> => opened(await sqlitePlace());
export const openEmptyPostgres = async (): Promise<OpenEngine> => opened(await postgresPlace());

export async function openEmptyD1(): Promise<OpenEngine> {
  const { database, close } = await startD1();
  const engine = openD1(database);
  await createSchema(engine);
  return { engine, close };
}

export async function storeOn(open: Promise<OpenEngine>, options: StoreOptions = {}): Promise<OpenStore> {
  const { engine, close } = await open;
  return { store: createSqlStore(engine, options), close };
}
