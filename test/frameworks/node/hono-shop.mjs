// A bike shop with Hono and @hono/zod-openapi. People sign in with a Bearer token.
import { serve } from '@hono/node-server';
import { swaggerUI } from '@hono/swagger-ui';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { bearerAuth } from 'hono/bearer-auth';

const received = [];
const app = new OpenAPIHono();
app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
app.get('/received', (context) => context.json(received));
app.doc31('/doc', { openapi: '3.1.0', info: { title: 'Bike shop', version: '1' } });
app.get('/ui', swaggerUI({ url: '/doc' }));
const signedIn = bearerAuth({ token: 'token-of-ana' });
app.use('/me', signedIn);
app.use('/bikes/*', signedIn);

const Bike = z
  .object({
    name: z.string(),
    gears: z.number().int().nullable().optional(),
    tags: z.array(z.string()).default([]),
  })
  .openapi('Bike');
const Id = z.object({ id: z.coerce.number().int() });
const json = (schema) => ({ content: { 'application/json': { schema } } });
const route = (method, path, operationId, request, handler) =>
  app.openapi(
    createRoute({
      method,
      path,
      operationId,
      request,
      security: [{ token: [] }],
      responses: { 200: { description: 'Done', ...json(z.object({})) } },
    }),
    handler,
  );

route('get', '/me', 'whoAmI', {}, (context) => {
  received.push({ op: 'me', person: 'ana' });
  return context.json({});
});
const Listing = z.object({
  // One value is no list in a query.
  color: z.preprocess((value) => [value ?? []].flat(), z.array(z.string())),
  limit: z.coerce.number().int().optional(),
});
route('get', '/bikes', 'listBikes', { query: Listing }, (context) => {
  const { color, limit } = context.req.valid('query');
  received.push({ op: 'list', colors: color, limit });
  return context.json({});
});
route('post', '/bikes', 'createBike', { body: json(Bike) }, (context) => {
  received.push({ op: 'create', ...context.req.valid('json') });
  return context.json({});
});
const Purge = z.object({ before: z.iso.date() });
route('post', '/bikes/purge', 'purgeBikes', { body: json(Purge) }, (context) => {
  received.push({ op: 'purge', ...context.req.valid('json') });
  return context.json({});
});
route('get', '/bikes/{id}', 'getBike', { params: Id }, (context) => {
  received.push({ op: 'get', ...context.req.valid('param') });
  return context.json({});
});
route('put', '/bikes/{id}', 'replaceBike', { params: Id, body: json(Bike) }, (context) => {
  received.push({ op: 'replace', ...context.req.valid('param'), ...context.req.valid('json') });
  return context.json({});
});
route('delete', '/bikes/{id}', 'deleteBike', { params: Id }, (context) => {
  received.push({ op: 'delete', ...context.req.valid('param') });
  return context.json({});
});
const Photo = z.object({
  photo: z.instanceof(File).openapi({ type: 'string', format: 'binary' }),
  caption: z.string().optional(),
});
const photoBody = { content: { 'multipart/form-data': { schema: Photo } } };
route('post', '/bikes/{id}/photo', 'addPhoto', { params: Id, body: photoBody }, async (context) => {
  const { photo, caption } = context.req.valid('form');
  received.push({ op: 'photo', ...context.req.valid('param'), photo: await photo.text(), caption });
  return context.json({});
});

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
