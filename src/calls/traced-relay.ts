// Relays a raw request below a span of its own, where requests are traced.
import type { Config } from '../config/config.ts';
import { traceFields } from '../egress/trace-context.ts';
import { endCall, startCall } from '../egress/trace-hop.ts';
import { createIsTracedFurther } from '../egress/traced-further.ts';
import type { Integration } from '../kit/integration.ts';
import { hostsOf } from '../kit/known-hosts.ts';
import type { Span } from '../ports/telemetry.ts';
import type { Exchange, RawRequest, Relayed, Wire } from './wire.ts';

interface Traced {
  integration: Integration;
  request: RawRequest;
  wire: Wire;
}

/** Without a parent nothing is traced. */
export type TracedRelay = (parent: Span | undefined, traced: Traced, exchange: Exchange) => Promise<Relayed>;

export interface TraceNeeds {
  config: Config;
  integrations: readonly Integration[];
}

export function createTracedRelay({ config, integrations }: TraceNeeds): TracedRelay {
  const isTracedFurther = createIsTracedFurther(config);
  const hosts = hostsOf(integrations);

  async function relayBelow(
    parent: Span,
    { integration, request, wire }: Traced,
    exchange: Exchange,
  ): Promise<Relayed> {
    const span = startCall(parent, request.method, exchange.destination.declared.hostname, hosts);
    // A trace that the caller names is the caller's own header, and passes as it is.
    const isTold = isTracedFurther(integration) && !wire.namesTrace;
    const added = isTold ? Object.entries(traceFields(span.context)).flat() : [];
    const relayed = await wire.relay({ ...exchange, added });
    endRelay(span, relayed);
    return relayed;
  }

  return (parent, traced, exchange) =>
    parent === undefined ? traced.wire.relay(exchange) : relayBelow(parent, traced, exchange);
}

function endRelay(span: Span, relayed: Relayed): void {
  if (relayed.kind === 'answered') endCall(span, relayed.status);
  else if (relayed.kind === 'turned-down') endCall(span, 401);
  else span.end({ error: relayed.kind === 'failed' ? 'unreachable' : 'cancelled' });
}
