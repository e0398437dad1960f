// Counts what the service does. Labels are route patterns and fixed words, never text from a caller.
export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void;
  execution(integration: string, success: boolean): void;
  /** Counts audit rows: written, retried after a failed write, or lost. */
  audit(outcome: 'written' | 'retried' | 'lost', rows: number): void;
  /** Returns Prometheus text. */
  expose(): Promise<{ contentType: string; text: string }>;
}
