// Tests select: a JMESPath expression that chooses a part of a result. reference: Execution rules; decision: 032
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compileSelect, MAX_EXPRESSION_CHARACTERS } from '../../src/json/select.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { smallWorld } from '../support/fixtures.ts';
import { call, callText } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const issues = [
  { number: 1, title: 'Broken', user: { login: 'ana' }, labels: [{ name: 'bug' }, { name: 'ui' }] },
  { number: 2, title: 'Slow', user: { login: 'bea' }, labels: [] },
];
const ledger = { written: 0 };
/** The turns of the event loop in which an expression read the rows of `tracker_long`. */
const turnsOfReads: number[] = [];
let readTurn = () => 0;
const numbers = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_000);
const tracker = defineIntegration({
  name: 'tracker',
  version: '1.0.0',
  displayName: 'Tracker',
  description: 'Lists and creates',
  categories: [],
  logo: null,
  auth: { type: 'none' },
  tools: [
    tool(
      'tracker_list',
      'Lists issues',
      () => ({}),
      () => issues,
    ),
    tool(
      'tracker_long',
      'Lists numbers',
      () => ({}),
      () => ({
        get rows() {
          turnsOfReads.push(readTurn());
          return numbers;
        },
      }),
    ),
    tool(
      'tracker_create',
      'Creates an issue',
      () => ({ title: z.string() }),
      ({ title }) => {
        ledger.written++;
        return { number: 3, title };
      },
      'write',
    ),
  ],
});

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: [...smallWorld, tracker] } });
  ana = await app.user();
});
afterAll(() => app.close());

const execute = (...executions: object[]) => call(app, ana.keyHeader, 'execute_tools', { executions });
const list = (select: string) => execute({ tool: 'tracker_list', select });

async function rest(body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
  const response = await app.request('/rest/tracker', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('select in execute_tools', () => {
  it.each([
    ['[].title', ['Broken', 'Slow']],
    [
      '[].{id: number, by: user.login, labels: labels[].name}',
      [
        { id: 1, by: 'ana', labels: ['bug', 'ui'] },
        { id: 2, by: 'bea', labels: [] },
      ],
    ],
    ["[?user.login=='bea'].number | [0]", 2],
    ['length(@)', 2],
    ['sort_by(@, &title)[-1].title', 'Slow'],
    ["join(', ', [].title)", 'Broken, Slow'],
    ['[0].labels[*].name', ['bug', 'ui']],
  ])('returns what %s chooses', async (select, result) => {
    expect(await list(select)).toEqual({ results: [{ result }] });
  });

  it('selects in each execution for itself', async () => {
    const results = await execute(
      { tool: 'tracker_list', select: '[].number' },
      { tool: 'tracker_list' },
      { tool: 'tracker_list', select: '[' },
    );
    expect(results).toEqual({
      results: [
        { result: [1, 2] },
        { result: issues },
        { error: 'Invalid arguments', integration: 'tracker', message: expect.any(String) },
      ],
    });
  });

  it.each([
    ['[].{a b}', 'at character 7 ("b}")'],
    ['[].title |', 'at its end'],
    ['[].title $', 'at character 10 ("$")'],
    ["[?a=='x'] # b", 'at character 11 ("# b")'],
    ['"a', 'at character 1 ("\\"a")'],
    ['[0] | rank(@)', 'unknown function rank() at character 7'],
    ["pad_left('a', `9`)", 'unknown function pad_left() at character 1'],
    ['let $a = @ in $a', 'let and variables'],
    ['a'.repeat(MAX_EXPRESSION_CHARACTERS + 1), '2000'],
  ])('refuses %s before the tool runs, and names the position', async (select, message) => {
    const before = ledger.written;
    const answer = await callText(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'tracker_create', args: { title: 'a' }, select }],
    }).catch(String);
    expect(answer.replaceAll('\\"', '"').replaceAll('\\\\', '\\')).toContain(message);
    expect(ledger.written).toBe(before);
  });

  it('says what the result has, when it finds nothing', async () => {
    expect(await list('items[].name')).toEqual({
      results: [
        {
          result: null,
          hint: 'select found nothing: the result is a list of objects with number, title, user, labels',
        },
      ],
    });
    expect(await list('[?number>`5`]')).toMatchObject({
      results: [{ result: [], hint: expect.any(String) }],
    });
  });

  it('never loses the result of a tool that has changed something', async () => {
    const before = ledger.written;
    expect(
      await execute({ tool: 'tracker_create', args: { title: 'New' }, select: 'length(number)' }),
    ).toEqual({
      results: [
        {
          error: expect.stringContaining('at character 1 ("length(number)")'),
          integration: 'tracker',
          message: 'The tool ran and succeeded. Only its result could not be selected from',
          result: { number: 3, title: 'New' },
        },
      ],
    });
    expect(ledger.written).toBe(before + 1);
    const [row] = await app.deps.store.audit.list({ user_id: ana.id, limit: 1 });
    expect(row).toMatchObject({ tool: 'tracker_create', success: true, error: null });
  });
});

describe('select in a batch', () => {
  it('lets other requests run between executions that work long', async () => {
    let turn = 0;
    let isOver = false;
    const countTurns = async () => {
      for (; !isOver; turn++) await app.clock.turn();
    };
    const before = turnsOfReads.length;
    readTurn = () => turn;
    const counting = countTurns();
    const executions = Array.from({ length: 8 }, () => ({
      tool: 'tracker_long',
      select: 'length(sort(rows))',
    }));
    const answer = await execute(...executions);
    isOver = true;
    await counting;
    expect(answer).toEqual({ results: executions.map(() => ({ result: 20_000 })) });
    expect(new Set(turnsOfReads.slice(before)).size).toBe(8);
  });
});

describe('select over REST', () => {
  it.each([{ tool: 'tracker_list', args: {} }, { tool: 'list' }])('stands beside tool: %j', async (body) => {
    expect(await rest({ ...body, select: '[].number' })).toEqual({
      status: 200,
      body: { integration: 'tracker', tool: 'tracker_list', result: [1, 2] },
    });
  });

  it('works for each item of a batch', async () => {
    const executions = [
      { tool: 'list', select: '[0].title' },
      { tool: 'list', select: 'a b' },
    ];
    expect((await rest({ executions })).body['results']).toEqual([
      { result: 'Broken' },
      { error: 'Invalid arguments', integration: 'tracker', message: expect.stringContaining('character 3') },
    ]);
  });

  it('answers 400 to a wrong expression, and to one that does not fit the result', async () => {
    expect(await rest({ tool: 'list', select: 'a b' })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^Invalid arguments for tracker_list: select .* at character 3/) },
    });
    expect(await rest({ tool: 'list', select: 'abs(@)' })).toEqual({
      status: 400,
      body: {
        error: expect.stringContaining('abs()'),
        integration: 'tracker',
        tool: 'tracker_list',
        message: expect.stringContaining('The tool ran'),
      },
    });
    expect(await rest({ tool: 'list', select: 5 })).toMatchObject({ status: 400 });
  });
});

describe('the work of an expression', () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ id: index, text: `text ${index}`.repeat(10) }));

  it.each([
    ['lists that double', Array(40).fill('[@,@]').join('|')],
    ['objects that double', Array(60).fill('{a: @, b: @}').join('|')],
    ['texts that double', Array(40).fill("join('', [to_string(@), to_string(@)])").join('|')],
    ['the whole for each item', '[*].to_string($)'],
    ['a comparison of the whole for each item', '[?@ == $]'],
    ['a search in the whole for each item', '[*].contains($, @)'],
    ['a sort by the whole', 'sort_by(@, &to_string($))'],
    ['a list for each item', '[*].length($[*].id)'],
    ['questions whether the whole is empty', '@&&'.repeat(660) + '`1`'],
    ['negations of the whole', '[*].[!$]'],
    ['lists that are flattened again and again', `[${Array(300).fill('@[]').join(',')}]`],
  ])('is bounded for %s', async (_name, expression) => {
    const select = await compileSelect(expression);
    expect(() => select(rows)).toThrow(/select (takes too much work|makes far more than the result has)/);
  });

  it('is bounded for an object with many members', async () => {
    const select = await compileSelect('@&&'.repeat(660) + '`1`');
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
    expect(() => select(wide)).toThrow('too much work');
  });

  it('is enough for thousands of rows', async () => {
    const select = await compileSelect('[].{id: id, text: text} | sort_by(@, &text) | [:3].id');
    expect(select(rows).value).toHaveLength(3);
  });

  it.each(['constructor', 'toString', '__proto__', '"__proto__".toString', 'a.constructor'])(
    'never reaches inherited members: %s',
    async (expression) => {
      const select = await compileSelect(expression);
      expect(select({ a: {} }).value).toBeNull();
    },
  );

  it('refuses a member named __proto__ and a join by a text that is computed', async () => {
    await expect(compileSelect('{"__proto__": a}')).rejects.toThrow('__proto__');
    await expect(compileSelect('join(a, b)')).rejects.toThrow('literal');
  });
});
