// Serves the client metadata documents of the gateway. Providers of imports fetch them. reference: Sign-in to imports; decision: 045
import { Hono } from 'hono';
import type { Config } from '../../config/config.ts';
import { clientOf, documentOf, sharedClient } from './our-client.ts';

const MAX_AGE_SECONDS = 3_600;

export function createClientDocumentRoutes({
  config,
}: {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>;
}): Hono {
  const headers = { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` };
  const app = new Hono();

  app.get('/oauth/client.json', (c) => c.json(documentOf(sharedClient(config), config), 200, headers));

  // The document follows from the name alone, so nothing tells whether there is such an import.
  app.get('/oauth/clients/:document{[a-z0-9_]{1,64}\\.json}', (c) => {
    const name = c.req.param('document').replace(/\.json$/, '');
    return c.json(documentOf(clientOf(name, config), config), 200, headers);
  });

  return app;
}
