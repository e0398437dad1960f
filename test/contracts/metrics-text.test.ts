// The plain exposition keeps the metrics contract.
import { createTextMetrics } from '../../drivers/metrics/text.ts';
import { metricsContract } from './metrics-contract.ts';

metricsContract('text', createTextMetrics);
