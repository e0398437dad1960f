// What is counted, and beside it prom-client's default metrics of the process. Node only.
// prom-client's own counters sort and join their labels at every count, which the hot path would pay for.
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Metrics } from '../../src/ports/metrics.ts';
import { createTextMetrics } from './text.ts';

export function createPromMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counted = createTextMetrics();

  return {
    ...counted,
    async expose() {
      const [{ contentType, text }, ofProcess] = await Promise.all([counted.expose(), registry.metrics()]);
      return { contentType, text: `${text}${ofProcess}` };
    },
  };
}
