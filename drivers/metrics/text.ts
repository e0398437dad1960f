// Counts the gateway's metrics and writes them as Prometheus text. It uses only arithmetic, so it runs on the
// edge and on Node.
import type { Metrics } from '../../src/ports/metrics.ts';
import { AUDIT_ROWS, DURATIONS, EXECUTIONS, REQUESTS } from './names.ts';

interface Family {
  name: string;
  help: string;
  labels: readonly string[];
}

/** Creates a counter once per combination of label values, so that counting is one look-up. */
interface Series {
  labels: string;
  count: number;
}

interface Durations extends Series {
  /** Not yet cumulative; the last bucket counts values above every bound. */
  buckets: number[];
  sum: number;
}

export function createTextMetrics(): Metrics {
  const requests = new Map<string, Durations>();
  const executions = new Map<string, Series>();
  const auditRows = new Map<string, Series>();

  return {
    request(method, route, status, seconds) {
      const key = `${status} ${method} ${route}`;
      let seen = requests.get(key);
      if (seen === undefined) {
        const labels = formatLabels(DURATIONS, [method, route, String(status)]);
        seen = { labels, count: 0, buckets: Array(DURATIONS.buckets.length + 1).fill(0), sum: 0 };
        requests.set(key, seen);
      }
      const at = DURATIONS.buckets.findIndex((bound) => seconds <= bound);
      const bucket = at === -1 ? DURATIONS.buckets.length : at;
      seen.buckets[bucket] = (seen.buckets[bucket] ?? 0) + 1;
      seen.sum += seconds;
      seen.count += 1;
    },
    execution: (integration, success) =>
      count(executions, EXECUTIONS, `${success} ${integration}`, () => [integration, String(success)], 1),
    audit: (outcome, rows) => count(auditRows, AUDIT_ROWS, outcome, () => [outcome], rows),
    expose: async () => ({
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: [
        ...head(REQUESTS, 'counter'),
        ...counterLines(REQUESTS.name, requests),
        ...head(DURATIONS, 'histogram'),
        ...histogramLines(requests),
        ...head(EXECUTIONS, 'counter'),
        ...counterLines(EXECUTIONS.name, executions),
        ...head(AUDIT_ROWS, 'counter'),
        ...counterLines(AUDIT_ROWS.name, auditRows),
        '',
      ].join('\n'),
    }),
  };
}

function count(
  all: Map<string, Series>,
  family: Family,
  key: string,
  values: () => string[],
  by: number,
): void {
  const seen = all.get(key);
  if (seen === undefined) all.set(key, { labels: formatLabels(family, values()), count: by });
  else seen.count += by;
}

function formatLabels({ labels }: Family, values: readonly string[]): string {
  return labels.map((label, at) => `${label}="${escape(values[at] ?? '')}"`).join(',');
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function head({ name, help }: Family, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function counterLines(name: string, all: Map<string, Series>): string[] {
  return [...all.values()].map((series) => `${name}{${series.labels}} ${series.count}`);
}

function histogramLines(all: Map<string, Durations>): string[] {
  const { name } = DURATIONS;
  return [...all.values()].flatMap(({ labels, buckets, sum, count: total }) => {
    let upTo = 0;
    const bounds = [...DURATIONS.buckets, '+Inf'];
    return [
      ...bounds.map((bound, at) => `${name}_bucket{le="${bound}",${labels}} ${(upTo += buckets[at] ?? 0)}`),
      `${name}_sum{${labels}} ${sum}`,
      `${name}_count{${labels}} ${total}`,
    ];
  });
}
