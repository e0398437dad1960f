// The messages of OTLP that the edge driver sends, with the field numbers of the published schema. opentelemetry-proto 1
import type { Message } from './protobuf.ts';

const AnyValue: Message = {
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'int64'],
  doubleValue: [4, 'double'],
};
const KeyValue: Message = { key: [1, 'string'], value: [2, () => AnyValue] };
const Resource: Message = { attributes: [1, () => KeyValue] };
const Scope: Message = { name: [1, 'string'], version: [2, 'string'] };

const Link: Message = { traceId: [1, 'hex'], spanId: [2, 'hex'] };
const Status: Message = { code: [3, 'enum'] };
const Span: Message = {
  traceId: [1, 'hex'],
  spanId: [2, 'hex'],
  parentSpanId: [4, 'hex'],
  name: [5, 'string'],
  kind: [6, 'enum'],
  startTimeUnixNano: [7, 'fixed64'],
  endTimeUnixNano: [8, 'fixed64'],
  attributes: [9, () => KeyValue],
  links: [13, () => Link],
  status: [15, () => Status],
  flags: [16, 'fixed32'],
};
const ScopeSpans: Message = { scope: [1, () => Scope], spans: [2, () => Span] };
const ResourceSpans: Message = { resource: [1, () => Resource], scopeSpans: [2, () => ScopeSpans] };
export const TraceRequest: Message = { resourceSpans: [1, () => ResourceSpans] };

const NumberPoint: Message = {
  attributes: [7, () => KeyValue],
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  asInt: [6, 'fixed64'],
};
const HistogramPoint: Message = {
  attributes: [9, () => KeyValue],
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  bucketCounts: [6, 'fixed64'],
  explicitBounds: [7, 'double'],
};
const Sum: Message = {
  dataPoints: [1, () => NumberPoint],
  aggregationTemporality: [2, 'enum'],
  isMonotonic: [3, 'bool'],
};
const Histogram: Message = {
  dataPoints: [1, () => HistogramPoint],
  aggregationTemporality: [2, 'enum'],
};
const Metric: Message = {
  name: [1, 'string'],
  description: [2, 'string'],
  unit: [3, 'string'],
  sum: [7, () => Sum],
  histogram: [9, () => Histogram],
};
const ScopeMetrics: Message = { scope: [1, () => Scope], metrics: [2, () => Metric] };
const ResourceMetrics: Message = { resource: [1, () => Resource], scopeMetrics: [2, () => ScopeMetrics] };
export const MetricsRequest: Message = { resourceMetrics: [1, () => ResourceMetrics] };

export function attributeList(attributes: Readonly<Record<string, string | number | boolean>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

function toAnyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  // 64-bit integers are texts in JSON.
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
