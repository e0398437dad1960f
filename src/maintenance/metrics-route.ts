// Serves GET /metrics as Prometheus text. It is open unless the operator sets METRICS_TOKEN. reference: Health and metrics; Portal files
import { Hono } from 'hono';
import { timingSafeEqual } from 'hono/utils/buffer';
import { bearerToken } from '../http/bearer-token.ts';
import type { Ports } from '../ports/ports.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';

export function createMetricsRoute({ config, metrics }: Pick<Ports, 'config' | 'metrics'>): Hono {
  const app = new Hono();
  app.get('/metrics', async (c) => {
    const token = config.METRICS_TOKEN;
    const shown = bearerToken(c.req.header('authorization')) ?? '';
    if (token !== undefined && !(await timingSafeEqual(shown, token)))
      throw new HttpError(401, { error: ErrorText.UNAUTHORIZED });
    const { contentType, text } = await metrics.expose();
    return c.body(text, 200, { 'Content-Type': contentType });
  });
  return app;
}
