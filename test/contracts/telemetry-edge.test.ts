import { createSystemRandom } from '../../drivers/system/random.ts';
import { openEdgeTelemetry } from '../../drivers/telemetry/edge.ts';
import { telemetryContract } from './telemetry.ts';

telemetryContract('edge', (config, log) =>
  openEdgeTelemetry(config, { fetch, log, random: createSystemRandom() }),
);
