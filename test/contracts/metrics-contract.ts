// Tests what both metrics drivers expose, line by line.
import { describe, expect, it } from 'vitest';
import type { Metrics } from '../../src/ports/metrics.ts';

export function metricsContract(name: string, create: () => Metrics): void {
  describe(`metrics: ${name}`, () => {
    it('counts requests by method, route pattern and status', async () => {
      const metrics = create();
      metrics.request('GET', '/c/:integration/*', 200, 0.004);
      metrics.request('GET', '/c/:integration/*', 200, 0.004);
      metrics.request('POST', '/mcp', 401, 0.004);
      const lines = await linesOf(metrics);
      expect(lines).toContain('# TYPE service_http_requests_total counter');
      expect(lines).toContain(
        'service_http_requests_total{method="GET",route="/c/:integration/*",status="200"} 2',
      );
      expect(lines).toContain('service_http_requests_total{method="POST",route="/mcp",status="401"} 1');
    });

    it('sorts durations into cumulative buckets with inclusive bounds', async () => {
      const metrics = create();
      for (const seconds of [0.005, 0.0051, 0.5, 10, 11]) metrics.request('GET', '/', 200, seconds);
      const labels = 'method="GET",route="/",status="200"';
      const counts = {
        0.005: 1,
        0.01: 2,
        0.025: 2,
        0.05: 2,
        0.1: 2,
        0.25: 2,
        0.5: 3,
        1: 3,
        2.5: 3,
        5: 3,
        10: 4,
      };
      const sorted = Object.entries(counts).toSorted(([left], [right]) => Number(left) - Number(right));
      const lines = await linesOf(metrics);
      expect(lines.filter((line) => line.includes('duration_seconds'))).toEqual([
        expect.stringContaining('# HELP service_http_request_duration_seconds '),
        '# TYPE service_http_request_duration_seconds histogram',
        ...[...sorted, ['+Inf', 5]].map(
          ([bound, count]) =>
            `service_http_request_duration_seconds_bucket{le="${bound}",${labels}} ${count}`,
        ),
        `service_http_request_duration_seconds_sum{${labels}} 21.5101`,
        `service_http_request_duration_seconds_count{${labels}} 5`,
      ]);
    });

    it('counts executions and audit rows', async () => {
      const metrics = create();
      metrics.execution('github', true);
      metrics.execution('github', false);
      metrics.execution('github', true);
      metrics.audit('written', 40);
      metrics.audit('written', 2);
      metrics.audit('lost', 1);
      expect(await linesOf(metrics)).toEqual(
        expect.arrayContaining([
          'service_executions_total{integration="github",success="true"} 2',
          'service_executions_total{integration="github",success="false"} 1',
          'service_audit_rows_total{outcome="written"} 42',
          'service_audit_rows_total{outcome="lost"} 1',
        ]),
      );
    });

    it('declares every metric before anything has happened', async () => {
      const lines = await linesOf(create());
      expect(lines.filter((line) => line.startsWith('# TYPE'))).toEqual([
        '# TYPE service_http_requests_total counter',
        '# TYPE service_http_request_duration_seconds histogram',
        '# TYPE service_executions_total counter',
        '# TYPE service_audit_rows_total counter',
      ]);
    });

    it('escapes label values', async () => {
      const metrics = create();
      metrics.execution('a"b\\c\nd', true);
      expect(await linesOf(metrics)).toContain(
        String.raw`service_executions_total{integration="a\"b\\c\nd",success="true"} 1`,
      );
    });

    it('exposes text that ends with a line feed, under the Prometheus content type', async () => {
      const { contentType, text } = await create().expose();
      expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(text.endsWith('\n')).toBe(true);
    });

    it('keeps the counts of two instances apart', async () => {
      const [one, other] = [create(), create()];
      one.execution('github', true);
      expect((await linesOf(other)).join('\n')).not.toContain('github');
    });
  });
}

async function linesOf(metrics: Metrics): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => /^(?:# \w+ )?service_/.test(line));
}
