// Records and exports with an encoder of our own, where nothing runs between requests: each request sends what it has left.
// The packages of OpenTelemetry batch by timers, which end with their request there. decision: 014
import type { OtlpTarget, Sampling, TelemetryConfig } from '../../src/config/telemetry.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Random } from '../../src/ports/random.ts';
import type { Counts, Span, SpanStart, Telemetry, TraceContext, Tracer } from '../../src/ports/telemetry.ts';
import { DURATIONS } from '../metrics/names.ts';
import { METRICS, SCOPE } from './names.ts';
import { attributeList, MetricsRequest, TraceRequest } from './otlp-messages.ts';
import { createOutages } from './outages.ts';
import { encodeMessage, type Message } from './protobuf.ts';

interface Needs {
  fetch: typeof fetch;
  log: Log;
  random: Pick<Random, 'bytes'>;
}

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
const DELTA = 1;
/** The parent is known to be local or remote, and this one is not. */
const SAMPLED_FLAGS = 1;

export function openEdgeTelemetry(config: TelemetryConfig, { fetch, log, random }: Needs): Telemetry {
  const { traces, metrics, queue, sampling, metricIntervalMs } = config;
  const outages = createOutages(log);
  const resource = { attributes: attributeList({ 'service.version': SCOPE.version, ...config.resource }) };
  const meter = createMeter();
  const ended: object[] = [];
  /** Those that are queued and those on their way. */
  let waiting = 0;
  let metricsSentAt = 0;

  function keep(span: object): void {
    if (waiting >= queue.maxSpans) {
      outages.dropped();
      return meter.droppedSpan();
    }
    waiting++;
    ended.push(span);
  }

  async function flushSpans(target: OtlpTarget): Promise<void> {
    while (ended.length > 0) {
      const spans = ended.splice(0, queue.batchSpans);
      const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: SCOPE, spans }] }] };
      await send('traces', target, TraceRequest, body);
      waiting -= spans.length;
    }
  }

  async function flushMetrics(target: OtlpTarget): Promise<void> {
    const now = Date.now();
    if (now - metricsSentAt < metricIntervalMs) return;
    metricsSentAt = now;
    const points = meter.take();
    if (points.length === 0) return;
    const body = { resourceMetrics: [{ resource, scopeMetrics: [{ scope: SCOPE, metrics: points }] }] };
    await send('metrics', target, MetricsRequest, body);
  }

  async function send(
    signal: 'traces' | 'metrics',
    { url, headers, protocol, timeoutMs }: OtlpTarget,
    message: Message,
    body: object,
  ): Promise<void> {
    const isJson = protocol === 'http/json';
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': isJson ? 'application/json' : 'application/x-protobuf' },
        body: isJson ? JSON.stringify(body) : encodeMessage(message, body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (response.ok) outages.delivered(signal);
      else outages.failed(signal, `HTTP ${response.status}`);
    } catch {
      outages.failed(signal, 'unreachable');
    }
  }

  async function flush(): Promise<void> {
    await Promise.all([
      traces === null ? undefined : flushSpans(traces),
      metrics === null ? undefined : flushMetrics(metrics),
    ]);
  }

  return {
    tracer: traces === null ? null : createTracer(random, sampling, keep),
    counts: metrics === null ? null : meter.counts,
    flush,
    async close() {
      metricsSentAt = 0;
      await flush();
    },
  };
}

function createTracer(
  random: Pick<Random, 'bytes'>,
  { followsParent, ratio }: Sampling,
  keep: (span: object) => void,
): Tracer {
  const draw = (length: number): string =>
    Array.from(random.bytes(length), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const isChosen = (traceId: string): boolean => Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;

  function start({ name: first, kind, attributes: given, parent, link, ago = 0 }: SpanStart): Span {
    const traceId = parent?.traceId ?? draw(16);
    const isSampled = followsParent && parent !== undefined ? parent.isSampled : isChosen(traceId);
    const context: TraceContext = { traceId, spanId: draw(8), isSampled, state: parent?.state };
    const began = Date.now() - ago;
    let hasEnded = false;
    return {
      context,
      start: (next) => start({ ...next, parent: next.parent ?? context }),
      end({ name = first, attributes, error } = {}) {
        if (hasEnded || !isSampled) return;
        hasEnded = true;
        keep({
          traceId,
          spanId: context.spanId,
          ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
          name,
          kind: KINDS[kind],
          startTimeUnixNano: nanoseconds(began),
          endTimeUnixNano: nanoseconds(Math.max(began, Date.now())),
          attributes: attributeList({
            ...given,
            ...attributes,
            ...(error === undefined ? {} : { 'error.type': error }),
          }),
          links: link === undefined ? [] : [{ traceId: link.traceId, spanId: link.spanId }],
          ...(error === undefined ? {} : { status: { code: STATUS_ERROR } }),
          flags: SAMPLED_FLAGS,
        });
      },
    };
  }

  return { start };
}

const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1_000)}000`;

interface Series {
  attributes: object[];
  count: number;
  sum: number;
  buckets: number[];
}

/** Counts since the last export: an isolate ends without a word, so nobody could add up totals of it. */
function createMeter(): { counts: Counts; droppedSpan(): void; take(): object[] } {
  let since = Date.now();
  let all: Record<keyof typeof METRICS, Map<string, Series>> = empty();

  function seriesOf(metric: keyof typeof METRICS, attributes: Record<string, string>): Series {
    const key = Object.values(attributes).join(' ');
    const known = all[metric].get(key);
    if (known !== undefined) return known;
    const series = { attributes: attributeList(attributes), count: 0, sum: 0, buckets: [] };
    all[metric].set(key, series);
    return series;
  }

  return {
    counts: {
      request(method, route, status, seconds) {
        const attributes = { method, route, status: String(status) };
        seriesOf('requests', attributes).count++;
        const series = seriesOf('durations', attributes);
        if (series.buckets.length === 0) series.buckets = Array(DURATIONS.buckets.length + 1).fill(0);
        const at = DURATIONS.buckets.findIndex((bound) => seconds <= bound);
        const bucket = at === -1 ? DURATIONS.buckets.length : at;
        series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
        series.sum += seconds;
        series.count++;
      },
      execution(integration, success) {
        seriesOf('executions', { integration, success: String(success) }).count++;
      },
      audit(outcome, rows) {
        seriesOf('auditRows', { outcome }).count += rows;
      },
    },
    droppedSpan() {
      seriesOf('droppedSpans', {}).count++;
    },
    take() {
      const taken = all;
      const times = { startTimeUnixNano: nanoseconds(since), timeUnixNano: nanoseconds(Date.now()) };
      all = empty();
      since = Date.now();
      return Object.entries(taken).flatMap(([metric, series]) => {
        if (series.size === 0) return [];
        // The keys of the record are those of METRICS.
        const described = METRICS[metric as keyof typeof METRICS];
        return metric === 'durations'
          ? { ...described, histogram: histogramOf([...series.values()], times) }
          : { ...described, sum: sumOf([...series.values()], times) };
      });
    },
  };
}

const empty = (): Record<keyof typeof METRICS, Map<string, Series>> => ({
  requests: new Map(),
  durations: new Map(),
  executions: new Map(),
  auditRows: new Map(),
  droppedSpans: new Map(),
});

const sumOf = (all: readonly Series[], times: object): object => ({
  dataPoints: all.map(({ attributes, count }) => ({ attributes, ...times, asInt: String(count) })),
  aggregationTemporality: DELTA,
  isMonotonic: true,
});

const histogramOf = (all: readonly Series[], times: object): object => ({
  dataPoints: all.map(({ attributes, count, sum, buckets }) => ({
    attributes,
    ...times,
    count: String(count),
    sum,
    bucketCounts: buckets.map(String),
    explicitBounds: DURATIONS.buckets,
  })),
  aggregationTemporality: DELTA,
});
