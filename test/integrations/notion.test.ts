// Tests Notion from the sign-in on, against a fake Notion: pages of blocks, paged by cursors. Docs of its
// REST API, 2025-09-03
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, CLIENT, connectTo, type OAuthApi, startOAuthApi } from '../support/fake-oauth-api.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

interface Block {
  id: string;
  type: string;
  in_trash: boolean;
  [content: string]: unknown;
}

const PAGE = 'the-page';
let blocks: Block[] = [];
let notion: OAuthApi;
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  const rules = {
    tokenPath: '/v1/oauth/token',
    refreshPath: '/v1/oauth/token',
    body: 'json',
    rotates: true,
    expiresIn: null,
  } as const;
  notion = await startOAuthApi(rules, answer);
  app = await createTestApp({
    env: {
      NOTION_CLIENT_ID: CLIENT.id,
      NOTION_CLIENT_SECRET: CLIENT.secret,
      UPSTREAM_MAP: `https://api.notion.com=${notion.url}`,
    },
  });
  ana = await createPerson(app);
});
afterAll(async () => {
  await app?.close();
  await notion?.close();
});

function refuse(status: number, code: string, message: string): Response {
  return Response.json({ object: 'error', status, code, message, request_id: 'r' }, { status });
}

function answer({ method, path, query, headers, body }: ApiCall): Response {
  if (headers.get('notion-version') !== '2025-09-03')
    return refuse(400, 'missing_version', 'Notion-Version header should be defined.');
  const id = path.split('/')[3];
  const given = Object(body);
  if (path === '/v1/users/me') return Response.json({ object: 'user', type: 'bot', name: 'The gateway' });
  if (path === `/v1/blocks/${PAGE}/children` && method === 'PATCH') {
    const added = given.children.map((child: object) => {
      const [type = '', content] = Object.entries(child)[0] ?? [];
      return { id: `block-${blocks.length + 1}`, type, [type]: content, in_trash: false };
    });
    blocks.push(...added);
    return list(added);
  }
  if (path === `/v1/blocks/${PAGE}/children`)
    return page(
      blocks.filter(({ in_trash }) => !in_trash),
      query,
    );
  if (path === '/v1/data_sources/people/query') return page([{ object: 'page', id: 'row-1' }], given);
  const block = blocks.find((each) => each.id === id);
  if (block === undefined)
    return refuse(404, 'object_not_found', `Could not find block with ID: ${id}. Make sure it is shared.`);
  if (method === 'PATCH' && given[block.type] === undefined && given.archived === undefined)
    return refuse(400, 'validation_error', `body.${block.type} should be defined`);
  if (method === 'PATCH') Object.assign(block, given);
  if (method === 'DELETE') block.in_trash = true;
  return Response.json(block);
}

const list = (results: unknown[], next_cursor: string | null = null): Response =>
  Response.json({ object: 'list', results, next_cursor, has_more: next_cursor !== null });

function page(all: unknown[], { start_cursor, page_size }: Record<string, string>): Response {
  const start = Number(start_cursor ?? 0);
  const end = start + Number(page_size);
  return list(all.slice(start, end), end < all.length ? String(end) : null);
}

const paragraph = (content: string) => ({ paragraph: { rich_text: [{ text: { content } }] } });

describe('connecting to Notion', () => {
  it('asks as the person, without scopes, and ends in the portal', async () => {
    const { authorize, end } = await connectTo(notion, { app, person: ana, integration: 'notion' });
    expect(`${authorize.origin}${authorize.pathname}`).toBe('https://api.notion.com/v1/oauth/authorize');
    expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
      owner: 'user',
      response_type: 'code',
    });
    expect(authorize.searchParams.has('scope')).toBe(false);
    expect(end).toBe('http://localhost:3000#connected=notion');
    expect(await ana.run('notion_whoami')).toMatchObject({ name: 'The gateway' });
  });
});

describe('a Notion page', () => {
  it('accepts blocks, returns them in pages, changes and deletes them', async () => {
    const lines = ['Grüße', '„zwei“', '三', '🌱'];
    await ana.run('notion_append_block_children', { blockId: PAGE, children: lines.map(paragraph) });
    const children = { blockId: PAGE, pageSize: 3 };
    const first = Object(await ana.run('notion_get_block_children', children));
    expect(first).toMatchObject({ results: { length: 3 }, has_more: true });
    const rest = { ...children, startCursor: first.next_cursor };
    expect(await ana.run('notion_get_block_children', rest)).toMatchObject({
      results: [paragraph('🌱')],
      has_more: false,
    });

    const blockId = first.results[0].id;
    await ana.run('notion_update_block', { blockId, type: paragraph('Schöne Grüße') });
    expect(await ana.run('notion_get_block', { blockId })).toMatchObject(paragraph('Schöne Grüße'));
    expect(await ana.run('notion_delete_block', { blockId })).toMatchObject({ in_trash: true });
    expect(await ana.run('notion_get_block_children', { blockId: PAGE })).toMatchObject({
      results: { length: 3 },
    });
  });

  it('is found by a query of its data source', async () => {
    expect(await ana.run('notion_query_data_source', { dataSourceId: 'people' })).toMatchObject({
      results: [{ id: 'row-1' }],
    });
    expect(notion.calls.at(-1)?.body).toEqual({ page_size: 25 });
  });

  it("passes on Notion's own error when it is not shared", async () => {
    await expect(ana.run('notion_get_block', { blockId: 'secret' })).rejects.toThrow(
      '404: Could not find block with ID: secret. Make sure it is shared.',
    );
  });

  it('is truncated at 5 MB, and read by its handle', async () => {
    const before = blocks;
    blocks = Array.from({ length: 100 }, (_, at) => ({
      id: `long-${at}`,
      type: 'paragraph',
      in_trash: false,
      ...paragraph('ü'.repeat(50_000)),
    }));
    const shown = await ana.show('notion_get_block_children', { blockId: PAGE, pageSize: 100 });
    const [text, handle = ''] =
      /\[Truncated: 5\d{6} characters in total.*read_result \{"handle":"([^"]+)"\}/.exec(
        JSON.stringify(shown).replaceAll('\\"', '"'),
      ) ?? [];
    expect(text).toBeDefined();
    expect(await ana.read(handle, '/results/0/result/results/99/id')).toMatchObject({ value: 'long-99' });
    blocks = before;
  });
});

describe("Notion's tokens", () => {
  it('have no lifetime: they are refreshed when Notion refuses them, and rotate', async () => {
    for (const _ of [1, 2]) {
      notion.revoke();
      expect(await ana.run('notion_whoami')).toMatchObject({ name: 'The gateway' });
    }
    expect(notion.grants).toEqual(
      ['authorization_code', 'refresh_token', 'refresh_token'].map((type) => ({
        path: '/v1/oauth/token',
        type,
        status: 200,
      })),
    );
  });
});
