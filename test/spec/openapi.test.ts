// Tests the OpenAPI descriptions and llms.txt: that they are valid, complete and usable. reference: OpenAPI
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { FEATURES } from '../../src/features.ts';
import { sharedByName } from '../../src/rest/openapi/chapters.ts';
import { defineIntegration, type Tool } from '../../src/kit/integration.ts';
import type { Browser } from '../../src/ports/browser.ts';
import { VERSION } from '../../src/ports/version.ts';
import { createLiveView } from '../../src/live-view/live-view.ts';
import { compileSchemas, type Description, readDescription } from '../support/openapi.ts';
import { smallWorld } from '../support/fixtures.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let gateway: Description;

const text = async (path: string, from = app) =>
  (await from.request(path, { headers: ana.keyHeader })).text();

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  gateway = await readDescription(await text('/openapi.json'));
});
afterAll(() => app.close());

const duplicates = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

describe('GET /openapi.json', () => {
  it('needs no credential and may be cached for five minutes', async () => {
    const response = await app.request('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('is OpenAPI 3.1 whose schemas a strict validator accepts', () => {
    expect(gateway.document.openapi).toBe('3.1.0');
    expect(compileSchemas(gateway)).toBeGreaterThan(40);
  });

  it('has no pattern that the regular expressions of other languages cannot read', () => {
    const text = JSON.stringify(gateway.document);
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, pattern = '']) => pattern);
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[pPkuQE]|\(\?<?[^:=!]/.test(pattern))).toEqual([]);
  });

  it('names both media types of an export', () => {
    for (const path of ['/api/audit/export', '/api/admin/audit/export'])
      expect(gateway.document).toMatchObject({
        paths: {
          [path]: {
            get: { responses: { 200: { content: { 'application/x-ndjson': {}, 'text/csv': {} } } } },
          },
        },
      });
  });

  it('has the version of the program', () => {
    expect(gateway.document['info']).toMatchObject({ version: VERSION });
  });

  it('names the public address of the gateway', async () => {
    expect(gateway.document.servers).toEqual([{ url: BASE }]);
    const other = await createTestApp({ env: { SERVER_PUBLIC_URL: 'http://localhost:3001' } });
    const { document } = await readDescription(await (await other.request('/openapi.json')).text());
    expect(document.servers).toEqual([{ url: 'http://localhost:3001' }]);
    await other.close();
  });

  it('gives each operation a readable id of its own, a known tag, a summary and an access', () => {
    const ids = gateway.operations.map(({ operationId }) => operationId);
    expect(duplicates(ids)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+[A-Za-z]*$/.test(id))).toEqual([]);
    const known = (gateway.document['tags'] as { name: string }[]).map(({ name }) => name);
    const used = new Set(gateway.operations.flatMap(({ tags }) => tags));
    expect([...used].toSorted()).toEqual(known.toSorted());
    for (const { operationId, summary, 'x-access': access } of gateway.operations) {
      expect(['read', 'write', 'destroy'], operationId).toContain(access);
      expect(summary, operationId).toMatch(/^[A-Z][^\n]{0,80}$/);
    }
  });

  it('has examples that their own schemas accept', () => {
    const examples = gateway.operations.flatMap(({ operationId, requestBody }) => {
      const example = requestBody?.content['application/json']?.example;
      return example === undefined ? [] : [[operationId, gateway.faultInRequest(operationId, example)]];
    });
    expect(examples.length).toBeGreaterThan(3);
    expect(examples.filter(([, fault]) => fault !== null)).toEqual([]);
  });

  it('links to the description of each integration instead of listing the tools', async () => {
    const links = app.deps.registry.integrations.map(({ name }) => `${BASE}/rest/${name}/openapi.json`);
    const description = await text('/openapi.json');
    expect(links.filter((link) => !description.includes(link))).toEqual([]);
    expect(description).not.toContain('github_list_issues');
    // The histogram of calls, for a person and for everybody, takes every filter of the audit.
    expect(description.length).toBeLessThan(320_000);
  });

  it.each([
    ['listConnections', [{ apiKey: [] }, { session: [] }]],
    ['createAgentKey', [{ session: [] }]],
    ['executeTools', [{ apiKey: [] }, { session: [] }, { oauth: ['mcp'] }]],
    ['rawGet', [{ curlSession: [] }]],
    ['getHealth', []],
  ])('says which credentials %s takes', (id, security) => {
    expect(gateway.find(id).security).toEqual(security);
  });

  it('writes out once what several operations have', async () => {
    const description = await text('/openapi.json');
    for (const { name } of sharedByName(FEATURES))
      expect(description.split(`"#/components/schemas/${name}"`).length, name).toBeGreaterThan(2);
  });

  it('requires no credential that it does not define', () => {
    const { securitySchemes } = gateway.document['components'] as { securitySchemes: object };
    const used = gateway.operations.flatMap(({ security }) => security.flatMap((one) => Object.keys(one)));
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(securitySchemes).toSorted());
  });
});

/** Routes below /api and /rest that the description leaves out, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'GET /rest/': 'the same as /rest',
  'GET /api/auth/hosted/callback': 'a provider sends browsers here',
  'GET /api/auth/idp/callback': 'a provider sends browsers here',
  'GET /api/auth/plugin/:integration/callback': 'a provider sends browsers here',
  'GET /api/auth/imports/callback': 'a provider sends browsers here',
  'GET /api/auth/family/:family/callback': 'a provider sends browsers here',
  'POST /api/auth/plugin/:integration/confirm': 'a form of a page of the gateway',
  ...Object.fromEntries(
    ['/api/auth/cookie/:integration/cdp', '/api/browser-session/cdp'].flatMap((prefix) =>
      ['POST attach', 'GET events', 'POST commands', 'POST detach'].map((step) => [
        step.replace(' ', ` ${prefix}/`),
        'a protocol with a stream; docs/live-view.md describes it',
      ]),
    ),
  ),
};

describe('the routes of the gateway', () => {
  // Nothing here starts it.
  const browser: Browser = {
    status: () => 'off',
    current: () => null,
    open: () => Promise.reject(new Error('not used')),
    forget: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    reset: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };

  /** The routes of the whole gateway, as they are mounted. */
  function mounted(): string[] {
    const liveView = createLiveView({ ...app.deps, browser }).routes;
    const routes = createApp(app.deps, { liveView }).routes.filter(({ method }) => method !== 'ALL');
    return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
  }

  const described = () =>
    gateway.operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );

  it('below /api and /rest are all described, but those with a reason', () => {
    const covered = new Set([...described(), ...Object.keys(LEFT_OUT)]);
    const ours = mounted().filter((route) => /^\w+ \/(api|rest)(\/|$)/.test(route));
    expect(ours.length).toBeGreaterThan(40);
    expect(ours.filter((route) => !covered.has(route))).toEqual([]);
  });

  it('exist for every operation, and for every route that is left out', () => {
    const existing = new Set(mounted());
    const wanted = [...described().filter((route) => !route.includes(' /c/')), ...Object.keys(LEFT_OUT)];
    expect(wanted.filter((route) => !existing.has(route))).toEqual([]);
  });
});

describe('GET /rest/:integration/openapi.json', () => {
  it('needs the credential of /rest, and answers 404 to an unknown integration', async () => {
    const stranger = await app.request('/rest/time/openapi.json');
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Bearer realm="service"'),
    ]);
    expect(await stranger.json()).toMatchObject({ error: 'Unauthorized' });
    const unknown = await app.request('/rest/nope/openapi.json', { headers: ana.sessionHeader });
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: 'Integration not found', integration: 'nope' },
    ]);
    const known = await app.request('/rest/time/openapi.json', { headers: ana.sessionHeader });
    expect([known.status, known.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('is valid for every integration, with one operation for each tool under its full name', async () => {
    for (const integration of app.deps.registry.integrations) {
      const description = await readDescription(await text(`/rest/${integration.name}/openapi.json`));
      const tools = app.deps.registry.toolsOf(integration);
      expect(
        description.operations.map(({ operationId, method, path, 'x-access': access }) => ({
          operationId,
          method,
          path,
          access,
        })),
      ).toEqual(
        tools.map(({ name, access }) => ({
          operationId: name,
          method: 'post',
          path: `/rest/${integration.name}/${name}`,
          access,
        })),
      );
      for (const { name, schema } of tools)
        expect(description.find(name).requestBody?.content['application/json']?.schema).toEqual(schema);
      expect(compileSchemas(description)).toBeGreaterThan(5);
    }
  });

  it('is all that an importer needs to run a tool, by its address, its credential and its arguments', async () => {
    const { document, find, faultIn, faultInRequest } = await readDescription(
      await text('/rest/echo/openapi.json'),
    );
    const { securitySchemes } = document['components'] as { securitySchemes: { apiKey: { name: string } } };
    const run = async (id: string, args: object) => {
      const { method, path } = find(id);
      const response = await app.request(`${document.servers[0]?.url}${path}`, {
        method: method.toUpperCase(),
        headers: { [securitySchemes.apiKey.name]: ana.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
      const answer = { status: response.status, mediaType, body: await response.json() };
      expect(faultIn(id, answer)).toBeNull();
      return answer;
    };
    expect(faultInRequest('shout', { text: 'hey' })).toBeNull();
    expect(faultInRequest('shout', { loud: 'hey' })).toContain('required');
    expect(await run('shout', { text: 'hey' })).toMatchObject({
      status: 200,
      body: { integration: 'echo', tool: 'shout', result: 'HEY' },
    });
    expect((await run('shout', { loud: 'hey' })).status).toBe(400);
    expect((await run('echo_fail', {})).status).toBe(502);
  });

  it('describes how a call fails that may not run yet, and that it is not connected where that can happen', async () => {
    const notYet = async (integration: string, tool: string) => {
      const description = await readDescription(await text(`/rest/${integration}/openapi.json`));
      return (code: string) => {
        const body = { error: code, integration, tool, message: 'Do this' };
        const approval = { id: 'a', url: 'https://gateway.example/approvals/a', expiresAt: 1 };
        const answer = code === 'NOT_CONNECTED' ? body : { ...body, approval };
        return description.faultIn(tool, { status: 409, mediaType: 'application/json', body: answer });
      };
    };
    const [vaulted, echo] = [await notYet('vaulted', 'vaulted_whoami'), await notYet('echo', 'shout')];
    expect(vaulted('NOT_CONNECTED')).toBeNull();
    expect(vaulted('APPROVAL_REQUIRED')).toBeNull();
    expect(echo('APPROVAL_REQUIRED')).toBeNull();
    expect(echo('NOT_CONNECTED')).not.toBeNull();
  });

  it('keeps the references of a schema within that schema', async () => {
    const tree: Tool = {
      name: 'grow_tree',
      description: 'Plants a tree',
      access: 'write',
      schema: {
        type: 'object',
        properties: { root: { $ref: '#/$defs/node' } },
        required: ['root'],
        $defs: {
          node: { type: 'object', properties: { children: { type: 'array', items: { type: 'string' } } } },
        },
      },
      parse: (value) => ({ ok: true, value }),
      run: () => null,
    };
    const forest = defineIntegration({
      name: 'grow',
      version: '1.0.0',
      displayName: 'Grow',
      description: 'A fixture',
      categories: [],
      logo: null,
      auth: { type: 'none' },
      tools: [tree],
    });
    const other = await createTestApp({ ports: { integrations: [forest] } });
    const { keyHeader } = await other.user();
    const response = await other.request('/rest/grow/openapi.json', { headers: keyHeader });
    const { faultInRequest } = await readDescription(await response.text());
    expect(faultInRequest('grow_tree', { root: { children: ['a'] } })).toBeNull();
    expect(faultInRequest('grow_tree', { root: { children: [1] } })).toContain('string');
    await other.close();
  });
});

describe('GET /llms.txt', () => {
  it('says in a few lines, without a credential, how to use the gateway', async () => {
    const response = await app.request('/llms.txt');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=UTF-8',
    ]);
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    expect(lines[0]).toBe('# Tool gateway');
    expect(lines.length).toBeLessThanOrEqual(24);
  });

  it('has a line for REST that works as it is written', async () => {
    const line = (await text('/llms.txt')).split('\n').find((each) => each.startsWith('- Run: ')) ?? '';
    const [, address = '', header = '', body = ''] =
      /`curl (\S+) -H '(.+): KEY' -H 'content-type: application\/json' -d '(.+)'`/.exec(line) ?? [];
    const response = await app.request(address, {
      method: 'POST',
      headers: { [header]: ana.apiKey, 'content-type': 'application/json' },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { tool: 'time_now', result: { timeZone: 'Europe/Berlin' } },
    ]);
  });

  it('names meta-tools, tools and addresses that exist', async () => {
    const said = await text('/llms.txt');
    const response = await app.request('/mcp', {
      method: 'POST',
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
    const known = new Set([
      ...result.tools.map(({ name }) => name),
      ...app.deps.registry.tools.map(({ tool }) => tool.name),
    ]);
    const named = [...said.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the descriptions and the portal', () => {
  const asset = {
    body: new TextEncoder().encode('<!doctype html>portal'),
    contentType: 'text/html',
    immutable: false,
  };

  it('do not hide each other: fixed addresses win, and every other one is a page', async () => {
    const other = await createTestApp({
      ports: { integrations: smallWorld, assets: { get: () => Promise.resolve(asset) } },
    });
    expect(await text('/openapi.json', other)).toMatch(/^\{"openapi"/);
    expect(await text('/llms.txt', other)).toMatch(/^# Tool gateway/);
    for (const path of ['/openapi.yaml', '/llms', '/openapi.json/x', '/rest/time/time_now'])
      expect(await text(path, other)).toContain('portal');
    await other.close();
  });

  it('are not at the address that jots have to themselves', async () => {
    const other = await createTestApp({ env: { JOTS_ORIGIN: 'http://jots.localhost:3000' } });
    for (const path of ['/openapi.json', '/llms.txt']) {
      const host = { headers: { host: 'jots.localhost:3000' } };
      expect((await other.request(`http://jots.localhost:3000${path}`, host)).status).toBe(404);
    }
    await other.close();
  });
});
