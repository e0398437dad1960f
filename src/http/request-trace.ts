// The trace of one request. The trace that a caller names is continued only after its credential was checked: a stranger
// begins a trace of its own, so that it cannot choose what is recorded. decision: 014
import type { Clock } from '../ports/clock.ts';
import type { Span, TraceContext, Tracer } from '../ports/telemetry.ts';
import { parseTraceContext } from '../egress/trace-context.ts';
import { methodLabel } from '../egress/trace-hop.ts';

export interface RequestTrace {
  /**
   * The span of the request, for a caller that is known. `other` is a trace that the body names; it counts where no header
   * names one.
   */
  admit: (other?: TraceContext) => Span;
  end(request: AnsweredRequest): void;
}

interface AnsweredRequest {
  requestId: string;
  method: string;
  /** The route pattern. */
  route: string;
  status: number;
}

/** A flood of strangers must not fill the queue, in which the spans of known callers wait. */
const MAX_STRANGERS_PER_SECOND = 50;

/** `started` is in milliseconds of the monotonic clock. */
export type BeginTrace = (
  started: number,
  header: (name: string) => string | null | undefined,
) => RequestTrace;

/** Null where nothing is traced, so that a request costs nothing more. */
export function createBeginTrace({
  tracer,
  clock,
}: {
  tracer: Tracer | null;
  clock: Pick<Clock, 'millis'>;
}): BeginTrace | null {
  if (tracer === null) return null;
  let second = Number.NEGATIVE_INFINITY;
  let strangers = 0;

  function mayRecordStranger(): boolean {
    const now = clock.millis();
    if (now - second >= 1_000) [second, strangers] = [now, 0];
    return ++strangers <= MAX_STRANGERS_PER_SECOND;
  }

  return function beginTrace(started, header) {
    let span: Span | undefined;
    const begin = (parent: TraceContext | undefined): Span =>
      tracer.start({ name: 'request', kind: 'server', parent, ago: clock.millis() - started });
    return {
      admit: (other) =>
        (span ??= begin(parseTraceContext(header('traceparent'), header('tracestate')) ?? other)),
      end({ requestId, method, route, status }) {
        if (span === undefined && !mayRecordStranger()) return;
        const label = methodLabel(method);
        // An id that the caller chose may be any text.
        const isOurs = header('x-request-id') !== requestId;
        (span ?? begin(undefined)).end({
          // Semantic conventions for HTTP spans
          name: `${label === '_OTHER' ? 'HTTP' : label} ${route}`,
          attributes: {
            'http.request.method': label,
            'http.route': route,
            'http.response.status_code': status,
            ...(isOurs ? { 'gateway.request.id': requestId } : {}),
          },
          ...(status >= 500 ? { error: String(status) } : {}),
        });
      },
    };
  };
}
