// Tests what every telemetry driver records and sends, against a collector that checks the published schema.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { VERSION } from '../../src/ports/version.ts';
import type { TelemetryConfig } from '../../src/config/telemetry.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Telemetry, Tracer } from '../../src/ports/telemetry.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';

const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isSampled: true };

type Open = (config: TelemetryConfig, log: Log) => Telemetry | Promise<Telemetry>;

export function telemetryContract(name: string, open: Open): void {
  describe(`telemetry: ${name}`, () => {
    let receiver: OtlpReceiver;
    let events: string[];
    beforeEach(async () => {
      receiver = await startOtlpReceiver();
      events = [];
    });
    afterEach(() => receiver.close());

    async function start(env: Record<string, string> = {}): Promise<Telemetry & { tracer: Tracer }> {
      const all = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env };
      const { telemetry } = readConfig(all, () => '0'.repeat(64));
      if (telemetry === null) throw new Error('nothing is exported');
      const log: Log = {
        shows: () => true,
        write(_level, event, { reason } = {}) {
          events.push(typeof reason === 'string' ? `${event}: ${reason}` : event);
        },
      };
      const opened = await open(telemetry, log);
      if (opened.tracer === null) throw new Error('nothing is traced');
      return { ...opened, tracer: opened.tracer };
    }

    it.each(['http/protobuf', 'http/json'])('sends spans and metrics as %s', async (protocol) => {
      const telemetry = await start({
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc,x-tenant=one',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bed,service.name=other',
        OTEL_SERVICE_NAME: 'gateway-1',
      });
      const { tracer, counts } = telemetry;
      const link = { ...PARENT, spanId: '00f067aa0ba902b7' };
      const outer = tracer.start({ name: 'outer', kind: 'server', parent: PARENT, link, ago: 250 });
      const inner = outer.start({ name: 'inner', kind: 'client', attributes: { text: 'é', whole: 12 } });
      inner.end({ attributes: { flag: true, part: 1.5 }, error: 'timeout' });
      outer.end({ name: 'renamed' });
      outer.end({ name: 'too late' });
      counts?.request('GET', '/x/:name', 200, 0.004);
      counts?.request('GET', '/x/:name', 200, 99);
      counts?.execution('github', true);
      counts?.audit('written', 40);
      await telemetry.close();

      expect(receiver.faults).toEqual([]);
      expect(receiver.spans).toEqual([
        {
          name: 'inner',
          traceId: PARENT.traceId,
          spanId: inner.context.spanId,
          parentSpanId: outer.context.spanId,
          kind: 3,
          attributes: { text: 'é', whole: 12, flag: true, part: 1.5, 'error.type': 'timeout' },
          links: [],
          statusCode: 2,
          durationMs: expect.any(Number),
        },
        {
          name: 'renamed',
          traceId: PARENT.traceId,
          spanId: outer.context.spanId,
          parentSpanId: PARENT.spanId,
          kind: 2,
          attributes: {},
          links: [{ traceId: link.traceId, spanId: link.spanId }],
          statusCode: 0,
          durationMs: expect.any(Number),
        },
      ]);
      expect(receiver.spans[1]?.durationMs).toBeGreaterThanOrEqual(249);
      const labels = { method: 'GET', route: '/x/:name', status: '200' };
      expect(receiver.points).toEqual(
        expect.arrayContaining([
          { metric: 'service.http.requests', attributes: labels, value: 2 },
          { metric: 'service.http.request.duration', attributes: labels, value: 2 },
          {
            metric: 'service.executions',
            attributes: { integration: 'github', success: 'true' },
            value: 1,
          },
          { metric: 'service.audit.rows', attributes: { outcome: 'written' }, value: 40 },
        ]),
      );
      for (const headers of receiver.headers)
        expect(headers).toMatchObject({ authorization: 'Basic abc', 'x-tenant': 'one' });
      for (const resource of receiver.resources)
        expect(resource).toMatchObject({
          'service.name': 'gateway-1',
          'service.version': VERSION,
          'deployment.environment.name': 'test bed',
        });
    });

    it('never sends the tracestate of a caller, and hands it to the children', async () => {
      const telemetry = await start();
      const span = telemetry.tracer.start({
        name: 'a',
        kind: 'server',
        parent: { ...PARENT, state: 'vendor=canary' },
      });
      const child = span.start({ name: 'b', kind: 'internal' });
      expect(child.context.state).toBe('vendor=canary');
      child.end();
      span.end();
      await telemetry.close();
      expect(receiver.spans).toHaveLength(2);
      expect(receiver.bytes()).not.toContain('canary');
    });

    it.each([
      ['parentbased_always_on', {}, { sampled: true, unsampled: false, root: true }],
      ['parentbased_always_off', {}, { sampled: true, unsampled: false, root: false }],
      ['always_on', {}, { sampled: true, unsampled: true, root: true }],
      ['always_off', {}, { sampled: false, unsampled: false, root: false }],
      ['traceidratio', { OTEL_TRACES_SAMPLER_ARG: '0' }, { sampled: false, unsampled: false, root: false }],
      [
        'parentbased_traceidratio',
        { OTEL_TRACES_SAMPLER_ARG: '0.0' },
        { sampled: true, unsampled: false, root: false },
      ],
    ])('samples as %s says', async (sampler, env, expected) => {
      const { tracer, close } = await start({ OTEL_TRACES_SAMPLER: sampler, ...env });
      const isSampled = (parent?: typeof PARENT) =>
        tracer.start({ name: 'a', kind: 'server', parent }).context.isSampled;
      expect({
        sampled: isSampled(PARENT),
        unsampled: isSampled({ ...PARENT, isSampled: false }),
        root: isSampled(),
      }).toEqual(expected);
      await close();
    });

    it('drops spans that find no space, counts them, and says so once', async () => {
      const telemetry = await start({
        OTEL_BSP_MAX_QUEUE_SIZE: '10',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      });
      for (let count = 0; count < 25; count++) telemetry.tracer.start({ name: 'a', kind: 'internal' }).end();
      await telemetry.close();
      expect(receiver.faults).toEqual([]);
      expect(receiver.spans.length).toBeLessThanOrEqual(10);
      const dropped = receiver.points.find(({ metric }) => metric === 'service.telemetry.dropped.spans');
      expect(dropped?.value).toBe(25 - receiver.spans.length);
      expect(events.filter((event) => event.endsWith('queue full'))).toHaveLength(1);
    });

    it('writes one line for an outage and one for its end, without the words of the collector', async () => {
      const telemetry = await start({ OTEL_METRICS_EXPORTER: 'none' });
      receiver.answerWith(400);
      for (let count = 0; count < 3; count++) {
        telemetry.tracer.start({ name: 'a', kind: 'internal' }).end();
        await telemetry.flush();
      }
      expect(events).toEqual(['telemetry is not delivered: HTTP 400']);
      receiver.answerWith(200);
      telemetry.tracer.start({ name: 'b', kind: 'internal' }).end();
      await telemetry.close();
      expect(events).toEqual(['telemetry is not delivered: HTTP 400', 'telemetry is delivered again']);
      expect(receiver.spans.map((span) => span.name)).toEqual(['b']);
    });

    it('closes in time when nobody listens', async () => {
      const telemetry = await start({ OTEL_EXPORTER_OTLP_TIMEOUT: '200' });
      await receiver.close();
      telemetry.tracer.start({ name: 'a', kind: 'internal' }).end();
      await telemetry.close();
      expect(new Set(events)).toEqual(new Set(['telemetry is not delivered: unreachable']));
      receiver = await startOtlpReceiver();
    });
  });
}
