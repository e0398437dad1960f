// Runs the metrics contract on prom-client, which adds metrics of the process.
import { expect, it } from 'vitest';
import { createPromMetrics } from '../../drivers/metrics/prom.ts';
import { metricsContract } from './metrics-contract.ts';

metricsContract('prom', createPromMetrics);

it('exposes the default process metrics under their standard names', async () => {
  const { text } = await createPromMetrics().expose();
  const names = [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
  ];
  expect(names.filter((name) => !text.includes(`\n${name} `))).toEqual([]);
});
