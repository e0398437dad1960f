// Connects integrations. reference: Connecting an integration; Connect links
import type { ConnectStart, Redeemed } from '../../src/connections/operations.ts';
import { request } from './client.ts';

type KeyStart = Extract<ConnectStart, { type: 'apikey' }>;
type OAuthStart = Extract<ConnectStart, { type: 'oauth2' }>;
/** A field of the form that asks for credentials. */
export type ApiKeyField = KeyStart['fields'][number];
/** Tells where a connect link leads: to the provider's address, or to a browser that already opens the login page. */
export type { Redeemed };

/** Says whose account is connected. `account` is its label, empty without one. */
export interface Whose {
  account: string;
  /** Whether an administrator connects for everyone. */
  isForTeam: boolean;
}

const TEAM = { for: 'team' };

export async function fetchKeyFields(integration: string, whose: Whose): Promise<KeyStart['fields']> {
  return (await request<KeyStart>(startPath(integration, queryOf(whose)))).fields;
}

const queryOf = ({ account, isForTeam }: Whose) => ({ account, ...(isForTeam ? TEAM : {}) });

/** The address that begins to connect. Empty values are left out. */
export function startPath(integration: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return `/api/auth/${encodeURIComponent(integration)}${search}`;
}

/** Returns the session as the gateway stores it, as the text of a file. */
export async function exportSession(integration: string): Promise<string> {
  const path = `/api/integrations/${encodeURIComponent(integration)}/session/export`;
  return JSON.stringify(await request(path), null, 2);
}

/** Returns the provider's address, where the person approves the gateway. */
export async function startOAuth(integration: string, instanceUrl: string, whose: Whose): Promise<string> {
  return (await request<OAuthStart>(startPath(integration, { instanceUrl, ...queryOf(whose) }))).url;
}

export function saveKey(
  integration: string,
  values: Readonly<Record<string, string>>,
  whose: Whose,
): Promise<unknown> {
  const body = { values, ...bodyOf(whose) };
  return request(`/api/auth/apikey/${encodeURIComponent(integration)}`, { method: 'POST', body });
}

export function importSession(
  integration: string,
  session: unknown,
  instanceUrl: string,
  whose: Whose,
): Promise<unknown> {
  return request(`/api/integrations/${encodeURIComponent(integration)}/session/import`, {
    method: 'POST',
    body: {
      session,
      ...(instanceUrl === '' ? {} : { instanceUrl }),
      ...bodyOf(whose),
    },
  });
}

const bodyOf = ({ account, isForTeam }: Whose) => ({
  ...(account === '' ? {} : { account }),
  ...(isForTeam ? TEAM : {}),
});

export function redeemLink(
  token: string,
  instanceUrl: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Redeemed> {
  const body = { token, ...(instanceUrl === '' ? {} : { instanceUrl }) };
  return request('/api/connect/redeem', { method: 'POST', body, headers, refusesMore: true });
}
