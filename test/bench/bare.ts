// The baseline: the bare framework, which reads a request and answers with fixed bytes.
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [file = '', port = '0'] = process.argv.slice(2);
const bytes = readFileSync(file, 'utf8');

const app = new Hono();
app.post('*', async (c) => {
  await c.req.text();
  return c.body(bytes, 200, { 'Content-Type': 'application/json' });
});
serve({ fetch: app.fetch, port: Number(port) }, (info) => console.log(`listening ${info.port}`));
