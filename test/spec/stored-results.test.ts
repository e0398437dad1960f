// Tests how a long result is written in pieces, stored in sealed chunks and read by its index. reference: Reading long results; decision: 032
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callText } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { type Actor, PERSONAL_KEY } from '../../src/kit/actor.ts';
import { createJsonPieces } from '../../src/calls/results/json-pieces.ts';
import { createRender } from '../../src/mcp/render.ts';
import { readPage } from '../../src/calls/results/result-page.ts';
import {
  createStoredResults,
  type Reader,
  type StoredResults,
} from '../../src/calls/results/stored-results.ts';

let app: TestApp;
let ana: TestUser;
let caller: Reader & { actor: Actor };
let results: StoredResults;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  caller = { userId: ana.id, actor: PERSONAL_KEY, mayRead: async () => true };
  results = createStoredResults(app.deps);
});
afterAll(() => app.close());

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024 + 16;
const long = 'zeile "eins"\n😀 \ud800 '.repeat(9_000);
const file = (index: number) => ({ path: `${'p'.repeat(900)}/${index}`, size: index, hash: 'h'.repeat(64) });
const files = (count: number) => Array.from({ length: count }, (_, index) => file(index));

const VALUES: [string, unknown][] = [
  ['a text of many pieces', long],
  ['an array of many pieces', files(200)],
  ['an array of small numbers', Array.from({ length: 100_000 }, (_, index) => index)],
  ['an array with gaps and functions', [...files(50), undefined, () => 1, Symbol('x'), null, ...files(50)]],
  ['an object of many pieces', Object.fromEntries(files(200).map((each) => [each.path, each]))],
  [
    'large and small members in turn',
    { a: 1, b: long, c: [long, 2, long], d: { e: files(100), f: null }, g: 'x' },
  ],
  ['keys that pointers escape', { 'a/b': long, 'c~d': { '': long, '~1': 3 }, 7: long, __proto: 1 }],
  [
    'members that JSON leaves out',
    { a: undefined, b: long, c: () => 1, d: new Date(0), e: { toJSON: () => long } },
  ],
  ['deep nesting', Array.from({ length: 400 }).reduce<unknown>((inside) => [inside, 1], long)],
  [
    'nesting as deep as it may be',
    Array.from({ length: 990 }).reduce<unknown>((inside) => ({ inside }), long),
  ],
  [
    'more small members than fit in open chunks',
    Object.fromEntries(files(700).map(({ path, size }) => [path, size])),
  ],
  ['a few characters with many escapes', '\u0001'.repeat(20_000)],
  ['a text whose pieces begin with a byte order mark', '\uFEFFabcdefg'.repeat(20_000)],
  ['a small object', { a: [1, { b: 'c' }], d: -0, e: 1e300 }],
];

function writeWhole(value: unknown): string {
  const pieces = createJsonPieces(value);
  let text = '';
  for (let piece = pieces.next(); piece !== null; piece = pieces.next()) text += piece.text;
  expect(pieces.characters).toBe(text.length);
  return text;
}

/** Returns all pointers into the value, the large ones first, with one that leads nowhere. */
function pathsOf(value: unknown, path = '', depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 5) return [path, `${path}/nothing`];
  const keys = Object.keys(value);
  const some = keys.length > 6 ? [0, 1, keys.length >> 1, keys.length - 1].map((at) => keys[at] ?? '') : keys;
  const below = some.flatMap((key) =>
    pathsOf(Reflect.get(value, key), `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1),
  );
  return [path, `${path}/nothing`, `${path}/${keys.length}`, ...below];
}

describe('a value in pieces', () => {
  it.each(VALUES)('is the same text as JSON.stringify makes: %s', (_name, value) => {
    expect(writeWhole(value) === JSON.stringify(value)).toBe(true);
  });

  it.each(VALUES)('is valid JSON after each piece with its ending: %s', (_name, value) => {
    const pieces = createJsonPieces(value);
    let text = '';
    for (let piece = pieces.next(); piece !== null; piece = pieces.next()) {
      text += piece.text;
      expect(() => JSON.parse(text + pieces.ending())).not.toThrow();
    }
  });

  it('is refused when it contains itself or a value that JSON has no form for', async () => {
    const render = createRender({ ...app.deps, results });
    const circle: unknown[] = [long];
    circle.push(circle);
    for (const value of [circle, [long, 1n], 1n])
      expect(await render(caller, value)).toEqual({
        content: [{ type: 'text', text: '{"error":"The result could not be written as JSON"}' }],
      });
  });
});

/** A person has a folder of their own. */
async function keyOf(handle: string): Promise<string> {
  for await (const key of app.deps.blobs.list('results/')) if (key.endsWith(`/${handle}`)) return key;
  throw new Error(`no blob for ${handle}`);
}

describe('a stored result', () => {
  it.each(VALUES)('is read page by page as the whole value would be: %s', async (_name, value) => {
    const { handle, isWhole } = await results.save(caller, createJsonPieces(value), []);
    expect(isWhole).toBe(true);
    const parsed: unknown = JSON.parse(JSON.stringify(value));
    for (const path of ['nothing', '/nothing', ...pathsOf(parsed)])
      for (const [offset, limit] of [
        [0, undefined],
        [1, 1],
        [30, 5],
        [35_000, undefined],
        [1e9, undefined],
      ] as const)
        expect([path, offset, await results.page(caller, handle, { path, offset, limit })]).toEqual([
          path,
          offset,
          readPage(parsed, { path, offset, limit }),
        ]);
  });

  it('costs a page its own size, not the size of the result', async () => {
    const { handle } = await results.save(caller, createJsonPieces({ results: files(12_000) }), []);
    let read = 0;
    const counting = createStoredResults({
      ...app.deps,
      blobs: {
        ...app.deps.blobs,
        async get(key, range) {
          const blob = await app.deps.blobs.get(key, range);
          read += Math.min(range?.length ?? Infinity, blob?.size ?? 0);
          return blob;
        },
      },
    });
    const page = await counting.page(caller, handle, {
      path: '/results/7000/size',
      offset: 0,
      limit: undefined,
    });
    expect(page).toEqual({ value: 7_000 });
    expect(read).toBeLessThan(MIB / 2);
  });

  it('is opened by the form of version 0.1 too', async () => {
    const handle = `r-${(app.clock.now() + 60).toString(36)}-${'0'.repeat(32)}`;
    const sealed = await app.deps.seal.seal(JSON.stringify({ old: long }), [ana.id, '', handle]);
    await app.deps.blobs.put(`results/${handle}`, new TextEncoder().encode(sealed));
    const page = await call(app, ana.keyHeader, 'read_result', { handle, path: '/old', limit: 5 });
    expect(page).toEqual({ value: long.slice(0, 5), total: long.length, nextOffset: 5 });
    const ben = await app.user('ben@example.com');
    expect(await call(app, ben.keyHeader, 'read_result', { handle })).toMatchObject({
      error: 'Unknown handle',
    });
  });

  describe('whose chunks were', () => {
    let key: string;
    let head: number;
    let bytes: Uint8Array<ArrayBuffer>;
    const request = { path: '/0/path', offset: 0, limit: undefined };
    const handleOf = (blobKey: string) => blobKey.slice(blobKey.lastIndexOf('/') + 1);
    const chunk = (index: number) => bytes.slice(head + index * CHUNK, head + (index + 1) * CHUNK);
    const join = (...parts: Uint8Array<ArrayBuffer>[]) => new Blob(parts).arrayBuffer();

    beforeAll(async () => {
      const { handle } = await results.save(caller, createJsonPieces(files(400)), []);
      key = await keyOf(handle);
      const blob = await app.deps.blobs.get(key);
      bytes = new Uint8Array(await new Response(blob?.body).arrayBuffer());
      head = bytes.indexOf(0x0a) + 1;
      expect(bytes.length).toBeGreaterThan(head + 5 * CHUNK);
      expect(await results.page(caller, handle, request)).toEqual({ value: file(0).path, total: 902 });
    });

    it.each<[string, () => Promise<ArrayBuffer>]>([
      ['swapped', () => join(bytes.slice(0, head), chunk(1), chunk(0), bytes.slice(head + 2 * CHUNK))],
      ['dropped at the beginning', () => join(bytes.slice(0, head), bytes.slice(head + CHUNK))],
      ['dropped in the middle', () => join(bytes.slice(0, head + CHUNK), bytes.slice(head + 2 * CHUNK))],
      ['dropped at the end', () => join(bytes.slice(0, head + 2 * CHUNK))],
      ['all dropped', () => join(bytes.slice(0, head))],
      ['repeated', () => join(bytes.slice(0, head + CHUNK), chunk(0), bytes.slice(head + CHUNK))],
      ['followed by others', () => join(bytes, chunk(0))],
      [
        'changed',
        () =>
          join(
            bytes.slice(0, head),
            chunk(0).map((byte, at) => (at === 9 ? byte ^ 1 : byte)),
            bytes.slice(head + CHUNK),
          ),
      ],
      ['cut inside of a tag', () => join(bytes.slice(0, -1))],
      ['cut inside of the key', () => join(bytes.slice(0, head >> 1))],
    ])('%s is an unknown handle', async (_name, damage) => {
      await app.deps.blobs.put(key, new Uint8Array(await damage()));
      expect(await results.page(caller, handleOf(key), request)).toBeNull();
      await app.deps.blobs.put(key, bytes);
      expect(await results.page(caller, handleOf(key), request)).not.toBeNull();
    });

    it('moved to another handle or another owner is an unknown handle', async () => {
      const other = handleOf(key).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      await app.deps.blobs.put(`results/${other}`, bytes);
      expect(await results.page(caller, other, request)).toBeNull();
      expect(await results.page({ ...caller, userId: 'somebody else' }, handleOf(key), request)).toBeNull();
    });
  });

  it('of more than 16 MiB ends there as valid JSON, and the notice says so', async () => {
    const text = await callText(app, ana.keyHeader, 'execute_tools', {
      executions: [
        { tool: 'echo_text', args: { length: 100 } },
        { tool: 'echo_text', args: { length: 20 * MIB } },
        { tool: 'echo_text', args: { length: 100 } },
      ],
    });
    const [, handle] =
      /^\[Truncated: 20971\d{3} characters in total, the first 60000 are shown\. .*, or read the first 16 MiB with read_result \{"handle":"([^"]+)"\}; the rest was not kept\. Continue with the first item that is not shown whole: read_result \{.*"path":"\/results\/1\/result","offset":59\d{3}\}\.\]$/m.exec(
        text,
      ) ?? [];
    expect(handle).toBeDefined();
    const read = (path: string, offset = 0) =>
      call(app, ana.keyHeader, 'read_result', { handle, path, offset });
    expect(await read('/results')).toMatchObject({ total: 2 });
    const { total } = await read('/results/1/result');
    expect(total).toBeGreaterThan(15 * MIB);
    expect(await read('/results/1/result', total - 3)).toEqual({ value: 'xxx', total });
    const blob = await app.deps.blobs.get(await keyOf(handle ?? ''));
    expect(blob?.size).toBeLessThan(17 * MIB);
  });
});
