// Compares the scopes that a person has granted with those that the integration asks for.
import type { Integration } from '../../kit/integration.ts';
import type { Connection } from '../../ports/records.ts';
import { wayOf } from './ways.ts';

// Providers do not list these among the granted scopes, or list what they stand for.
const NEVER_LISTED = new Set(['offline_access', 'openid', 'profile', 'email']);

/** Empty for a credential without scopes. A provider that lists none has granted what was asked: RFC 6749 §5.1. */
export function grantedScopes(
  row: Pick<Connection, 'way' | 'scopes'>,
  integration: Pick<Integration, 'auth' | 'token'>,
): { scopes?: string[]; missingScopes?: string[] } {
  const { auth } = integration;
  if (auth.type !== 'oauth2' || wayOf(row, integration) !== 'oauth2') return {};
  const scopes = [...new Set((row.scopes ?? '').split(/[\s,]+/).filter((scope) => scope !== ''))];
  if (scopes.length === 0) return {};
  const granted = new Set(scopes.map(shorten));
  const missingScopes = auth.scopes.filter((scope) => !isCovered(shorten(scope), granted));
  return { scopes, ...(missingScopes.length === 0 ? {} : { missingScopes }) };
}

/** Some providers list the short name of a scope that was asked for by its address, and the other way round. */
const shorten = (scope: string): string =>
  (scope.match(/^https:\/\/.*\/([^/]+)$/)?.[1] ?? scope).toLowerCase();

function isCovered(scope: string, granted: ReadonlySet<string>): boolean {
  // `repository:write` includes `repository`.
  const covers = [scope, `${scope}:write`, `${scope}:admin`];
  return NEVER_LISTED.has(scope) || covers.some((each) => granted.has(each));
}
