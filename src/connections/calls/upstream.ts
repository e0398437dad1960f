// A tool's call to its upstream: base found, credential fresh and in its place, one more try after a 401.
import type { Fetcher } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../vault.ts';
import type { Integration, UpstreamCall } from '../../kit/integration.ts';
import type { Connection } from '../../ports/records.ts';
import { resolveBase } from './api-base.ts';
import { instanceIn, readConfigOf } from '../config.ts';
import { cookieDomains } from '../cookies/cookie-domains.ts';
import { mergeSetCookie } from '../cookies/cookie-jar.ts';
import { parseBundle } from '../cookies/cookies.ts';
import { carryCredential, secretsOn } from './credential.ts';
import { withRefusal } from './refusal.ts';
import type { TokenSource } from '../oauth/tokens.ts';
import { withholdFrom } from '../redact.ts';

export type OpenUpstream = (
  userId: string,
  integration: Integration,
  call: UpstreamCall,
  egress: Fetcher,
) => Promise<Response>;

const KEEP_ATTEMPTS = 10;

type Needs = Pick<Ports, 'store' | 'clock'> & { tokens: TokenSource; vault: Vault };

export function createUpstream({ store, clock, tokens, vault }: Needs): OpenUpstream {
  async function send(
    integration: Integration,
    connection: Connection,
    secret: string,
    call: UpstreamCall,
    egress: Fetcher,
  ): Promise<Response> {
    const { api, auth } = integration;
    const config = readConfigOf(connection);
    const base = resolveBase(integration, config, call.at);
    if (!base.ok) throw new Error(base.reason);
    const url = below(base.base, call);
    const headers = new Headers({ accept: 'application/json', ...api?.headers, ...call.headers });
    carryCredential(integration, { config, secret }, { url, headers }, clock.now());
    const response = await egress.fetch(url, {
      method: call.method,
      headers,
      body: call.body ?? null,
    });
    if (auth.type === 'cookie') {
      await keepCookies(
        { store, clock, vault },
        {
          integration,
          connection,
          secret,
          // Whoever answered at the end of the redirects has set them.
          url: new URL(response.url),
          lines: response.headers.getSetCookie(),
        },
      );
    }
    // At its other places are files, which say what they like.
    const judged =
      api?.refusal === undefined || call.at !== undefined
        ? response
        : await withRefusal(response, api.refusal);
    return judged.ok ? judged : withholdFrom(judged, secretsOn(integration, secret, headers));
  }

  return async function openUpstream(userId, integration, call, egress) {
    const first = usableOrThrow(await tokens.usable(userId, integration), integration);
    const response = await send(integration, first.connection, first.secret, call, egress);
    if (response.status !== 401 || integration.auth.type !== 'oauth2') return response;
    const again = await tokens.usable(userId, integration, first.secret);
    if (again.kind !== 'usable' || again.secret === first.secret) return response;
    await response.body?.cancel();
    return send(integration, again.connection, again.secret, call, egress);
  };
}

function usableOrThrow(usable: Awaited<ReturnType<TokenSource['usable']>>, { displayName }: Integration) {
  switch (usable.kind) {
    case 'usable':
      return usable;
    case 'not-connected':
      throw new Error(`${displayName} is not connected`);
    case 'reconnect':
    case 'later':
      throw new Error(usable.message);
  }
}

/** The call's address, which never leaves the base. */
function below(base: string, { path, query }: UpstreamCall): URL {
  if (!path.startsWith('/') || path.startsWith('//'))
    throw new Error('The path of a call starts with one slash');
  const url = new URL(`${base}${path}`);
  const root = new URL(base);
  const prefix = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`;
  if (url.origin !== root.origin || !(url.pathname === root.pathname || url.pathname.startsWith(prefix))) {
    throw new Error('The path of a call has to stay below the API it belongs to');
  }
  for (const [name, value] of query ?? []) url.searchParams.append(name, value);
  return url;
}

interface NewCookies {
  integration: Integration;
  connection: Connection;
  secret: string;
  url: URL;
  /** Set-Cookie, a line each. */
  lines: readonly string[];
}

/** The session goes on with what the upstream has set; of answers that come together none is lost. */
export async function keepCookies(
  { store, clock, vault }: Pick<Needs, 'store' | 'clock' | 'vault'>,
  { integration, connection, secret, url, lines }: NewCookies,
): Promise<void> {
  const { auth } = integration;
  if (auth.type !== 'cookie' || lines.length === 0) return;
  const began = parseBundle(secret);
  if (began === null) return;
  let seen: Connection | null = connection;
  for (let attempt = 0; attempt < KEEP_ATTEMPTS && seen !== null; attempt++) {
    const bundle = attempt === 0 ? began : parseBundle((await vault.open(seen, 'cookies')) ?? '');
    // A newer log-in is not overwritten by an answer to the one before.
    if (bundle === null || bundle.capturedAt !== began.capturedAt) return;
    const domains = cookieDomains(auth, instanceIn(readConfigOf(seen), integration));
    const merged = mergeSetCookie(bundle, url, lines, clock.now(), domains);
    if (merged === null) return;
    const cookies = await vault.seal(JSON.stringify(merged), seen, 'cookies');
    if (await store.connections.swap(seen, { ...seen, cookies, updated_at: clock.now() })) return;
    seen = await store.connections.get(connection.user_id, connection.integration);
  }
}
