// Sends a provider's request that ends a grant. RFC 7009; decision: 026
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Revoke } from '../../kit/manifest.ts';
import type { ConnectionConfig } from '../model/config.ts';
import { instanceIn } from '../model/config.ts';
import { basicAuthorization } from '../oauth/oauth-client.ts';
import type { Provider } from '../oauth/provider.ts';
import { applyRefusal } from '../calls/refusal.ts';
import { resolveBase } from '../calls/api-base.ts';

export interface EndingGrant {
  integration: Integration;
  config: ConnectionConfig;
  accessToken: string;
  refreshToken: string | null;
  provider: Provider;
}

export type RevokeRequest = NonNullable<Revoke['request']>;

/** `trouble`: the provider or the network. `refused`: the provider does not take the request. */
export type RevokeAnswer = 'accepted' | 'refused' | 'trouble';

/** The request of the manifest, or that of RFC 7009 at a provider that was found. Null when there is none. */
export function requestAt(
  { revoke }: Pick<Integration, 'revoke'>,
  { block, found }: Provider,
): RevokeRequest | null {
  if (found === undefined) return revoke?.request ?? null;
  if (found.revokeUrl === null) return null;
  const isBasic = block.clientAuth === 'basic';
  const client: Record<string, string> = isBasic ? {} : { client_id: '{client_id}' };
  if (block.clientAuth === 'post') client['client_secret'] = '{client_secret}';
  return {
    method: 'POST',
    url: found.revokeUrl,
    auth: isBasic ? 'client' : 'none',
    body: { type: 'form', fields: { token: '{token}', ...client } },
  };
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
const TROUBLE = new Set([408, 425, 429]);

export async function revokeGrant(
  egress: Pick<Egress, 'fetch'>,
  request: RevokeRequest,
  grant: EndingGrant,
): Promise<RevokeAnswer> {
  const { method, auth, body, gone = [] } = request;
  const { api } = grant.integration;
  const headers = new Headers({ accept: 'application/json', ...request.headers });
  if (auth === 'client') headers.set('authorization', basicAuthorization(grant.provider));
  if (auth === 'token') headers.set('authorization', `Bearer ${grant.accessToken}`);
  if (body !== undefined)
    headers.set(
      'content-type',
      body.type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    );
  try {
    const response = await egress.fetch(urlOf(request, grant), {
      method,
      headers,
      body: body === undefined ? null : bodyOf(body, grant),
      redirects: 0,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const { status } = api?.refusal === undefined ? response : await applyRefusal(response, api.refusal);
    if (status < 300 || gone.includes(status)) return 'accepted';
    // A token that is not accepted any more has no grant behind it.
    if (status === 401 && auth === 'token') return 'accepted';
    return status >= 500 || TROUBLE.has(status) ? 'trouble' : 'refused';
  } catch (error) {
    if (error instanceof EgressFailure) return 'trouble';
    throw error;
  }
}

function urlOf({ url }: RevokeRequest, grant: EndingGrant): string {
  const base = resolveBase(grant.integration, grant.config);
  const values: Record<string, string> = {
    instance: instanceIn(grant.config, grant.integration) ?? '',
    api: base.ok ? base.base : '',
    client_id: encodeURIComponent(grant.provider.clientId),
  };
  return fill(url, values);
}

function bodyOf({ type, fields }: NonNullable<RevokeRequest['body']>, grant: EndingGrant): string {
  const { accessToken, refreshToken, provider } = grant;
  const values: Record<string, string> = {
    token: refreshToken ?? accessToken,
    access_token: accessToken,
    client_id: provider.clientId,
    client_secret: provider.clientSecret ?? '',
  };
  const filled = Object.entries(fields).map(([name, template]) => [name, fill(template, values)] as const);
  return type === 'json'
    ? JSON.stringify(Object.fromEntries(filled))
    : new URLSearchParams(filled.map(([name, value]) => [name, value])).toString();
}

const fill = (template: string, values: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
