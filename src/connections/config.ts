// What a connection keeps in the open: its instance, a region, what was looked up after connecting.
import * as z from 'zod';
import type { Integration } from '../kit/integration.ts';
import type { Connection } from '../ports/records.ts';

const Config = z.record(z.string(), z.string());
export type ConnectionConfig = z.infer<typeof Config>;

export const INSTANCE = 'instanceUrl';

export function readConfigOf(connection: Pick<Connection, 'config'>): ConnectionConfig {
  if (connection.config === null) return {};
  try {
    return Config.safeParse(JSON.parse(connection.config)).data ?? {};
  } catch {
    return {};
  }
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
