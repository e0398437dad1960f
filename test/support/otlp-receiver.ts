// A collector for tests: takes OTLP over HTTP as protobuf and as JSON, and checks each message against the published schema.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import root from 'otlp-schema/build/src/generated/root.js';
import { listen } from './listen.ts';
import { waitUntil } from './wait.ts';

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  statusCode: number;
  durationMs: number;
}

export interface ReceivedPoint {
  metric: string;
  attributes: Record<string, unknown>;
  value: number;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** The last value of each series, or its sum where the sender counts anew each time. */
  points: ReceivedPoint[];
  resources: Record<string, unknown>[];
  /** Everything that was received, to search for what must not be there. */
  bytes(): string;
  headers: Record<string, unknown>[];
  /** What was wrong with a message. */
  faults: string[];
  /** Answers later requests with this status. */
  answerWith(status: number): void;
  requests(): number;
  waitForSpans(what: string, holds: (spans: readonly ReceivedSpan[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** The schema as the OpenTelemetry project has compiled it. */
// The types of the package lack the namespaces that its code exports; the first look-up would fail without them.
const schema = root as unknown as { opentelemetry: { proto: { collector: Collector } } };

interface Collector {
  trace: { v1: { ExportTraceServiceRequest: MessageType } };
  metrics: { v1: { ExportMetricsServiceRequest: MessageType } };
}

interface MessageType {
  decode(bytes: Uint8Array): unknown;
  encode(message: unknown): { finish(): Uint8Array };
  fromObject(object: object): unknown;
  verify(message: unknown): string | null;
  toObject(message: unknown, options: object): object;
}

const { trace, metrics } = schema.opentelemetry.proto.collector;
const REQUESTS = {
  '/v1/traces': trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': metrics.v1.ExportMetricsServiceRequest,
};
const AS_JSON = { longs: String, bytes: String, enums: Number, arrays: true } as const;

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const raw: Buffer[] = [];
  let status = 200;
  let requests = 0;
  const receiver: OtlpReceiver = {
    url: '',
    spans: [],
    points: [],
    resources: [],
    headers: [],
    faults: [],
    bytes: () => raw.map((each) => each.toString('latin1')).join('\n'),
    answerWith: (next) => (status = next),
    requests: () => requests,
    waitForSpans: (what, holds) =>
      waitUntil(
        what,
        () => holds(receiver.spans),
        () => receiver.spans.map(({ name }) => name),
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request));
    requests++;
    raw.push(body);
    receiver.headers.push(request.headers);
    const path = request.url ?? '';
    if (status === 200) {
      try {
        take(receiver, decode(path, request.headers['content-type'] ?? '', body));
      } catch (error) {
        receiver.faults.push(String(error));
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }

  const server = createServer((request, response) => void receive(request, response));
  receiver.url = `http://127.0.0.1:${await listen(server)}`;
  return receiver;
}

/** Throws for a message with a field that the schema does not have, or with a value of another type. */
function decode(path: string, type: string, body: Buffer): Json {
  if (path !== '/v1/traces' && path !== '/v1/metrics') throw new Error(`no such path: ${path}`);
  const message = REQUESTS[path];
  if (type === 'application/x-protobuf') {
    const decoded = message.decode(body);
    // A field without a name in the schema would be lost here.
    const again = message.encode(decoded).finish();
    if (again.length !== body.length) throw new Error(`${body.length} bytes, ${again.length} of the schema`);
    return toJson(message.toObject(decoded, AS_JSON));
  }
  if (type !== 'application/json') throw new Error(`no such type: ${type}`);
  const given = withBase64(toJson(JSON.parse(body.toString())));
  const made = message.fromObject(given);
  const wrong = message.verify(made);
  if (wrong !== null) throw new Error(wrong);
  const known = toJson(message.toObject(made, { ...AS_JSON, arrays: false }));
  for (const place of placesOf(given)) if (!placesOf(known).has(place)) throw new Error(`unknown: ${place}`);
  return toJson(message.toObject(made, AS_JSON));
}

type Json = { [name: string]: unknown };
const toJson = (value: unknown): Json => Object(value);
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(toJson) : []);

/** OTLP writes ids as hex digits in JSON, and protobuf's own JSON writes bytes as base64. */
function withBase64(value: Json): Json {
  const convert = (each: unknown, name: string): unknown => {
    if (Array.isArray(each)) return each.map((member) => convert(member, ''));
    if (typeof each === 'object' && each !== null)
      return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, convert(inner, key)]));
    return ['traceId', 'spanId', 'parentSpanId'].includes(name)
      ? Buffer.from(String(each), 'hex').toString('base64')
      : each;
  };
  return toJson(convert(value, ''));
}

/** The paths of all members, without those that are empty and therefore not sent. */
function placesOf(value: unknown, at = ''): Set<string> {
  if (typeof value !== 'object' || value === null)
    return new Set(value === 0 || value === '' || value === false ? [] : [at]);
  const inner = Array.isArray(value)
    ? value.map((each) => placesOf(each, `${at}[]`))
    : Object.entries(value).map(([name, each]) => placesOf(each, `${at}.${name}`));
  return new Set(inner.flatMap((places) => [...places]));
}

function take(receiver: OtlpReceiver, message: Json): void {
  for (const { resource, scopeSpans, scopeMetrics } of [
    ...list(message['resourceSpans']),
    ...list(message['resourceMetrics']),
  ]) {
    receiver.resources.push(attributesOf(toJson(resource)['attributes']));
    for (const { spans } of list(scopeSpans)) receiver.spans.push(...list(spans).map(readSpan));
    for (const scope of list(scopeMetrics))
      for (const metric of list(scope['metrics'])) takeMetric(receiver, metric);
  }
}

const DELTA = 1;

function takeMetric({ points }: OtlpReceiver, { name, sum, histogram }: Json): void {
  const data = toJson(sum ?? histogram);
  for (const point of list(data['dataPoints'])) {
    const attributes = attributesOf(point['attributes']);
    const value = Number(point['asInt'] ?? point['asDouble'] ?? point['count']);
    const key = JSON.stringify(attributes);
    const known = points.find((each) => each.metric === name && JSON.stringify(each.attributes) === key);
    if (known === undefined) points.push({ metric: String(name), attributes, value });
    else known.value = data['aggregationTemporality'] === DELTA ? known.value + value : value;
  }
}

const hex = (value: unknown): string =>
  typeof value === 'string' ? Buffer.from(value, 'base64').toString('hex') : '';

function readSpan(span: Json): ReceivedSpan {
  return {
    name: String(span['name']),
    traceId: hex(span['traceId']),
    spanId: hex(span['spanId']),
    parentSpanId: hex(span['parentSpanId']),
    kind: Number(span['kind']),
    attributes: attributesOf(span['attributes']),
    links: list(span['links']).map(({ traceId, spanId }) => ({ traceId: hex(traceId), spanId: hex(spanId) })),
    statusCode: Number(toJson(span['status'])['code'] ?? 0),
    durationMs:
      Number(BigInt(String(span['endTimeUnixNano'])) - BigInt(String(span['startTimeUnixNano']))) / 1e6,
  };
}

function attributesOf(attributes: unknown): Record<string, unknown> {
  return Object.fromEntries(
    list(attributes).map(({ key, value }) => {
      const { stringValue, boolValue, intValue, doubleValue } = toJson(value);
      return [
        String(key),
        stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue)),
      ];
    }),
  );
}
