// Tests who is told of the card of the gateway, and what the card may ask. reference: Gateway card; decision: 057
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { type Answer, NINE, modernHeaders, modernMeta, rpc, textOf } from '../support/mcp.ts';
import { makeKey } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const CARD = 'ui://gateway/card';

let app: TestApp;
let ana: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  bob = await app.user('bob@example.com');
});
afterAll(() => app.close());

interface Asked {
  error?: { message: string };
  /** The members that this file reads. Each is there in the answers that it expects. */
  result: Record<string, unknown> & {
    tools: { name: string; _meta?: { ui: object } }[];
    resources: object[];
    contents: { text: string }[];
    isError?: boolean;
  };
}
type Ask = (method: string, params?: object, user?: TestUser) => Promise<Asked>;

// `Asked` declares what each test reads of the answer that it expects.
const read = ({ body }: Answer): Asked => body as unknown as Asked;

const initialize = (capabilities: object) =>
  rpc(app, ana.keyHeader, 'initialize', { protocolVersion: '2025-11-25', capabilities });

/** Asks in the era that begins with initialize, with the id that the client got there. */
const legacy =
  (extensions: object | undefined): Ask =>
  async (method, params, user = ana) => {
    const { headers } = await initialize(extensions === undefined ? {} : { extensions });
    const id = headers.get('mcp-session-id');
    const more = id === null ? {} : { 'mcp-session-id': id };
    return read(await rpc(app, { ...user.keyHeader, ...more }, method, params));
  };

const modern =
  (extensions: object | undefined): Ask =>
  async (method, params = {}, user = ana) => {
    const { name, uri } = params as { name?: string; uri?: string };
    const capabilities = extensions === undefined ? {} : { extensions };
    const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const headers = { ...user.keyHeader, ...modernHeaders(method, name ?? uri) };
    return read(await rpc(app, headers, method, { _meta, ...params }));
  };

const ERAS = [
  ['2025-11-25', legacy],
  ['2026-07-28', modern],
] as const;

const stateOf = async (id: string, user?: TestUser) => {
  const { result } = await modern(APPS)('tools/call', { name: 'card_state', arguments: { ids: [id] } }, user);
  return JSON.parse(textOf(result)).items[0];
};

describe.each(ERAS)('the card in the era of %s', (_, ask) => {
  it.each([
    ['no extension', undefined],
    ['another extension', { 'com.example/other': { mimeTypes: ['text/html;profile=mcp-app'] } }],
    ['another type', { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } }],
    ['no types', { 'io.modelcontextprotocol/ui': {} }],
  ])('is not told to a client that declares %s', async (_name, extensions) => {
    const asked = ask(extensions);
    const { tools } = (await asked('tools/list')).result;
    expect(tools.map(({ name }) => name)).toEqual(NINE);
    expect(JSON.stringify(tools)).not.toContain('_meta');
    expect((await asked('resources/list')).result.resources).toEqual([]);
    expect((await asked('resources/read', { uri: CARD })).error).toBeDefined();
    const call = { name: 'card_state', arguments: { ids: ['a'] } };
    expect((await asked('tools/call', call)).error?.message).toContain('card_state');
  });

  it('is told to a client that declares the extension', async () => {
    const asked = ask(APPS);
    const { tools } = (await asked('tools/list')).result;
    const pages = tools.flatMap((tool) => (tool._meta === undefined ? [] : [[tool.name, tool._meta.ui]]));
    expect(tools.slice(0, 9).map(({ name }) => name)).toEqual(NINE);
    expect(pages).toEqual([
      ['execute_tools', { resourceUri: CARD }],
      ['connect', { resourceUri: CARD }],
      ['wait_for_connection', { resourceUri: CARD }],
      ['card_state', { resourceUri: CARD, visibility: ['app'] }],
    ]);
    const { resources } = (await asked('resources/list')).result;
    expect(resources).toMatchObject([{ uri: CARD, mimeType: 'text/html;profile=mcp-app' }]);
    const { contents } = (await asked('resources/read', { uri: CARD })).result;
    expect(contents).toMatchObject([
      { uri: CARD, mimeType: 'text/html;profile=mcp-app', _meta: { ui: { csp: {} } } },
    ]);
    expect((await asked('resources/read', { uri: 'ui://gateway/other' })).error).toBeDefined();
  });

  it('changes nothing else for a client that declares the extension', async () => {
    const listed = async (extensions?: object) => (await ask(extensions)('tools/list')).result.tools;
    const without = (await listed(APPS)).slice(0, 9).map(({ _meta, ...tool }) => tool);
    expect(without).toEqual(await listed());
  });
});

describe('initialize', () => {
  it('gives an id only to a client that declares the extension, and says to it that there are resources', async () => {
    const plain = await initialize({});
    expect(plain.headers.get('mcp-session-id')).toBeNull();
    expect(plain.body.result?.['capabilities']).toEqual({ tools: {} });
    const declared = await initialize({ extensions: APPS });
    expect(declared.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]+$/);
    expect(declared.body.result?.['capabilities']).toEqual({
      tools: {},
      resources: {},
      extensions: { 'io.modelcontextprotocol/ui': {} },
    });
  });

  it('lets a page of an allowed origin read the id', async () => {
    const headers = { ...ana.keyHeader, origin: new URL(app.deps.config.PORTAL_URL).origin };
    const { headers: answered } = await rpc(app, headers, 'initialize', {
      capabilities: { extensions: APPS },
    });
    expect(answered.get('access-control-expose-headers')).toContain('Mcp-Session-Id');
    expect(answered.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });
});

describe('the page of the card', () => {
  it('is small, and names nothing outside of itself', async () => {
    const { result } = await modern(APPS)('resources/read', { uri: CARD });
    const { text = '' } = result.contents[0] ?? {};
    expect(Buffer.byteLength(text)).toBeLessThan(40 * 1024);
    expect(text).not.toMatch(
      /\b(src|href|action)\s*=|@import|url\(|fetch\(|XMLHttpRequest|WebSocket|innerHTML|eval\(/,
    );
  });
});

describe('card_state', () => {
  const begin = async (user: TestUser) => {
    const connection_id = app.deps.random.uuid();
    const expires_at = app.clock.now() + 600;
    await app.deps.pending.put({ connection_id, user_id: user.id, integration: 'vaulted', expires_at });
    return connection_id;
  };
  const question = async () => {
    const rules = JSON.stringify([{ tool: 'shout', decision: 'ask' }]);
    await app.deps.store.policies.putRules({ owner: ana.id, rules, revision: 'r', updated_at: 1 });
    const args = { executions: [{ tool: 'shout', args: { text: app.deps.random.uuid() } }] };
    const { result } = await legacy(APPS)('tools/call', { name: 'execute_tools', arguments: args });
    return JSON.parse(textOf(result)).results[0].approval.id as string;
  };

  it('says what becomes of a connection, and leaves it as it is', async () => {
    const id = await begin(ana);
    for (let look = 0; look < 3; look++)
      expect(await stateOf(id)).toMatchObject({ kind: 'connection', state: 'waiting', title: 'Vaulted' });
    await app.deps.pending.connect(ana.id, 'vaulted');
    expect(await stateOf(id)).toMatchObject({ state: 'done' });
  });

  it('says what becomes of an approval, and decides nothing', async () => {
    const id = await question();
    for (let look = 0; look < 3; look++)
      expect(await stateOf(id)).toMatchObject({
        kind: 'approval',
        state: 'waiting',
        tool: 'shout',
        does: expect.any(String),
      });
    const row = await app.deps.store.approvals.get(ana.id, id);
    if (row === null) throw new Error('there is no such approval');
    expect(row.state).toBe('pending');
    const change = { state: 'denied', reason: 'not today' } as const;
    await app.deps.store.approvals.move(row, change);
    expect(await stateOf(id)).toMatchObject({ state: 'denied', reason: 'not today' });
  });

  it('tells nobody else, and no other client of the person', async () => {
    const [connection, approval] = [await begin(ana), await question()];
    for (const id of [connection, approval, 'no-such-id']) {
      expect(await stateOf(id, bob)).toEqual({ id, state: 'unknown' });
    }
    const row = await app.deps.store.approvals.get(ana.id, approval);
    expect(row?.caller).toBe(PERSONAL_KEY.id);
    const { header: keyHeader } = await makeKey(app, ana);
    const other = { ...ana, keyHeader };
    expect(await stateOf(approval, other)).toEqual({ id: approval, state: 'unknown' });
  });

  it('is bounded', async () => {
    const ids = Array.from({ length: 9 }, (_, at) => String(at));
    const { result, error } = await modern(APPS)('tools/call', { name: 'card_state', arguments: { ids } });
    expect(error ?? result).toMatchObject({});
    expect(result?.['isError'] ?? true).toBe(true);
  });
});
