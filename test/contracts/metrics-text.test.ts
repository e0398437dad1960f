// The plain exposition keeps the metrics contract, and says the same as prom-client.
import { expect, it } from 'vitest';
import { createPromMetrics } from '../../drivers/metrics/prom.ts';
import { createTextMetrics } from '../../drivers/metrics/text.ts';
import { metricsContract } from './metrics-contract.ts';

metricsContract('text', createTextMetrics);

it('metrics: text and prom tell the same observations in the same lines', async () => {
  const [text, prom] = await Promise.all(
    [createTextMetrics(), createPromMetrics()].map(async (metrics) => {
      for (let n = 0; n < 60; n++) {
        metrics.request(n % 2 ? 'GET' : 'POST', `/route/${n % 3}`, n % 5 ? 200 : 404, (n * n) / 300);
        metrics.execution(`tool${n % 4}`, n % 3 === 0);
        metrics.audit('written', n);
      }
      const lines = (await metrics.expose()).text.split('\n');
      return lines.filter((line) => line.includes('service_'));
    }),
  );
  expect(text).toEqual(prom);
});
