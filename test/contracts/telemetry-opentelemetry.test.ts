import { openTelemetry } from '../../drivers/telemetry/opentelemetry.ts';
import { telemetryContract } from './telemetry.ts';

telemetryContract('opentelemetry', openTelemetry);
