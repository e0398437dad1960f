// Records one request to an upstream: its method, its status and, for hosts that the gateway itself names, the host.
import type { UpstreamResponse } from '../ports/network.ts';
import { NotSent } from '../ports/not-sent.ts';
import type { Span } from '../ports/telemetry.ts';
import { traceFields } from './trace-context.ts';
import { EgressFailure } from './failure.ts';

interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  signal: AbortSignal;
}

type TraceHop = <H extends Hop>(
  parent: Span,
  hop: H,
  isTold: boolean,
  send: (hop: H) => Promise<UpstreamResponse>,
) => Promise<UpstreamResponse>;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** Callers may write any word there. */
export const methodLabel = (method: string): string => (METHODS.has(method) ? method : '_OTHER');

export function createTraceHop(hosts: ReadonlySet<string>): TraceHop {
  return async function traceHop(parent, hop, isTold, send) {
    const span = startCall(parent, hop.method, hop.url.hostname, hosts);
    try {
      const response = await send(isTold ? { ...hop, headers: tell(hop.headers, span) } : hop);
      endCall(span, response.status);
      return response;
    } catch (error) {
      span.end({ error: wordFor(error, hop.signal) });
      throw error;
    }
  };
}

/** The names are those of the semantic conventions for HTTP spans. */
export function startCall(parent: Span, method: string, host: string, hosts: ReadonlySet<string>): Span {
  const label = methodLabel(method);
  return parent.start({
    name: label === '_OTHER' ? 'HTTP' : label,
    kind: 'client',
    attributes: {
      'http.request.method': label,
      ...(hosts.has(host) ? { 'server.address': host } : {}),
    },
  });
}

export function endCall(span: Span, status: number): void {
  const error = status >= 400 ? { error: String(status) } : {};
  span.end({ attributes: { 'http.response.status_code': status }, ...error });
}

/** A trace that the caller names itself stays. */
function tell(given: Headers, { context }: Span): Headers {
  if (given.has('traceparent')) return given;
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(traceFields(context))) headers.set(name, value);
  return headers;
}

function wordFor(error: unknown, signal: AbortSignal): string {
  if (error instanceof EgressFailure) return error.reason;
  if (!signal.aborted) return error instanceof NotSent ? 'unreachable' : 'lost';
  const { reason } = signal;
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'timeout' : 'cancelled';
}
