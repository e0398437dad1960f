// Reads the standard variables of OpenTelemetry. Nothing is exported unless an endpoint is set. decision: 014
import * as z from 'zod';
import type { Problem } from './config-error.ts';
import * as fields from './config-fields.ts';

export type OtlpProtocol = 'http/protobuf' | 'http/json';

/** Where one kind of data is sent. The headers may be secrets. */
export interface OtlpTarget {
  url: string;
  headers: Readonly<Record<string, string>>;
  protocol: OtlpProtocol;
  timeoutMs: number;
}

export interface Sampling {
  /** Whether a span follows the decision of its parent. */
  followsParent: boolean;
  /** The share of traces that are recorded, from 0 to 1. */
  ratio: number;
}

export interface TelemetryConfig {
  traces: OtlpTarget | null;
  metrics: OtlpTarget | null;
  resource: Readonly<Record<string, string>>;
  sampling: Sampling;
  queue: { delayMs: number; maxSpans: number; batchSpans: number };
  metricIntervalMs: number;
}

const protocol = fields.oneOf(['http/protobuf', 'http/json']);
const milliseconds = fields.whole(1, 3_600_000);
const exporter = fields.oneOf(['otlp', 'none']);

const Variables = z.object({
  OTEL_SDK_DISABLED: fields.flag.default(false),
  OTEL_SERVICE_NAME: fields.printable.optional(),
  OTEL_RESOURCE_ATTRIBUTES: fields.keyValues.default({}),
  OTEL_TRACES_EXPORTER: exporter.default('otlp'),
  OTEL_METRICS_EXPORTER: exporter.default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: fields.baseUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: fields.httpAddress.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: fields.httpAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: fields.headerValues.default({}),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: fields.headerValues.optional(),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: fields.headerValues.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds.default(10_000),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: milliseconds.optional(),
  OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: milliseconds.optional(),
  OTEL_TRACES_SAMPLER: fields
    .oneOf([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: fields.share.optional(),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds.default(5_000),
  OTEL_BSP_MAX_QUEUE_SIZE: fields.whole(1, 100_000).default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: fields.whole(1, 10_000).default(512),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds.default(60_000),
});

export const TELEMETRY_VARIABLES: readonly string[] = Object.keys(Variables.shape);

type Given = Readonly<Record<string, string | undefined>>;
type Values = z.infer<typeof Variables>;

/** The value is null where nothing is exported. */
export function readTelemetry(given: Given): { value: TelemetryConfig | null; problems: Problem[] } {
  const parsed = Variables.safeParse(given);
  const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => ({ name: String(path[0]), message }));
  return {
    value: parsed.success ? telemetryOf(parsed.data) : null,
    problems: [...wrong, ...checkTogether(given)],
  };
}

/** What the variables say together, which no variable can say alone. */
function checkTogether(given: Given): Problem[] {
  const problems: Problem[] = [];
  const {
    OTEL_TRACES_SAMPLER: sampler = '',
    OTEL_TRACES_SAMPLER_ARG: ratio,
    OTEL_BSP_MAX_QUEUE_SIZE: queue = '2048',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: batch = '512',
  } = given;
  if (ratio !== undefined && !sampler.endsWith('traceidratio'))
    problems.push({
      name: 'OTEL_TRACES_SAMPLER_ARG',
      message: 'counts for traceidratio and parentbased_traceidratio only: set OTEL_TRACES_SAMPLER too',
    });
  const hasEndpoint = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    (name) => given[name] !== undefined,
  );
  if (given['TRACE_UPSTREAM'] !== undefined && !hasEndpoint)
    problems.push({
      name: 'TRACE_UPSTREAM',
      message: 'has no use without traces: set OTEL_EXPORTER_OTLP_ENDPOINT too',
    });
  if (Number(batch) > Number(queue))
    problems.push({
      name: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
      message: 'must not be larger than OTEL_BSP_MAX_QUEUE_SIZE',
    });
  return problems;
}

const SERVICE = 'tool-gateway';

function telemetryOf(values: Values): TelemetryConfig | null {
  const target = (signal: 'TRACES' | 'METRICS'): OtlpTarget | null => {
    const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
    const shared = base === undefined ? undefined : `${base}/v1/${signal.toLowerCase()}`;
    const url = values[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? shared;
    if (url === undefined || values[`OTEL_${signal}_EXPORTER`] === 'none') return null;
    return {
      url,
      headers: values[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`] ?? values.OTEL_EXPORTER_OTLP_HEADERS,
      protocol: values[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] ?? values.OTEL_EXPORTER_OTLP_PROTOCOL,
      timeoutMs: values[`OTEL_EXPORTER_OTLP_${signal}_TIMEOUT`] ?? values.OTEL_EXPORTER_OTLP_TIMEOUT,
    };
  };
  const traces = target('TRACES');
  const metrics = target('METRICS');
  if (values.OTEL_SDK_DISABLED || (traces === null && metrics === null)) return null;
  const { OTEL_SERVICE_NAME: name, OTEL_RESOURCE_ATTRIBUTES: attributes } = values;
  return {
    traces,
    metrics,
    resource: {
      'service.name': SERVICE,
      ...attributes,
      ...(name === undefined ? {} : { 'service.name': name }),
    },
    sampling: samplingOf(values),
    queue: {
      delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
      maxSpans: values.OTEL_BSP_MAX_QUEUE_SIZE,
      batchSpans: values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    },
    metricIntervalMs: values.OTEL_METRIC_EXPORT_INTERVAL,
  };
}

function samplingOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: given = 1 }: Values): Sampling {
  const followsParent = sampler.startsWith('parentbased_');
  if (sampler.endsWith('always_on')) return { followsParent, ratio: 1 };
  return { followsParent, ratio: sampler.endsWith('always_off') ? 0 : given };
}
