// What all calls over a connection have in common, worked out once: where they go, and what they carry.
import { resolveBase } from './api-base.ts';
import { type ConnectionConfig, readConfigOf } from '../config.ts';
import { carryCredential } from './credential.ts';
import type { Integration } from '../../kit/integration.ts';
import { createLru } from '../../memory/lru.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Connection } from '../../ports/records.ts';

export type Header = readonly [name: string, value: string];

export interface Way {
  integration: Integration;
  secret: string;
  config: ConnectionConfig;
  root: URL;
  /** The base without a slash at its end: what the address of each call begins with. */
  base: string;
  /** The path of the base, without a slash at its end. */
  prefix: string;
  /** What the API is asked with where the caller has no word on it: its version, the format of its answers. */
  defaults: readonly Header[];
  /** The credential; null where it is another for each address. */
  headers: readonly Header[] | null;
}

export interface Ways {
  /** Made anew when the connection's credential or settings have changed. */
  of(integration: Integration, connection: Connection, secret: string): Way | { reason: string };
  /** The credential on a call to this address, in headers or in the address itself. */
  carried(way: Pick<Way, 'integration' | 'config' | 'secret'>, url: URL): readonly Header[];
}

// What is kept of credentials and settings, in all: a cookie session may be 4 MiB.
const KEPT_CHARACTERS = 4 * 1024 * 1024;
// What a way takes beside them.
const WAY_CHARACTERS = 1_000;

export function createWays(clock: Clock): Ways {
  const known = createLru<{ way: Way; settings: string | null }>(KEPT_CHARACTERS);

  function carried(
    { integration, config, secret }: Pick<Way, 'integration' | 'config' | 'secret'>,
    url: URL,
  ) {
    const headers = new Headers();
    carryCredential(integration, { config, secret }, { url, headers }, clock.now());
    return [...headers];
  }

  return {
    of(integration, connection, secret) {
      const key = `${connection.user_id} ${connection.integration}`;
      const last = known.get(key);
      if (last?.way.secret === secret && last.settings === connection.config) return last.way;
      const config = readConfigOf(connection);
      const resolved = resolveBase(integration, config);
      if (!resolved.ok) return resolved;
      const root = new URL(resolved.base);
      const prefix = root.pathname.replace(/\/$/, '');
      const isAlike = integration.auth.type !== 'cookie' && integration.api?.credential.in !== 'query';
      const way: Way = {
        integration,
        secret,
        config,
        root,
        base: `${root.origin}${prefix}`,
        prefix,
        defaults: [...new Headers(integration.api?.headers)],
        headers: isAlike ? carried({ integration, config, secret }, root) : null,
      };
      known.set(key, { way, settings: connection.config }, sizeOf(way, connection.config));
      return way;
    },
    carried,
  };
}

function sizeOf({ secret, headers }: Way, settings: string | null): number {
  const carried = (headers ?? []).reduce((sum, [, value]) => sum + value.length, 0);
  // The settings are kept as they are stored and as they are read.
  return WAY_CHARACTERS + secret.length + carried + 2 * (settings?.length ?? 0);
}
