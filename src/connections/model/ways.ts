// Tells how a connection was made, and which part of the manifest describes that way. decision: 027
import { portalPage } from '../../http/portal-page.ts';
import type { Config } from '../../config/config.ts';
import type { Integration } from '../../kit/integration.ts';
import type { ApiKeyBlock, Auth, ClientExchange, TokenWay } from '../../kit/manifest.ts';
import type { Connection } from '../../ports/records.ts';

/** A connection of an OAuth integration may be made by a token instead. */
export type Way = NonNullable<Connection['way']>;
export type KeyWay = 'apikey' | 'token';

/** The way of a stored connection. A row of version 0.1 has the way of its integration. */
export function wayOf(
  { way, scopes }: Pick<Connection, 'way' | 'scopes'>,
  { auth, token }: Pick<Integration, 'auth' | 'token'>,
): Auth['type'] | 'token' {
  // Version 0.1 leaves the column as it is when it stores an OAuth connection, and always writes scopes.
  return way === 'token' && token !== undefined && scopes === null ? 'token' : auth.type;
}

/** How an OAuth client of the person gets its tokens; undefined where people enter what calls carry. */
export const exchangeOf = ({ auth }: Pick<Integration, 'auth'>): ClientExchange | undefined =>
  auth.type === 'apikey' ? auth.exchange : undefined;

export interface KeyForm {
  way: KeyWay;
  block: ApiKeyBlock | TokenWay;
}

/** The form in which a person enters a key or a token; null when the integration has none. */
export function keyFormOf({ auth, token }: Pick<Integration, 'auth' | 'token'>): KeyForm | null {
  if (auth.type === 'apikey') return { way: 'apikey', block: auth };
  return auth.type === 'oauth2' && token !== undefined ? { way: 'token', block: token } : null;
}

/** The page of an integration in the portal. */
export const integrationPage = (name: string, config: Pick<Config, 'PORTAL_URL'>): string =>
  portalPage(config, `/integrations/${name}`);

/** The page of the integration with the form opened. Only the person can fill it in. */
export function keyFormUrl(
  integration: Pick<Integration, 'name' | 'auth' | 'token'>,
  config: Pick<Config, 'PORTAL_URL'>,
  account?: string,
): string {
  const way = keyFormOf(integration)?.way ?? '';
  const named = account === undefined ? '' : `&account=${encodeURIComponent(account)}`;
  return `${integrationPage(integration.name, config)}?connect=${way}${named}`;
}
