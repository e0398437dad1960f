// Adds prom-client's default process metrics to the gateway's own. Node only. The gateway counts its own
// metrics, because prom-client sorts and joins labels at every count, on the hot path.
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
