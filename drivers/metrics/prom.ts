// Metrics through prom-client, with its default metrics of the process. Node only.
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../src/ports/metrics.ts';
import { AUDIT_ROWS, DURATIONS, EXECUTIONS, REQUESTS } from './names.ts';

export function createPromMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const counter = <Label extends string>(metric: {
    name: string;
    help: string;
    labels: readonly Label[];
  }): Counter<Label> =>
    new Counter({ name: metric.name, help: metric.help, labelNames: metric.labels, registers: [registry] });

  const requests = counter(REQUESTS);
  const durations = new Histogram({
    name: DURATIONS.name,
    help: DURATIONS.help,
    labelNames: DURATIONS.labels,
    buckets: [...DURATIONS.buckets],
    registers: [registry],
  });
  const executions = counter(EXECUTIONS);
  const auditRows = counter(AUDIT_ROWS);

  return {
    request(method, route, status, seconds) {
      const labels = { method, route, status };
      requests.inc(labels);
      durations.observe(labels, seconds);
    },
    execution: (integration, success) => executions.inc({ integration, success: String(success) }),
    audit: (outcome, rows) => auditRows.inc({ outcome }, rows),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
