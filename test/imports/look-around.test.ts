// Finds the description of a service from the addresses that people know. reference: OpenAPI services
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeAll, listen } from '../support/egress-door.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let ana: ImportUser;

beforeEach(async () => {
  app = await createTestApp();
  ana = createImportUser(app, await app.user('owner@localhost'));
});
afterEach(async () => {
  await app.close();
  await closeAll();
});

const describeApi = (title: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: { '/things': { get: { operationId: 'listThings', responses: { 200: { description: 'fine' } } } } },
  });

type Files = Record<
  string,
  string | { type?: string; status?: number; body: string; headers?: Record<string, string> }
>;

async function serve(files: Files) {
  const asked: string[] = [];
  const { url } = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const file = files[request.url ?? ''];
    if (file === undefined)
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>No</h1>');
    const { body, headers = {}, status = 200, type } = typeof file === 'string' ? { body: file } : file;
    const found = type ?? (body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json');
    response.writeHead(status, { 'content-type': found, ...headers }).end(body);
  });
  return { url, asked };
}

describe('the page of a documentation', () => {
  // As each of them is written into pages by the frameworks that use it.
  it.each<[string, string, Files]>([
    [
      'Swagger UI',
      '/docs',
      {
        '/docs':
          "<html><script>const ui = SwaggerUIBundle({ url: '/api/v1/describe', dom_id: '#ui' })</script>",
        '/api/v1/describe': describeApi('A'),
      },
    ],
    [
      'Swagger UI with its set-up in a script',
      '/swagger-ui/index.html',
      {
        '/swagger-ui/index.html': '<html><script src="./swagger-initializer.js" charset="UTF-8"> </script>',
        '/swagger-ui/swagger-initializer.js':
          'window.ui = SwaggerUIBundle({ "configUrl" : "/hidden/swagger-config", });',
        '/hidden/swagger-config': JSON.stringify({ configUrl: '/hidden/swagger-config', url: '/hidden/api' }),
        '/hidden/api': describeApi('A'),
      },
    ],
    [
      'Redoc',
      '/redoc',
      { '/redoc': '<html><redoc spec-url="/hidden.json"></redoc>', '/hidden.json': describeApi('A') },
    ],
    [
      'Scalar',
      '/scalar',
      {
        '/scalar': '<html><script id="api-reference" data-url="/hidden.json"></script>',
        '/hidden.json': describeApi('A'),
      },
    ],
    [
      'RapiDoc',
      '/rapidoc',
      {
        '/rapidoc': '<html><rapi-doc spec-url = "hidden.json"> </rapi-doc>',
        '/hidden.json': describeApi('A'),
      },
    ],
    [
      'Stoplight',
      '/elements',
      {
        '/elements': '<html><elements-api apiDescriptionUrl="hidden.json" router="hash" />',
        '/hidden.json': describeApi('A'),
      },
    ],
    [
      'drf-spectacular',
      '/api/docs/',
      {
        '/api/docs/':
          '<html><script>const schemaUrl = "/hidden/schema"; SwaggerUIBundle(swaggerSettings)</script>',
        '/hidden/schema': describeApi('A'),
      },
    ],
    [
      'a page that links its description',
      '/',
      { '/': '<html><head><link href="/hidden" rel="help service-desc">', '/hidden': describeApi('A') },
    ],
    [
      'NestJS',
      '/docs',
      { '/docs': '<html><script src="./docs/swagger-ui-init.js"></script>', '/docs-json': describeApi('A') },
    ],
  ])('of %s leads to the description', async (_, path, files) => {
    const { url } = await serve(files);
    const preview = await ana.preview({ address: `${url}${path}` });
    expect(preview).toMatchObject({ kind: 'openapi', displayName: 'A', tools: [{ name: 'a_list_things' }] });
    const described = Object.keys(files).at(-1) ?? '';
    expect(preview.address).toBe(`${url}${described}`);
    expect(preview.looks.at(-1)).toEqual({ address: `${url}${described}`, said: 'was found' });
    // The import remembers where the description is.
    await ana.add({ address: `${url}${path}` });
    expect(await ana.get()).toMatchObject({ address: `${url}${described}` });
    expect((await ana.send('POST', '/api/imports/acme/check')).status).toBe(200);
  });

  it('may offer several descriptions, and the importer chooses one', async () => {
    const urls = [
      { url: '/first', name: 'First' },
      { url: '/second', name: 'Second' },
    ];
    const { url } = await serve({
      '/docs': `<html><script>SwaggerUIBundle({ "urls": ${JSON.stringify(urls)} })</script>`,
      '/first': describeApi('First'),
      '/second': describeApi('Second'),
    });
    const preview = await ana.preview({ address: `${url}/docs` });
    expect(preview.displayName).toBe('First');
    expect(preview.choices).toEqual([
      { address: `${url}/first`, title: 'First' },
      { address: `${url}/second`, title: 'Second' },
    ]);
    const other = await ana.preview({ address: preview.choices[1].address });
    expect(other.displayName).toBe('Second');
    expect(other.choices).toBeUndefined();
    // A person who adds without a preview learns of them too.
    const { looks, choices } = await ana.add({ address: `${url}/docs` });
    expect({ looks, choices }).toEqual({ looks: preview.looks, choices: preview.choices });
  });
});

describe('the address of a site', () => {
  it.each([
    '/openapi.json',
    '/openapi.yaml',
    '/swagger.json',
    '/swagger/doc.json',
    '/v3/api-docs',
    '/api-json',
    '/api/schema/',
    '/schema/openapi.json',
    '/openapi/json',
    '/api-docs',
    '/doc',
  ])('leads to a description at %s', async (path) => {
    const { url } = await serve({ [path]: describeApi('Site') });
    expect(await ana.preview({ address: url })).toMatchObject({
      displayName: 'Site',
      address: `${url}${path}`,
    });
  });

  it('leads to the catalogue of its interfaces', async () => {
    const catalogue = {
      linkset: [
        {
          anchor: 'https://api.example.com/orders',
          'service-desc': [{ href: '/orders.json', type: 'application/json' }],
        },
        { anchor: 'https://api.example.com/stock', 'service-desc': [{ href: '/stock.json' }] },
      ],
    };
    const { url } = await serve({
      '/.well-known/api-catalog': { body: JSON.stringify(catalogue), type: 'application/linkset+json' },
      '/orders.json': describeApi('Orders'),
    });
    expect(await ana.preview({ address: url })).toMatchObject({
      displayName: 'Orders',
      choices: [
        { address: `${url}/orders.json`, title: 'https://api.example.com/orders' },
        { address: `${url}/stock.json`, title: 'https://api.example.com/stock' },
      ],
    });
  });

  it('may name its description in a header', async () => {
    const { url } = await serve({
      '/': {
        body: '{"hello":"world"}',
        headers: { link: '</terms>; rel="license", </mine>; rel="service-desc"' },
      },
      '/mine': describeApi('Mine'),
    });
    expect(await ana.preview({ address: url })).toMatchObject({
      displayName: 'Mine',
      address: `${url}/mine`,
    });
  });

  it('that wants a credential for everything is no MCP server when a description is beside it', async () => {
    const locked = { status: 401, body: '{"detail":"Not authenticated"}' };
    const { url } = await serve({ '/': locked, '/mcp': locked, '/openapi.json': describeApi('Locked') });
    expect(await ana.preview({ address: url })).toMatchObject({ kind: 'openapi', displayName: 'Locked' });
  });

  it('that only wants a credential says that it may be anything, and takes the choice of a person', async () => {
    const { url } = await serve({
      '/': { status: 401, body: '{"detail":"Not authenticated"}' },
      '/api': { status: 401, body: '{"errors":[{"message":"Sign in"}]}' },
    });
    const preview = await ana.preview({ address: url });
    expect(preview.warnings).toContainEqual(expect.stringContaining('before it says what it is'));
    const graphql = await serve({ '/graphql': { status: 401, body: '{"errors":[{"message":"Sign in"}]}' } });
    expect(await ana.preview({ address: `${graphql.url}/graphql` })).toMatchObject({
      kind: 'openapi',
      tools: [{ name: expect.stringMatching(/_query$/) }, {}, {}],
    });
    expect(await ana.preview({ address: `${graphql.url}/graphql`, kind: 'graphql' })).toMatchObject({
      kind: 'openapi',
    });
  });

  it('that is locked everywhere has no GraphQL endpoint for its name alone', async () => {
    const locked = { status: 401, body: '{"detail":"Not authenticated"}' };
    const { asked, url } = await serve({ '/': locked, '/graphql': locked });
    const preview = await ana.preview({ address: url });
    expect(asked).toContain('POST /graphql');
    expect(preview).toMatchObject({ kind: 'mcp', address: `${url}/` });
    expect(preview.warnings).toContainEqual(expect.stringContaining('before it says what it is'));
    expect(await ana.preview({ address: url, kind: 'graphql' })).toMatchObject({ kind: 'openapi' });
    // It counts where it answers as GraphQL does, with and without a credential.
    for (const answer of [
      { status: 401, body: '{"errors":[{"message":"Sign in"}]}' },
      JSON.stringify({ data: { __schema: { queryType: { fields: [{ name: 'bikes' }] } } } }),
    ]) {
      const graphql = await serve({ '/': locked, '/graphql': answer });
      expect(await ana.preview({ address: graphql.url })).toMatchObject({
        kind: 'openapi',
        address: `${graphql.url}/graphql`,
      });
    }
  });

  it('that leads nowhere is told with what was asked, each place once and on its own origin only', async () => {
    const other = await serve({});
    const { url, asked } = await serve({
      '/': `<html><a href="${other.url}/openapi.json">API</a><p>"${other.url}/openapi.txt"</p>`,
    });
    const refused = await ana.send('POST', '/api/imports/preview', { address: url });
    expect(refused.status).toBe(502);
    expect(refused.body.error).toMatch(
      /^We tried \/, .*\/openapi\.json.* more places at 127\S+ and found nothing\. .+\.$/,
    );
    const plain = asked.filter((line) => line.startsWith('GET ') && line !== 'GET /');
    expect(plain.length).toBeLessThan(30);
    expect(other.asked).toEqual(['GET /openapi.json']);
  });
});

it('does not look elsewhere when an import that exists cannot be read', async () => {
  const files: Files = { '/first.json': describeApi('First'), '/openapi.json': describeApi('Second') };
  const { url } = await serve(files);
  await ana.add({ address: `${url}/first.json` });
  delete files['/first.json'];
  expect(await ana.send('POST', '/api/imports/acme/check')).toMatchObject({ status: 502 });
  expect(await ana.get()).toMatchObject({ address: `${url}/first.json`, displayName: 'First' });
});
