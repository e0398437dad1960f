// Tests how results are rendered, truncated and read page by page. reference: Result rendering; decision: 031, 032
import * as z from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callText, rpc } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { createRender } from '../../src/mcp/render.ts';
import { readPage } from '../../src/calls/results/result-page.ts';
import { createStoredResults } from '../../src/calls/results/stored-results.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(() => app.close());

const CAP = 60_000;
const FRAME = JSON.stringify({ results: [{ result: '' }] }).length;
const run = (tool: string, args: object, user = ana) =>
  callText(app, user.keyHeader, 'execute_tools', { executions: [{ tool, args }] });
const read = (args: object, user = ana) => call(app, user.keyHeader, 'read_result', args);

/** Returns the text before the notice. */
const shownOf = (text: string) => text.slice(0, text.indexOf('\n\n[Truncated: '));

async function cut(tool: string, args: object): Promise<{ text: string; handle: string }> {
  const text = await run(tool, args);
  const handle = /read_result \{"handle":"([^"]+)"\}/.exec(text)?.[1];
  if (handle === undefined) throw new Error(`not cut: ${text.slice(-200)}`);
  return { text, handle };
}

describe('a long result', () => {
  it('stays whole up to 60,000 characters', async () => {
    const text = await run('echo_text', { length: CAP - FRAME });
    expect(text).toHaveLength(CAP);
    expect(JSON.parse(text).results[0].result).toHaveLength(CAP - FRAME);
  });

  it('is truncated beyond that, with its length and a handle', async () => {
    const { text } = await cut('echo_text', { length: CAP });
    const whole = JSON.stringify({ results: [{ result: 'x'.repeat(CAP) }] });
    expect(shownOf(text)).toBe(whole.slice(0, CAP));
    expect(text.slice(CAP)).toContain(`${CAP + FRAME} characters in total, the first 60000 are shown`);
    expect(text.slice(CAP)).toMatch(/Narrow the request \(limit, fields, pagination\)/);
  });

  it('is truncated for discovery tools too', async () => {
    const many = await createTestApp({ ports: { integrations: [await manyTools()] } });
    const user = await many.user();
    expect(await callText(many, user.keyHeader, 'search_tools', { query: 'a' })).toContain(
      'characters in total',
    );
    await many.close();
  });

  it.each(['😀', '\u{10000}', '\u{10FFFF}'])('is never cut inside a surrogate pair: %s', async (pair) => {
    const before = '{"results":[{"result":"'.length;
    for (const [place, shown] of [
      [CAP - 2, CAP],
      [CAP - 1, CAP - 1],
      [CAP, CAP],
    ] as const) {
      const unit = `${'x'.repeat(place - before)}${pair}${'x'.repeat(100)}`;
      const text = await run('echo_text', { length: 1, unit });
      expect(text.isWellFormed()).toBe(true);
      expect(shownOf(text)).toHaveLength(shown);
    }
  });

  it('is truncated without a handle when it cannot be stored, and the log says why', async () => {
    const put = () => Promise.reject(new Error('disk full'));
    const other = await createTestApp({ ports: { blobs: { ...app.deps.blobs, put } } });
    const args = { executions: [{ tool: 'echo_text', args: { length: CAP } }] };
    const text = await callText(other, (await other.user()).keyHeader, 'execute_tools', args);
    expect(shownOf(text)).toHaveLength(CAP);
    expect(text).toMatch(/Narrow the request \(limit, fields, pagination\)\.\]$/);
    expect(other.lines).toContainEqual(
      expect.objectContaining({ level: 'error', error: expect.stringContaining('disk full') }),
    );
    await other.close();
  });

  it('is not truncated over REST', async () => {
    const body = JSON.stringify({ tool: 'text', args: { length: 200_000 } });
    const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
    const response = await app.request('/rest/echo', { method: 'POST', headers, body });
    expect((await response.json()).result).toHaveLength(200_000);
  });
});

describe('read_result', () => {
  it('pages through an array, each page as full as the limit allows', async () => {
    const { handle } = await cut('echo_items', { count: 2_000 });
    const seen: { index: number }[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const text: string = await callText(app, ana.keyHeader, 'read_result', {
        handle,
        path: '/results/0/result',
        offset,
      });
      expect(text.length).toBeLessThanOrEqual(CAP);
      const page = JSON.parse(text);
      if (page.nextOffset !== undefined) expect(text.length).toBeGreaterThan(0.9 * CAP);
      expect(page.total).toBe(2_000);
      seen.push(...page.value);
      offset = page.nextOffset;
    }
    expect(seen.map(({ index }) => index)).toEqual(Array.from({ length: 2_000 }, (_, index) => index));
  });

  it('pages through a long string without losing a character', async () => {
    const unit = 'zeile "eins"\n😀';
    const { handle } = await cut('echo_text', { length: 9_000, unit });
    let whole = '';
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: { value: string; nextOffset?: number } = await read({
        handle,
        path: '/results/0/result',
        offset,
      });
      expect(page.value.isWellFormed()).toBe(true);
      const room = JSON.stringify(page.value).length;
      if (page.nextOffset !== undefined) expect(room).toBeGreaterThan(0.4 * CAP);
      expect(room).toBeLessThanOrEqual(CAP);
      whole += page.value;
      offset = page.nextOffset;
    }
    expect(whole).toBe(unit.repeat(9_000));
  });

  it('returns a whole character even when half of it is asked for', async () => {
    const { handle } = await cut('echo_text', { length: CAP, unit: '😀' });
    const half = { handle, path: '/results/0/result', limit: 1 };
    expect(await read(half)).toMatchObject({ value: '😀', nextOffset: 2 });
    expect(await read({ ...half, limit: 3 })).toMatchObject({ value: '😀', nextOffset: 2 });
  });

  it('returns nothing past the end', async () => {
    const [text, items] = [
      await cut('echo_text', { length: CAP }),
      await cut('echo_items', { count: 2_000 }),
    ];
    const past = { path: '/results/0/result', offset: 2 * CAP };
    expect(await read({ ...past, handle: text.handle })).toEqual({ value: '', total: CAP });
    expect(await read({ ...past, handle: items.handle })).toEqual({ value: [], total: 2_000 });
  });

  it('names where a large member can be read', async () => {
    const { handle } = await cut('echo_items', { count: 2_000 });
    expect(await read({ handle, offset: 1 })).toEqual({ value: {}, total: 1 });
    expect(await read({ handle, path: '/results/0/result/1999/name' })).toEqual({
      value: 'item 1999',
      total: 9,
    });
    expect(await read({ handle, path: '/results/0/result', offset: 5, limit: 1 })).toMatchObject({
      value: [{ index: 5 }],
      total: 2_000,
      nextOffset: 6,
    });
  });

  it.each(['', '/results', '/results/0', '/results/0/result'])(
    'goes through levels with a single member at once, from "%s", and says where it is',
    async (path) => {
      const { handle } = await cut('echo_items', { count: 2_000 });
      const page = await read({ handle, path });
      expect(page).toMatchObject({ total: 2_000, nextOffset: page.value.length });
      expect(page.value[0]).toMatchObject({ index: 0 });
      expect(page.path).toBe(path === '/results/0/result' ? undefined : '/results/0/result');
    },
  );

  it('pages through objects, and returns a value without members unchanged', () => {
    const root = { a: 1, b: null, c: { d: 'x'.repeat(CAP) } };
    const page = (path: string, offset = 0, limit?: number) => readPage(root, { path, offset, limit });
    expect(page('', 0, 2)).toEqual({ value: { a: 1, b: null }, total: 3, nextOffset: 2 });
    expect(page('', 1, 1)).toEqual({ value: { b: null }, total: 3, nextOffset: 2 });
    expect(page('', 2)).toEqual({
      value: { c: { cut: 'object of 1 members', readAt: '/c' } },
      total: 3,
    });
    expect(page('/c')).toMatchObject({ path: '/c/d', total: CAP });
    expect(page('/a')).toEqual({ value: 1 });
    expect(page('/b')).toEqual({ value: null });
    expect(page(`/${'x'.repeat(CAP)}`)).toEqual({
      error: `There is nothing at /${'x'.repeat(199)}: path is a JSON Pointer, empty or starting with /`,
    });
  });

  it('leaves out a member that does not fit on its page', async () => {
    const executions = [
      { tool: 'echo_text', args: { length: CAP } },
      { tool: 'echo_text', args: { length: 1 } },
    ];
    const notice = await callText(app, ana.keyHeader, 'execute_tools', { executions });
    const handle = /read_result \{"handle":"([^"]+)"\}/.exec(notice)?.[1];
    const text = await callText(app, ana.keyHeader, 'read_result', { handle });
    expect(JSON.parse(text)).toEqual({
      path: '/results',
      value: [{ cut: 'object of 1 members', readAt: '/results/0' }, { result: 'x' }],
      total: 2,
    });
  });

  it('stays below the limit whatever keys an upstream has chosen', () => {
    const long = '\n'.repeat(CAP);
    const root = { [long]: 1, [`${long}x`]: 2, [`${long}y`]: { a: 'z'.repeat(CAP) }, b: 3 };
    const room = (value: unknown) => JSON.stringify(value).length;
    const first = readPage(root, { path: '', offset: 0, limit: undefined });
    expect(room(first)).toBeLessThanOrEqual(CAP);
    expect(first).toEqual({
      value: {
        [`member 0, its key of ${CAP} characters is not shown`]: 1,
        [`member 1, its key of ${CAP + 1} characters is not shown`]: 2,
        [`member 2, its key of ${CAP + 1} characters is not shown`]: { cut: 'object of 1 members' },
        b: 3,
      },
      total: 4,
    });
    const below = readPage(root, { path: `/${long}y`, offset: 0, limit: undefined });
    expect(below).toEqual({ value: { a: { cut: `string of ${CAP} characters` } }, total: 1 });
  });

  it.each(['results', '/nope', '/results/1', '/results/-1', '/results/01', '/__proto__', '/results/length'])(
    'says so when there is nothing at %s',
    async (path) => {
      const { handle } = await cut('echo_text', { length: CAP });
      expect(await read({ handle, path })).toEqual({ error: expect.any(String) });
    },
  );

  it('answers the same for an unknown, a foreign, a damaged and an expired handle', async () => {
    const { handle } = await cut('echo_text', { length: CAP });
    const bea = await app.user('bea@example.com');
    const unknown = { error: 'Unknown handle', message: expect.stringContaining('one hour') };
    expect(await read({ handle: 'nope' })).toEqual(unknown);
    expect(await read({ handle: '../../etc/passwd' })).toEqual(unknown);
    expect(await read({ handle: handle.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })).toEqual(
      unknown,
    );
    expect(await read({ handle }, bea)).toEqual(unknown);
    app.clock.advance(3_599);
    expect(await read({ handle })).not.toEqual(unknown);
    app.clock.advance(1);
    expect(await read({ handle })).toEqual(unknown);
  });

  it('keeps a result for an hour, until the sweep deletes it', async () => {
    const { handle } = await cut('echo_text', { length: CAP });
    const results = createStoredResults(app.deps);
    const stored = async () =>
      (await Array.fromAsync(app.deps.blobs.list('results/'))).some((key) => key.endsWith(`/${handle}`));
    await results.sweep();
    expect(await stored()).toBe(true);
    app.clock.advance(3_601);
    await results.sweep();
    expect(await stored()).toBe(false);
  });

  it('stores nothing readable', async () => {
    const { handle } = await cut('echo_text', { length: 3_000, unit: 'a secret text, that was long ' });
    const blob = await app.deps.blobs.get(`results/${handle}`);
    expect(await new Response(blob?.body).text()).not.toContain('secret');
  });
});

describe('image results', () => {
  const content = async (executions: object[]) =>
    (await rpc(app, ana.keyHeader, 'tools/call', { name: 'execute_tools', arguments: { executions } })).body
      .result?.['content'];

  it('become image blocks without a text block, when there is nothing besides', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) };
    expect(await content([{ tool: 'echo_image' }])).toEqual([image]);
    expect(await content([{ tool: 'echo_image' }, { tool: 'echo_nothing' }, { tool: 'echo_image' }])).toEqual(
      [image, image, { type: 'text', text: expect.any(String) }],
    );
  });

  it('are followed by a text with the results besides them', async () => {
    const executions = [
      { tool: 'echo_image' },
      { tool: 'shout', args: { text: 'id 7' } },
      { tool: 'nope' },
      { tool: 'echo_image' },
    ];
    const image = { type: 'image', mimeType: 'image/png', data: expect.any(String) };
    const blocks = await content(executions);
    expect(blocks).toEqual([image, image, { type: 'text', text: expect.any(String) }]);
    const { text } =
      z.array(z.looseObject({ text: z.string() })).parse(Array.isArray(blocks) ? blocks.slice(2) : [])[0] ??
      {};
    expect(JSON.parse(text ?? '')).toEqual({
      results: [
        { result: { _mcpImage: 1 } },
        { result: 'ID 7' },
        { error: 'Tool not found', integration: null, message: expect.any(String) },
        { result: { _mcpImage: 2 } },
      ],
    });
  });

  it('are found at the top, under a result, and in any item of results', async () => {
    const render = createRender({ ...app.deps, results: createStoredResults(app.deps) });
    const image = { data: 'iVBORw==', mimeType: 'image/png' };
    const holder = { _mcpImage: image };
    const blocks = [{ type: 'image', ...image }];
    const others = [
      { ...image, mimeType: 'text/html' },
      { ...image, mimeType: 'image/png; x' },
      { ...image, data: '<svg>' },
      { ...image, data: '' },
    ];
    for (const value of [
      holder,
      { result: holder },
      { results: [holder] },
      { results: [{ result: holder }] },
    ])
      expect(await render({ userId: ana.id, actor: PERSONAL_KEY }, value)).toEqual({ content: blocks });
    for (const value of [
      [holder],
      { other: holder },
      { result: { result: holder } },
      { results: holder },
      null,
      5,
      ...others.map((_mcpImage) => ({ _mcpImage })),
    ])
      expect(await render({ userId: ana.id, actor: PERSONAL_KEY }, value)).toEqual({
        content: [{ type: 'text', text: JSON.stringify(value) }],
      });
  });

  it('are found in a list of blocks, whose other blocks follow', async () => {
    const render = createRender({ ...app.deps, results: createStoredResults(app.deps) });
    const image = { data: 'iVBORw==', mimeType: 'image/png' };
    const picture = { type: 'image', mimeType: 'image/png', _mcpImage: image };
    const words = { type: 'text', text: 'A and B' };
    const value = { results: [{ result: [words, picture, picture] }, { result: { _mcpImage: image } }] };
    const { content: shown } = await render({ userId: ana.id, actor: PERSONAL_KEY }, value);
    const block = { type: 'image', ...image };
    const numbered = (_mcpImage: number) => ({ ...picture, _mcpImage });
    const text = JSON.stringify({
      results: [{ result: [words, numbered(1), numbered(2)] }, { result: { _mcpImage: 3 } }],
    });
    expect(shown).toEqual([block, block, block, { type: 'text', text }]);
  });

  it('are nothing else: %s', async () => {
    expect(await content([{ tool: 'echo_not_an_image' }])).toEqual([
      { type: 'text', text: expect.stringContaining('_mcpImage') },
    ]);
  });
});

async function manyTools() {
  const { defineIntegration, tool } = await import('../../src/kit/integration.ts');
  const tools = Array.from({ length: 2_000 }, (_, index) =>
    tool(
      `many_${index}`,
      'a tool like all the others',
      () => ({}),
      () => null,
    ),
  );
  return defineIntegration({
    name: 'many',
    version: '1',
    displayName: 'Many',
    description: '',
    categories: [],
    logo: null,
    auth: { type: 'none' },
    tools,
  });
}
