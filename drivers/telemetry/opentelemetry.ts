// Records and exports with the packages of OpenTelemetry, on Node. They are loaded only where a collector is named.
import { randomUUID } from 'node:crypto';
import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { OtlpTarget, Sampling, TelemetryConfig } from '../../src/config/telemetry.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Counts, Span, SpanStart, Telemetry, TraceContext, Tracer } from '../../src/ports/telemetry.ts';
import { DURATIONS } from '../metrics/names.ts';
import { METRICS, SCOPE } from './names.ts';
import { createOutages, type Outages, type Signal } from './outages.ts';

const CLOSE_MS = 3_000;
const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

export function openTelemetry(config: TelemetryConfig, log: Log): Telemetry {
  const { traces, metrics } = config;
  const outages = createOutages(log);
  const resource = resourceFromAttributes({
    // Tells the processes of one gateway apart.
    'service.instance.id': randomUUID(),
    'service.version': SCOPE.version,
    ...config.resource,
  });
  const meters = metrics === null ? null : openMeters(metrics, config, resource, outages);
  const onDropped = () => {
    outages.dropped();
    meters?.droppedSpans();
  };
  const tracers = traces === null ? null : openTracers(traces, config, resource, outages, onDropped);
  const every = async (work: 'forceFlush' | 'shutdown') => {
    await Promise.allSettled([tracers?.provider[work](), meters?.provider[work]()]);
  };

  return {
    tracer: tracers?.tracer ?? null,
    counts: meters?.counts ?? null,
    flush: () => every('forceFlush'),
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MS);
      await Promise.race([every('shutdown'), late.promise]);
      clearTimeout(timer);
    },
  };
}

function openTracers(
  target: OtlpTarget,
  { queue, sampling }: TelemetryConfig,
  resource: Resource,
  outages: Outages,
  onDropped: () => void,
) {
  const options = optionsOf(target);
  const exporter = watch(
    target.protocol === 'http/json' ? new JsonTraceExporter(options) : new OTLPTraceExporter(options),
    'traces',
    outages,
  );
  let waiting = 0;
  const processor = new BatchSpanProcessor({
    exporter: {
      export(spans, done) {
        exporter.export(spans, (result) => {
          waiting -= spans.length;
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    },
    scheduledDelayMillis: queue.delayMs,
    maxQueueSize: queue.maxSpans,
    maxExportBatchSize: queue.batchSpans,
    // The exporter has its own limit, which is shorter.
    exportTimeoutMillis: target.timeoutMs + 1_000,
  });
  const bounded: SpanProcessor = {
    onStart: (span, parent) => processor.onStart(span, parent),
    /** Counts the spans on their way too, so that a slow collector does not make the memory grow. */
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (waiting >= queue.maxSpans) return onDropped();
      waiting++;
      processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampling),
    spanProcessors: [bounded],
  });
  return { provider, tracer: createTracer(provider) };
}

function createTracer(provider: TracerProvider): Tracer {
  const sdk = provider.getTracer(SCOPE.name, SCOPE.version);

  function start({ name, kind, attributes, parent, link, ago = 0 }: SpanStart): Span {
    const options = {
      kind: KINDS[kind],
      ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
      ...(link === undefined ? {} : { links: [{ context: toSdk(link) }] }),
      ...(ago === 0 ? {} : { startTime: Date.now() - ago }),
    };
    return wrap(sdk.startSpan(name, options, contextOf(parent)), parent?.state);
  }

  function wrap(span: SdkSpan, state: string | undefined): Span {
    const { traceId, spanId, traceFlags } = span.spanContext();
    const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
    const context: TraceContext = { traceId, spanId, isSampled, state };
    let hasEnded = false;
    return {
      context,
      start: (next) => start({ ...next, parent: next.parent ?? context }),
      end({ name, attributes, error } = {}) {
        if (hasEnded) return;
        hasEnded = true;
        if (name !== undefined) span.updateName(name);
        if (attributes !== undefined) span.setAttributes({ ...attributes });
        if (error !== undefined) {
          span.setAttribute('error.type', error);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }

  return { start };
}

const toSdk = ({ traceId, spanId, isSampled }: TraceContext) => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

const contextOf = (parent: TraceContext | undefined): Context =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSdk(parent));

function samplerOf({ followsParent, ratio }: Sampling): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

function openMeters(
  target: OtlpTarget,
  { metricIntervalMs }: TelemetryConfig,
  resource: Resource,
  outages: Outages,
) {
  const options = optionsOf(target);
  const exporter =
    target.protocol === 'http/json' ? new JsonMetricExporter(options) : new OTLPMetricExporter(options);
  const provider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: watch(exporter, 'metrics', outages),
        exportIntervalMillis: metricIntervalMs,
        exportTimeoutMillis: Math.min(metricIntervalMs, target.timeoutMs),
      }),
    ],
  });
  const meter = provider.getMeter(SCOPE.name, SCOPE.version);
  const counter = ({ name, ...rest }: { name: string; unit: string; description: string }) =>
    meter.createCounter(name, rest);
  const requests = counter(METRICS.requests);
  const executions = counter(METRICS.executions);
  const auditRows = counter(METRICS.auditRows);
  const dropped = counter(METRICS.droppedSpans);
  const { name, ...rest } = METRICS.durations;
  const advice = { explicitBucketBoundaries: [...DURATIONS.buckets] };
  const durations = meter.createHistogram(name, { ...rest, advice });
  const counts: Counts = {
    request(method, route, status, seconds) {
      const labels = { method, route, status: String(status) };
      requests.add(1, labels);
      durations.record(seconds, labels);
    },
    execution: (integration, success) => executions.add(1, { integration, success: String(success) }),
    audit: (outcome, rows) => auditRows.add(rows, { outcome }),
  };
  return { provider, counts, droppedSpans: () => dropped.add(1) };
}

const optionsOf = ({ url, headers, timeoutMs }: OtlpTarget) => ({
  url,
  headers: { ...headers },
  timeoutMillis: timeoutMs,
});

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** Notes each outcome. The exporter keeps its other methods. */
function watch<Items, E extends Exporter<Items>>(exporter: E, signal: Signal, outages: Outages): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) => {
    send(items, (result) => {
      if (result.code === ExportResultCode.SUCCESS) outages.delivered(signal);
      else outages.failed(signal, reasonOf(result.error));
      done(result);
    });
  };
  return exporter;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? `HTTP ${code}` : 'unreachable';
}
