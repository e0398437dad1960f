// Tests monday.com: tool, arguments → the requested field and its variables; Markdown as the HTML of updates; and files
// and refusals against a fake monday.com that is written from its documentation.
import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { monday } from '../../integrations/monday/manifest.ts';
import { toUpdateHtml } from '../../integrations/monday/update-html.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { runAgainst } from '../support/tool-requests.ts';

const page = { limit: 25, page: 1 };
const done = { status: { label: 'Done' } };
const rules = { rules: [{ column_id: 'status', compare_value: [1], operator: 'any_of' }] };

const rows: readonly (readonly [name: string, args: object, asked: string, variables: object])[] = [
  ['monday_whoami', {}, 'me', {}],
  [
    'monday_list_users',
    { name: 'Ana', emails: ['a@b.c'] },
    'users',
    { name: 'Ana', emails: ['a@b.c'], ...page },
  ],
  ['monday_list_workspaces', { page: 2 }, 'workspaces', { limit: 25, page: 2 }],
  [
    'monday_list_boards',
    { workspaceIds: ['5'], limit: 100 },
    'boards',
    { workspaceIds: ['5'], limit: 100, page: 1 },
  ],
  ['monday_get_board', { boardId: '7' }, 'boards', { boardId: '7' }],
  [
    'monday_create_board',
    { name: 'Plan', workspaceId: '5', empty: true },
    'create_board',
    { name: 'Plan', kind: 'public', workspaceId: '5', empty: true },
  ],
  ['monday_create_group', { boardId: '7', name: 'Soon' }, 'create_group', { boardId: '7', name: 'Soon' }],
  [
    'monday_create_column',
    { boardId: '7', title: 'Due', type: 'date', description: 'd' },
    'create_column',
    { boardId: '7', title: 'Due', type: 'date', description: 'd' },
  ],
  [
    'monday_list_items',
    { boardId: '7', queryParams: rules },
    'boards',
    { boardId: '7', limit: 25, queryParams: rules },
  ],
  [
    'monday_list_items',
    { boardId: '7', limit: 500, cursor: 'c' },
    'boards',
    { boardId: '7', limit: 500, cursor: 'c' },
  ],
  [
    'monday_search_items',
    { query: 'größer', boardIds: ['7'] },
    'search',
    { query: 'größer', limit: 10, boardIds: ['7'] },
  ],
  ['monday_get_item', { itemId: '9' }, 'items', { itemId: '9' }],
  [
    'monday_create_item',
    { boardId: '7', name: 'Ship', groupId: 'g', columnValues: done, createLabelsIfMissing: true },
    'create_item',
    {
      boardId: '7',
      name: 'Ship',
      groupId: 'g',
      columnValues: JSON.stringify(done),
      createLabelsIfMissing: true,
    },
  ],
  [
    'monday_create_subitem',
    { parentItemId: '9', name: 'Part' },
    'create_subitem',
    { parentItemId: '9', name: 'Part' },
  ],
  [
    'monday_update_item',
    { boardId: '7', itemId: '9', columnValues: { name: 'Größe', text: '' } },
    'change_multiple_column_values',
    { boardId: '7', itemId: '9', columnValues: '{"name":"Größe","text":""}' },
  ],
  [
    'monday_move_item_to_group',
    { itemId: '9', groupId: 'g' },
    'move_item_to_group',
    { itemId: '9', groupId: 'g' },
  ],
  ['monday_archive_item', { itemId: '9' }, 'archive_item', { itemId: '9' }],
  ['monday_delete_item', { itemId: '9' }, 'delete_item', { itemId: '9' }],
  ['monday_list_updates', { itemId: '9' }, 'items', { itemId: '9', ...page }],
  [
    'monday_add_update',
    { itemId: '9', body: 'Well **done**', parentId: '3' },
    'create_update',
    { itemId: '9', body: '<p>Well <strong>done</strong></p>', parentId: '3' },
  ],
  ['monday_read_file', { assetId: '4' }, 'assets', { assetId: '4' }],
];

/** Runs a tool that is answered with nothing, and returns what it asked. */
async function requestOf(name: string, args: object): Promise<{ query: string; variables: object }> {
  let sent: UpstreamCall | undefined;
  const upstream = async (call: UpstreamCall) => {
    sent = call;
    return Response.json({ data: { any: [{ name: 'a', public_url: 'https://files.example/a' }] } });
  };
  await runAgainst(monday, name, args, { upstream, fetch: async () => new Response('x') });
  expect(sent).toMatchObject({ method: 'POST', path: '/v2' });
  return JSON.parse(String(sent?.body));
}

describe('monday.com', () => {
  it.each(rows)('is asked by %s %j', async (name, args, asked, variables) => {
    const { query, variables: given } = await requestOf(name, args);
    const [operation] = parse(query).definitions;
    const fields = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
    expect(fields.map((field) => (field.kind === Kind.FIELD ? field.name.value : field.kind))).toEqual([
      asked,
    ]);
    expect(given).toEqual(variables);
  });

  it('has a row here for every tool that sends JSON', () => {
    const json = monday.tools.map(({ name }) => name).filter((name) => name !== 'monday_add_file');
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(json));
  });

  it.each([
    ['monday_list_items', { boardId: '7', limit: 501 }],
    ['monday_update_item', { boardId: '7', itemId: '9' }],
    ['monday_create_column', { boardId: '7', title: 'x', type: 'auto' }],
  ])('is not asked by %s for the arguments %j', async (name, args) => {
    await expect(requestOf(name, args)).rejects.toThrow();
  });
});

describe('an update in monday.com', () => {
  it.each([
    ['one\ntwo\n\nthree', '<p>one<br>two</p><p>three</p>'],
    ['a < b & "c"', '<p>a &lt; b &amp; &quot;c&quot;</p>'],
    ['[site](https://a.example)', '<p><a href="https://a.example">site</a></p>'],
    ['# A\n##### B', '<h1>A</h1><h3>B</h3>'],
    ['- a\n- ~~b~~', '<ul><li><p>a</p></li><li><p><s>b</s></p></li></ul>'],
    ['```\na < b\n```', '<pre>a &lt; b</pre>'],
    ['---', '<hr>'],
    ['| A |\n|---|\n| 1 |', '<table><tr><th><p>A</p></th></tr><tr><td><p>1</p></td></tr></table>'],
  ])('has for %j the right HTML', (markdown, html) => {
    expect(toUpdateHtml(markdown)).toBe(html);
  });
});

const BYTES = new Uint8Array([0, 1, 2, 255]);

/** Answers as monday.com does, and refuses everything that its documentation does not describe. */
function createMonday() {
  const assets = new Map<string, { id: string; name: string; file_size: number }>();
  const refuse = (message: string, code: string) =>
    Response.json({
      data: null,
      errors: [{ message, extensions: { code, status_code: 200 } }],
      account_id: 1,
    });
  const answer = async ({ method, path, body, headers }: UpstreamCall): Promise<Response> => {
    if (method !== 'POST') return new Response('Not found', { status: 404 });
    if (path === '/v2/file') {
      const form = await new Response(body, { headers: { ...headers } }).formData();
      const file = form.get('variables[file]');
      if (form.get('variables[item]') !== '9' || form.get('variables[columnId]') !== 'files')
        return refuse('Column not found', 'ResourceNotFoundException');
      if (!(file instanceof File)) return refuse('Unsupported query', 'InvalidArgumentException');
      assets.set('4', { id: '4', name: file.name, file_size: file.size });
      return Response.json({ data: { add_file_to_column: assets.get('4') } });
    }
    const { query, variables } = JSON.parse(String(body));
    if (String(query).includes('{assets(')) {
      const found = assets.get(variables.assetId);
      const shown = found === undefined ? [] : [{ ...found, public_url: 'https://files.example/4' }];
      return Response.json({ data: { assets: shown } });
    }
    if (variables.itemId === 'x') return Response.json({ errors: ['Not Authenticated'] }, { status: 401 });
    return refuse('User unauthorized to perform action', 'UserUnauthorizedException');
  };
  return { answer };
}

describe('a file in monday.com', () => {
  const { answer: upstream } = createMonday();
  const files = createMemoryFiles();
  const fetch = async (url: string | URL) =>
    new Response(BYTES, { status: String(url) === 'https://files.example/4' ? 200 : 403 });
  const use = (name: string, args: object) => runAgainst(monday, name, args, { upstream, files, fetch });

  it('comes from a kept file and becomes one', async () => {
    const { handle } = await files.save({ bytes: BYTES, name: 'a.bin', mimeType: 'application/x-a' });
    const args = { itemId: '9', columnId: 'files', filename: 'b.bin', file: `file:${handle}` };
    expect(await use('monday_add_file', args)).toEqual({ id: '4', name: 'b.bin', file_size: 4 });
    expect(await use('monday_read_file', { assetId: '4' })).toMatchObject({
      name: 'b.bin',
      file: { bytes: 4 },
    });
  });

  it.each([
    ['monday_read_file', { assetId: '5' }, 'There is no file 5 that you may see'],
    ['monday_add_file', { itemId: '9', columnId: 'no', filename: 'a', content: 'x' }, 'Column not found'],
    ['monday_delete_item', { itemId: '1' }, 'User unauthorized to perform action'],
    ['monday_get_item', { itemId: 'x' }, '401: ["Not Authenticated"]'],
  ])('or an item is refused by %s %j in the words of monday.com', async (name, args, message) => {
    await expect(use(name, args)).rejects.toThrow(message);
  });
});
