// The names, labels and help texts of the gateway's metrics.
export const REQUESTS = {
  name: 'service_http_requests_total',
  help: 'HTTP requests answered.',
  labels: ['method', 'route', 'status'],
} as const;

export const DURATIONS = {
  name: 'service_http_request_duration_seconds',
  help: 'Time from the request to its response.',
  labels: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
} as const;

export const EXECUTIONS = {
  name: 'service_executions_total',
  help: 'Tool executions.',
  labels: ['integration', 'success'],
} as const;

export const AUDIT_ROWS = {
  name: 'service_audit_rows_total',
  help: 'Audit rows by outcome.',
  labels: ['outcome'],
} as const;

/** Only where several processes share a port. */
export const WORKER_UP = {
  name: 'service_worker_up',
  help: 'Whether the process of this number answered.',
  labels: ['worker'],
} as const;
