// Checks that mutated OpenAPI descriptions become a sound source or a refusal, and nothing else.
import { expect, it } from 'vitest';
import { readOpenApi } from '../../src/imports/openapi/read.ts';
import { SourceFailure } from '../../src/imports/model/source-failure.ts';
import { expectSoundSource } from '../support/openapi-source.ts';
import { fuzz } from './chance.ts';
import { mutateJson, mutateText } from './mutate.ts';

const ROUNDS = 1_500;

const NEW = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Things', description: 'All of them' },
  servers: [
    { url: 'https://{region}.example.com/v1', variables: { region: { default: 'eu', enum: ['eu'] } } },
  ],
  security: [{ key: [] }, { oauth: ['a'] }],
  paths: {
    '/things/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: {
        operationId: 'getThing',
        tags: ['things'],
        responses: { 200: { content: { 'application/json': {} } } },
      },
      patch: {
        requestBody: { $ref: '#/components/requestBodies/thing' },
        servers: [{ url: '/v2' }],
        responses: { default: { $ref: '#/components/responses/ok' } },
      },
      post: {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { file: { type: 'string', format: 'binary' }, tags: { type: 'array' } },
              },
              encoding: { file: { contentType: 'image/png' }, tags: { style: 'form', explode: false } },
            },
          },
        },
      },
    },
  },
  components: {
    parameters: {
      id: {
        name: 'id',
        in: 'path',
        required: true,
        style: 'label',
        schema: { type: 'integer', minimum: 1, exclusiveMinimum: true },
      },
    },
    requestBodies: {
      thing: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
      },
    },
    responses: { ok: { description: 'OK' } },
    schemas: {
      Thing: {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          {
            type: 'object',
            properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
          },
        ],
        required: ['name'],
      },
      Base: {
        type: 'object',
        discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/Thing' } },
        oneOf: [
          { $ref: '#/components/schemas/Thing' },
          { properties: { kind: { enum: ['b', null], nullable: true } } },
        ],
        properties: {
          name: { type: 'string', pattern: '^a', readOnly: false },
          at: { type: 'string', readOnly: true },
        },
        additionalProperties: { type: 'string' },
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      oauth: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://a.example.com',
            tokenUrl: '/token',
            scopes: { a: '' },
          },
        },
      },
    },
  },
});

const OLD = JSON.stringify({
  swagger: '2.0',
  info: { title: 'Old things' },
  host: 'old.example.com',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/json'],
  securityDefinitions: { basic: { type: 'basic' } },
  parameters: {
    tags: { in: 'query', name: 'tags', type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' },
  },
  definitions: { Thing: { type: 'object', properties: { next: { $ref: '#/definitions/Thing' } } } },
  paths: {
    '/things': {
      get: { parameters: [{ $ref: '#/parameters/tags' }], produces: ['text/csv'], responses: {} },
      put: { parameters: [{ in: 'body', name: 'thing', schema: { $ref: '#/definitions/Thing' } }] },
      post: {
        parameters: [
          { in: 'formData', name: 'file', type: 'file' },
          { in: 'formData', name: 'n', type: 'integer' },
        ],
      },
    },
  },
});

const YAML = `openapi: 3.1.0
info: { title: Yaml }
servers: [{ url: "https://api.example.com" }]
paths:
  /a:
    get: &get
      parameters:
        - { name: a, in: query, schema: &schema { type: [string, "null"], examples: [x] } }
      responses: { 200: { description: OK } }
    post:
      <<: *get
      requestBody: { content: { application/json: { schema: { properties: { a: *schema } } } } }
`;

async function expectSound(text: string): Promise<void> {
  try {
    expectSoundSource(await readOpenApi(text, { address: 'https://api.example.com/openapi.json' }));
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    expect(error.message).not.toBe('');
  }
}

it('makes a sound source or a refusal of mutated JSON', async () => {
  await fuzz(ROUNDS, async (chance) => {
    let text = chance.pick([NEW, OLD]);
    for (let times = 1 + chance.below(6); times > 0; times--) text = mutateJson(text, chance);
    await expectSound(text);
  });
});

it('makes a sound source or a refusal of mutated text', async () => {
  await fuzz(ROUNDS, async (chance) => {
    await expectSound(mutateText(chance.pick([NEW, OLD, YAML]), chance));
  });
});
