// Sends every call of the core to an upstream. No other code of the core opens connections. decision: 030
import type { Config } from '../config/config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Network, UpstreamResponse } from '../ports/network.ts';
import { NotSent } from '../ports/not-sent.ts';
import type { Span } from '../ports/telemetry.ts';
import { VERSION } from '../ports/version.ts';
import { andThen } from '../memory/and-then.ts';
import type { Lease } from '../memory/budget.ts';
import type { HeavyTurn } from '../memory/heavy-turns.ts';
import { EgressFailure } from './failure.ts';
import { type Addresses, createGuard } from './guard.ts';
import { type Limits, limitBytes } from './limit-bytes.ts';
import { openTimeLimit, type TimeLimit } from './time-limit.ts';
import { createTraceHop } from './trace-hop.ts';

export interface EgressInit {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;
  signal?: AbortSignal | null | undefined;
  /** The limit for the whole exchange, with redirects and body. */
  timeoutMs?: number;
  /** The limit for the answer after it is unpacked. */
  maxBytes?: number;
  /** How many redirects to follow; one more is an EgressFailure. With `manual`, a redirect is the answer. */
  redirects?: number | 'manual';
}

export interface Fetcher {
  /** The `url` of the answer is the declared address where the redirects ended. */
  fetch: (url: string | URL, init?: EgressInit) => Promise<Response>;
  /** The span that its requests are recorded below. */
  span?: Span | undefined;
}

/** What an execution brings to each of its requests. */
interface Execution {
  signal?: AbortSignal | undefined;
  lease?: Lease | undefined;
  span?: Span | undefined;
  /** Whether the upstream is told the trace. */
  passesTrace?: boolean;
  /** Told the status of each answer. */
  onStatus?: (status: number) => void;
  /** Told that an answer was a redirect, which is followed. */
  onRedirect?: (() => void) | undefined;
}

interface Located {
  origin: string;
  addresses: Addresses;
}

export interface Egress extends Fetcher {
  /** The origin that is really called for a declared address, and the vetted addresses of its host. */
  locate(url: URL): Located | Promise<Located>;
  /** For the calls of one execution: they end with its signal, and their answers are charged to its lease. */
  bind(execution: Execution): Fetcher;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const LOCATE_MS = 10_000;
const REDIRECT_STATUS = new Set([301, 302, 303, 307, 308]);
// The headers that are sent to another origin after a redirect. Every other header may be a credential.
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);
const nothing = (): void => {};
export const USER_AGENT = `tool-gateway/${VERSION}`;

interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;
  signal: AbortSignal;
}

export function createEgress(deps: {
  clock: Pick<Clock, 'later'>;
  config: Pick<Config, 'EGRESS_ALLOW' | 'UPSTREAM_MAP' | 'loopback'>;
  network: Network;
  heavyTurn?: HeavyTurn | undefined;
  /** The hosts whose names are recorded in traces. People choose all others. */
  hosts?: ReadonlySet<string>;
}): Egress {
  const { clock, config, heavyTurn, network } = deps;
  const guard = createGuard(deps);
  const traceHop = createTraceHop(deps.hosts ?? new Set());
  const standIns = new Map(config.UPSTREAM_MAP.map(({ from, to }) => [from, new URL(to)]));

  /** Maps a declared address to the address that is really called. */
  function toCalled(url: URL): URL {
    const standIn = standIns.get(url.origin);
    // Joined as text: resolving a path that starts with two slashes would call another host.
    return standIn === undefined ? url : new URL(`${standIn.origin}${url.pathname}${url.search}`);
  }

  /** Maps a redirect of a stand-in to itself back to the declared origin. */
  function toDeclared(from: URL, location: string): string {
    const url = URL.parse(location, from.href);
    if (url === null || standIns.get(from.origin)?.origin !== url.origin) return location;
    return `${from.origin}${url.pathname}${url.search}`;
  }

  /** Makes the signal only when the name has to be looked up; most names are known. */
  function vet(url: URL, limit: () => AbortSignal): Addresses | Promise<Addresses> {
    const addresses = guard.vet(url);
    return addresses instanceof Promise ? orAborted(addresses, limit()) : addresses;
  }

  async function send(hop: Hop): Promise<UpstreamResponse> {
    const url = toCalled(hop.url);
    const [first, second] = await vet(url, () => hop.signal);
    const request = { ...hop, url };
    try {
      return await network.send({ ...request, address: first });
    } catch (error) {
      // A name with two addresses, such as localhost, may be served at only one of them.
      if (second === undefined || !(error instanceof NotSent) || hop.body instanceof ReadableStream)
        throw error;
      return network.send({ ...request, address: second });
    }
  }

  async function follow(
    first: Hop,
    redirects: number | 'manual',
    { span, passesTrace = false, onRedirect }: Execution,
  ): Promise<{ hop: Hop; response: UpstreamResponse }> {
    let hop = first;
    for (let left = redirects === 'manual' ? 0 : redirects; ; left--) {
      // Another origin is not told the trace either.
      const isTold = passesTrace && hop.url.origin === first.url.origin;
      const response = await (span === undefined ? send(hop) : traceHop(span, hop, isTold, send));
      const location = response.headers.get('location');
      if (redirects === 'manual' || !REDIRECT_STATUS.has(response.status) || location === null)
        return { hop, response };
      onRedirect?.();
      await response.body?.cancel();
      if (left === 0) throw new EgressFailure('redirect', `${hop.url.host} redirects too often`);
      hop = nextHop(hop, response.status, toDeclared(hop.url, location));
    }
  }

  async function exchange(
    address: string | URL,
    init: EgressInit,
    execution: Execution = {},
  ): Promise<Response> {
    const url = parseUrl(address);
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, redirects = MAX_REDIRECTS } = init;
    const limit = openTimeLimit(clock, timeoutMs, [execution.signal, init.signal]);
    const { signal } = limit;
    const headers = new Headers(init.headers);
    if (!headers.has('user-agent')) headers.set('user-agent', USER_AGENT);
    const body = typeof init.body === 'string' ? new TextEncoder().encode(init.body) : (init.body ?? null);
    try {
      const method = (init.method ?? 'GET').toUpperCase();
      const { hop, response } = await follow({ url, method, headers, body, signal }, redirects, execution);
      execution.onStatus?.(response.status);
      const limits = { maxBytes, signal, lease: execution.lease, onEnd: limit.close, heavyTurn };
      return await orCancelled(response, () => toResponse(response, hop.url, limits));
    } catch (error) {
      limit.close();
      throw asFailure(error, url, limit, timeoutMs);
    }
  }

  return {
    locate(declared) {
      const called = standIns.get(declared.origin) ?? declared;
      const vetting = vet(called, () => AbortSignal.timeout(LOCATE_MS));
      return andThen(vetting, (addresses) => ({ origin: called.origin, addresses }));
    },
    fetch: (url, init = {}) => exchange(url, init),
    bind: (execution) => ({
      fetch: (url, init = {}) => exchange(url, init, execution),
      span: execution.span,
    }),
  };
}

function parseUrl(address: string | URL): URL {
  if (address instanceof URL) return address;
  if (!URL.canParse(address))
    throw new EgressFailure('bad-url', 'That is not an address that the gateway can call');
  return new URL(address);
}

/** Follows RFC 9110 §15.4, and sends no credential to another origin. */
function nextHop(hop: Hop, status: number, location: string): Hop {
  if (!URL.canParse(location, hop.url.href))
    throw new EgressFailure('redirect', `${hop.url.host} redirects without a target`);
  const url = new URL(location, hop.url.href);
  const becomesGet = status === 303 || ((status === 301 || status === 302) && hop.method === 'POST');
  const next =
    becomesGet && hop.method !== 'HEAD' ? { ...hop, url, method: 'GET', body: null } : { ...hop, url };
  if (next.body instanceof ReadableStream)
    throw new EgressFailure('redirect', `${hop.url.host} redirects an upload, which cannot be sent twice`);
  if (url.origin === hop.url.origin) return next;
  if (next.body !== null)
    throw new EgressFailure(
      'redirect',
      `${hop.url.host} redirects to another host, and the request body is not sent there`,
    );
  return { ...next, headers: new Headers([...hop.headers].filter(([name]) => HARMLESS_HEADERS.has(name))) };
}

/** Without this the connection of a response that is refused stays open for as long as the upstream sends. */
async function orCancelled<T>({ body }: UpstreamResponse, use: () => T): Promise<T> {
  try {
    return use();
  } catch (error) {
    await body?.cancel().catch(nothing);
    throw error;
  }
}

function toResponse({ status, headers, body }: UpstreamResponse, url: URL, limits: Limits): Response {
  if (status < 200 || status > 599)
    throw new EgressFailure('bad-answer', `${url.host} answered with status ${status}`);
  if (body === null) limits.onEnd();
  const limited = body === null ? null : limitBytes(body, headers.get('content-encoding'), url.host, limits);
  const response = new Response([204, 205, 304].includes(status) ? null : limited, { status, headers });
  // The body is unpacked by now.
  response.headers.delete('content-encoding');
  response.headers.delete('content-length');
  // The `url` of a constructed Response is empty.
  return Object.defineProperty(response, 'url', { value: url.href });
}

function asFailure(error: unknown, url: URL, limit: TimeLimit, timeoutMs: number): unknown {
  if (error instanceof EgressFailure || limit.isLeft()) return error;
  if (limit.isOver())
    return new EgressFailure(
      'timeout',
      `${url.host} did not answer within ${timeoutMs / 1000} seconds. The call may have run`,
      {
        cause: error,
      },
    );
  const reason = reasonOf(error);
  return new EgressFailure(reason, sentenceFor(reason, url.host), { cause: error });
}

/** `error` is what the network has thrown. Where it does not say that nothing was sent, the request may have run. */
function reasonOf(error: unknown): 'unreachable' | 'lost' | 'bad-answer' {
  if (error instanceof NotSent) return 'unreachable';
  return isMalformed(error) ? 'bad-answer' : 'lost';
}

/** A raw request says the same, and its bytes do not come through this door. */
export function sentenceFor(reason: ReturnType<typeof reasonOf>, host: string): string {
  switch (reason) {
    case 'unreachable':
      return `${host} could not be reached`;
    case 'lost':
      return `${host} closed the connection before it answered. The call may have run`;
    case 'bad-answer':
      return `${host} does not answer as HTTP requires. The call may have run`;
  }
}

const codeIn = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The codes of the parser, and of headers that are too long. */
const isMalformed = (error: unknown): boolean =>
  [error, error instanceof Error ? error.cause : undefined].some((each) =>
    /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/.test(codeIn(each)),
  );

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () =>
    aborted.reject(
      new EgressFailure('timeout', 'The look-up of the address took too long', { cause: signal.reason }),
    );
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
