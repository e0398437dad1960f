// The route of a connection's calls: their base address and their credential. Tools and the curl proxy share it.
import { nameOf } from '../model/accounts.ts';
import { resolveBase } from './api-base.ts';
import { type ConnectionConfig, readConfigOf } from '../model/config.ts';
import type { Credential } from '../model/credential.ts';
import { isInAddress, type Placed, placeCredential, placeOf } from './place-credential.ts';
import type { ReadyConnection } from '../model/open-credential.ts';
import type { Integration } from '../../kit/integration.ts';
import { createLru } from '../../memory/lru.ts';
import type { Clock } from '../../ports/clock.ts';

export type Header = readonly [name: string, value: string];

export interface Route {
  integration: Integration;
  credential: Credential;
  config: ConnectionConfig;
  root: URL;
  /** The base without a slash at its end. The address of each call begins with it. */
  base: string;
  /** The path of the base, without a slash at its end. */
  prefix: string;
  /** The credential is a part of the address. */
  isInQuery: boolean;
  /** The headers of the manifest, such as the API's version. A caller may set others instead. */
  defaults: readonly Header[];
  /** The credential as headers; null where it differs from address to address. */
  headers: readonly Header[] | null;
}

export interface Routes {
  /** Worked out once, and again when the credential or the config has changed. `at` names another place of the API. */
  find(
    ready: Pick<ReadyConnection, 'connection' | 'credential'>,
    integration: Integration,
    at?: string,
  ): Route | { reason: string };
  /** The route of a credential that may not be stored yet. */
  make(placed: Placed, at?: string): Route | { reason: string };
  /** The headers that carry the credential to this address. A credential in the query is added to the address. */
  headersFor(route: Route, url: URL): readonly Header[];
}

// Bounds credentials and configs together: one cookie session may take 4 MiB.
const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;
// What a route takes beside them.
const ROUTE_CHARACTERS = 1_000;

export function createRoutes(clock: Clock): Routes {
  const known = createLru<{ route: Route; settings: string | null }>(MAX_CACHED_CHARACTERS);

  function place(placed: Placed, url: URL): readonly Header[] {
    const headers = new Headers();
    placeCredential(placed, { url, headers }, clock.now());
    return [...headers];
  }

  function make({ integration, config, credential }: Placed, at?: string): Route | { reason: string } {
    const resolved = resolveBase(integration, config, at, credential);
    if (!resolved.ok) return resolved;
    const root = new URL(resolved.base);
    const prefix = root.pathname.replace(/\/$/, '');
    const isInQuery = isInAddress(placeOf(integration, credential, config));
    const isSameEverywhere = credential.kind !== 'cookies' && !isInQuery;
    return {
      integration,
      credential,
      config,
      root,
      base: `${root.origin}${prefix}`,
      prefix,
      isInQuery,
      defaults: [...new Headers(integration.api?.headers)],
      headers: isSameEverywhere ? place({ integration, config, credential }, root) : null,
    };
  }

  return {
    make,

    find({ connection, credential }, integration, at) {
      const own = nameOf(connection);
      const key = at === undefined ? own : `${own} at ${at}`;
      const last = known.get(key);
      if (last?.route.credential === credential && last.settings === connection.config) return last.route;
      const route = make({ integration, credential, config: readConfigOf(connection) }, at);
      if ('reason' in route) return route;
      known.set(key, { route, settings: connection.config }, weigh(route, connection.config));
      return route;
    },

    headersFor: (route, url) => route.headers ?? place(route, url),
  };
}

// A fragment is never sent, so it may follow the base directly.
const ENDS_A_SEGMENT = new Set(['', '/', '?', '#']);

/** The address of a call, or null when its path would leave the base. */
export function addressBelow({ base }: Route, tail: string): URL | null {
  const url = new URL(`${base}${tail}`);
  const isBelow = url.href.startsWith(base) && ENDS_A_SEGMENT.has(url.href.charAt(base.length));
  return isBelow ? url : null;
}

function weigh({ credential, headers }: Route, settings: string | null): number {
  const inHeaders = (headers ?? []).reduce((sum, [, value]) => sum + value.length, 0);
  // The route keeps the config twice: as it is stored and as it is parsed.
  return ROUTE_CHARACTERS + credential.weight + inHeaders + 2 * (settings?.length ?? 0);
}
