// Counts twice: for /metrics, and for what is exported.
import type { Metrics } from '../../src/ports/metrics.ts';
import type { Counts } from '../../src/ports/telemetry.ts';

export function countTwice(metrics: Metrics, also: Counts | null): Metrics {
  if (also === null) return metrics;
  return {
    request(method, route, status, seconds) {
      metrics.request(method, route, status, seconds);
      also.request(method, route, status, seconds);
    },
    execution(integration, success) {
      metrics.execution(integration, success);
      also.execution(integration, success);
    },
    audit(outcome, rows) {
      metrics.audit(outcome, rows);
      also.audit(outcome, rows);
    },
    expose: () => metrics.expose(),
  };
}
