// Runs the metrics contract on the plain text driver.
import { createTextMetrics } from '../../drivers/metrics/text.ts';
import { metricsContract } from './metrics-contract.ts';

metricsContract('text', createTextMetrics);
