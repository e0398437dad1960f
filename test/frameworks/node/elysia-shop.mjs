// A bike shop with Elysia. People sign in with a key in a header.
import { node } from '@elysiajs/node';
import { openapi } from '@elysiajs/openapi';
import { Elysia, t } from 'elysia';

const received = [];
const Bike = t.Object({
  name: t.String(),
  gears: t.Optional(t.Nullable(t.Integer())),
  tags: t.Optional(t.Array(t.String())),
});
const Id = t.Object({ id: t.Integer() });
const note = (entry) => {
  received.push(entry);
  return { done: true };
};

new Elysia({ adapter: node() })
  .use(
    openapi({
      documentation: {
        info: { title: 'Bike shop', version: '1' },
        components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } } },
        security: [{ key: [] }],
      },
      exclude: { paths: ['/received'] },
    }),
  )
  .get('/received', () => received)
  .onBeforeHandle(({ path, headers, status }) => {
    const isOpen = path === '/received' || path.startsWith('/openapi');
    return isOpen || headers['x-shop-key'] === 'token-of-ana' ? undefined : status(401, 'Not authenticated');
  })
  .get('/me', () => note({ op: 'me', person: 'ana' }))
  .get('/bikes', ({ query }) => note({ op: 'list', colors: query.color, limit: query.limit }), {
    query: t.Object({ color: t.Optional(t.Array(t.String())), limit: t.Optional(t.Integer()) }),
  })
  .post('/bikes', ({ body }) => note({ op: 'create', ...body }), { body: Bike })
  .post('/bikes/purge', ({ body }) => note({ op: 'purge', ...body }), {
    body: t.Object({ before: t.String() }),
  })
  .get('/bikes/:id', ({ params }) => note({ op: 'get', id: params.id }), { params: Id })
  .put('/bikes/:id', ({ params, body }) => note({ op: 'replace', id: params.id, ...body }), {
    params: Id,
    body: Bike,
  })
  .delete('/bikes/:id', ({ params }) => note({ op: 'delete', id: params.id }), { params: Id })
  .post(
    '/bikes/:id/photo',
    async ({ params, body }) =>
      note({ op: 'photo', id: params.id, photo: await body.photo.text(), caption: body.caption }),
    { params: Id, body: t.Object({ photo: t.File(), caption: t.Optional(t.String()) }) },
  )
  .listen({ port: Number(process.env.PORT), hostname: '127.0.0.1' });
