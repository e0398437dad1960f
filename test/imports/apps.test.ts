// Imports MCP servers whose tools have pages, and looks at what is kept of a page and who learns of its tools. MCP Apps
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ChangingServer,
  type ServedPage,
  startChangingServer,
  tool,
} from '../support/changing-server.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call as callMeta } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PAGE = 'ui://board/page.html';
const html = (word: string) => `<!doctype html><title>${word}</title>`;
const ui = (more: object = {}) => ({ _meta: { ui: { resourceUri: PAGE, ...more } } });

let app: TestApp;
let ana: TestUser;
let server: ChangingServer;

beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user('owner@localhost');
  server = await startChangingServer([tool('show', ui()), tool('plain')], { name: 'board' });
  server.pages = { [PAGE]: { text: html('first') } };
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  await server.close();
});

async function send(method: string, path: string, body?: object) {
  const response = await app.request(path, {
    method,
    headers: { ...ana.sessionHeader, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}
const preview = () => send('POST', '/api/imports/preview', { address: server.address });
const add = () => send('POST', '/api/imports', { address: server.address, name: 'board' });
const check = () => send('POST', '/api/imports/board/check');
const run = async (name: string) =>
  (await callMeta(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: name, args: {} }] }))
    .results[0];
const integration = () => app.deps.registries.integration(ana.id, 'board');
async function toolNamed(name: string) {
  const found = await integration();
  return [...(found?.tools ?? []), ...(found?.imported?.forApps ?? [])].find((each) => each.name === name);
}
/** The page that the tool shows now, as it is stored. */
async function pageOf(name: string) {
  const { app: page } = (await toolNamed(name)) ?? {};
  const { imported } = (await integration()) ?? {};
  return page === undefined || imported === undefined
    ? null
    : app.deps.store.importPages.read(imported.id, page.digest);
}

describe('the import of a server with apps', () => {
  it('shows in words what each app may do before anything is stored', async () => {
    server.pages = {
      [PAGE]: {
        text: html('first'),
        _meta: {
          ui: {
            csp: { resourceDomains: ['https://cdn.example'], connectDomains: ['https://*.api.example'] },
            permissions: { camera: {}, clipboardWrite: {} },
            domain: 'of-the-host.example',
            prefersBorder: true,
          },
        },
      },
    };
    const { tools, warnings } = await preview();
    expect(warnings).toEqual([]);
    expect(tools[0].app).toMatchObject({
      uri: PAGE,
      bytes: html('first').length,
      may: [
        'This app may load scripts, styles, fonts and pictures from https://cdn.example.',
        'This app may send and read data at https://*.api.example.',
        'This app may use the camera.',
        'This app may write to the clipboard.',
      ],
    });
    expect(tools[1].app).toBeUndefined();
  });

  it('says of an app that names nothing that it reaches nothing', async () => {
    const { tools } = await preview();
    expect(tools[0].app.may).toEqual(['This app reaches nothing on the network, and nothing of the device.']);
  });

  it('pins the page with the tool, and keeps its settings as the server said them', async () => {
    const csp = { resourceDomains: ['https://cdn.example'], frameDomains: [] };
    server.pages[PAGE] = { text: html('first'), _meta: { ui: { csp, permissions: { microphone: {} } } } };
    await add();
    expect(await pageOf('board_show')).toBe(html('first'));
    expect((await toolNamed('board_show'))?.app).toMatchObject({
      uri: PAGE,
      csp,
      permissions: { microphone: {} },
    });
    const { tools } = await send('GET', '/api/imports/board');
    expect(tools[0].app.may).toContain('This app may use the microphone.');
  });

  it('takes the deprecated form of the address', async () => {
    server.tools = [tool('show', { _meta: { 'ui/resourceUri': PAGE } })];
    await add();
    expect(await pageOf('board_show')).toBe(html('first'));
  });

  it('takes the settings of the list where the page says nothing, and only there', async () => {
    const other = 'ui://board/other.html';
    server.tools = [tool('show', ui()), tool('other', ui({ resourceUri: other }))];
    const listed = { ui: { csp: { connectDomains: ['https://listed.example'] } } };
    server.pages = {
      [PAGE]: { text: html('first'), listed },
      [other]: { text: html('other'), listed, _meta: { ui: { csp: {} } } },
    };
    await add();
    expect((await toolNamed('board_show'))?.app?.csp).toEqual({ connectDomains: ['https://listed.example'] });
    expect((await toolNamed('board_other'))?.app?.csp).toEqual({});
  });

  it('takes a page that comes as base64', async () => {
    server.pages[PAGE] = { blob: Buffer.from(html('ä')).toString('base64') };
    await add();
    expect(await pageOf('board_show')).toBe(html('ä'));
  });

  it.each<[string, ServedPage | undefined, RegExp]>([
    ['is missing', undefined, /could not be read: .*There is no ui:/],
    ['is oversized', { text: `${html('a')}${' '.repeat(2 * 1024 * 1024)}` }, /more than 2 MiB/],
    ['is oversized by its bytes', { text: `${html('a')}${'ä'.repeat(1024 * 1024)}` }, /more than 2 MiB/],
    ['has another type', { text: html('a'), mimeType: 'text/html' }, /not text\/html;profile=mcp-app/],
    ['is empty', { text: ' ' }, /has no HTML/],
    ['is no text', { blob: Buffer.from([0xff, 0xfe, 0xfd]).toString('base64') }, /has no HTML/],
  ])('leaves out a page that %s, with a warning that names it', async (_, page, why) => {
    server.pages = page === undefined ? {} : { [PAGE]: page };
    const { tools, warnings } = await add();
    expect(warnings).toEqual([expect.stringMatching(why)]);
    expect(warnings[0]).toContain(PAGE);
    expect(tools[0].app).toBeUndefined();
    expect(await run('board_show')).toMatchObject({ result: 'show for nobody' });
  });

  it('leaves out entries that would change more of the policy than their own', async () => {
    const csp = {
      connectDomains: ['https://good.example', 'https://a.example; script-src *', "'unsafe-eval'", 7],
      resourceDomains: ['https://a.example https://b.example', 'wss://c.example:8443'],
    };
    server.pages[PAGE] = { text: html('a'), _meta: { ui: { csp, permissions: { camera: {}, usb: {} } } } };
    const { warnings } = await add();
    expect(warnings).toEqual([
      expect.stringMatching(/loses a part of its connectDomains, resourceDomains, permissions/),
    ]);
    expect((await toolNamed('board_show'))?.app).toMatchObject({
      csp: { connectDomains: ['https://good.example'], resourceDomains: ['wss://c.example:8443'] },
      permissions: { camera: {} },
    });
  });

  it('reads the page of a server of the newer era too', async () => {
    const handler = createMcpHandler(() => {
      const modern = new McpServer({ name: 'board', version: '1.0.0' });
      modern.registerTool('show', ui(), () => ({ content: [] }));
      modern.registerResource('page', PAGE, {}, () => ({
        contents: [{ uri: PAGE, mimeType: 'text/html;profile=mcp-app', text: html('modern') }],
      }));
      return modern;
    });
    const listener = getRequestListener((request) => handler.fetch(request));
    const front = await startHttpServer((request, response) => void listener(request, response));
    const address = `http://127.0.0.1:${front.port}/mcp`;
    const { warnings } = await send('POST', '/api/imports', { address, name: 'board' });
    expect(warnings).toEqual([]);
    expect(await pageOf('board_show')).toBe(html('modern'));
    await front.close();
    await handler.close();
  });

  it('says to the server that it takes apps', async () => {
    await preview();
    expect(server.capabilities).toEqual({
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    });
  });

  it('deletes the pages with the import', async () => {
    await add();
    const { imported } = (await integration()) ?? {};
    const { app: page } = (await toolNamed('board_show')) ?? {};
    const read = () => app.deps.store.importPages.read(imported?.id ?? '', page?.digest ?? '');
    expect(await read()).toBe(html('first'));
    await send('DELETE', '/api/imports/board');
    expect(await read()).toBeNull();
  });
});

describe('a page that changes after the import', () => {
  it('waits for review: hosts get the accepted page until a person accepts the new one', async () => {
    await add();
    server.pages[PAGE] = { text: html('second') };
    const { changed } = await check();
    expect(changed).toMatchObject([{ name: 'board_show', blocking: false }]);
    expect(changed[0].old.app.digest).not.toBe(changed[0].new.app.digest);
    expect(await pageOf('board_show')).toBe(html('first'));
    expect(await run('board_show')).toMatchObject({ result: 'show for nobody' });
    await send('POST', '/api/imports/board/accept', { all: true });
    expect(await pageOf('board_show')).toBe(html('second'));
  });

  it('waits for review too when only what it may reach becomes more', async () => {
    await add();
    const csp = { connectDomains: ['https://elsewhere.example'] };
    server.pages[PAGE] = { text: html('first'), _meta: { ui: { csp } } };
    const { changed } = await check();
    expect(changed[0].new.app.may).toEqual(['This app may send and read data at https://elsewhere.example.']);
    expect((await toolNamed('board_show'))?.app?.csp).toBeUndefined();
  });

  it('keeps both pages while one waits, and only the accepted one after the next check', async () => {
    await add();
    const { imported } = (await integration()) ?? {};
    const { app: first } = (await toolNamed('board_show')) ?? {};
    server.pages[PAGE] = { text: html('second') };
    await check();
    await send('POST', '/api/imports/board/accept', { all: true });
    await check();
    expect(await pageOf('board_show')).toBe(html('second'));
    expect(await app.deps.store.importPages.read(imported?.id ?? '', first?.digest ?? '')).toBeNull();
  });
});

describe('a tool that only the app of its server calls', () => {
  beforeEach(async () => {
    server.tools = [tool('show', ui()), tool('refresh_board', ui({ visibility: ['app'] }))];
    await add();
  });

  it('is shown to the person who imports it, and to no model', async () => {
    const { tools } = await send('GET', '/api/imports/board');
    expect(tools).toMatchObject([{ name: 'board_show' }, { name: 'board_refresh_board', onlyForApp: true }]);
    expect(tools[0].onlyForApp).toBeUndefined();
    const found = await callMeta(app, ana.keyHeader, 'search_tools', { query: 'refresh board', limit: 20 });
    expect(JSON.stringify(found)).not.toContain('board_refresh_board');
    const listed = await app.request('/rest/board', { headers: ana.keyHeader });
    expect(JSON.stringify(await listed.json())).not.toContain('board_refresh_board');
  });

  it('does not run when a model names it, under either name', async () => {
    for (const name of ['board_refresh_board', 'refresh_board'])
      expect(await run(name)).toMatchObject({ error: expect.any(String) });
    const rest = await app.request('/rest/board/board_refresh_board', {
      method: 'POST',
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(rest.status).toBe(400);
    expect(server.calls).toEqual([]);
  });

  it('waits for review when it becomes one for models', async () => {
    server.tools = [tool('show', ui()), tool('refresh_board', ui())];
    await check();
    expect(await run('board_refresh_board')).toMatchObject({
      message: expect.stringContaining('Only the app'),
    });
    await send('POST', '/api/imports/board/accept', { all: true });
    expect(await run('board_refresh_board')).toMatchObject({ result: 'refresh_board for nobody' });
  });
});
