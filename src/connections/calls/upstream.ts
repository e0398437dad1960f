// Makes the upstream calls of a tool run: route, fresh credential, and one more try after a 401.
import type { Fetcher } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../vault.ts';
import type { Integration, Upstream, UpstreamCall } from '../../kit/integration.ts';
import type { Connection, ConnectionKey } from '../../ports/records.ts';
import { keepCookies } from '../cookies/keep-cookies.ts';
import type { Readiness, ReadyConnection } from '../open-credential.ts';
import { secretsOn } from './place-credential.ts';
import { applyRefusal } from './refusal.ts';
import { addressBelow, type Route, type Routes } from './route.ts';
import type { TokenSource } from '../oauth/tokens.ts';
import { redact, redactResponse } from '../redact.ts';
import type { StateUpdates } from '../state-updates.ts';

/**
 * The upstream of one tool run. `checked` is the row in which the connection was found: the first call uses it, so that
 * a run with one call reads the row once. Later calls read the row again, because it may have changed meanwhile.
 */
export type OpenUpstream = (
  key: ConnectionKey,
  integration: Integration,
  checked: Connection | null,
  egress: Fetcher,
  /** Told when the provider does not accept the credential, or it can no longer be used. */
  onRefused?: () => void,
  /** Told the secrets that each call carries, by a function, because few need them. */
  onSecrets?: (secrets: () => string[]) => void,
) => Upstream;

type Needs = Pick<Ports, 'store' | 'clock'> & {
  routes: Routes;
  stateUpdates: StateUpdates;
  tokens: TokenSource;
  vault: Vault;
};

export function createUpstream({ store, clock, routes, stateUpdates, tokens, vault }: Needs): OpenUpstream {
  async function send(
    integration: Integration,
    ready: ReadyConnection,
    call: UpstreamCall,
    egress: Fetcher,
    onSecrets: ((secrets: () => string[]) => void) | undefined,
  ): Promise<Answered> {
    const { api } = integration;
    const { credential } = ready;
    let { connection } = ready;
    const route = routes.find(ready, integration, call.at);
    if ('reason' in route) throw new Error(route.reason);
    const url = addressOf(route, call);
    const headers = new Headers({ accept: 'application/json', ...api?.headers, ...call.headers });
    for (const [name, value] of routes.headersFor(route, url)) headers.set(name, value);
    onSecrets?.(() => secretsOn(credential, headers));
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
    return { response: shown, connection };
  }

  /** Notes in the connection what the answer says of its credential. It costs nothing while that is no news. */
  async function settle(
    { response, connection }: Answered,
    integration: Integration,
    onRefused: (() => void) | undefined,
  ): Promise<Response> {
    if (response.ok) await stateUpdates.worked(connection, integration);
    if (response.status === 401 && (await stateUpdates.refused(connection, integration))) onRefused?.();
    return response;
  }

  return function openUpstream(key, integration, checked, egress, onRefused, onSecrets) {
    let row = checked;
    return async function upstream(call) {
      const first = row;
      row = null;
      const readiness = await (first === null
        ? tokens.prepare(key, integration, egress.span)
        : tokens.prepareRow(first, integration, egress.span));
      if (readiness.kind === 'reconnect') onRefused?.();
      const ready = requireReady(readiness, integration);
      const answered = await send(integration, ready, call, egress, onSecrets);
      if (answered.response.status !== 401) return settle(answered, integration, onRefused);
      const renewed = await tokens.renew(key, integration, ready.credential, egress.span);
      switch (renewed.kind) {
        case 'same':
          return answered.response;
        case 'dead':
          return settle(answered, integration, onRefused);
        case 'ready':
          await answered.response.body?.cancel();
          return settle(await send(integration, renewed, call, egress, onSecrets), integration, onRefused);
      }
    };
  };
}

interface Answered {
  response: Response;
  /** The row after the answer, which may have set cookies. */
  connection: Connection;
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
