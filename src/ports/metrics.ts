// What the service counts. Labels are route patterns and fixed words, never anything a caller wrote.
export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void;
  execution(integration: string, success: boolean): void;
  /** Audit rows: written, tried again after a failed write, or given up. */
  audit(outcome: 'written' | 'retried' | 'lost', rows: number): void;
  /** Prometheus text. */
  expose(): Promise<{ contentType: string; text: string }>;
}
