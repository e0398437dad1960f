// Tests what a model reads when its arguments are wrong, and which arguments are read although they are. reference: Meta-tools
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { mendArguments } from '../../src/kit/mend-arguments.ts';
import { modernHeaders, modernMeta, rpc, textOf } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const ran: unknown[] = [];
const integration = defineIntegration({
  name: 'notes',
  version: '1.0.0',
  displayName: 'Notes',
  description: 'Keeps notes',
  categories: ['test'],
  logo: null,
  auth: { type: 'none' },
  tools: [
    tool(
      'notes_list',
      'Lists notes',
      () => ({
        page: z.int().optional(),
        share: z.number().default(1),
        isOpen: z.boolean().optional(),
        mark: z.string().nullable().optional(),
        about: z.union([z.string(), z.number()]).optional(),
        range: z.object({ from: z.int().optional(), name: z.string().optional() }).optional(),
        lists: z.array(z.object({ size: z.int().optional() })).optional(),
      }),
      (args) => {
        ran.push(args);
        return 'listed';
      },
    ),
  ],
});

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: [integration] } });
  ana = await app.user();
});
afterAll(() => app.close());

interface Era {
  era: string;
  headers?: Record<string, string>;
  isModern?: true;
}
const OLDER: Era[] = [
  { era: 'without a version' },
  { era: 'of 2025-06-18', headers: { 'mcp-protocol-version': '2025-06-18' } },
  { era: 'of 2025-03-26', headers: { 'mcp-protocol-version': '2025-03-26' } },
  { era: 'with a version that is no date', headers: { 'mcp-protocol-version': 'zzz' } },
];
const NEWER: Era[] = [
  { era: 'of 2025-11-25', headers: { 'mcp-protocol-version': '2025-11-25' } },
  { era: 'of a later version', headers: { 'mcp-protocol-version': '2026-01-01' } },
  { era: 'of the modern era', isModern: true },
];

function use({ headers = {}, isModern }: Era, name: string, args: unknown) {
  const more = isModern === undefined ? headers : modernHeaders('tools/call', name);
  const params = { name, arguments: args, ...(isModern === undefined ? {} : { _meta: modernMeta }) };
  return rpc(app, { ...ana.keyHeader, ...more }, 'tools/call', params);
}

const WRONG = 'Invalid arguments: query: Invalid input: expected string, received undefined';

describe('wrong arguments of a meta-tool', () => {
  it.each(OLDER)('are a protocol error for a request $era', async (era) => {
    const { status, body } = await use(era, 'search_tools', {});
    expect([status, body.error]).toEqual([200, { code: -32_602, message: WRONG }]);
  });

  it.each(NEWER)('are a result that the model reads for a request $era', async (era) => {
    const { status, body } = await use(era, 'search_tools', {});
    expect(status).toBe(200);
    expect(body.error).toBeUndefined();
    expect(body.result).toMatchObject({ content: [{ type: 'text', text: WRONG }], isError: true });
  });

  it.each([...OLDER, ...NEWER])('do not hide a wrong name or a wrong request $era', async (era) => {
    const status = era.isModern === undefined ? 200 : 400;
    for (const [name, args] of [
      ['no_such_tool', {}],
      ['search_tools', []],
    ] as const) {
      const answer = await use(era, name, args);
      expect([answer.status, answer.body.error?.code]).toEqual([status, -32_602]);
    }
  });
});

describe('an unknown handle', () => {
  it.each([...OLDER, ...NEWER])('says how long results live, to a request $era', async (era) => {
    const { body } = await use(era, 'read_result', { handle: 'nothing' });
    const content = textOf(body.result);
    expect(JSON.parse(content)).toEqual({
      error: 'Unknown handle',
      message: expect.stringContaining('one hour'),
    });
    expect(body.result?.['isError']).toBe(NEWER.includes(era) ? true : undefined);
  });
});

async function execute(args: unknown): Promise<unknown> {
  ran.length = 0;
  const { body } = await use({ era: '' }, 'execute_tools', args);
  return body.error?.message ?? ran;
}

describe('execute_tools reads', () => {
  const call = { tool: 'notes_list', args: { page: 2 } };
  it.each<[string, unknown]>([
    ['executions as a text of JSON', { executions: JSON.stringify([call]) }],
    ['one execution as a text of JSON', { executions: JSON.stringify(call) }],
    ['arguments as a text of JSON', { executions: [{ ...call, args: '{"page":2}' }] }],
    ['name and arguments', { executions: [{ name: 'notes_list', arguments: { page: 2 } }] }],
    ['one execution with name and arguments', { executions: { name: 'notes_list', arguments: { page: 2 } } }],
    ['tool and arguments', { executions: [{ tool: 'notes_list', arguments: '{"page":2}' }] }],
    [
      'null for what may be left out',
      { executions: [{ ...call, select: null, account: null }], maxChars: null },
    ],
    ['null beside one execution', { executions: { ...call, select: null } }],
    ['null in a text of JSON', { executions: JSON.stringify([{ ...call, select: null }]) }],
    ['a number as a text', { executions: [call], maxChars: '8000' }],
  ])('%s', async (_what, args) => {
    expect(await execute(args)).toEqual([{ page: 2, share: 1 }]);
  });

  it('null in the place of all arguments', async () => {
    expect(await execute({ executions: [{ tool: 'notes_list', args: null }] })).toEqual([{ share: 1 }]);
  });

  it('no execution without a name', async () => {
    expect(await execute({ executions: [{ arguments: {} }] })).toContain('executions.0.tool');
    expect(await execute({ executions: [{ tool: null }] })).toContain('executions.0.tool');
    expect(await execute({ executions: '[1' })).toContain('executions: Invalid input: expected array');
  });
});

const DOORS: Record<string, (args: string) => Promise<unknown>> = {
  execute_tools: (args) => execute({ executions: [{ tool: 'notes_list', args: JSON.parse(args) }] }),
  REST: (args) => rest('/rest/notes', `{"tool":"notes_list","args":${args},"select":null,"account":null}`),
  'REST, flat': (args) => rest('/rest/notes', `{"tool":"list","select":null,${args.slice(1)}`),
  'a batch over REST': (args) =>
    rest('/rest/notes', `{"executions":[{"tool":"list","args":${args},"select":null,"account":null}]}`),
  'REST, as MCP writes calls': (args) => rest('/rest/notes', `{"name":"list","arguments":${args}}`),
  'the address of the tool': (args) => rest('/rest/notes/list', args),
};

async function rest(path: string, body: string): Promise<unknown> {
  ran.length = 0;
  const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
  const response = await app.request(path, { method: 'POST', headers, body });
  const answer = await response.json();
  return answer.error ?? ran;
}

describe.each(Object.entries(DOORS))('arguments over %s', (_door, send) => {
  it('may have null for what can be left out, at any depth', async () => {
    const args = '{"page":null,"share":null,"range":{"from":null,"name":"a"},"lists":[{"size":null}]}';
    expect(await send(args)).toEqual([{ share: 1, range: { name: 'a' }, lists: [{}] }]);
  });

  it('keep null where it is allowed', async () => {
    expect(await send('{"page":null,"mark":null}')).toEqual([{ share: 1, mark: null }]);
  });

  it('may have numbers, booleans, lists and objects as texts', async () => {
    const args = `{"page":"2","share":"0.5","isOpen":"True","range":"{\\"from\\":\\"3\\"}","lists":"[{}]"}`;
    expect(await send(args)).toEqual([
      { page: 2, share: 0.5, isOpen: true, range: { from: 3 }, lists: [{}] },
    ]);
  });

  it('keep a text where a text is allowed', async () => {
    expect(await send('{"page":"2","about":"7","mark":"null"}')).toEqual([
      { page: 2, share: 1, about: '7', mark: 'null' },
    ]);
  });
});

describe('mendArguments', () => {
  const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
  it.each<[string, object, unknown, unknown]>([
    [
      'null of a required member',
      object({ a: { type: 'string' } }, { required: ['a'] }),
      { a: null },
      { a: null },
    ],
    ['null of an unknown member', object({}), { a: null }, { a: null }],
    ['null in a list', { type: 'array', items: { type: 'integer' } }, [null], [null]],
    ['null where anything goes', object({ a: {} }), { a: null }, { a: null }],
    [
      'null of a nullable union',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      { a: null },
      { a: null },
    ],
    ['null of a choice with null', object({ a: { enum: ['x', null] } }), { a: null }, { a: null }],
    ['a text of a union with texts', object({ a: { type: ['string', 'integer'] } }), { a: '1' }, { a: '1' }],
    ['a text where any type goes', object({ a: { minimum: 1 } }), { a: '1' }, { a: '1' }],
    [
      'a text beside a choice of texts',
      object({ a: { oneOf: [{ const: '1' }, { const: 1 }] } }),
      { a: '1' },
      { a: '1' },
    ],
    [
      'objects of which two forms fit',
      { anyOf: [object({ a: { type: 'integer' } }), object({ b: {} })] },
      { a: '1' },
      { a: '1' },
    ],
    ['a fraction for an integer', { type: 'integer' }, '1.5', '1.5'],
    ['a text that ends in a blank', { type: 'number' }, '1 ', '1 '],
    ['an endless number', { type: 'number' }, '1e999', '1e999'],
  ])('leaves %s alone', (_what, schema, value, expected) => {
    expect(mendArguments(value, schema)).toEqual(expected);
    expect(mendArguments(value, schema)).toBe(value);
  });

  it.each<[string, object, unknown, unknown]>([
    ['a member of a part', { allOf: [object({ a: { type: 'integer' } })] }, { a: '1' }, { a: 1 }],
    [
      'the only form that fits',
      { anyOf: [object({ a: { type: 'integer' } }), { type: 'null' }] },
      { a: '1' },
      { a: 1 },
    ],
    ['a union without texts', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '7', 7],
    ['a choice of numbers', { enum: [1, 2] }, '2', 2],
    ['a tuple', { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] }, ['1', '2'], [1, '2']],
    [
      'further members',
      { type: 'object', additionalProperties: { type: 'boolean' } },
      { x: 'false' },
      { x: false },
    ],
    ['a fraction of zeros for an integer', { type: 'integer' }, '5.0', 5],
    [
      'a member named __proto__',
      object(JSON.parse('{"__proto__":{"type":"integer"}}')),
      JSON.parse('{"__proto__":"1"}'),
      JSON.parse('{"__proto__":1}'),
    ],
  ])('mends %s', (_what, schema, value, expected) => {
    expect(mendArguments(value, schema)).toEqual(expected);
  });
});
