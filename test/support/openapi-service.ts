// A service that describes itself with OpenAPI and answers its operations, made with Hono on a real socket.
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { startHttpServer } from './http-server.ts';

export interface Service {
  origin: string;
  /** The address of the description. */
  address: string;
  /** What the service says of itself. A test changes it. */
  description: Description;
  /** The calls of operations that arrived. */
  calls: { method: string; path: string; query: string; headers: Headers; body: string }[];
  /** Refuses a call. A test replaces it. */
  guard: (request: Request) => Response | null | Promise<Response | null>;
  close(): Promise<void>;
}

export type Description = ReturnType<typeof describeService>;

const json = (schema: object) => ({ 'application/json': { schema } });
const answer = (schema: object = {}) => ({ 200: { description: 'Done', content: json(schema) } });
const INVOICE = {
  type: 'object',
  additionalProperties: false,
  required: ['number', 'amount'],
  properties: {
    number: { type: 'string', description: 'Printed on the invoice' },
    amount: { type: 'number', minimum: 0 },
    state: { type: 'string', enum: ['draft', 'sent', 'paid'], default: 'draft' },
  },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
/** Tests replace parts of it, so its parts have wide types. */
const pathItem = (item: Record<string, Record<string, unknown>>) => item;

export function describeService() {
  const components: Record<string, Record<string, object>> = { schemas: { Invoice: INVOICE } };
  const paths: Record<string, ReturnType<typeof pathItem>> = {
    '/invoices': pathItem({
      get: {
        operationId: 'listInvoices',
        summary: 'List invoices',
        tags: ['invoices'],
        parameters: [
          {
            name: 'state',
            in: 'query',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: answer(),
      },
      post: {
        operationId: 'createInvoice',
        summary: 'Create an invoice',
        tags: ['invoices'],
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Invoice' }) },
        responses: answer({ $ref: '#/components/schemas/Invoice' }),
      },
    }),
    '/invoices/{id}': pathItem({
      get: {
        operationId: 'getInvoice',
        summary: 'Get an invoice',
        tags: ['invoices'],
        parameters: [id],
        responses: answer(),
      },
      delete: {
        operationId: 'deleteInvoice',
        summary: 'Delete an invoice',
        tags: ['invoices'],
        parameters: [id],
        responses: { 204: { description: 'Gone' } },
      },
    }),
    '/invoices/{id}/scan': pathItem({
      get: {
        operationId: 'downloadScan',
        summary: 'Download the scan of an invoice',
        tags: ['files'],
        parameters: [id],
        responses: {
          200: {
            description: 'The scan',
            content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
      post: {
        operationId: 'uploadScan',
        summary: 'Upload the scan of an invoice',
        tags: ['files'],
        parameters: [id],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                additionalProperties: false,
                required: ['scan'],
                properties: { scan: { type: 'string', format: 'binary' }, note: { type: 'string' } },
              },
            },
          },
        },
        responses: answer(),
      },
    }),
    '/customers': pathItem({
      get: {
        operationId: 'listCustomers',
        summary: 'List customers',
        tags: ['customers'],
        responses: answer(),
      },
    }),
    '/customers/old': pathItem({
      get: {
        operationId: 'listOldCustomers',
        summary: 'List customers as in version 1',
        tags: ['customers'],
        deprecated: true,
        responses: answer(),
      },
    }),
  };
  const servers: object[] = [
    { url: '/v1', description: 'This machine' },
    {
      url: 'https://{region}.invoices.example/v1',
      description: 'The cloud',
      variables: { region: { default: 'eu', enum: ['eu', 'us'], description: 'Where the data is' } },
    },
  ];
  return {
    openapi: '3.1.0',
    info: { title: 'Acme Invoices', version: '1.0.0', description: 'Keeps invoices and customers.' },
    servers,
    security: [] as Record<string, string[]>[],
    components,
    paths,
  };
}

export const SCAN = new Uint8Array([
  0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x2e, 0x37, 0x0a, 0xff, 0x00, 0xfe, 0x80,
]);

export async function startService(): Promise<Service> {
  const server = await startHttpServer();
  const origin = `http://127.0.0.1:${server.port}`;
  const service: Service = {
    origin,
    address: `${origin}/openapi.json`,
    description: describeService(),
    calls: [],
    guard: () => null,
    close: () => server.close(),
  };

  const api = new Hono();
  api.use(async (c, next) => {
    const { method, headers } = c.req.raw;
    const { pathname, search } = new URL(c.req.url);
    const body = await c.req.raw.clone().text();
    service.calls.push({ method, path: pathname, query: search, headers, body });
    const refusal = await service.guard(c.req.raw);
    return refusal ?? next();
  });
  api.get('/invoices', (c) =>
    c.json({
      invoices: ['1', '2', '3'].map((number) => ({ number, amount: Number(number) * 10, state: 'sent' })),
      state: c.req.query('state') ?? null,
    }),
  );
  api.post('/invoices', async (c) => c.json({ ...(await c.req.json()), id: 'i-1' }, 201));
  api.get('/invoices/:id', (c) =>
    c.req.param('id') === 'missing'
      ? c.json({ code: 'INVOICE_UNKNOWN', message: 'Es gibt keine Rechnung „missing“' }, 404)
      : c.json({ id: c.req.param('id') }),
  );
  api.delete('/invoices/:id', (c) => c.body(null, 204));
  api.get('/invoices/:id/scan', (c) =>
    c.body(SCAN, 200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="scan ${c.req.param('id')}.pdf"`,
    }),
  );
  api.post('/invoices/:id/scan', async (c) => {
    const { scan, note } = await c.req.parseBody();
    if (!(scan instanceof File)) return c.json({ message: 'scan is no file' }, 400);
    const bytes = [...new Uint8Array(await scan.arrayBuffer())];
    return c.json({ name: scan.name, type: scan.type, bytes, note });
  });
  api.get('/customers', (c) => c.json({ customers: [{ name: 'Bär & Söhne' }] }));
  api.get('/customers/old', (c) => c.json(['Bär']));

  const app = new Hono();
  app.get('/openapi.json', (c) => c.json(service.description));
  app.get('/description', (c) => c.json(service.description));
  app.route('/v1', api);
  app.route('/self/hosted', api);
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.answer((request, response) => void listener(request, response));
  return service;
}
