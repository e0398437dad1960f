// Makes the upstream calls of a tool run: route, fresh credential, and one more try after a 401.
import type { Fetcher } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../model/vault.ts';
import type { Integration, Upstream, UpstreamCall } from '../../kit/integration.ts';
import type { Connection, ConnectionKey } from '../../ports/records.ts';
import { keepCookies } from '../cookies/keep-cookies.ts';
import type { Readiness, ReadyConnection } from '../model/open-credential.ts';
import { addPlaced, secretsOn } from './place-credential.ts';
import { applyRefusal } from './refusal.ts';
import { addressBelow, type Route, type Routes } from './route.ts';
import type { TokenSource } from '../oauth/tokens.ts';
import { redact, redactResponse } from '../../http/redact.ts';
import { refusesCredential } from '../model/refusal-words.ts';
import type { StateUpdates } from '../model/state-updates.ts';

/** Where calls go, and as whom. */
interface Target {
  key: ConnectionKey;
  integration: Integration;
  /**
   * The row in which the connection was found: the first call uses it, so that a run with one call reads the row once. Later
   * calls read the row again, because it may have changed meanwhile. Null where nothing has been read.
   */
  checked: Connection | null;
  egress: Fetcher;
  /** Makes a key for a request. Absent where the call may be repeated. */
  providerKey?: ((request: string) => string) | undefined;
}

/** What the calls so far have shown. */
interface Seen {
  /** Whether the provider does not accept the credential, or it can no longer be used. */
  isRefused: boolean;
  /** The secrets that the last call carried. Few need them, so they are worked out when they are asked for. */
  secrets?: () => string[];
}

/** The upstream of one tool run. */
export interface OpenedUpstream {
  call: Upstream;
  readonly seen: Readonly<Seen>;
}

export type OpenUpstream = (target: Target) => OpenedUpstream;

type Needs = Pick<Ports, 'store' | 'clock'> & {
  routes: Routes;
  stateUpdates: StateUpdates;
  tokens: TokenSource;
  vault: Vault;
};

export function createUpstream({ store, clock, routes, stateUpdates, tokens, vault }: Needs): OpenUpstream {
  async function send(
    { integration, egress }: Target,
    ready: ReadyConnection,
    call: UpstreamCall,
    seen: Seen,
  ): Promise<Answered> {
    const { api } = integration;
    const { credential } = ready;
    let { connection } = ready;
    const route = routes.find(ready, integration, call.at);
    if ('reason' in route) throw new Error(route.reason);
    const url = addressOf(route, call);
    const headers = new Headers({ accept: 'application/json', ...api?.headers, ...call.headers });
    for (const [name, value] of routes.headersFor(route, url)) addPlaced(headers, name, value);
    seen.secrets = () => secretsOn(credential, headers);
    call.onSent?.((text) => redact(text, secretsOn(credential, headers)));
    const response = await egress.fetch(url, {
      method: call.method,
      headers,
      body: call.body ?? null,
      signal: call.signal,
      ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
    });
    if (credential.kind === 'cookies') {
      connection = await keepCookies(
        { store, clock, vault },
        {
          integration,
          connection,
          credential,
          // After redirects the last host has set the cookies.
          url: new URL(response.url),
          lines: response.headers.getSetCookie(),
        },
      );
    }
    // The other places of an API serve files, whose content is not a refusal.
    const judged =
      api?.refusal === undefined || call.at !== undefined
        ? response
        : await applyRefusal(response, api.refusal);
    const shown = judged.ok ? judged : redactResponse(judged, secretsOn(credential, headers));
    if (response.status !== 403 || call.at !== undefined || integration.probe === undefined)
      return { response: shown, connection, isAgainst: response.status === 401 };
    const text = await shown.text();
    const { status, headers: said } = shown;
    return {
      response: new Response(text, { status, headers: said }),
      connection,
      isAgainst: refusesCredential({ status, headers: said, text }, integration),
    };
  }

  /** Notes in the connection what the answer says of its credential. It costs nothing while that is no news. */
  async function settle(
    { response, connection, isAgainst }: Answered,
    integration: Integration,
    seen: Seen,
  ): Promise<Response> {
    if (response.ok) await stateUpdates.worked(connection, integration);
    if (isAgainst && (await stateUpdates.refused(connection, integration))) seen.isRefused = true;
    return response;
  }

  return function openUpstream(target) {
    const { key, integration, egress } = target;
    const seen: Seen = { isRefused: false };
    let row = target.checked;
    async function call(given: UpstreamCall): Promise<Response> {
      // One more try after a 401 has the same key.
      const sent = withKey(given, integration, target.providerKey);
      const first = row;
      row = null;
      const readiness = await (first === null
        ? tokens.prepare(key, integration, egress.span)
        : tokens.prepareRow(first, integration, egress.span));
      if (readiness.kind === 'reconnect') seen.isRefused = true;
      const ready = requireReady(readiness, integration);
      const answered = await send(target, ready, sent, seen);
      if (answered.response.status !== 401) return settle(answered, integration, seen);
      const renewed = await tokens.renew(key, integration, ready.credential, egress.span);
      switch (renewed.kind) {
        case 'same':
          return answered.response;
        case 'dead':
          return settle(answered, integration, seen);
        case 'ready':
          await answered.response.body?.cancel();
          return settle(await send(target, renewed, sent, seen), integration, seen);
      }
    }
    return { call, seen };
  };
}

interface Answered {
  response: Response;
  /** The row after the answer, which may have set cookies. */
  connection: Connection;
  /** Whether the answer may be about the credential: it is a 401, or a 403 that says so. */
  isAgainst: boolean;
}

function withKey(call: UpstreamCall, { api }: Integration, providerKey: Target['providerKey']): UpstreamCall {
  const { method, path, at } = call;
  if (providerKey === undefined || api?.idempotency === undefined || at !== undefined) return call;
  const { header, requests } = api.idempotency;
  const request = `${method} ${path}`;
  const takesKey = requests === undefined ? method === 'POST' : requests.includes(request);
  return takesKey ? { ...call, headers: { ...call.headers, [header]: providerKey(request) } } : call;
}

function requireReady(readiness: Readiness, { displayName }: Integration): ReadyConnection {
  switch (readiness.kind) {
    case 'ready':
      return readiness;
    case 'not-connected':
      throw new Error(`${displayName} is not connected`);
    case 'reconnect':
    case 'later':
      throw new Error(readiness.message);
  }
}

function addressOf(route: Route, { path, query }: UpstreamCall): URL {
  if (!path.startsWith('/') || path.startsWith('//'))
    throw new Error('The path of a call starts with one slash');
  const url = addressBelow(route, path);
  if (url === null) throw new Error('The path of a call has to stay below the API it belongs to');
  for (const [name, value] of query ?? []) url.searchParams.append(name, value);
  return url;
}
