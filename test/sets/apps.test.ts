// Tests the apps of imported servers in a set: what a client that shows them is told, and what a page may call. reference: Apps
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChangingServer, startChangingServer, tool } from '../support/changing-server.ts';
import { type Answer, modernHeaders, modernMeta, textOf } from '../support/mcp.ts';
import { type Headers, makeKey, send, setRules } from '../support/policy.ts';
import { makeSet, setRpc } from '../support/sets.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const PAGE = 'ui://board/page.html';
const ADDRESS = 'ui://boards/board/page.html';
const html = (word: string) => `<!doctype html><title>${word}</title>`;
const ui = (more: object = {}) => ({ _meta: { ui: { resourceUri: PAGE, ...more } } });

let app: TestApp;
let ana: TestUser;
let boards: ChangingServer;
let mails: ChangingServer;

beforeAll(async () => {
  boards = await startChangingServer([], { name: 'boards' });
  mails = await startChangingServer([], { name: 'mails' });
});
afterAll(async () => {
  await boards.close();
  await mails.close();
});
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user('owner@localhost');
  boards.tools = [tool('show-board', ui()), tool('move-card'), tool('refresh', ui({ visibility: ['app'] }))];
  boards.pages = {
    [PAGE]: { text: html('board'), _meta: { ui: { csp: { connectDomains: ['https://b.example'] } } } },
  };
  mails.tools = [tool('send-mail', ui()), tool('refresh', { _meta: { ui: { visibility: ['app'] } } })];
  mails.pages = { [PAGE]: { text: html('mail') } };
  for (const server of [boards, mails]) {
    server.calls = [];
    server.result = null;
  }
  for (const [name, { address }] of Object.entries({ boards, mails }))
    await send(app, ana.sessionHeader, 'POST', '/api/imports', { name, address });
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
});

interface Listed {
  name: string;
  _meta?: { ui: { resourceUri?: string; visibility: string[] } };
}
const BOTH = ['boards_show_board', 'boards_move_card', 'mails_send_mail'];

/** Asks as a client of the newer era that shows apps, or none. */
function ask(
  set: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Headers = ana.keyHeader,
  capabilities: object = APPS,
) {
  const { name, uri } = params;
  const named = typeof name === 'string' ? name : typeof uri === 'string' ? uri : undefined;
  const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  return setRpc(app, { ...headers, ...modernHeaders(method, named) }, set, method, { _meta, ...params });
}
const listed = async (set: string, capabilities?: object): Promise<Listed[]> =>
  // The tests look at what is listed.
  (await ask(set, 'tools/list', {}, ana.keyHeader, capabilities)).body.result?.['tools'] as Listed[];
const called = (set: string, name: string, headers?: Headers, capabilities?: object) =>
  ask(set, 'tools/call', { name, arguments: {} }, headers, capabilities);
const read = (set: string, uri: string, headers?: Headers, capabilities?: object) =>
  ask(set, 'resources/read', { uri }, headers, capabilities);
const htmlOf = ({ body }: Answer) => {
  const contents = body.result?.['contents'];
  return Array.isArray(contents) ? contents[0].text : null;
};

describe('the list of a set with apps', () => {
  beforeEach(() => makeSet(app, ana, 'work', [...BOTH, 'shout']));

  it('has no word of them for a client that shows none', async () => {
    const tools = await listed('work', {});
    expect(tools.map(({ name }) => name)).toEqual([...BOTH, 'shout', 'read_result']);
    expect(JSON.stringify(tools)).not.toContain('_meta');
    expect((await ask('work', 'resources/list', {}, ana.keyHeader, {})).body.result?.['resources']).toEqual(
      [],
    );
    expect(htmlOf(await read('work', ADDRESS, ana.keyHeader, {}))).toBeNull();
  });

  it('names the page at an address of the gateway, and says which tools are open to it', async () => {
    const tools = await listed('work');
    expect(tools.map(({ name, _meta }) => [name, _meta?.ui])).toEqual([
      ['boards_show_board', { resourceUri: ADDRESS, visibility: ['model', 'app'] }],
      ['boards_move_card', { visibility: ['model', 'app'] }],
      ['mails_send_mail', { visibility: ['model'] }],
      ['shout', { visibility: ['model'] }],
      ['show-board', { resourceUri: ADDRESS, visibility: ['app'] }],
      ['move-card', { visibility: ['app'] }],
      ['refresh', { resourceUri: ADDRESS, visibility: ['app'] }],
      ['read_result', { visibility: ['model'] }],
    ]);
  });

  it('is the same in the era that begins with initialize', async () => {
    const begun = await setRpc(app, ana.keyHeader, 'work', 'initialize', { capabilities: APPS });
    expect(begun.body.result?.['capabilities']).toMatchObject({ resources: {} });
    const id = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    const { body } = await setRpc(app, { ...ana.keyHeader, ...id }, 'work', 'tools/list');
    expect(body.result?.['tools']).toEqual(await listed('work'));
    const page = await setRpc(app, { ...ana.keyHeader, ...id }, 'work', 'resources/read', { uri: ADDRESS });
    expect(htmlOf(page)).toBe(html('board'));
  });

  it('leaves out a name of the server that is another tool of the set', async () => {
    boards.tools = [tool('show-board', ui()), tool('shout'), tool('connect')];
    await send(app, ana.sessionHeader, 'POST', '/api/imports/boards/check');
    await send(app, ana.sessionHeader, 'POST', '/api/imports/boards/accept', { all: true });
    await makeSet(app, ana, 'names', ['boards_show_board', 'boards_shout', 'boards_connect', 'shout']);
    const names = (await listed('names')).map(({ name }) => name);
    expect(names.filter((name) => name === 'shout')).toEqual(['shout']);
    expect(names).not.toContain('connect');
    await called('names', 'connect');
    expect(boards.calls).toEqual([]);
  });
});

describe('the pages of a set', () => {
  beforeEach(() => makeSet(app, ana, 'work', BOTH));

  it('are listed and relayed as they were accepted, with what they may reach', async () => {
    const { body } = await ask('work', 'resources/list');
    const meta = { ui: { csp: { connectDomains: ['https://b.example'] } } };
    expect(body.result?.['resources']).toMatchObject([
      { uri: ADDRESS, mimeType: 'text/html;profile=mcp-app', _meta: meta },
    ]);
    expect((await read('work', ADDRESS)).body.result).toMatchObject({
      contents: [{ uri: ADDRESS, mimeType: 'text/html;profile=mcp-app', text: html('board'), _meta: meta }],
      cacheScope: 'private',
    });
  });

  it('stay those that were accepted when the server has others, and when it says that they may reach more', async () => {
    boards.pages = {
      [PAGE]: { text: html('stolen'), _meta: { ui: { csp: { connectDomains: ['https://evil.example'] } } } },
    };
    await send(app, ana.sessionHeader, 'POST', '/api/imports/boards/check');
    const answer = JSON.stringify((await read('work', ADDRESS)).body);
    expect(answer).not.toContain('stolen');
    expect(answer).not.toContain('evil');
    await send(app, ana.sessionHeader, 'POST', '/api/imports/boards/accept', { all: true });
    expect(htmlOf(await read('work', ADDRESS))).toBe(html('stolen'));
  });

  it('are not relayed when what is stored is not what was accepted', async () => {
    const { imported, tools = [] } = (await app.deps.registries.integration(ana.id, 'boards')) ?? {};
    const { digest = '' } = tools.find((each) => each.app !== undefined)?.app ?? {};
    const id = imported?.id ?? '';
    await app.deps.store.importPages.keepOnly(id, []);
    await app.deps.store.importPages.store(id, [{ digest, html: html('stolen') }]);
    expect(htmlOf(await read('work', ADDRESS))).toBeNull();
  });

  it.each([
    ['the address at the server', PAGE],
    ['a page of an import that is in the set with its tools only', 'ui://mails/board/page.html'],
    ['a page of an import that is not in the set', 'ui://other/board/page.html'],
    ['a way out of the import', 'ui://boards/../mails/board/page.html'],
    ['another scheme', 'file:///etc/passwd'],
  ])('do not include %s', async (_, uri) => {
    const { body } = await read('work', uri);
    expect(body.error?.message).toBe('Resource not found');
  });

  it('are invisible to another person', async () => {
    const bob = await app.user('bob@example.com');
    expect((await read('work', ADDRESS, bob.keyHeader)).status).toBe(404);
  });
});

describe('a call of a page', () => {
  beforeEach(() => makeSet(app, ana, 'work', BOTH));

  it('goes the one way: it reaches the server, and is in the audit under the name of the tool', async () => {
    const { body } = await called('work', 'refresh');
    expect(textOf(body.result)).toBe('refresh for nobody');
    expect(boards.calls).toMatchObject([{ tool: 'refresh' }]);
    expect(mails.calls).toEqual([]);
    await app.deps.audit.flush();
    const { body: audit } = await send(app, ana.sessionHeader, 'GET', '/api/audit');
    expect(audit.entries[0]).toMatchObject({ integration: 'boards', tool: 'boards_refresh' });
  });

  it('reaches no tool of another server, and none that its set does not have', async () => {
    await makeSet(app, ana, 'small', ['boards_show_board', 'mails_send_mail']);
    for (const name of [
      'send-mail',
      'mails_refresh',
      'boards_refresh',
      'move-card',
      'boards_move_card',
      'execute_tools',
    ]) {
      const { body } = await called('small', name);
      expect(body.error?.message ?? textOf(body.result)).toContain(name);
    }
    expect([...boards.calls, ...mails.calls]).toEqual([]);
  });

  it('does not exist for a client that shows no apps', async () => {
    for (const name of ['refresh', 'show-board', 'boards_refresh'])
      expect((await called('work', name, ana.keyHeader, {})).body.error?.message).toContain(name);
    expect(boards.calls).toEqual([]);
  });

  it('obeys the rules', async () => {
    await setRules(app, ana, [{ tool: 'boards_refresh', decision: 'block' }]);
    expect((await listed('work')).map(({ name }) => name)).not.toContain('refresh');
    expect((await called('work', 'refresh')).body.error?.message).toContain('refresh');
    await setRules(app, ana, [{ integration: 'boards', decision: 'ask' }]);
    expect(textOf((await called('work', 'refresh')).body.result)).toContain('APPROVAL_REQUIRED');
    expect(boards.calls).toEqual([]);
  });

  it('is open to a key that is bound to the set, and to no key of another set', async () => {
    await makeSet(app, ana, 'other', ['shout']);
    const [bound, other] = [
      await makeKey(app, ana, { name: 'Bound', set: 'work' }),
      await makeKey(app, ana, { name: 'Other', set: 'other' }),
    ];
    expect(textOf((await called('work', 'refresh', bound.header)).body.result)).toBe('refresh for nobody');
    expect((await called('work', 'refresh', other.header)).body.error?.message).toContain('refresh');
    expect(boards.calls).toHaveLength(1);
  });

  it('gets the result as the server has written it', async () => {
    boards.result = {
      content: [
        { type: 'text', text: '{"a": 1}' },
        { type: 'text', text: 'in words' },
      ],
      structuredContent: { a: 1, more: [] },
      _meta: { view: 'v1' },
    };
    const { body } = await called('work', 'show-board');
    expect(body.result).toMatchObject(boards.result);
    expect((await called('work', 'boards_show_board')).body.result).toMatchObject(boards.result);
    const plain = (await called('work', 'boards_show_board', ana.keyHeader, {})).body.result;
    expect(plain?.['structuredContent']).toBeUndefined();
    expect(plain?.['_meta']).not.toHaveProperty('view');
  });

  it('gets a structured result whole when its text is cut', async () => {
    const items = Array.from({ length: 5_000 }, (_, at) => `item ${at} of a long list`);
    boards.result = {
      content: [{ type: 'text', text: JSON.stringify({ items }) }],
      structuredContent: { items },
    };
    const { body } = await called('work', 'show-board');
    expect(body.result?.['structuredContent']).toEqual({ items });
    expect(textOf(body.result).length).toBeLessThan(JSON.stringify({ items }).length);
  });
});
