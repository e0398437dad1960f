// The baseline for files: the framework's static middleware.
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

const [root = '', port = '0'] = process.argv.slice(2);

const app = new Hono();
app.use('*', serveStatic({ root }));
serve({ fetch: app.fetch, port: Number(port) }, (info) => console.log(`listening ${info.port}`));
