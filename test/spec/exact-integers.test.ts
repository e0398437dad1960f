// Follows integers that a number cannot hold from each door to the service: no digit changes on the way.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeJson } from '../../src/json/exact-integers.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { post, textOf } from '../support/mcp.ts';
import { ask, openPolicyStand } from '../support/policy-stand.ts';
import { type Script, startScripted } from '../support/scripted-mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const ID = '9007199254740993';
const NEAR = '9007199254740992';

const integer = { type: 'integer' };
const inBody = (schema: object) => ({
  required: true,
  content: { 'application/json': { schema } },
});
const responses = { 200: { description: 'Done' } };
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: {
    '/things/{id}': {
      delete: {
        operationId: 'dropThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
        responses,
      },
      get: {
        operationId: 'findThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'owner', in: 'query', schema: integer },
          { name: 'also', in: 'query', schema: { type: 'array', items: integer } },
        ],
        responses,
      },
      post: {
        operationId: 'changeThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
        requestBody: inBody({
          type: 'object',
          properties: {
            parent: integer,
            weight: { type: 'number' },
            note: { type: 'string' },
            links: { type: 'array', items: { type: 'object', properties: { to: integer } } },
            free: {},
          },
        }),
        responses,
      },
    },
  },
};

let app: TestApp;
let ana: ImportUser;
let user: TestUser;
let server: HttpServer;
let asked: string[];

beforeEach(() => {
  asked = [];
});
beforeAll(async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    asked.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}`);
    // A key that cannot be checked is stored.
    const status = /^\/(?:things|x)/.test(request.url ?? '') ? 200 : 500;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"done":true}');
  };
  server = await startHttpServer((request, response) => void answer(request, response));
  const UPSTREAM_MAP = `https://us.posthog.com=http://127.0.0.1:${server.port}`;
  app = await createTestApp({ env: { UPSTREAM_MAP } });
  user = await app.user('owner@localhost');
  ana = createImportUser(app, user);
  const document = JSON.stringify({ ...DESCRIPTION, servers: [{ url: `http://127.0.0.1:${server.port}` }] });
  await ana.add({ document });
});
afterAll(async () => {
  await app.deps.mcp.close();
  await app.close();
  await server.close();
});

/** Sends the text of `args` through a door, and returns what was answered. */
const DOORS: Record<string, (tool: string, args: string) => Promise<unknown>> = {
  async MCP(tool, args) {
    const { body } = await mcp(`{"executions":[{"tool":"acme_${tool}","args":${args}}]}`);
    return body.result?.['content'];
  },
  'MCP, arguments as a text': async (tool, args) => {
    const { body } = await mcp(`{"executions":[{"tool":"acme_${tool}","args":${JSON.stringify(args)}}]}`);
    return body.result?.['content'];
  },
  REST: (tool, args) => rest('/rest/acme', `{"tool":"${tool}","args":${args}}`),
  'REST, flat': (tool, args) => rest('/rest/acme', `{"tool":"${tool}",${args.slice(1)}`),
  'a batch over REST': (tool, args) =>
    rest('/rest/acme', `{"executions":[{"tool":"${tool}","args":${args}}]}`),
  'the address of the tool': (tool, args) => rest(`/rest/acme/${tool}`, args),
};

const mcp = (args: string) =>
  post(
    app,
    user.keyHeader,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_tools","arguments":${args}}}`,
  );

async function rest(path: string, body: string): Promise<unknown> {
  const headers = { ...user.keyHeader, 'content-type': 'application/json' };
  return (await app.request(path, { method: 'POST', headers, body })).json();
}

describe.each(Object.entries(DOORS))('an integer beyond 2^53 over %s', (_door, send) => {
  it('reaches a path, a query and a body with all its digits', async () => {
    await send('drop_thing', `{"id":${ID}}`);
    await send('find_thing', `{"id":"a","owner":${ID},"also":[1,-${ID}]}`);
    await send('change_thing', `{"id":${ID},"parent":${ID},"links":[{"to":${ID}}],"free":[${ID},"${ID}"]}`);
    expect(asked).toEqual([
      `DELETE /things/${ID}`,
      `GET /things/a?owner=${ID}&also=1&also=-${ID}`,
      `POST /things/${ID} {"parent":${ID},"links":[{"to":${ID}}],"free":[${ID},"${ID}"]}`,
    ]);
  });

  it('may be a text, as results show it, where only an integer or a number is allowed', async () => {
    await send('drop_thing', `{"id":"${ID}"}`);
    await send('change_thing', `{"id":"12","weight":"1.5","note":"${ID}","links":[{"to":"-${ID}"}]}`);
    expect(asked).toEqual([
      `DELETE /things/${ID}`,
      `POST /things/12 {"weight":1.5,"note":"${ID}","links":[{"to":-${ID}}]}`,
    ]);
  });

  it.each([`{"id":"${ID}a"}`, '{"id":"1.5"}', '{"id":""}', '{"id":" 1"}', '{"id":"0x10"}', '{"id":"01"}'])(
    'is not made of a text that is no integer: %s',
    async (args) => {
      expect(JSON.stringify(await send('drop_thing', args))).toContain('expected integer, received string');
      expect(asked).toEqual([]);
    },
  );
});

describe('an integer beyond 2^53', () => {
  it('reaches an imported MCP server as a number with all its digits', async () => {
    const bodies: string[] = [];
    const list: Script['tools/list'] = ({ result }) =>
      result({ tools: [{ name: 'drop', inputSchema: { type: 'object', properties: { id: integer } } }] });
    const scripted = await startScripted({ 'tools/list': list }, (text) => void bodies.push(text));
    await ana.send('POST', '/api/imports', { name: 'other', address: scripted.address });
    for (const id of [ID, `"${ID}"`]) await rest('/rest/other', `{"tool":"drop","args":{"id":${id}}}`);
    expect(bodies.filter((text) => text.includes('tools/call'))).toEqual([
      expect.stringContaining(`"arguments":{"id":${ID}}`),
      expect.stringContaining(`"arguments":{"id":${ID}}`),
    ]);
    await scripted.close();
  });

  it('reaches the body of a raw request, and is refused by a tool that can only hold it rounded', async () => {
    await ana.send('POST', '/api/auth/apikey/posthog', { values: { apiKey: 'phx_one' } });
    asked = [];
    const request = `{"method":"POST","path":"/x","body":{"id":${ID}}}`;
    await rest('/rest/posthog', `{"tool":"request","args":${request}}`);
    expect(asked).toEqual([`POST /x {"id":${ID}}`]);
    const refused = `Too large: this tool cannot hold an integer of this size with all its digits, so nothing was run`;
    for (const limit of [ID, `"${ID}"`])
      expect(await rest('/rest/posthog', `{"tool":"list_projects","args":{"limit":${limit}}}`)).toEqual({
        error: `Invalid arguments for posthog_list_projects: limit: ${refused}`,
      });
    expect(asked).toHaveLength(1);
  });

  it('is the id of a JSON-RPC request, and comes back with all its digits', async () => {
    const body = `{"jsonrpc":"2.0","id":${ID},"method":"ping"}`;
    const response = await app.request('/mcp', { method: 'POST', headers: user.keyHeader, body });
    expect(await response.text()).toBe(`{"jsonrpc":"2.0","id":${ID},"result":{}}`);
  });

  it('is refused with more than a thousand digits, as what is no JSON', async () => {
    expect(await rest('/rest/acme/drop_thing', `{"id":1${'0'.repeat(1_000)}}`)).toEqual({
      error: 'The body is not valid JSON',
    });
    expect((await mcp(`{"executions":1${'0'.repeat(1_000)}}`)).body.error?.code).toBe(-32_700);
  });

  it('is kept with all its digits in the details of the call', async () => {
    await rest('/rest/acme/drop_thing', `{"id":${ID}}`);
    await app.deps.audit.flush();
    await app.deps.callDetails.flush();
    const { body: log } = await ana.send('GET', '/api/audit');
    const { body: detail } = await ana.send('GET', `/api/calls/${log.entries[0].id}`);
    expect(detail.details.args.value).toEqual({ id: ID });
  });
});

describe('an approval', () => {
  it('is for exactly the digits that the person was shown', async () => {
    const stand = await openPolicyStand({ rules: [ask('ledger_post')] });
    const send = async (amount: string) => {
      const { body } = await post(
        stand.app,
        stand.key,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_tools","arguments":{"executions":[{"tool":"ledger_post","args":{"amount":${amount}}}]}}}`,
      );
      const content = textOf(body.result);
      return JSON.parse(content).results[0];
    };
    const { approval } = await send(ID);
    const shown = await stand.send(stand.ana.sessionHeader, 'GET', `/api/approvals/${approval.id}`);
    expect(shown.body.args).toEqual({ amount: ID, to: 'main' });
    await stand.approve(approval.id);
    expect(await send(NEAR)).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(await send('9007199254740994')).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(stand.ran).toEqual([]);
    expect(await send(ID)).toEqual({ result: { done: 'ledger_post' } });
    expect(stand.ran).toEqual([{ tool: 'ledger_post', args: { amount: BigInt(ID), to: 'main' } }]);
    await stand.close();
  });
});

describe('writeJson', () => {
  it('writes what JSON.stringify writes, and refuses what it refuses', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(writeJson({ a: [1n, 'x', { b: undefined }], c: null })).toBe('{"a":[1,"x",{}],"c":null}');
    expect(() => writeJson(cycle)).toThrow(TypeError);
    expect(() => writeJson([1n, cycle])).toThrow(TypeError);
  });
});
