// The baseline for the edge: a Worker of the bare framework that answers with a fixed text.
import { Hono } from 'hono';

const app = new Hono<{ Bindings: { ANSWER: string } }>();
app.post('*', async (c) => {
  await c.req.text();
  return c.body(c.env.ANSWER, 200, { 'content-type': 'application/json' });
});
app.get('*', (c) => c.body(c.env.ANSWER, 200, { 'content-type': 'application/json' }));

export default app;
