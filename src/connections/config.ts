// The open part of a stored connection: its instance, a region, and values that were looked up after connecting.
import * as z from 'zod';
import type { Integration } from '../kit/integration.ts';
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
