// Checks what the sources of imports share, and what each says of its own language. decision: 044; decision: 046; decision: 046
import { getRequestListener } from '@hono/node-server';
import { buildSchema, graphql } from 'graphql';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SourceFailure } from '../../src/imports/model/source-failure.ts';
import { createSources, type Sources } from '../../src/imports/sources.ts';
import type { Lease } from '../../src/memory/budget.ts';
import type { ImportRecord } from '../../src/ports/records.ts';
import { importRecord } from '../contracts/store/records.ts';
import { closeAll, listen } from '../support/egress-door.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const SCHEMA = buildSchema('type Query { issue: Int }');
const OPERATION = { method: 'PUT', path: '/things/{id}', parameters: [], accepts: [] };
const GRAPHQL = { graphql: 'query', address: 'https://service.example/graphql' };

let app: TestApp;
let ana: TestUser;
let sources: Sources;
let lease: Lease;
beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user('owner@localhost');
  sources = createSources(app.deps);
  lease = app.deps.memoryBudget.open(ana.id);
});
afterAll(async () => {
  await closeAll();
  await app.close();
});

const toolOf = (operation?: object) => ({
  source: 'tool',
  inputSchema: {},
  operation: operation && { ...operation },
});

describe('the source of an import', () => {
  const place = { address: 'https://service.example/at' };
  const settings = { base: 'https://service.example/base' };

  it.each<[string, ImportRecord['kind'], object | undefined, object]>([
    [
      'an MCP server',
      'mcp',
      undefined,
      {
        nameEnd: '_mcp',
        whyNoHeaders: 'Write the headers of an MCP server into auth, with the type headers',
        takesOnlyPosts: true,
        address: place.address,
        request: undefined,
      },
    ],
    [
      'an OpenAPI description',
      'openapi',
      OPERATION,
      {
        nameEnd: '_api',
        whyNoHeaders: null,
        takesOnlyPosts: false,
        address: settings.base,
        request: { method: 'PUT', path: '/things/{id}' },
      },
    ],
    [
      'a GraphQL endpoint',
      'openapi',
      GRAPHQL,
      {
        nameEnd: '_api',
        whyNoHeaders: null,
        takesOnlyPosts: true,
        address: settings.base,
        request: undefined,
      },
    ],
  ])('says what is true of %s', (_, kind, operation, facts) => {
    const tool = toolOf(operation);
    const { addressOf, nameEnd, requestOf, takesOnlyPosts, whyNoHeaders } = sources.of({ kind }, tool);
    const address = addressOf(place, settings);
    expect({ nameEnd, whyNoHeaders, takesOnlyPosts, address, request: requestOf(tool) }).toEqual(facts);
  });

  it('is that of OpenAPI while an import of a service has no tools', () => {
    expect(sources.of({ kind: 'openapi' }, null)).toBe(sources.of({ kind: 'openapi' }, toolOf(OPERATION)));
    expect(sources.of({ kind: 'openapi' }, null)).not.toBe(sources.of({ kind: 'openapi' }, toolOf(GRAPHQL)));
  });

  it('takes a document only where the language has documents', async () => {
    const document = { document: '{"openapi": "3.1.0"}', lease };
    await expect(sources.of({ kind: 'mcp' }, null).find(document, {})).rejects.toMatchObject({
      name: 'SourceFailure',
      status: 400,
      message: 'An MCP server has an address, not a document',
    });
    await expect(sources.of({ kind: 'openapi' }, null).find(document, {})).rejects.toThrow(SourceFailure);
    expect(await sources.of({ kind: 'openapi' }, toolOf(GRAPHQL)).find(document, {})).toBeNull();
  });

  it.each([undefined, OPERATION, GRAPHQL])(
    'cannot read an uploaded description again: %o',
    async (operation) => {
      const record = importRecord({ kind: 'openapi', address: null });
      const stored = {
        auth: { type: 'none' as const },
        include: null,
        exclude: [],
        access: {},
        isListed: true,
      };
      const asked = await sources.of(record, toolOf(operation)).read({ record, settings: stored }, null);
      expect(asked).toEqual({
        ok: false,
        message: 'The description was uploaded. Delete the import and upload the new one',
      });
    },
  );
});

describe('an import of a GraphQL endpoint', () => {
  async function serve() {
    const asked: string[] = [];
    const versions: (string | undefined)[] = [];
    let isAway = false;
    const service = new Hono()
      .use(async (c, next) => {
        asked.push(`${c.req.method} ${c.req.path}`);
        versions.push(c.req.header('x-version'));
        return isAway ? c.text('away', 404) : next();
      })
      .post('/graphql', async (c) => {
        const { query: source } = await c.req.json<{ query: string }>();
        return c.json(await graphql({ schema: SCHEMA, source, rootValue: { issue: 7 } }));
      });
    const answer = getRequestListener(service.fetch);
    const { url } = await listen((request, response) => void answer(request, response));
    return { asked, versions, address: `${url}/graphql`, leave: () => (isAway = true) };
  }

  async function send(method: string, path: string, body?: object) {
    const response = await app.request(path, {
      method,
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  it('is looked for as a description first, each time that it is asked again', async () => {
    const { asked, address, leave } = await serve();
    const { host } = new URL(address);
    const added = await send('POST', '/api/imports', { address, kind: 'openapi', name: 'tracker' });
    expect(added).toMatchObject({ status: 201, body: { kind: 'openapi', base: address, checkError: null } });
    expect(asked.splice(0)).toEqual(['GET /graphql', 'POST /graphql']);
    expect((await send('POST', '/api/imports/tracker/check')).status).toBe(200);
    expect(asked.splice(0)).toEqual(['GET /graphql', 'POST /graphql']);
    leave();
    const error = `${host} answered 404 for the description`;
    expect(await send('POST', '/api/imports/tracker/check')).toEqual({ status: 502, body: { error } });
    expect(asked).toEqual(['GET /graphql', 'POST /graphql']);
    expect((await send('GET', '/api/imports/tracker')).body).toMatchObject({ checkError: error });
  });

  it('may be given headers for all calls, and is called with them', async () => {
    const { asked, address, versions } = await serve();
    await send('POST', '/api/imports', {
      address,
      kind: 'openapi',
      name: 'issues',
      headers: { 'X-Version': '2' },
    });
    asked.splice(0);
    const { body } = await send('POST', '/rest/issues/issues_query', { query: '{ issue }' });
    expect(JSON.stringify(body)).toContain('"issue":7');
    expect(versions).toEqual([undefined, undefined, '2']);
    expect(asked).toEqual(['POST /graphql']);
  });
});
