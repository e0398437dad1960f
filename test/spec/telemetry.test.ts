// Tests which trace a request belongs to, what is recorded below it, and whom the gateway tells. reference: Traces and metrics
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { openEdgeTelemetry } from '../../drivers/telemetry/edge.ts';
import { readConfig } from '../../src/config/config.ts';
import { parseTraceContext, traceFields } from '../../src/egress/trace-context.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { type FakeProvider, startProvider } from '../support/fake-provider.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01` };

describe('traceparent and tracestate', () => {
  it.each([
    ['version 00', `00-${TRACE}-${CLIENT_SPAN}-01`, true],
    ['version 00, not sampled', `00-${TRACE}-${CLIENT_SPAN}-00`, false],
    ['flags that nobody knows yet', `00-${TRACE}-${CLIENT_SPAN}-ff`, true],
    ['a later version with more fields', `cc-${TRACE}-${CLIENT_SPAN}-01-what-the-future-brings`, true],
  ])('are read: %s', (_name, traceparent, isSampled) => {
    expect(parseTraceContext(traceparent, 'a=1, b@c=x y')).toEqual({
      traceId: TRACE,
      spanId: CLIENT_SPAN,
      isSampled,
      state: 'a=1,b@c=x y',
    });
  });

  it.each([
    undefined,
    null,
    7,
    '',
    `00-${TRACE}-${CLIENT_SPAN}`,
    `00-${TRACE}-${CLIENT_SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${CLIENT_SPAN}-01`,
    `00-${'0'.repeat(32)}-${CLIENT_SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${CLIENT_SPAN}-01`,
    `cc-${TRACE}-${CLIENT_SPAN}-01.more`,
    ` 00-${TRACE}-${CLIENT_SPAN}-01`,
    `00-${TRACE}-${CLIENT_SPAN}-01, 00-${TRACE}-${CLIENT_SPAN}-01`,
  ])('are ignored when the traceparent is %j', (traceparent) => {
    expect(parseTraceContext(traceparent, undefined)).toBeUndefined();
  });

  it.each(['novalue', 'UPPER=1', 'a=1,a=2', 'a=', `a=${'x'.repeat(600)}`, '=x', 'a=\u00e9', 7])(
    'go on without a state that is wrong: %j',
    (tracestate) => {
      const context = parseTraceContext(SAMPLED.traceparent, tracestate);
      expect(context).toMatchObject({ traceId: TRACE, state: undefined });
      expect(context === undefined ? null : traceFields(context)).toEqual(SAMPLED);
    },
  );
});

describe('a request', () => {
  let receiver: OtlpReceiver;
  let provider: FakeProvider;
  let telemetry: Telemetry;
  let app: TestApp;
  let ana: TestUser;

  async function open(env: Record<string, string> = {}): Promise<void> {
    const all = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env };
    const config = readConfig(all, () => '0'.repeat(64)).telemetry;
    if (config === null) throw new Error('nothing is exported');
    const log = { shows: () => false, write() {} };
    telemetry = openEdgeTelemetry(config, { fetch, log, random: createSystemRandom() });
    app = await createTestApp({
      env: {
        VAULTED_CLIENT_ID: 'id',
        VAULTED_CLIENT_SECRET: 'secret',
        UPSTREAM_MAP: `https://vaulted.example=${provider.url}`,
        ...all,
      },
      ports: { tracer: telemetry.tracer },
    });
    ana = await app.user();
    await app.deps.vault.save(ana.id, 'vaulted', {
      accessToken: provider.current.access,
      refreshToken: provider.current.refresh,
      expiresAt: app.clock.now() + 3_600,
    });
  }

  beforeEach(async () => {
    [receiver, provider] = await Promise.all([startOtlpReceiver(), startProvider()]);
  });
  afterEach(async () => {
    await app.close();
    await Promise.all([receiver.close(), provider.close()]);
  });

  async function exported(): Promise<ReceivedSpan[]> {
    await telemetry.flush();
    expect(receiver.faults).toEqual([]);
    return receiver.spans;
  }

  const get = (path: string) => ({ executions: [{ tool: 'vaulted_get', args: { path } }] });

  it('is not traced where it is a probe', async () => {
    await open();
    const paths = ['/api/health', '/api/health/ready', '/metrics', '/api/auth/providers'];
    for (const path of paths) await app.request(path, { headers: SAMPLED });
    expect((await exported()).map(({ name }) => name)).toEqual(['GET /api/auth/providers']);
  });

  it('records the refresh of a token below the call that needs it', async () => {
    await open();
    provider.revokeAccess();
    await call(app, { ...ana.keyHeader, ...SAMPLED }, 'execute_tools', get('/x'));
    const spans = await exported();
    const byName = (name: string) => spans.filter((span) => span.name === name);
    const [tool] = byName('execute_tool vaulted_get');
    const [refresh] = byName('refresh_token');
    expect(refresh).toMatchObject({
      traceId: TRACE,
      parentSpanId: tool?.spanId,
      attributes: { 'gateway.integration': 'vaulted' },
    });
    expect(byName('POST').map(({ parentSpanId }) => parentSpanId)).toEqual([refresh?.spanId]);
    expect(byName('GET').map(({ parentSpanId, attributes }) => [parentSpanId, attributes])).toEqual([
      [tool?.spanId, expect.objectContaining({ 'http.response.status_code': 401, 'error.type': '401' })],
      [tool?.spanId, expect.objectContaining({ 'http.response.status_code': 200 })],
    ]);
  });

  it('counts the sampling of a caller only once its credential was checked', async () => {
    await open({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
    await app.request('/api/auth/me', { headers: SAMPLED });
    await app.request('/mcp', { method: 'POST', headers: SAMPLED, body: '{}' });
    await app.request('/rest', { headers: SAMPLED });
    await app.request('/healthz', { headers: SAMPLED });
    expect(await exported()).toEqual([]);
    await app.request('/api/auth/me', { headers: { ...SAMPLED, ...ana.sessionHeader } });
    await app.request('/rest', { headers: { ...SAMPLED, ...ana.keyHeader } });
    expect((await exported()).map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['GET /api/auth/me', CLIENT_SPAN],
      ['GET /rest', CLIENT_SPAN],
    ]);
  });

  it('records no more than 50 requests of strangers a second, and every request of a known caller', async () => {
    await open();
    for (let count = 0; count < 60; count++) await app.request('/api/auth/me');
    await app.request('/api/auth/me', { headers: ana.sessionHeader });
    const statuses = (await exported()).map(({ attributes }) => attributes['http.response.status_code']);
    expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([50, 200]);
  });

  it('tells no upstream its trace unless the operator asks for it', async () => {
    await open();
    await call(app, { ...ana.keyHeader, ...SAMPLED }, 'execute_tools', get('/x'));
    expect(provider.calls.map(({ headers }) => headers['traceparent'])).toEqual([undefined]);
  });

  it('tells the upstreams that the operator names, with the state, and none behind a redirect', async () => {
    await open({ TRACE_UPSTREAM: 'vaulted' });
    const other = await startHttpServer();
    const seen: unknown[] = [];
    other.answer((request, response) => {
      seen.push(request.headers['traceparent']);
      response.end('{}');
    });
    const span = telemetry.tracer?.start({ name: 'call', kind: 'internal' });
    const first = await startHttpServer((request, response) => {
      seen.push(request.headers['traceparent']);
      response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
    });
    const bound = app.deps.egress.bind({ span, passesTrace: true });
    await (await bound.fetch(`http://127.0.0.1:${first.port}/`)).text();
    expect(seen).toEqual([expect.stringContaining(`-${span?.context.traceId}-`), undefined]);
    await Promise.all([first.close(), other.close()]);

    const headers = { ...ana.keyHeader, ...SAMPLED, tracestate: 'vendor=1' };
    await call(app, headers, 'execute_tools', get('/x'));
    const [told] = provider.calls;
    const sent = (await exported()).find(({ name, traceId }) => name === 'GET' && traceId === TRACE);
    expect(told?.headers).toMatchObject({
      traceparent: `00-${TRACE}-${sent?.spanId}-01`,
      tracestate: 'vendor=1',
    });
  });

  it('names what failed in one of a few words', async () => {
    await open();
    const stranger = { tool: 'vaulted_get', args: { path: '/x' } };
    await provider.close();
    await call(app, ana.keyHeader, 'execute_tools', { executions: [stranger] });
    const spans = await exported();
    expect(
      spans.map(({ name, statusCode, attributes }) => [name, statusCode, attributes['error.type']]),
    ).toEqual([
      ['GET', 2, 'unreachable'],
      ['execute_tool vaulted_get', 2, 'failed'],
      ['tools/call execute_tools', 2, 'tool_error'],
      ['POST /mcp', 0, undefined],
    ]);
    provider = await startProvider();
  });
});
