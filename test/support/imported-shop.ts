// An OpenAPI service that people import on the stage of the proxy. Its upstream is that of the stage.
import type { Stage } from './proxy-stage.ts';
import type { TestUser } from './test-app.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const responses = { 200: { description: 'Done' } };

/** The description of the service. */
export const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [{ url: 'https://vaulted.example' }],
  paths: {
    '/items/{id}': { get: { operationId: 'getItem', parameters: [id], responses } },
    '/items/{id}/delete': { get: { operationId: 'removeItem', parameters: [id], responses } },
    '/wipe': { post: { operationId: 'wipeAll', responses } },
  },
};

/** Sends a request with a body of JSON. */
export async function sendAs(
  { app }: Pick<Stage, 'app'>,
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: object,
) {
  const response = await app.request(path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Adds the service as `shop` in the portal, and connects it. */
export async function importAsPerson(
  stage: Pick<Stage, 'app'>,
  { sessionHeader }: Pick<TestUser, 'sessionHeader'>,
  more: object = {},
  document: object = SHOP,
): Promise<void> {
  const auth = { type: 'headers', headers: { 'X-Key': '{key}' } };
  const form = { document: JSON.stringify(document), name: 'shop', auth, ...more };
  const added = await sendAs(stage, sessionHeader, 'POST', '/api/imports', form);
  if (added.status !== 201) throw new Error(JSON.stringify(added.body));
  const values = { key: 'secret' };
  const connected = await sendAs(stage, sessionHeader, 'POST', '/api/auth/apikey/shop', { values });
  if (connected.status !== 200) throw new Error(JSON.stringify(connected.body));
}
