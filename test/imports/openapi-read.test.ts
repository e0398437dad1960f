// Reads small OpenAPI descriptions: one rule of the reading in each test. decision: 046
import { expect, it } from 'vitest';
import { readOpenApi, tagCounts } from '../../src/imports/openapi/read.ts';
import type { SourceTool } from '../../src/imports/model/source-description.ts';
import { SourceFailure } from '../../src/imports/model/source-failure.ts';
import { expectSoundSource } from '../support/openapi-source.ts';
import { createTestApp } from '../support/test-app.ts';

type Json = Record<string, unknown>;

const ADDRESS = 'https://docs.example.com/v1/openapi.json';
const SERVERS = [{ url: 'https://api.example.com/v1/' }];
const OK = { 200: { description: 'OK', content: { 'text/csv': {}, 'application/json': {} } } };

const read = async (document: Json, options = {}) => {
  const source = await readOpenApi(JSON.stringify(document), { address: ADDRESS, ...options });
  expectSoundSource(source);
  return source;
};

const describeApi = (paths: Json, more: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Example API', version: '1' },
  servers: SERVERS,
  paths,
  ...more,
});

/** Reads a POST with this body, and returns its tool. */
async function readBody(requestBody: Json, more: Json = {}, operation: Json = {}): Promise<SourceTool> {
  const document = describeApi({ '/things': { post: { requestBody, responses: OK, ...operation } } }, more);
  const [tool] = (await read(document)).tools;
  if (tool === undefined) throw new Error('There is no tool');
  return tool;
}

const json = (schema: Json, more: Json = {}) => ({ content: { 'application/json': { schema } }, ...more });

/** The schema of a required member of a JSON body, in a description of this version. */
async function readSchema(schema: Json, version = '3.1.0', more: Json = {}): Promise<unknown> {
  const body = json({ type: 'object', properties: { a: schema }, required: ['a'] });
  const tool = await readBody(body, { openapi: version, ...more });
  return (tool.inputSchema['properties'] as Json)['a'];
}

const parametersOf = (tool: SourceTool | undefined) => tool?.operation?.['parameters'];
const failure = async (text: string, options = {}) => {
  const error: unknown = await readOpenApi(text, { address: ADDRESS, ...options }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceFailure)) throw new Error('It was read', { cause: error });
  return { status: error.status, message: error.message };
};

it('reads the description of this gateway', async () => {
  const app = await createTestApp();
  const text = await (await app.request('/openapi.json')).text();
  const source = await readOpenApi(text, { address: 'http://localhost/openapi.json' });
  expectSoundSource(source);
  expect(source.tools.length).toBeGreaterThan(50);
  expect(source.tools.map(({ name }) => name)).toContain('list_rest_integrations');
  await app.close();
});

it('refuses what is no description, with a sentence', async () => {
  expect(await failure('')).toEqual({ status: 422, message: 'The description is empty.' });
  expect(await failure('<!doctype html><title>Docs</title>')).toMatchObject({
    status: 422,
    message: expect.stringContaining('web page'),
  });
  expect(await failure('{"openapi": "3.1.0"')).toMatchObject({
    status: 422,
    message: expect.stringContaining('cannot be read'),
  });
  expect(await failure('[1, 2]')).toMatchObject({ status: 422 });
  expect(await failure('just: [a, text')).toMatchObject({
    status: 422,
    message: expect.stringContaining('cannot be read'),
  });
  expect(await failure('{"asyncapi":"2.6.0"}')).toMatchObject({
    message: expect.stringContaining('"openapi" or "swagger"'),
  });
  expect(await failure('{"swagger":"1.2"}')).toMatchObject({ message: expect.stringContaining('1.2') });
  expect(await failure(JSON.stringify(describeApi({})))).toMatchObject({
    message: expect.stringContaining('no operations'),
  });
  expect(await failure(`"${'a'.repeat(16 * 1024 * 1024)}"`)).toMatchObject({ status: 413 });
  expect(await failure(`"${'€'.repeat(6 * 1024 * 1024)}"`)).toMatchObject({ status: 413 });
});

it('reads YAML with a version that is a number, merge keys and status codes', async () => {
  const text = `
swagger: 2.0
info: { title: Old }
host: old.example.com
definitions:
  base: &base { type: object, properties: { a: { type: string } } }
paths:
  /things:
    put:
      parameters:
        - { in: body, name: thing, required: true, schema: { <<: *base, required: [a] } }
      responses: { 200: { description: 2020-01-01 } }
`;
  const source = await readOpenApi(text, { address: ADDRESS });
  expect(source.base).toBe('https://old.example.com');
  expect(source.tools[0]?.inputSchema).toMatchObject({
    properties: { a: { type: 'string' } },
    required: ['a'],
  });
});

it('reads YAML whose braces and quotes end further left than they began, as other readers do', async () => {
  const text = `
openapi: 3.0.3
info: { title: Engine, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      summary: "All things
      of the engine"
      responses:
        200: {
          description: fine,
          content: { application/json: { example: {
            "a": [
              1
          ]
        } } }
        }
  /others:
    get: { operationId: listOthers, responses: { 200: { description: fine } } }
`;
  const source = await readOpenApi(text, { address: ADDRESS });
  expect(source.tools.map(({ name }) => name)).toEqual(['list_things', 'list_others']);
  expect(source.tools[0]?.title).toBe('All things of the engine');
});

it('says where YAML is wrong after it has indented what may be indented', async () => {
  const text = `openapi: 3.0.3\ninfo: {\n  title: x\n}\npaths: ]\n`;
  await expect(readOpenApi(text, { address: ADDRESS })).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/cannot be read: .*\(5:\d+\)/),
  });
});

it('names tools by readable operationIds and otherwise by method and path', async () => {
  const operation = (operationId?: string) => ({ operationId, responses: OK });
  const source = await read(
    describeApi({
      '/api/v1/items/{id}': {
        parameters: [{ name: 'id', in: 'path' }],
        get: operation('readItem_api_v1_items__id__get'),
        delete: operation('deleteItemUsingDELETE_1'),
        put: operation(),
        post: operation('5f2b9c1d3e4a5b6c7d8e9f0a'),
        patch: operation('ItemsController_updateHTMLPage'),
      },
      '/items': { get: operation('getAPIs'), post: operation('getAPIs') },
      '/': { get: operation() },
    }),
  );
  expect(source.tools.map(({ name }) => name)).toEqual([
    'read_item',
    'put_items_by_id',
    'post_items_by_id',
    'delete_item',
    'items_update_html_page',
    'get_apis',
    'post_items',
    'get_root',
  ]);
  expect(source.tools.map(({ access }) => access)).toEqual([
    'read',
    'write',
    'write',
    'destroy',
    'write',
    'read',
    'write',
    'read',
  ]);
});

it('names tools by what they do to what, where ids are those of methods, paths or services', async () => {
  const operation = (operationId: string, ...tags: string[]) => ({ operationId, tags, responses: OK });
  const service = 'ABitOfEverythingServiceOfTheInventoryBackend';
  const document = describeApi({
    // springdoc
    '/bikes': { get: operation('list', 'bike-controller'), post: operation('create', 'bike-controller') },
    '/bikes/purge': { post: operation('purge', 'bike-controller') },
    '/parts': { get: operation('list_1', 'part-controller') },
    '/parts/{id}': { get: operation('get_2') },
    // NestJS
    '/wheels': { get: operation('WheelsController_findAll') },
    '/wheels/{id}': { get: operation('WheelsController_findOne') },
    // Django
    '/wheels/old': { get: operation('wheels_old_list'), post: operation('wheels_old_create', 'wheels') },
    // Litestar
    '/shop/{shop_id}/close': { post: operation('ShopShopIdCloseCloseShop') },
    '/raw': { get: operation('RawRaw') },
    // grpc-gateway
    '/v1/all': { get: operation(`${service}_CreateOrUpdateBody`, 'grpc') },
    '/v1/echo': { get: operation(`${service}_EchoTheMessageBack`, 'grpc') },
    '/orders/{id}': { get: operation('getOrder', 'orders') },
  });
  const names = async (options?: object) => (await read(document, options)).tools.map(({ name }) => name);
  expect(await names()).toEqual([
    'list_bike',
    'create_bike',
    'purge_bike',
    'list_part',
    'get_parts',
    'wheels_find_all',
    'wheels_find_one',
    'wheels_old_list',
    'wheels_old_create',
    'close_shop',
    'raw',
    'create_or_update_body',
    'echo_the_message_back',
    'get_order',
  ]);
  // An import of version 0.2 keeps its names.
  expect((await names({ naming: 1 })).slice(0, 4)).toEqual(['list', 'create', 'purge', 'list_1']);
});

it('keeps summaries, descriptions, enumerations, examples, defaults and deprecation', async () => {
  const [tool] = (
    await read(
      describeApi({
        '/things': {
          get: {
            summary: 'List things',
            description: 'Lists them all.',
            deprecated: true,
            tags: ['things'],
            parameters: [
              {
                name: 'order',
                in: 'query',
                description: 'Which first',
                schema: { type: 'string', enum: ['new', 'old'], default: 'new' },
              },
              {
                name: 'since',
                in: 'query',
                deprecated: true,
                schema: { type: 'string', format: 'date', example: '2026-01-01' },
              },
            ],
            responses: OK,
          },
        },
      }),
    )
  ).tools;
  expect(tool).toMatchObject({
    title: 'List things',
    description: 'List things\n\nLists them all.',
    deprecated: true,
    tags: ['things'],
    inputSchema: {
      properties: {
        order: { type: 'string', description: 'Which first', enum: ['new', 'old'], default: 'new' },
        since: { type: 'string', format: 'date', examples: ['2026-01-01'], deprecated: true },
      },
      required: [],
    },
    operation: { accepts: ['application/json', 'text/csv'] },
  });
});

it('says for each parameter how it is written', async () => {
  const schema = { type: 'string' };
  const [tool] = (
    await read(
      describeApi(
        {
          '/things/{id}': {
            parameters: [
              { name: 'id', in: 'path', required: true, style: 'label', explode: true, schema },
              { name: 'limit', in: 'query', schema: { type: 'integer' } },
            ],
            get: {
              parameters: [
                { name: 'limit', in: 'query', schema: { type: 'string', maxLength: 3 } },
                { name: 'id', in: 'query', schema },
                {
                  name: 'filter[name]',
                  in: 'query',
                  style: 'deepObject',
                  explode: true,
                  schema: { type: 'object' },
                },
                { name: 'q', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
                { name: 'path', in: 'query', allowReserved: true, style: 'matrix', schema },
                { name: 'X-Trace', in: 'header', schema },
                { name: 'Accept', in: 'header', schema },
                { name: 'x-key', in: 'header', required: true, schema },
                { name: 'theme', in: 'cookie', schema },
                { name: 'what', in: 'body', schema },
              ],
              responses: OK,
            },
          },
        },
        { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } },
      ),
    )
  ).tools;
  expect(parametersOf(tool)).toEqual([
    { argument: 'id', name: 'id', in: 'path', style: 'label', explode: true },
    { argument: 'limit', name: 'limit', in: 'query', style: 'form', explode: true },
    { argument: 'id_query', name: 'id', in: 'query', style: 'form', explode: true },
    { argument: 'filter_name', name: 'filter[name]', in: 'query', style: 'deepObject', explode: true },
    { argument: 'q', name: 'q', in: 'query', style: 'form', explode: true, contentType: 'application/json' },
    { argument: 'path', name: 'path', in: 'query', style: 'form', explode: true, allowReserved: true },
    { argument: 'X-Trace', name: 'X-Trace', in: 'header', style: 'simple', explode: false },
    { argument: 'theme', name: 'theme', in: 'cookie', style: 'form', explode: true },
  ]);
  expect(tool?.inputSchema).toMatchObject({
    properties: { limit: { type: 'string', maxLength: 3 } },
    required: ['id'],
  });
});

it('reads the parameters, forms and files of 2.0', async () => {
  const list = { type: 'array', items: { type: 'string' } };
  const source = await read({
    swagger: '2.0',
    info: { title: 'Old' },
    host: 'api.example.com',
    basePath: '/v2',
    schemes: ['http', 'https'],
    produces: ['application/xml', 'application/json'],
    parameters: {
      Name: { in: 'formData', name: 'name', type: 'string', required: true },
      Tags: { in: 'formData', name: 'tags', ...list, collectionFormat: 'multi' },
    },
    paths: {
      '/things': {
        get: {
          parameters: [
            { in: 'query', name: 'a', ...list },
            { in: 'query', name: 'b', ...list, collectionFormat: 'multi' },
            { in: 'query', name: 'c', ...list, collectionFormat: 'tsv' },
            { in: 'query', name: 'd', type: 'string', enum: ['x'], 'x-nullable': true },
          ],
          responses: OK,
        },
        post: { parameters: [{ $ref: '#/parameters/Name' }, { $ref: '#/parameters/Tags' }], responses: OK },
        put: {
          parameters: [{ in: 'formData', name: 'file', type: 'file', description: 'A picture' }],
          responses: OK,
        },
        patch: null,
      },
    },
  });
  expect(source.base).toBe('https://api.example.com/v2');
  const [get, put, post] = source.tools;
  expect(parametersOf(get)).toMatchObject([
    { name: 'a', style: 'form', explode: false },
    { name: 'b', style: 'form', explode: true },
    { name: 'c', style: 'tabDelimited', explode: false },
    { name: 'd' },
  ]);
  expect(get?.inputSchema).toMatchObject({
    properties: { d: { type: ['string', 'null'], enum: ['x', null] } },
  });
  expect(get?.operation).toMatchObject({ accepts: ['application/json', 'application/xml'] });
  expect(put?.operation).toMatchObject({
    body: { encoding: 'multipart', members: [{ argument: 'file', name: 'file', isFile: true }] },
  });
  expect(put?.inputSchema).toMatchObject({
    properties: { file: { type: 'string', description: expect.stringMatching(/^A picture\nfile:/) } },
  });
  expect(post?.operation).toMatchObject({
    body: {
      encoding: 'form',
      required: true,
      members: [{ name: 'name' }, { name: 'tags', style: 'form', explode: true }],
    },
  });
  expect(source.warnings).toContain('It is not described: PATCH /things.');
});

it('makes arguments of the members of a body, also where a parameter has their name', async () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' } },
    required: ['name'],
  };
  const tool = await readBody(
    json(schema, { required: true }),
    {},
    { parameters: [{ name: 'id', in: 'query' }] },
  );
  expect(tool.inputSchema).toMatchObject({
    properties: { id: {}, id_body: { type: 'string' }, name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  });
  expect(tool.operation).toMatchObject({
    body: {
      contentType: 'application/json',
      encoding: 'json',
      required: true,
      members: [
        { argument: 'id_body', name: 'id' },
        { argument: 'name', name: 'name' },
      ],
    },
  });
});

it('makes one argument of a body that is not simply an object', async () => {
  const object = { type: 'object', properties: { a: { type: 'string' } } };
  const bodies: [Json, boolean][] = [
    [json({ type: 'array', items: { type: 'string' } }, { required: true }), true],
    [json({ ...object, additionalProperties: { type: 'string' } }), false],
    [json({ oneOf: [object, { type: 'string' }] }), false],
    [json({ type: 'object' }), false],
    [json({ ...object, required: ['a'] }, { required: false }), false],
    [json({ ...object, nullable: true }), false],
  ];
  for (const [body, isRequired] of bodies) {
    const tool = await readBody(body, { openapi: '3.0.3' });
    expect(Object.keys(tool.inputSchema['properties'] as Json)).toEqual(['body']);
    expect(tool.inputSchema['required']).toEqual(isRequired ? ['body'] : []);
    expect(tool.operation).toMatchObject({ body: { argument: 'body', members: [], required: isRequired } });
  }
});

it('says which members go together', async () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' } };
  const anyOf = [{ required: ['a'] }, { required: ['b'] }];
  const tool = await readBody(json({ type: 'object', properties, anyOf }, { required: true }));
  expect(tool.inputSchema).toMatchObject({ properties, anyOf });
});

it('prefers JSON, and reads multipart, forms, text and bytes', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', format: 'binary' }, b: { type: 'object' } },
  };
  const file = { type: 'string', format: 'binary' };
  const encodingOf = async (content: Json) =>
    (await readBody({ content, required: true })).operation?.['body'];
  expect(await encodingOf({ 'text/plain': {}, 'application/vnd.x+json': { schema } })).toMatchObject({
    encoding: 'json',
    contentType: 'application/vnd.x+json',
  });
  const encoding = {
    a: { contentType: 'image/png' },
    b: { contentType: 'application/xml, text/xml', style: 'deepObject' },
  };
  expect(await encodingOf({ 'multipart/form-data': { schema, encoding } })).toMatchObject({
    encoding: 'multipart',
    members: [
      { argument: 'a', name: 'a', isFile: true, contentType: 'image/png' },
      { argument: 'b', name: 'b', style: 'deepObject' },
    ],
  });
  expect(await encodingOf({ 'application/x-www-form-urlencoded': { schema } })).toMatchObject({
    encoding: 'form',
  });
  expect(await encodingOf({ 'application/xml': { schema } })).toMatchObject({
    encoding: 'text',
    argument: 'body',
  });
  expect(await encodingOf({ 'image/*': { schema: file } })).toMatchObject({
    encoding: 'bytes',
    contentType: 'image/*',
  });
  expect(await encodingOf({ 'application/octet-stream': {} })).toMatchObject({
    encoding: 'bytes',
    argument: 'body',
  });
  expect(await encodingOf({ 'multipart/mixed': {} })).toBeUndefined();
});

it('says of a body that is only XML that the caller writes it', async () => {
  const schema = { $ref: '#/components/schemas/Bike' };
  const Bike = { type: 'object', properties: { name: { type: 'string' }, gears: { type: 'integer' } } };
  const readXml = (content: Json) =>
    read({
      ...describeApi({
        '/bikes': { post: { requestBody: { content, description: 'A bike' }, responses: OK } },
      }),
      components: { schemas: { Bike } },
    });
  const warned = ['Its body is XML, which the caller has to write as text: POST /bikes.'];
  for (const type of ['application/xml', 'text/xml; charset=utf-8', 'application/soap+xml']) {
    const { tools, warnings } = await readXml({ [type]: { schema } });
    expect(warnings, type).toEqual(expect.arrayContaining(warned));
    expect(tools[0]?.inputSchema).toMatchObject({
      properties: {
        body: {
          type: 'string',
          description: `A bike\nThe body, as ${type}. Write the XML yourself, as text. Its elements: name, gears.`,
        },
      },
    });
  }
  // JSON is taken where there is a choice, and what is described as text is a text.
  for (const content of [
    { 'application/xml': { schema }, 'application/json': { schema } },
    { 'application/xml': { schema: { type: 'string' } } },
    { 'text/csv': { schema } },
  ])
    expect((await readXml(content)).warnings).not.toEqual(expect.arrayContaining(warned));
});

it('prefers multipart where a member is a file, whatever else is offered', async () => {
  const bodyOf = async (photo: Json) => {
    const schema = { type: 'object', properties: { title: { type: 'string' }, photo } };
    const media = { schema };
    const content = {
      'application/json': media,
      'application/x-www-form-urlencoded': media,
      'multipart/form-data': media,
    };
    return readBody({ content, required: true });
  };
  const file = { type: 'string', format: 'binary' };
  // As FastAPI says `UploadFile | None`, Django REST its file fields, and others a list that may be missing.
  const upload = {
    anyOf: [{ type: 'string', contentMediaType: 'application/octet-stream' }, { type: 'null' }],
  };
  for (const one of [file, upload, { ...file, nullable: true }, { ...file, type: ['string', 'null'] }]) {
    const tool = await bodyOf(one);
    expect(tool.operation?.['body'], JSON.stringify(one)).toMatchObject({
      encoding: 'multipart',
      members: [{ name: 'title' }, { name: 'photo', isFile: true }],
    });
    expect(tool.inputSchema).toMatchObject({
      properties: { photo: { type: 'string', description: expect.stringContaining('file:<handle>') } },
    });
  }
  const list = await bodyOf({ anyOf: [{ type: 'array', items: file }, { type: 'null' }] });
  expect(list.operation?.['body']).toMatchObject({ members: [{ name: 'title' }, { isFile: true }] });
  expect(list.inputSchema).toMatchObject({ properties: { photo: { type: 'array' } } });
  expect((await bodyOf({ type: 'string' })).operation?.['body']).toMatchObject({ encoding: 'json' });
});

it('says null and exclusive bounds of 3.0 as 3.1 does', async () => {
  const of = (schema: Json) =>
    readSchema(schema, '3.0.3', { components: { schemas: { T: { type: 'string', enum: ['x'] } } } });
  expect(await of({ type: 'string', nullable: true, enum: ['a'] })).toEqual({
    type: ['string', 'null'],
    enum: ['a', null],
  });
  expect(await of({ nullable: true, allOf: [{ $ref: '#/components/schemas/T' }] })).toEqual({
    type: ['string', 'null'],
    enum: ['x', null],
  });
  expect(await of({ nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }] })).toEqual({
    anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
  });
  expect(
    await of({ type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }),
  ).toEqual({
    type: 'number',
    exclusiveMinimum: 1,
    maximum: 9,
  });
});

it('merges the parts of allOf, and keeps those that contradict each other apart', async () => {
  const schemas = {
    Base: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
  };
  const reference = { $ref: '#/components/schemas/Base' };
  const merged = await readSchema(
    {
      allOf: [
        reference,
        { properties: { n: { type: 'number', minimum: 1 } } },
        { properties: { n: { type: 'integer', minimum: 3 } } },
      ],
    },
    '3.1.0',
    { components: { schemas } },
  );
  expect(merged).toEqual({
    type: 'object',
    properties: { id: { type: 'string' }, n: { type: 'integer', minimum: 3 } },
    required: ['id'],
  });
  expect(await readSchema({ allOf: [{ pattern: 'a', type: 'string' }, { pattern: 'b' }] })).toEqual({
    type: 'string',
    pattern: 'a',
    allOf: [{ pattern: 'b' }],
  });
  const beside = await readSchema({ ...reference, description: 'Here' }, '3.1.0', {
    components: { schemas },
  });
  expect(beside).toMatchObject({ description: 'Here', properties: { id: {} } });
});

it('leaves out the members that are only in answers', async () => {
  const schemas = { Id: { type: 'string', readOnly: true }, Secret: { type: 'string', writeOnly: true } };
  const tool = await readBody(
    json({
      type: 'object',
      properties: {
        id: { $ref: '#/components/schemas/Id' },
        at: { type: 'string', readOnly: true },
        secret: { $ref: '#/components/schemas/Secret' },
      },
      required: ['id', 'secret'],
    }),
    { components: { schemas } },
  );
  expect(tool.inputSchema).toMatchObject({
    properties: { secret: { type: 'string' } },
    required: ['secret'],
  });
  expect(Object.keys(tool.inputSchema['properties'] as Json)).toEqual(['secret']);
});

it('says in each branch which value of the discriminator leads to it', async () => {
  const schemas = {
    Cat: { type: 'object', properties: { kind: { type: 'string' } } },
    Dog: { type: 'object', properties: { kind: { type: 'string' }, age: { type: 'integer' } } },
  };
  const oneOf = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
  const discriminator = { propertyName: 'kind', mapping: { meow: '#/components/schemas/Cat' } };
  const made = await readSchema({ oneOf, discriminator }, '3.1.0', { components: { schemas } });
  expect(made).toMatchObject({
    anyOf: [
      { properties: { kind: { enum: ['meow'] } }, required: ['kind'] },
      { properties: { kind: { enum: ['Dog'] } }, required: ['kind'] },
    ],
  });
});

it('cuts cycles where they begin again', async () => {
  const schemas = {
    Tree: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      },
    },
  };
  expect(
    await readSchema({ $ref: '#/components/schemas/Tree' }, '3.1.0', { components: { schemas } }),
  ).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string' },
      children: { type: 'array', items: { type: 'object', description: 'Recursive: the same again.' } },
    },
  });
});

it('reads the rest when a part cannot be read, and names the operation in a warning', async () => {
  const source = await read(
    describeApi({
      '/a': { post: { requestBody: json({ $ref: './other.yaml#/A' }), responses: OK } },
      '/b': { post: { requestBody: { $ref: '#/components/requestBodies/None' }, responses: OK } },
      '/c/{id}': { get: { responses: OK }, options: { responses: OK } },
      '/d?e=1': { get: { responses: OK } },
      '/e': { $ref: 'https://example.com/paths.json' },
      '/f': {
        get: {
          parameters: [{ in: 'query' }, 3],
          responses: OK,
          servers: [{ url: 'https://other.example.com' }],
        },
      },
      '/../g': { get: { responses: OK } },
    }),
  );
  expect(source.tools.map(({ name }) => name)).toEqual(['post_a', 'post_b', 'get_c_by_id']);
  expect(source.warnings).toEqual([
    'The gateway does not call this method: OPTIONS /c/{id}.',
    'Its path has a query or a fragment, which is not supported: GET /d?e=1.',
    'It refers to another document, which could not be read from the same address: /e, POST /a.',
    'Its path is not usable: GET /../g.',
    expect.stringContaining('does not say how to authenticate'),
    'It refers to a part of the description that does not exist: POST /b.',
    'A parameter of its path is not described: GET /c/{id}.',
    'It is served by another host than the rest, so it is left out: GET /f.',
  ]);
});

it('finds the base address, and takes what the importer says instead', async () => {
  const get = { responses: OK };
  const baseOf = async (servers: unknown, options = {}) =>
    (await read(describeApi({ '/a': { get } }, { servers }), options)).base;
  expect(await baseOf(undefined)).toBe('https://docs.example.com');
  expect(await baseOf([{ url: '../v2' }])).toBe('https://docs.example.com/v2');
  expect(await baseOf([{ url: 'ftp://a.example.com' }, { url: 'https://b.example.com/' }])).toBe(
    'https://b.example.com',
  );
  const variables = { region: { default: 'eu', enum: ['eu', 'us'], description: 'Where' } };
  const regional = [{ url: 'https://{region}.example.com/v1', variables }];
  expect(await baseOf(regional)).toBe('https://eu.example.com/v1');
  expect(await baseOf(regional, { variables: { region: 'us' } })).toBe('https://us.example.com/v1');
  expect(await baseOf(SERVERS, { base: 'https://own.example.com/api/' })).toBe('https://own.example.com/api');
  const source = await read(describeApi({ '/a': { get } }, { servers: regional }));
  expect(source.servers).toEqual([
    {
      address: 'https://eu.example.com/v1',
      description: '',
      variables: [{ name: 'region', value: 'eu', values: ['eu', 'us'], description: 'Where' }],
    },
  ]);
  const unknown = JSON.stringify(describeApi({ '/a': { get } }, { servers: [{ url: '/v1' }] }));
  expect(await failure(unknown, { address: null })).toMatchObject({
    status: 422,
    message: expect.stringContaining('base address'),
  });
  expect(await failure(unknown, { base: 'file:///etc' })).toMatchObject({ status: 422 });
});

it('keeps the base of an operation on the same origin', async () => {
  const source = await read(
    describeApi({
      '/a': { servers: [{ url: 'https://api.example.com/beta/' }], get: { responses: OK } },
      '/b': { get: { responses: OK } },
    }),
  );
  expect(source.tools.map(({ operation }) => operation?.['base'])).toEqual([
    'https://api.example.com/beta',
    undefined,
  ]);
});

const authOf = async (securitySchemes: Json, security?: unknown, more: Json = {}) => {
  const document = describeApi(
    { '/a': { get: { responses: OK } } },
    { components: { securitySchemes }, security, ...more },
  );
  const { auth, otherAuth, warnings } = await read(document);
  return { auth, otherAuth, warnings };
};

it('sends every operation to the given base, or where most of them say, when only operations name servers', async () => {
  const at = (url: string) => ({ servers: [{ url }], get: { responses: OK } });
  const document = describeApi(
    {
      '/a': at('https://one.example.com/v1'),
      '/b': at('https://two.example.com/v1'),
      '/c': at('https://two.example.com/v1'),
    },
    { servers: undefined },
  );
  const given = await read(document, { address: null, base: 'https://mine.example.com' });
  expect(given.tools.map(({ operation }) => operation?.['base'])).toEqual([undefined, undefined, undefined]);
  expect(given.base).toBe('https://mine.example.com');
  expect(given.warnings.join()).not.toContain('another host');
  const found = await read(document, { address: null });
  expect(found.base).toBe('https://two.example.com/v1');
  expect(found.tools.map(({ operation }) => operation?.['path'])).toEqual(['/b', '/c']);
  expect(found.warnings).toContainEqual(expect.stringContaining('another host'));
});

it('turns security schemes into ways to connect, the usual one first', async () => {
  const flows = {
    authorizationCode: {
      authorizationUrl: '/authorize',
      tokenUrl: 'https://id.example.com/token',
      scopes: { a: '', b: '' },
    },
  };
  const schemes = {
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    app: { type: 'apiKey', in: 'header', name: 'X-App' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    bearer: { type: 'http', scheme: 'Bearer' },
    basic: { type: 'http', scheme: 'basic' },
    digest: { type: 'http', scheme: 'digest' },
    certificate: { type: 'mutualTLS' },
    oauth: { type: 'oauth2', flows },
    oidc: {
      type: 'openIdConnect',
      openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration',
    },
  };
  const oauth = {
    type: 'oauth2',
    authorizeUrl: 'https://api.example.com/authorize',
    tokenUrl: 'https://id.example.com/token',
  };
  expect(await authOf(schemes, [{ cookie: [] }, { oauth: ['a'] }, {}, { bearer: [] }])).toEqual({
    auth: { ...oauth, scopes: ['a'] },
    otherAuth: [
      { type: 'headers', headers: { Authorization: 'Bearer {token}' } },
      { type: 'headers', headers: { Cookie: 'sid={sid}' } },
      { type: 'none' },
    ],
    warnings: [],
  });
  expect((await authOf(schemes, [{ key: [], app: [] }])).auth).toEqual({
    type: 'headers',
    headers: { 'X-Key': '{x_key}', 'X-App': '{x_app}' },
  });
  expect((await authOf(schemes, [{ key: [], basic: [], query: [], cookie: [] }])).auth).toEqual({
    type: 'all',
    ways: [
      { type: 'basic' },
      { type: 'headers', headers: { 'X-Key': '{x_key}', Cookie: 'sid={sid}' } },
      { type: 'query', parameters: { key: '{key}' } },
    ],
  });
  expect((await authOf(schemes, [{ bearer: [], basic: [] }])).warnings).toEqual([
    'The security schemes "bearer" and "basic" cannot be used together.',
  ]);
  expect((await authOf(schemes, [{ digest: [] }, { certificate: [] }])).warnings).toEqual([
    'The security scheme "digest" cannot be used: HTTP authentication with "digest" is not supported.',
    'The security scheme "certificate" cannot be used: it needs a certificate of the client (mutual TLS), which the gateway does not send.',
  ]);
  expect(await authOf(schemes)).toMatchObject({
    auth: { type: 'headers', headers: { 'X-Key': '{api_key}' } },
    otherAuth: [
      { headers: { 'X-App': '{api_key}' } },
      { type: 'query', parameters: { key: '{api_key}' } },
      { headers: { Authorization: 'Bearer {token}' } },
      { type: 'basic' },
      { ...oauth, scopes: ['a', 'b'] },
      { type: 'oauth2', scopes: [], discoveryUrl: 'https://id.example.com/.well-known/openid-configuration' },
      { headers: { Cookie: 'sid={sid}' } },
    ],
  });
  const old = {
    swagger: '2.0',
    openapi: undefined,
    host: 'api.example.com',
    securityDefinitions: {
      oauth: {
        type: 'oauth2',
        flow: 'accessCode',
        authorizationUrl: 'https://a.example.com/',
        tokenUrl: 'https://a.example.com/t',
      },
      key: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Write `Bearer <token>`' },
    },
  };
  expect(await authOf({}, undefined, old)).toMatchObject({
    auth: { type: 'oauth2', authorizeUrl: 'https://a.example.com/', tokenUrl: 'https://a.example.com/t' },
    otherAuth: [{ type: 'headers', headers: { Authorization: 'Bearer {token}' } }],
  });
});

it('offers a token for the flows that give one to a program, and writes the word that comes before a key', async () => {
  const headerOf = async (scheme: Json) => {
    const { auth } = await authOf({ scheme });
    return auth.type === 'headers' ? auth.headers : auth;
  };
  const token = { Authorization: 'Bearer {token}' };
  // FastAPI's OAuth2PasswordBearer, Netlify's implicit flow, and the flow for programs without its address.
  for (const flow of ['password', 'implicit', 'authorizationCode'])
    expect(await headerOf({ type: 'oauth2', flows: { [flow]: { scopes: {}, tokenUrl: 'token' } } })).toEqual(
      token,
    );
  const key = (description: string) =>
    headerOf({ type: 'apiKey', in: 'header', name: 'Authorization', description });
  expect(await key('Token-based authentication with required prefix "Token"')).toEqual({
    Authorization: 'Token {token}',
  });
  expect(await key('Write `Bearer <token>`')).toEqual(token);
  expect(await key('Format: `ApiKey <your key>`')).toEqual({ Authorization: 'ApiKey {token}' });
  expect(await key('Enter the key')).toEqual({ Authorization: '{api_key}' });
  expect(await headerOf({ type: 'http', scheme: 'Token' })).toEqual({ Authorization: 'Token {token}' });
});

it('chooses by tag, path and operation, and counts the tags of all', async () => {
  const operation = (...tags: string[]) => ({ tags, responses: OK });
  const document = describeApi({
    '/a': { get: operation('one') },
    '/a/b': { get: operation('one', 'two') },
    '/ab': { get: { ...operation(), operationId: 'getAb' } },
  });
  const namesOf = async (choose: object) => (await read(document, { choose })).tools.map(({ name }) => name);
  expect(await namesOf({ tags: ['two', ''] })).toEqual(['get_a_b', 'get_ab']);
  expect(await namesOf({ paths: ['/a'] })).toEqual(['get_a', 'get_a_b']);
  expect(await namesOf({ operations: ['getAb', 'GET /a'] })).toEqual(['get_a', 'get_ab']);
  expect(await namesOf({})).toEqual([]);
  const source = await read(document, { choose: { tags: ['two'] } });
  expect(source.tags).toEqual([
    { name: 'one', tools: 2 },
    { name: '', tools: 1 },
    { name: 'two', tools: 1 },
  ]);
  expect(tagCounts(source.tools)).toEqual([
    { name: 'one', tools: 1 },
    { name: 'two', tools: 1 },
  ]);
});
