// The baseline: the bare framework, which reads a request and answers with fixed bytes. With a folder it also makes one
// row durable before each answer.
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { COUNTS_PATH, type Durability } from './durable-rows.ts';

const [file = '', port = '0', folder, durability = 'waiting'] = process.argv.slice(2);
const bytes = readFileSync(file, 'utf8');
const CONTENT_TYPE = { 'Content-Type': 'application/json' };

const app = new Hono();
if (folder === undefined) {
  app.post('*', async (c) => {
    await c.req.text();
    return c.body(bytes, 200, CONTENT_TYPE);
  });
} else {
  // The plain baseline does not load the store.
  const { openDurableRows } = await import('./durable-rows.ts');
  const rows = await openDurableRows(folder, durability as Durability);
  app.get(COUNTS_PATH, async (c) => c.json(await rows.count()));
  app.post('*', async (c) => {
    await c.req.text();
    await rows.write();
    return c.body(bytes, 200, CONTENT_TYPE);
  });
}
serve({ fetch: app.fetch, port: Number(port) }, (info) => console.log(`listening ${info.port}`));
