// What agents get from the result of a tool of an MCP server.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryBudget } from '../../src/memory/budget.ts';
import { type ClientsStand, openMcpClients } from '../support/mcp-clients.ts';
import { HTTP_SERVERS, type StartedServer } from '../support/mcp-servers.ts';
import { PIXEL } from '../support/mcp-tools.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { type ScriptedServer, startScripted } from '../support/scripted-mcp.ts';

let stand: ClientsStand;
let files: ReturnType<typeof createMemoryFiles>;
beforeEach(() => {
  stand = openMcpClients();
  files = createMemoryFiles();
});
afterEach(() => stand.close());

describe.each(HTTP_SERVERS.filter(({ name }) => name.startsWith('SDK')))('from $name', ({ start }) => {
  let server: StartedServer;
  beforeEach(async () => {
    server = await start();
  });
  afterEach(() => server.close());
  const call = (name: string, args: Record<string, unknown> = {}) =>
    stand.clients.call(stand.reach(server.address), { name }, args, files);

  it('structured content is the result', async () => {
    expect(await call('add', { a: 1, b: 2 })).toEqual({ sum: 3 });
  });

  it('a picture is shown', async () => {
    expect(await call('picture')).toEqual({
      type: 'image',
      mimeType: 'image/png',
      _mcpImage: { data: PIXEL, mimeType: 'image/png' },
    });
  });

  it('blocks are a list, and their bytes are files', async () => {
    expect(await call('report')).toEqual([
      { type: 'text', text: 'See the files' },
      { type: 'image', mimeType: 'image/png', _mcpImage: { data: PIXEL, mimeType: 'image/png' } },
      {
        type: 'resource',
        resource: {
          uri: 'test://files/data.bin',
          mimeType: 'application/x-data',
          file: expect.objectContaining({ name: 'data.bin', bytes: 3, mimeType: 'application/x-data' }),
        },
      },
      { type: 'resource_link', uri: 'test://files/other', name: 'other' },
    ]);
    expect([...files.kept.values()].map(({ bytes }) => [...bytes])).toEqual([[0, 1, 2]]);
  });

  it('an error is thrown in the words of the tool', async () => {
    await expect(call('fail')).rejects.toThrow(/^the disk is full$/);
  });

  it('an unknown tool is refused by the server', async () => {
    await expect(call('nothing')).rejects.toThrow(/There is no tool nothing/);
  });
});

describe('a result', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScripted();
  });
  afterEach(() => server.close());
  const call = (given: unknown, tool: object = {}) => {
    server.play({ 'tools/call': ({ result }) => result(given) });
    return stand.clients.call(stand.reach(server.address), { name: 'tool', ...tool }, {}, files);
  };
  const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };

  it('may differ from its schema', async () => {
    const outputSchema = { type: 'object', required: ['sum'], properties: { sum: { type: 'number' } } };
    expect(await call({ content: [], structuredContent: { total: 3 } }, { outputSchema })).toEqual({
      total: 3,
    });
    expect(await call({ content: [{ type: 'text', text: '3' }] }, { outputSchema })).toBe('3');
  });

  it.each([
    ['{"a":{"id":12345678901234567890}}', { a: { id: '12345678901234567890' } }],
    ['\n [1, {"b": null}] ', [1, { b: null }]],
    ['{}', {}],
  ])('is a value when its one text is an object or a list: %s', async (text, value) => {
    expect(await call({ content: [{ type: 'text', text }] })).toEqual(value);
  });

  it.each([
    '7',
    '"word"',
    'null',
    '{"a":',
    '{a: 1}',
    '[1] and more',
    '',
    `${'['.repeat(600)}${']'.repeat(600)}`,
  ])('is a text when its one text is anything else: %s', async (text) => {
    expect(await call({ content: [{ type: 'text', text }] })).toBe(text);
  });

  it('is a text when its one text is JSON with more values than the gateway parses', async () => {
    const text = `[${'{},'.repeat(600_000)}{}]`;
    expect(await call({ content: [{ type: 'text', text }] })).toBe(text);
  });

  it('keeps the texts of several blocks as they are', async () => {
    const blocks = [
      { type: 'text', text: '{"a":1}' },
      { type: 'text', text: '[2]' },
    ];
    expect(await call({ content: blocks })).toEqual(blocks);
  });

  it('keeps large integers', async () => {
    server.play({
      'tools/call': ({ message, response }) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(
            `{"jsonrpc":"2.0","id":${String(message.id)},"result":{"structuredContent":{"id":12345678901234567890}}}`,
          ),
    });
    const reached = stand.reach(server.address);
    expect(await stand.clients.call(reached, { name: 'tool' }, {}, files)).toEqual({
      id: '12345678901234567890',
    });
    server.play({
      'tools/call': ({ message, response }) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(
            `data: {"jsonrpc":"2.0","id":${String(message.id)},\r\ndata: "result":{"structuredContent":{"id":12345678901234567890}}}\r\n\r\n`,
          ),
    });
    expect(await stand.clients.call(reached, { name: 'tool' }, {}, files)).toEqual({
      id: '12345678901234567890',
    });
  });

  it('of any JSON value is structured content', async () => {
    expect(await call({ content: [], structuredContent: [1, 2] })).toEqual([1, 2]);
    expect(await call({ content: [], structuredContent: 0 })).toBe(0);
  });

  it('of a value that FastMCP has wrapped is the value, and JSON in it is read', async () => {
    const wrapped = (result: unknown, ...texts: string[]) =>
      call({ content: texts.map((text) => ({ type: 'text', text })), structuredContent: { result } });
    expect(await wrapped('hi', 'hi')).toBe('hi');
    expect(await wrapped('{"a":[1,2]}', '{"a":[1,2]}')).toEqual({ a: [1, 2] });
    expect(await wrapped([1, 2], '1', '2')).toEqual([1, 2]);
    expect(await wrapped(null)).toBeNull();
    expect(await call({ content: [], structuredContent: { result: 1, more: 2 } })).toEqual({
      result: 1,
      more: 2,
    });
  });

  // The package `mcp` 1.30.0 of Python repeats the blocks so for `-> ImageContent` and `-> list[TextContent | ImageContent]`.
  it('is its pictures where a structured value only repeats them', async () => {
    const none = { annotations: null, _meta: null };
    const shown = { type: 'image', mimeType: 'image/png', _mcpImage: { data: PIXEL, mimeType: 'image/png' } };
    expect(await call({ content: [image], structuredContent: { ...image, ...none } })).toEqual(shown);
    const text = { type: 'text', text: 'hi' };
    const repeated = { result: [text, image].map((block) => ({ ...block, ...none })) };
    expect(await call({ content: [text, image], structuredContent: repeated })).toEqual([text, shown]);
    // `ToolResult` of FastMCP with a text and a picture.
    expect(await call({ content: [text, image], structuredContent: { result: 'hi' } })).toEqual([
      text,
      shown,
    ]);
  });

  it('keeps pictures, sounds and files beside a structured value', async () => {
    const structuredContent = { points: 3 };
    const text = { type: 'text', text: 'a chart' };
    const audio = { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' };
    const blob = { type: 'resource', resource: { uri: 'test://a/b.bin', blob: 'AAEC' } };
    const content = [{ type: 'text', text: '{"points": 3}' }, text, image, audio, blob];
    expect(await call({ content, structuredContent })).toEqual({
      structuredContent,
      content: [
        text,
        expect.objectContaining({ _mcpImage: { data: PIXEL, mimeType: 'image/png' } }),
        { type: 'audio', mimeType: 'audio/wav', file: expect.objectContaining({ bytes: 3 }) },
        { type: 'resource', resource: expect.objectContaining({ uri: 'test://a/b.bin' }) },
      ],
    });
    expect(files.kept.size).toBe(2);
  });

  it.each(['application/json', 'text/event-stream'])(
    'shows the beginning of a text that is too long to arrive: %s',
    async (type) => {
      server.play({
        'tools/call'({ message, response }) {
          const [before, after] =
            type === 'text/event-stream' ? ['event: message\ndata: ', '\n\n'] : ['', ''];
          response.writeHead(200, { 'content-type': type });
          response.write(
            `${before}{"jsonrpc":"2.0","id":${String(message.id)},"result":{"content":[{"type":"text","text":"`,
          );
          response.end(`${'line \\n\\u00e9'.repeat(2 ** 21)}"}]}}${after}`);
        },
      });
      const text = await stand.clients.call(stand.reach(server.address), { name: 'tool' }, {}, files);
      expect(String(text)).toMatch(/^line \né/);
      expect(String(text)).toMatch(
        /\[Cut here after [\d,]+ characters\. The answer of 127\.0\.0\.1:\d+ is larger than 16777216 bytes\. Ask for less of it\.\]$/,
      );
      expect(String(text).length).toBeLessThan(2 ** 20 + 1_000);
    },
  );

  it('shows five pictures and keeps the others as files', async () => {
    const shown = await call({ content: Array.from({ length: 7 }, () => image) });
    expect(shown).toHaveLength(7);
    expect(Array.isArray(shown) ? shown.map((block) => '_mcpImage' in block) : []).toEqual([
      ...Array.from({ length: 5 }, () => true),
      false,
      false,
    ]);
    expect(files.kept.size).toBe(2);
  });

  it('keeps a sound, and what only says that it is a picture, as files', async () => {
    expect(await call({ content: [{ type: 'audio', data: 'AAEC', mimeType: 'audio/wav' }] })).toEqual({
      type: 'audio',
      mimeType: 'audio/wav',
      file: expect.objectContaining({ name: 'audio', bytes: 3 }),
    });
    expect(await call({ content: [{ ...image, data: 'AAEC' }] })).toMatchObject({
      type: 'image',
      file: { bytes: 3 },
    });
  });

  it('leaves blocks that it cannot read as they are', async () => {
    const blocks = [{ ...image, data: '!' }, { type: 'hologram', depth: 3 }, null, 'text'];
    expect(await call({ content: blocks })).toEqual(blocks);
  });

  it('may be empty', async () => {
    expect(await call({ content: [] })).toEqual([]);
    expect(await call({})).toBeNull();
    expect(await call({ toolResult: { old: true } })).toEqual({ old: true });
  });

  it('is an error without words', async () => {
    await expect(call({ isError: true, content: [] })).rejects.toThrow(
      /says that the tool failed, and does not say why/,
    );
  });

  it('is an error whose words are cut and cleaned', async () => {
    const text = `\u202e\u200b\u0007no${'!'.repeat(5_000)}`;
    const error: unknown = await call({ isError: true, content: [{ type: 'text', text }] }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error instanceof Error ? error.message : '').toMatch(/^no!{2046}$/);
  });

  it('is charged to the lease of its call, with its files', async () => {
    const charged: number[] = [];
    const lease = {
      ...createMemoryBudget(2 ** 26).open('person'),
      charge: (bytes: number) => void charged.push(bytes),
    };
    const data = Buffer.alloc(3_000).toString('base64');
    server.play({ 'tools/call': ({ result }) => result({ content: [{ type: 'audio', data }] }) });
    await stand.clients.call(stand.reach(server.address, { lease }), { name: 'tool' }, {}, files);
    expect(charged).toEqual([4_000]);
  });

  it('is charged to its call where all calls share a stream', async () => {
    const kind = HTTP_SERVERS.find(({ name }) => name === 'SDK v1 over HTTP+SSE');
    const old = await kind?.start();
    const charged: number[] = [];
    const lease = {
      ...createMemoryBudget(2 ** 26).open('person'),
      charge: (bytes: number) => void charged.push(bytes),
    };
    const reached = stand.reach(old?.address ?? '', { lease });
    await stand.clients.call(reached, { name: 'echo' }, { message: 'x'.repeat(10_000) }, files);
    expect(charged.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(40_000);
    await old?.close();
  });
});
