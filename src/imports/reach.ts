// Reaches the source of an import as a person, with the person's credential, or as nobody.
import type { OpenUpstream } from '../connections/calls/upstream.ts';
import { grantIn } from '../connections/model/config.ts';
import type { TokenSource } from '../connections/oauth/tokens.ts';
import { redact } from '../http/redact.ts';
import { keyOfAccount } from '../connections/model/team.ts';
import type { Egress, Fetcher } from '../egress/door.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Integration, Upstream } from '../kit/integration.ts';
import { type ConnectionKey, FIRST_ACCOUNT } from '../ports/records.ts';
import type { Reach, ReachedAs, SendUpstream } from './model/reach.ts';
import { SourceFailure } from './model/source-failure.ts';

/** The place of an import's API that is the origin of its address, for the other paths of an MCP server. */
export const ORIGIN = 'origin';

type Needs = { egress: Egress; openUpstream: OpenUpstream; tokens: TokenSource };

export function createReach({ egress, openUpstream, tokens }: Needs): Reach {
  /** The secrets that a person has entered, for a process. */
  async function valuesOf(
    key: ConnectionKey,
    integration: Integration,
  ): Promise<Readonly<Record<string, string>>> {
    if (integration.auth.type === 'none') return {};
    const readiness = await tokens.prepare(key, integration);
    if (readiness.kind === 'ready')
      return readiness.credential.kind === 'fields' ? readiness.credential.values : {};
    throw new Error(
      readiness.kind === 'not-connected' ? `${integration.displayName} is not connected` : readiness.message,
    );
  }

  function reachAs(
    integration: Integration,
    address: string,
    account: ConnectionKey,
    upstream: Upstream,
    fetcher: Fetcher,
  ): Pick<ReachedAs, 'address' | 'send' | 'values' | 'redact'> {
    // A token may be renewed during a call, so there may be two.
    const redactors: Redact[] = [];
    const note = (redactor: Redact): void => {
      if (redactors.length === 2) redactors.shift();
      redactors.push(redactor);
    };
    return {
      address,
      send:
        integration.auth.type === 'none'
          ? plainly(fetcher, integration.api?.headers ?? {})
          : withCredential(upstream, integration, note),
      async values() {
        const values = await valuesOf(account, integration);
        note((text) => redact(text, Object.values(values)));
        return values;
      },
      redact(error) {
        if (!(error instanceof Error)) return error;
        const message = redactors.reduce((text, redactor) => redactor(text), error.message);
        if (message === error.message) return error;
        return error instanceof SourceFailure ? new SourceFailure(error.status, message) : new Error(message);
      },
    };
  }

  const keyOf = (integration: Integration, { user_id, account }: ConnectionKey, grant: string): string =>
    `${integration.imported?.id ?? ''} ${user_id} ${account} ${grant}`;

  return {
    inCall({ integration, address, timeoutMs }, context) {
      const { userId, upstream, fetch, grant = '', account = FIRST_ACCOUNT } = context;
      const { signal, lease, onProgress, passedOn: meta } = context;
      const place = keyOfAccount(userId, integration.name, account);
      // People who use the same account never share a session.
      const key = keyOf(integration, { ...place, user_id: userId }, grant);
      // What is sent when the call has been cancelled must not be cancelled with it. Few calls send anything then.
      const sendAfterwards: SendUpstream = (url, init) => {
        const unbound = openUpstream({ key: place, integration, checked: null, egress }).call;
        return reachAs(integration, address, place, unbound, egress).send(url, init);
      };
      const reached = reachAs(integration, address, place, upstream, { fetch });
      const send: SendUpstream =
        timeoutMs === undefined ? reached.send : (url, init) => reached.send(url, { timeoutMs, ...init });
      return { key, signal, lease, meta, timeoutMs, onProgress, sendAfterwards, ...reached, send };
    },

    asPerson({ integration, address }, userId, row) {
      const place = row ?? { user_id: userId, integration: integration.name, account: FIRST_ACCOUNT };
      const upstream = openUpstream({ key: place, integration, checked: row, egress }).call;
      const key = keyOf(integration, place, grantIn(row, integration));
      return { key, ...reachAs(integration, address, place, upstream, egress) };
    },

    asNobody: (address, id, headers = {}, importId = 'preview') => ({
      address,
      key: `${importId} ${id}`,
      isPassing: true,
      send: plainly(egress, headers),
      values: async () => ({}),
    }),
  };
}

const plainly =
  (fetcher: Fetcher, fixed: Readonly<Record<string, string>>): SendUpstream =>
  (url, { headers, timeoutMs, ...init }) => {
    return fetcher.fetch(url, {
      ...init,
      headers: joined(fixed, headers),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  };

function joined(
  fixed: Readonly<Record<string, string>>,
  headers: Record<string, string>,
): Record<string, string> | Headers {
  if (Object.keys(fixed).length === 0) return headers;
  // The same header may be written in other letters.
  const all = new Headers(fixed);
  for (const [name, value] of new Headers(headers)) all.set(name, value);
  return all;
}

type Redact = (text: string) => string;

/** A credential goes to the origin of the import only. */
function withCredential(
  upstream: Upstream,
  { api }: Integration,
  onSent: (redact: Redact) => void,
): SendUpstream {
  const origin = api?.others?.[ORIGIN];
  return (url, { method, headers, body = null, signal, timeoutMs }) => {
    if (url.origin !== origin)
      throw new EgressFailure(
        'forbidden',
        `The server names an address at ${url.host}, which is not its own`,
      );
    return upstream({
      method,
      at: ORIGIN,
      path: `${url.pathname}${url.search}`,
      headers,
      body,
      signal,
      onSent,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  };
}
