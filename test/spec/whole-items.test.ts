// Tests maxChars, which cuts a result at whole items, and the place that the notice of the other cut names.
// reference: Result rendering; decision: 032
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutAtWholeItems, firstHidden } from '../../src/calls/results/whole-items.ts';
import { call, callText } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(() => app.close());

type Json = null | string | number | boolean | Json[] | { [key: string]: Json };
interface More {
  handle: string;
  path: string;
  offset: number;
  total: number;
}

const items = (count: number) => ({ tool: 'echo_items', args: { count } });
const text = (length: number, unit = 'x') => ({ tool: 'echo_text', args: { length, unit } });
const execute = (maxChars: number, ...executions: object[]) =>
  callText(app, ana.keyHeader, 'execute_tools', { executions, maxChars });

const isMore = (value: Json | undefined): value is { more: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'more' in value;

/** Puts every `more` back, page by page, and returns the whole value. */
async function complete(value: Json): Promise<Json> {
  if (Array.isArray(value)) {
    const last = value.at(-1);
    const rest = isMore(last) && Object.keys(last).length === 1 ? last : undefined;
    const shown = await Promise.all((rest === undefined ? value : value.slice(0, -1)).map(complete));
    return rest === undefined ? shown : [...shown, ...((await readRest(rest.more)) as Json[])];
  }
  if (!isMore(value)) {
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(async ([key, one]) => [key, await complete(one)] as const);
    return Object.fromEntries(await Promise.all(members));
  }
  const {
    more,
    text: begun,
    ...members
  } = value as { more: Json; text?: string; [key: string]: Json | undefined };
  const rest = await readRest(more);
  if (typeof rest === 'string') return (begun ?? '') + rest;
  return Array.isArray(rest)
    ? rest
    : { ...((await complete(members as Json)) as object), ...(rest as object) };
}

async function readRest(more: Json): Promise<Json> {
  const { handle, path, offset: first } = more as unknown as More;
  let whole: Json | undefined;
  for (let offset: number | undefined = first; offset !== undefined;) {
    const page: { value: Json; path?: string; nextOffset?: number } = await call(
      app,
      ana.keyHeader,
      'read_result',
      {
        handle,
        path,
        offset,
      },
    );
    expect(page.path ?? path).toBe(path);
    if (typeof page.value === 'string') whole = `${(whole as string | undefined) ?? ''}${page.value}`;
    else if (Array.isArray(page.value)) whole = [...((whole as Json[] | undefined) ?? []), ...page.value];
    else whole = { ...(whole as object | undefined), ...(page.value as object) };
    offset = page.nextOffset;
  }
  return whole ?? null;
}

describe('maxChars', () => {
  it('leaves a result alone that fits', async () => {
    expect(await execute(1_000, text(100))).toBe(JSON.stringify({ results: [{ result: 'x'.repeat(100) }] }));
  });

  it.each([
    ['a list', 5_000, [items(100)]],
    ['a long text', 1_000, [text(90_000)]],
    ['a text of escapes', 2_000, [text(9_000, '"\n\u0001')]],
    ['a text of pairs', 1_001, [text(9_000, '😀')]],
    ['several lists', 4_000, [items(50), items(60), items(1)]],
    ['a list beside a text', 3_000, [text(10), items(60), text(5_000)]],
    ['fifty executions', 1_000, Array.from({ length: 50 }, () => items(2))],
    ['a list longer than one page', 60_000, [items(2_000)]],
  ])(
    'cuts %s at whole items into valid JSON, and read_result continues without repeating',
    async (_name, maxChars, executions) => {
      const cut = await execute(maxChars, ...executions);
      expect(cut.length).toBeLessThanOrEqual(maxChars);
      expect(cut.length).toBeGreaterThan(maxChars / 2);
      expect(cut.isWellFormed()).toBe(true);
      const whole = await Promise.all(executions.map((one) => rest(one)));
      expect(await complete(JSON.parse(cut))).toEqual({ results: whole.map((result) => ({ result })) });
    },
  );

  it('shows whole items and where the others are', async () => {
    const { results } = JSON.parse(await execute(2_000, items(100)));
    const shown = results[0].result;
    const { more } = shown.at(-1);
    expect(more).toEqual({
      handle: expect.stringMatching(/^r-/),
      path: '/results/0/result',
      offset: shown.length - 1,
      total: 100,
    });
    expect(shown[0]).toEqual({ index: 0, name: 'item 0', body: 'y'.repeat(100) });
    const next = await call(app, ana.keyHeader, 'read_result', { ...more, total: undefined, limit: 1 });
    expect(next.value).toEqual([
      { index: shown.length - 1, name: expect.any(String), body: expect.any(String) },
    ]);
  });

  it('keeps the small results of a batch whole beside a long one', async () => {
    const { results } = JSON.parse(await execute(1_000, text(10), items(100), { tool: 'nope' }));
    expect(results[0]).toEqual({ result: 'x'.repeat(10) });
    expect(results[1].result.at(-1)).toHaveProperty('more');
    expect(results[2]).toMatchObject({ error: 'Tool not found' });
  });

  it.each([999, 60_001, 1.5, 'many'])('refuses %s', async (maxChars) => {
    await expect(callText(app, ana.keyHeader, 'execute_tools', { executions: [], maxChars })).rejects.toThrow(
      'maxChars',
    );
  });

  it('stays within its length whatever keys an upstream has chosen', () => {
    for (const key of ['k'.repeat(5_000), '\n'.repeat(700), 'more', '__proto__', 'a/b~c'])
      for (const value of [
        { [key]: 'v'.repeat(3_000) },
        { [key]: 1, b: 'v'.repeat(3_000) },
        { results: [{ result: { [key]: ['v'.repeat(3_000), 'w'] } }] },
        Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${key}${index}`, index])),
        [[[[['v'.repeat(3_000)]]]]],
      ]) {
        const cut = cutAtWholeItems(JSON.parse(JSON.stringify(value)), 1_000, { handle: 'r-1' });
        expect(cut.length).toBeLessThanOrEqual(1_000);
        expect(cut).toContain('"more":');
        expect(() => JSON.parse(cut)).not.toThrow();
      }
  });
});

describe('an object with very many members', () => {
  const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`key ${index}`, index]));

  it.each([
    ['by itself', wide],
    ['in a batch', { results: [{ result: wide }] }],
    ['as the results', { results: Array.from({ length: 300_000 }, () => []) }],
  ])('is cut as well %s', (_name, value) => {
    const cut = cutAtWholeItems(value, 1_000, { handle: 'r-1' });
    expect(cut.length).toBeLessThanOrEqual(1_000);
    expect(cut).toContain('"total":300000');
    expect(() => JSON.parse(cut)).not.toThrow();
  });
});

describe('the notice of the usual cut', () => {
  it.each([
    ['a list', [items(2_000)], '/results/0/result'],
    ['a text', [text(70_000)], '/results/0/result'],
    ['the second of two lists', [items(100), items(2_000)], '/results/1/result'],
    ['many short results', Array.from({ length: 1_000 }, () => text(100)), '/results'],
  ])('names the first item that is not shown whole: %s', async (_name, executions, path) => {
    const answer = await callText(app, ana.keyHeader, 'execute_tools', { executions });
    const [, json] = /first item that is not shown whole: read_result (\{.*\})\.\]$/.exec(answer) ?? [];
    const place = JSON.parse(json ?? '{}');
    expect(place.path).toBe(path);
    const whole = JSON.stringify({
      results: (await Promise.all(executions.map((one) => rest(one)))).map((result) => ({ result })),
    });
    const page = await call(app, ana.keyHeader, 'read_result', { ...place, limit: 1 });
    const item = JSON.stringify(Array.isArray(page.value) ? page.value[0] : page.value).replace(/^"|"$/g, '');
    // The item begins in what is shown, or right behind it, and ends behind it.
    const shown = answer.slice(0, answer.indexOf('\n\n[Truncated'));
    expect(whole.startsWith(shown)).toBe(true);
    expect(place.offset).toBeGreaterThan(0);
    expect(item.length).toBeGreaterThan(0);
    if (Array.isArray(page.value) && path !== '/results')
      expect(whole.slice(shown.length - item.length, shown.length + item.length)).toContain(item);
  });

  it('finds the place in any value', () => {
    const value = { a: 'xxxx', b: [1, 22, 333], c: { d: 'é"\n' } };
    const json = JSON.stringify(value);
    const at = (end: number) => firstHidden(value, end, 5);
    expect(at(json.indexOf('22') + 1)).toEqual({ path: '/b', offset: 1 });
    expect(at(json.indexOf('xxxx') + 2)).toEqual({ path: '/a', offset: 2 });
    expect(at(json.indexOf('\\"') + 1)).toEqual({ path: '/c/d', offset: 1 });
    expect(at(json.indexOf('\\n'))).toEqual({ path: '/c/d', offset: 2 });
  });
});

/** The whole result of an execution, which REST does not cut. */
async function rest(execution: object): Promise<Json> {
  const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
  const response = await app.request('/rest/echo', {
    method: 'POST',
    headers,
    body: JSON.stringify(execution),
  });
  return (await response.json()).result;
}
