// The open part of a stored connection: its instance, a region, and values that were looked up after connecting.
import * as z from 'zod';
import type { Integration } from '../../kit/integration.ts';
import type { Random } from '../../ports/random.ts';
import type { Connection } from '../../ports/records.ts';
import { parseStoredJson } from './stored-json.ts';

const Config = z.record(z.string(), z.string());
export type ConnectionConfig = z.infer<typeof Config>;

export const INSTANCE = 'instanceUrl';

/** Empty when the row has no config, or one that cannot be parsed. */
export function readConfigOf({ config }: { config: string | null }): ConnectionConfig {
  return config === null ? {} : (Config.safeParse(parseStoredJson(config)).data ?? {});
}

/** The config that a sign-in began with. Throws when it cannot be parsed: a code must not go to another instance. */
export function requireConfigOf({ config }: { config: string | null }): ConnectionConfig {
  return config === null ? {} : Config.parse(parseStoredJson(config));
}

export function configAt(instanceUrl: string | null): ConnectionConfig {
  return instanceUrl === null ? {} : { [INSTANCE]: instanceUrl };
}

/** The instance of a connection: its own, else the integration's default. */
export function instanceIn(
  config: ConnectionConfig,
  { instance }: Pick<Integration, 'instance'>,
): string | null {
  return config[INSTANCE] ?? instance?.default ?? null;
}

// The import that a connection was made for, and the name of the connection itself.
const IMPORT = 'import';
const GRANT = 'grant';

/** What the config of a new connection holds when its integration is an import. */
export function markOf({ imported }: Pick<Integration, 'imported'>, random: Random): ConnectionConfig {
  return imported === undefined ? {} : { [IMPORT]: imported.id, [GRANT]: random.uuid() };
}

/** False for a connection that was made for another import of the same name: its credential must not go here. */
export function belongsTo(
  row: Pick<Connection, 'config'>,
  { imported }: Pick<Integration, 'imported'>,
): boolean {
  // The config of a built-in integration need not be parsed.
  if (imported === undefined && row.config?.includes(`"${IMPORT}"`) !== true) return true;
  return readConfigOf(row)[IMPORT] === imported?.id;
}

/** Whether two configs were made for the same import, or both for none. */
export const isOfSameImport = (one: Pick<Connection, 'config'>, other: Pick<Connection, 'config'>): boolean =>
  readConfigOf(one)[IMPORT] === readConfigOf(other)[IMPORT];

/** Names the stored connection of an import. */
export function grantIn(
  row: Pick<Connection, 'config'> | null,
  { imported }: Pick<Integration, 'imported'>,
): string {
  return imported === undefined || row === null ? '' : (readConfigOf(row)[GRANT] ?? '');
}
