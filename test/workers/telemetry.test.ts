// Tests what the Worker exports: each request sends its spans after its response, encoded by our own encoder in workerd.
// reference: Traces and metrics; decision: 014
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedUser } from '../../adapters/node/owner.ts';
import type { Bindings } from '../../adapters/workers/bindings.ts';
import { openIsolate } from '../../adapters/workers/isolate.ts';
import { openPorts } from '../../adapters/workers/ports.ts';
import { createDeps } from '../../src/deps.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startHarness } from '../support/worker.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const CANARY = 'canary-on-the-edge';

let receiver: OtlpReceiver;
let upstream: HttpServer;
let worker: Awaited<ReturnType<typeof startHarness>>;
let headers: Record<string, string>;
const told: unknown[] = [];

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  upstream = await startHttpServer((request, response) => {
    told.push(request.headers['traceparent']);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: CANARY }));
  });
  const vars = {
    SESSION_SECRET: '0123456789abcdef'.repeat(4),
    ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_METRIC_EXPORT_INTERVAL: '1',
    TRACE_UPSTREAM: 'on',
    UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream.port}`,
  };
  worker = await startHarness({ vars });
  // The first request to the database creates the tables.
  await worker.request('/j/nobody/');
  const env = await worker.harness.getWorker<Bindings>().getEnv();
  const bindings = { ...env, ...vars, SERVER_PUBLIC_URL: worker.publicUrl };
  const deps = await createDeps(openPorts(bindings, openIsolate(bindings)));
  const { apiKey } = await seedUser(deps, 'canary-mail@example.com');
  headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' };
}, 180_000);
afterAll(async () => {
  await worker.close();
  await upstream.close();
  await receiver.close();
});

it('sends one trace of a call, from _meta to the upstream, and the metrics', async () => {
  const values = { apiKey: `re_${CANARY}` };
  const connected = await worker.request('/api/auth/apikey/resend', {
    method: 'POST',
    headers,
    body: JSON.stringify({ values }),
  });
  expect(connected.status).toBe(200);
  const args = { method: 'GET', path: '/emails', query: { search: CANARY } };
  const params = {
    name: 'execute_tools',
    arguments: { executions: [{ tool: 'resend_request', args }] },
    _meta: { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01`, tracestate: `vendor=${CANARY}` },
  };
  const response = await worker.request('/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(await response.text()).toContain(CANARY);

  const names = ['POST /mcp', 'tools/call execute_tools', 'execute_tool resend_request', 'GET'];
  const find = (name: string) => receiver.spans.find((span) => span.name === name && span.traceId === TRACE);
  await receiver.waitForSpans('the trace', () => names.every((name) => find(name) !== undefined));
  const [http, call, tool, sent] = names.map(find);
  expect(http?.parentSpanId).toBe(CLIENT_SPAN);
  expect(call).toMatchObject({
    parentSpanId: CLIENT_SPAN,
    links: [{ traceId: TRACE, spanId: http?.spanId }],
  });
  expect(tool?.parentSpanId).toBe(call?.spanId);
  expect(sent).toMatchObject({
    parentSpanId: tool?.spanId,
    attributes: { 'server.address': 'api.resend.com', 'http.response.status_code': 200 },
  });
  expect(told).toEqual([`00-${TRACE}-${sent?.spanId}-01`]);

  await receiver.waitForSpans('the metrics', () =>
    receiver.points.some(
      ({ metric, attributes }) => metric === 'service.executions' && attributes['integration'] === 'resend',
    ),
  );
  expect(receiver.faults).toEqual([]);
  expect(receiver.bytes()).not.toContain('canary');
});
