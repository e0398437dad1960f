// The same metrics in Prometheus text, with nothing but arithmetic: for the edge.
import type { Metrics } from '../../src/ports/metrics.ts';
import { AUDIT_ROWS, DURATIONS, EXECUTIONS, REQUESTS } from './names.ts';

interface Family {
  name: string;
  help: string;
  labels: readonly string[];
}

interface Durations {
  /** Not yet cumulative; the last one is for what exceeds every bound. */
  buckets: number[];
  sum: number;
  count: number;
}

export function createTextMetrics(): Metrics {
  const requests = new Map<string, number>();
  const durations = new Map<string, Durations>();
  const executions = new Map<string, number>();
  const auditRows = new Map<string, number>();

  return {
    request(method, route, status, seconds) {
      const labels = labelling(DURATIONS, [method, route, String(status)]);
      add(requests, labels, 1);
      observe(durations, labels, seconds);
    },
    execution: (integration, success) =>
      add(executions, labelling(EXECUTIONS, [integration, String(success)]), 1),
    audit: (outcome, rows) => add(auditRows, labelling(AUDIT_ROWS, [outcome]), rows),
    expose: async () => ({
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: [
        ...head(REQUESTS, 'counter'),
        ...counterLines(REQUESTS.name, requests),
        ...head(DURATIONS, 'histogram'),
        ...histogramLines(durations),
        ...head(EXECUTIONS, 'counter'),
        ...counterLines(EXECUTIONS.name, executions),
        ...head(AUDIT_ROWS, 'counter'),
        ...counterLines(AUDIT_ROWS.name, auditRows),
        '',
      ].join('\n'),
    }),
  };
}

function labelling({ labels }: Family, values: readonly string[]): string {
  return labels.map((label, at) => `${label}="${escape(values[at] ?? '')}"`).join(',');
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function add(counts: Map<string, number>, labels: string, by: number): void {
  counts.set(labels, (counts.get(labels) ?? 0) + by);
}

function observe(all: Map<string, Durations>, labels: string, seconds: number): void {
  const seen = all.get(labels) ?? { buckets: Array(DURATIONS.buckets.length + 1).fill(0), sum: 0, count: 0 };
  const at = DURATIONS.buckets.findIndex((bound) => seconds <= bound);
  const bucket = at === -1 ? DURATIONS.buckets.length : at;
  seen.buckets[bucket] = (seen.buckets[bucket] ?? 0) + 1;
  seen.sum += seconds;
  seen.count += 1;
  all.set(labels, seen);
}

function head({ name, help }: Family, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function counterLines(name: string, counts: Map<string, number>): string[] {
  return [...counts].map(([labels, count]) => `${name}{${labels}} ${count}`);
}

function histogramLines(all: Map<string, Durations>): string[] {
  const { name } = DURATIONS;
  return [...all].flatMap(([labels, { buckets, sum, count }]) => {
    let upTo = 0;
    const bounds = [...DURATIONS.buckets, '+Inf'];
    return [
      ...bounds.map((bound, at) => `${name}_bucket{le="${bound}",${labels}} ${(upTo += buckets[at] ?? 0)}`),
      `${name}_sum{${labels}} ${sum}`,
      `${name}_count{${labels}} ${count}`,
    ];
  });
}
