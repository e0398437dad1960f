// The names of the gateway's metrics in OpenTelemetry. A collector that writes them for Prometheus makes the names of
// /metrics out of them.
import { VERSION } from '../../src/ports/version.ts';

export const SCOPE = { name: 'tool-gateway', version: VERSION };

export const METRICS = {
  requests: { name: 'service.http.requests', unit: '{request}', description: 'HTTP requests answered.' },
  durations: {
    name: 'service.http.request.duration',
    unit: 's',
    description: 'Time from the request to its response.',
  },
  executions: { name: 'service.executions', unit: '{execution}', description: 'Tool executions.' },
  auditRows: { name: 'service.audit.rows', unit: '{row}', description: 'Audit rows by outcome.' },
  droppedSpans: {
    name: 'service.telemetry.dropped.spans',
    unit: '{span}',
    description: 'Spans that found no space in the queue.',
  },
} as const;
