// Follows one call from an unmodified client through the gateway to an upstream, as a collector sees it, and searches
// everything that was exported for what must not be there. reference: Traces and metrics; decision: 014
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser } from '../support/import-user.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { type ScriptedServer, startScripted } from '../support/scripted-mcp.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const SERVER = 2;
const CLIENT = 3;
const INTERNAL = 1;
/** Each is in some request, response, name or header of this file. */
const CANARIES = {
  argument: 'canary-argument',
  query: 'canary-query',
  result: 'canary-result',
  credential: 're_canary_credential',
  email: 'canary@example.com',
  state: 'canary-state',
  importName: 'canaryimport',
  wrongTool: 'canary-tool',
  wrongMethod: 'canary/method',
  path: 'canary-path',
};

let site: Site;
let gateway: Gateway & Banner;
let receiver: OtlpReceiver;
let upstream: HttpServer;
let imported: ScriptedServer;
/** The `traceparent` of each request to the upstream. */
const told: (string | undefined)[] = [];

beforeAll(async () => {
  [receiver, imported, upstream] = await Promise.all([
    startOtlpReceiver(),
    startScripted(),
    startHttpServer((request, response) => {
      const { traceparent } = request.headers;
      told.push(Array.isArray(traceparent) ? traceparent[0] : traceparent);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [CANARIES.result] }));
    }),
  ]);
  site = await openSite();
  gateway = await site.start({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream.port}`,
      TRACE_UPSTREAM: 'resend,imported',
    },
  });
  const values = { apiKey: CANARIES.credential };
  await post('/api/auth/apikey/resend', { values });
  const person = createImportUser(gateway, { keyHeader: key(), sessionHeader: session() });
  await person.add({ address: imported.address, name: CANARIES.importName });
});
afterAll(async () => {
  await Promise.all([site.close(), upstream.close(), imported.close()]);
  await receiver.close();
});

const key = () => ({ 'x-service-api-key': gateway.apiKey });
const session = () => ({ authorization: `Bearer ${gateway.session}` });
const parentOf = (trace: string) => `00-${trace}-${CLIENT_SPAN}-01`;

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await gateway.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key(), ...headers },
    body: JSON.stringify(body),
  });
  await response.clone().text();
  return response;
}

/** Waits for the spans of a trace, and returns them by name. */
async function spansOf(trace: string, names: readonly string[]): Promise<Record<string, ReceivedSpan>> {
  const own = (spans: readonly ReceivedSpan[]) => spans.filter(({ traceId }) => traceId === trace);
  await receiver.waitForSpans(`the spans ${names.join(', ')}`, (spans) =>
    names.every((name) => own(spans).some((span) => span.name === name)),
  );
  const found = own(receiver.spans);
  expect(found.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  return Object.fromEntries(found.map((span) => [span.name, span]));
}

const execution = {
  tool: 'resend_request',
  args: {
    method: 'GET',
    path: `/emails/${CANARIES.path}`,
    query: { search: CANARIES.query, to: CANARIES.email },
  },
};
const callOf = (...executions: object[]) => ({ name: 'execute_tools', arguments: { executions } });

describe('one call from a client through the gateway to its upstream', () => {
  it.each([
    ['the first generation of the SDK', 'a'],
    ['the second generation of the SDK', 'b'],
  ])('is one trace, with a span for each hop, from _meta of %s', async (generation, digit) => {
    const trace = digit.repeat(32);
    const url = new URL('/mcp', gateway.base);
    const requestInit = { headers: key() };
    const _meta = { traceparent: parentOf(trace), tracestate: `vendor=${CANARIES.state}` };
    told.length = 0;
    if (generation.includes('first')) {
      const client = new ClientV1({ name: 'test', version: '1.0.0' });
      await client.connect(new TransportV1(url, { requestInit }));
      await client.callTool({ ...callOf(execution), _meta });
      await client.close();
    } else {
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      await client.callTool({ ...callOf(execution), _meta });
      await client.close();
    }

    const spans = await spansOf(trace, [
      'POST /mcp',
      'tools/call execute_tools',
      'execute_tool resend_request',
      'GET',
    ]);
    const {
      'POST /mcp': http,
      'tools/call execute_tools': call,
      'execute_tool resend_request': tool,
      GET: sent,
    } = spans;
    expect(http).toMatchObject({
      kind: SERVER,
      parentSpanId: CLIENT_SPAN,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/mcp',
        'http.response.status_code': 200,
        'gateway.request.id': expect.any(String),
      },
    });
    expect(call).toMatchObject({
      kind: SERVER,
      parentSpanId: CLIENT_SPAN,
      links: [{ traceId: trace, spanId: http?.spanId }],
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'execute_tools',
      },
    });
    expect(tool).toMatchObject({
      kind: INTERNAL,
      parentSpanId: call?.spanId,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'resend_request',
        'gateway.integration': 'resend',
        'gateway.access': 'destroy',
        'gateway.outcome': 'ok',
      },
    });
    expect(sent).toMatchObject({
      kind: CLIENT,
      parentSpanId: tool?.spanId,
      attributes: {
        'http.request.method': 'GET',
        'server.address': 'api.resend.com',
        'http.response.status_code': 200,
      },
    });
    expect(told).toEqual([`00-${trace}-${sent?.spanId}-01`]);
  });

  it('continues the trace of the headers over REST', async () => {
    const trace = 'c'.repeat(32);
    await post('/rest/resend', execution, { traceparent: parentOf(trace) });
    const spans = await spansOf(trace, ['POST /rest/:integration', 'execute_tool resend_request', 'GET']);
    expect(spans['POST /rest/:integration']?.parentSpanId).toBe(CLIENT_SPAN);
    expect(spans['execute_tool resend_request']?.parentSpanId).toBe(spans['POST /rest/:integration']?.spanId);
  });

  it('continues the trace of the headers over /c, whose caller keeps its own header', async () => {
    const trace = 'd'.repeat(32);
    const lent = await post('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'curl_session', arguments: { integrations: ['resend'] } },
    });
    const { token } = JSON.parse((await lent.json()).result.content[0].text);
    told.length = 0;
    const authorization = `Bearer ${token}`;
    const path = `/c/resend/emails/${CANARIES.path}?search=${CANARIES.query}`;
    await (await gateway.request(path, { headers: { authorization, traceparent: parentOf(trace) } })).text();
    await (await gateway.request(path, { headers: { authorization } })).text();
    const spans = await spansOf(trace, ['GET /c/:integration/*', 'GET']);
    expect(spans['GET /c/:integration/*']?.parentSpanId).toBe(CLIENT_SPAN);
    expect(spans['GET']).toMatchObject({
      parentSpanId: spans['GET /c/:integration/*']?.spanId,
      attributes: { 'server.address': 'api.resend.com', 'http.response.status_code': 200 },
    });
    expect(told).toEqual([parentOf(trace), expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)]);
  });

  it('continues the trace at an MCP server that somebody has added, in _meta and in the headers', async () => {
    const trace = 'e'.repeat(32);
    imported.messages.length = 0;
    const called = { tool: `${CANARIES.importName}_tool`, args: { text: CANARIES.argument } };
    const answer = await post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: callOf(called) },
      { traceparent: parentOf(trace) },
    );
    expect((await answer.json()).result.content[0].text).toContain('done');
    await receiver.waitForSpans('the execution', (spans) =>
      spans.some(({ traceId, name }) => traceId === trace && name === 'execute_tool imported'),
    );
    const tool = receiver.spans.find(
      ({ traceId, name }) => traceId === trace && name === 'execute_tool imported',
    );
    expect(tool?.attributes).toMatchObject({
      'gen_ai.tool.name': 'imported',
      'gateway.integration': 'imported',
    });
    const sent = imported.messages.find(({ method }) => method === 'tools/call');
    expect(sent?.params).toMatchObject({ _meta: { traceparent: `00-${trace}-${tool?.spanId}-01` } });
    const posts = receiver.spans.filter(({ parentSpanId }) => parentSpanId === tool?.spanId);
    expect(posts.length).toBeGreaterThan(0);
    for (const { attributes } of posts) expect(attributes).not.toHaveProperty('server.address');
  });
});

describe('a caller', () => {
  it('that is unknown cannot choose its trace', async () => {
    const trace = '1'.repeat(32);
    const headers = { traceparent: parentOf(trace), 'content-type': 'application/json' };
    const response = await gateway.request('/mcp', { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(401);
    await receiver.waitForSpans('the refusal', (spans) =>
      spans.some(({ attributes }) => attributes['http.response.status_code'] === 401),
    );
    expect(receiver.spans.filter(({ traceId }) => traceId === trace)).toEqual([]);
  });

  it.each([
    '00-zz-b7ad6b7169203331-01',
    `ff-${TRACE}-${CLIENT_SPAN}-01`,
    `00-${TRACE}-${CLIENT_SPAN}-01-x`,
    '',
  ])('whose traceparent is %j gets its answer, in a trace of its own', async (traceparent) => {
    const before = receiver.spans.length;
    const response = await post('/rest/time', { tool: 'time_now', args: {} }, { traceparent });
    expect(response.status).toBe(200);
    await receiver.waitForSpans('the request', (spans) =>
      spans.slice(before).some(({ name }) => name === 'POST /rest/:integration'),
    );
    expect(receiver.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
  });

  it('that sends words of its own leaves none of them in names', async () => {
    const params = { name: CANARIES.wrongTool, arguments: {} };
    await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await post('/mcp', { jsonrpc: '2.0', id: 1, method: CANARIES.wrongMethod });
    // Below /api an unknown path is no page of the portal.
    await gateway.request(`/api/${CANARIES.path}?${CANARIES.query}`, { headers: key() });
    await receiver.waitForSpans('the wrong requests', (spans) =>
      ['tools/call _OTHER', '_OTHER', 'GET unmatched'].every((name) =>
        spans.some((span) => span.name === name),
      ),
    );
    const refused = receiver.spans.find(({ name }) => name === 'tools/call _OTHER');
    expect(refused).toMatchObject({ attributes: { 'error.type': '-32602' }, statusCode: 2 });
  });
});

describe('everything that was exported', () => {
  it('follows the published schema', () => {
    expect(receiver.spans.length).toBeGreaterThan(10);
    expect(receiver.faults).toEqual([]);
  });

  it('counts what /metrics counts', async () => {
    const labels = { integration: 'resend', success: 'true' };
    const find = () =>
      receiver.points.find(
        ({ metric, attributes }) =>
          metric === 'service.executions' && attributes['integration'] === labels.integration,
      );
    await receiver.waitForSpans('the executions', () => (find()?.value ?? 0) >= 3);
    expect(find()?.attributes).toEqual(labels);
    const names = new Set(receiver.points.map(({ metric }) => metric));
    expect([...names].toSorted()).toEqual([
      'service.audit.rows',
      'service.executions',
      'service.http.request.duration',
      'service.http.requests',
    ]);
  });

  it('has no argument, result, credential, address, query, path or name that people choose', async () => {
    await gateway.stop();
    const exported = receiver.bytes();
    expect(exported).toContain('execute_tool resend_request');
    for (const [what, canary] of Object.entries({
      ...CANARIES,
      key: gateway.apiKey,
      session: gateway.session,
    }))
      expect(exported.includes(canary), what).toBe(false);
  });

  it('is complete after a stop', () => {
    expect(gateway.output.stdout).toContain('"event":"stopped"');
    expect(gateway.output.stdout).not.toContain('telemetry is not delivered');
  });
});

describe('a collector that takes a request and never answers', () => {
  it('neither delays nor fails a call, is named once, and does not keep the gateway from stopping', async () => {
    const silent = await startHttpServer(() => {});
    const own = await openSite();
    const other = await own.start({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${silent.port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: '100',
        OTEL_BSP_SCHEDULE_DELAY: '10',
        OTEL_BSP_MAX_QUEUE_SIZE: '8',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
      },
    });
    for (let count = 0; count < 30; count++) {
      const response = await other.request('/rest/time', {
        method: 'POST',
        headers: { 'x-service-api-key': other.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ tool: 'time_now', args: {} }),
      });
      expect(response.status).toBe(200);
    }
    await other.says('telemetry is not delivered');
    expect((await other.stop()).code).toBe(0);
    const lines = other.output.stdout.split('\n').filter((line) => line.includes('telemetry is'));
    const signals = lines.map((line): unknown => JSON.parse(line).signal);
    expect(signals).toContain('traces');
    expect(new Set(signals).size).toBe(signals.length);
    await own.close();
    await silent.close();
  });
});
