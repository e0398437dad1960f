// Tests Notion: tool, arguments → expected request.
import { describe, expect, it } from 'vitest';
import { notion } from '../../integrations/notion/manifest.ts';
import { sent } from '../support/capture.ts';

const P = '59833787-2cf9-4fdf-8782-e53db20768a5';
const hello = [{ text: { content: 'Grüß dich' } }];
const paragraph = { paragraph: { rich_text: hello } };

const rows: readonly (readonly [name: string, args: object, request: string])[] = [
  ['notion_whoami', {}, 'GET /v1/users/me'],
  ['notion_search', { query: 'plan' }, 'POST /v1/search {"query":"plan","page_size":20}'],
  [
    'notion_search',
    {
      filter: { property: 'object', value: 'data_source' },
      sort: { timestamp: 'last_edited_time', direction: 'ascending' },
      startCursor: 'c',
      pageSize: 5,
    },
    'POST /v1/search {"filter":{"property":"object","value":"data_source"},"sort":{"timestamp":"last_edited_time","direction":"ascending"},"page_size":5,"start_cursor":"c"}',
  ],
  ['notion_get_page', { pageId: P }, `GET /v1/pages/${P}`],
  [
    'notion_create_page',
    { parent: { page_id: P }, children: [paragraph] },
    `POST /v1/pages {"parent":{"page_id":"${P}"},"properties":{},"children":[{"paragraph":{"rich_text":[{"text":{"content":"Grüß dich"}}]}}]}`,
  ],
  [
    'notion_update_page',
    { pageId: P, properties: { camelCase: { checkbox: true } }, inTrash: false, icon: { emoji: '🌱' } },
    `PATCH /v1/pages/${P} {"properties":{"camelCase":{"checkbox":true}},"in_trash":false,"icon":{"emoji":"🌱"}}`,
  ],
  [
    'notion_get_page_property',
    { pageId: P, propertyId: 'a/b', pageSize: 10, startCursor: 'c' },
    `GET /v1/pages/${P}/properties/a%2Fb?page_size=10&start_cursor=c`,
  ],
  [
    'notion_get_page_property',
    { pageId: P, propertyId: 't%7B%7Di' },
    `GET /v1/pages/${P}/properties/t%7B%7Di`,
  ],
  ['notion_get_page_property', { pageId: P, propertyId: 'a%b' }, `GET /v1/pages/${P}/properties/a%25b`],
  [
    'notion_get_block_children',
    { blockId: P, startCursor: 'c' },
    `GET /v1/blocks/${P}/children?page_size=50&start_cursor=c`,
  ],
  [
    'notion_append_block_children',
    { blockId: P, children: [paragraph], after: 'b' },
    `PATCH /v1/blocks/${P}/children {"children":[{"paragraph":{"rich_text":[{"text":{"content":"Grüß dich"}}]}}],"after":"b"}`,
  ],
  ['notion_get_block', { blockId: P }, `GET /v1/blocks/${P}`],
  [
    'notion_update_block',
    { blockId: P, type: { to_do: { checked: true } }, archived: false },
    `PATCH /v1/blocks/${P} {"to_do":{"checked":true},"archived":false}`,
  ],
  ['notion_update_block', { blockId: P, archived: true }, `PATCH /v1/blocks/${P} {"archived":true}`],
  [
    'notion_update_block',
    { blockId: P, type: { blockId: 'another', archived: true } },
    `PATCH /v1/blocks/${P} {"archived":true}`,
  ],
  ['notion_delete_block', { blockId: P }, `DELETE /v1/blocks/${P}`],
  ['notion_get_database', { databaseId: P }, `GET /v1/databases/${P}`],
  ['notion_get_data_source', { dataSourceId: P }, `GET /v1/data_sources/${P}`],
  [
    'notion_query_data_source',
    {
      dataSourceId: P,
      filter: { property: 'Done', checkbox: { equals: true } },
      sorts: [{ property: 'Name', direction: 'ascending' }],
    },
    `POST /v1/data_sources/${P}/query {"filter":{"property":"Done","checkbox":{"equals":true}},"sorts":[{"property":"Name","direction":"ascending"}],"page_size":25}`,
  ],
  [
    'notion_create_data_source',
    { parent: { database_id: P }, properties: { Name: { title: {} } }, title: hello },
    `POST /v1/data_sources {"parent":{"database_id":"${P}"},"properties":{"Name":{"title":{}}},"title":[{"text":{"content":"Grüß dich"}}]}`,
  ],
  ['notion_list_users', {}, 'GET /v1/users?page_size=50'],
  [
    'notion_list_comments',
    { blockId: P, pageSize: 2, startCursor: 'c' },
    `GET /v1/comments?block_id=${P}&page_size=2&start_cursor=c`,
  ],
  [
    'notion_create_comment',
    { parent: { page_id: P }, richText: hello },
    `POST /v1/comments {"parent":{"page_id":"${P}"},"rich_text":[{"text":{"content":"Grüß dich"}}]}`,
  ],
];

describe('notion', () => {
  it.each(rows)('%s %j', async (name, args, request) => {
    expect(await sent(notion, name, args)).toEqual([request]);
  });

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(notion.tools.map(({ name }) => name)));
  });

  it.each([
    ['notion_search', { pageSize: 101 }],
    ['notion_list_users', { pageSize: 0 }],
    ['notion_create_comment', { richText: hello }],
    ['notion_get_page', { pageId: '..' }],
    ['notion_append_block_children', { blockId: P, children: 'text' }],
  ])('refuses for %s the arguments %j', async (name, args) => {
    await expect(sent(notion, name, args)).rejects.toThrow();
  });
});
