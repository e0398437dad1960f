// The tools of Notion's REST API. Lists continue with `startCursor`, the next_cursor of the previous
// response.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { createRows, percentDecode } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const flag = z.boolean().optional();
const object = z.record(text, z.unknown());
const objects = z.array(object);
const startCursor = some.describe('next_cursor of the page before');
const pageSize = z.int().min(1).max(100);
const paging = (size: number) => ({ pageSize: pageSize.default(size), startCursor });
const anyPaging = { pageSize: pageSize.optional(), startCursor };

const PAGE = '/v1/pages/{pageId}';
const BLOCK = '/v1/blocks/{blockId}';
const DATA_SOURCE = '/v1/data_sources/{dataSourceId}';

const page = { pageId: text };
const block = { blockId: text.describe('Of a block, or of a page') };
const properties = object.describe('By name or id, each as a property value of the API');
const children = objects.describe(
  'Blocks, such as {"paragraph":{"rich_text":[{"text":{"content":"Hello"}}]}}',
);
const richText = objects.describe('Such as [{"text":{"content":"Hello"}}]');

export const tools = [
  row('notion_whoami', 'GET /v1/users/me', 'Which bot is connected, and to which workspace', () => ({})),
  row(
    'notion_search',
    'POST /v1/search',
    'Search pages and data sources by title, paged by startCursor',
    () => ({
      query: some,
      filter: object.optional().describe('{"property":"object","value":"page"}, or data_source'),
      sort: object.optional().describe('{"timestamp":"last_edited_time","direction":"descending"}'),
      ...paging(20),
    }),
    { access: 'read' },
  ),
  row(
    'notion_get_page',
    `GET ${PAGE}`,
    'Get a page’s properties; its text is its block children',
    () => page,
  ),
  row('notion_create_page', 'POST /v1/pages', 'Create a page below a page or in a data source', () => ({
    parent: object.describe('{"page_id":"…"} or {"data_source_id":"…"}'),
    // The API requires this field, even when it is empty.
    properties: properties.default({}),
    children: children.optional(),
  })),
  row(
    'notion_update_page',
    `PATCH ${PAGE}`,
    'Change a page’s properties or icon, or put it into the bin',
    () => ({
      ...page,
      properties: properties.optional(),
      archived: flag,
      inTrash: flag,
      icon: object.optional().describe('Such as {"emoji":"🌱"}'),
    }),
  ),
  row(
    'notion_get_page_property',
    `GET ${PAGE}/properties/{propertyId}`,
    'Get one property of a page whole; long ones are paged by startCursor',
    () => ({ ...page, propertyId: text.transform(percentDecode), ...anyPaging }),
  ),
  row(
    'notion_get_block_children',
    `GET ${BLOCK}/children`,
    'List what a page or a block contains, paged by startCursor',
    () => ({ ...block, ...paging(50) }),
  ),
  row(
    'notion_append_block_children',
    `PATCH ${BLOCK}/children`,
    'Add up to 100 blocks at the end of a page or a block, or after one of its children',
    () => ({ ...block, children, after: some.describe('The id of a child') }),
  ),
  row('notion_get_block', `GET ${BLOCK}`, 'Get a block', () => block),
  tool(
    'notion_update_block',
    'Replace the content of a block, or put it into the bin',
    () => ({
      ...block,
      type: object.optional().describe('By its type, such as {"to_do":{"checked":true}}'),
      archived: flag,
    }),
    // The type is also the name of the field that the API expects.
    ({ type, ...args }, { upstream }) => send(upstream, `PATCH ${BLOCK}`, { ...type, ...args }),
    'write',
  ),
  row('notion_delete_block', `DELETE ${BLOCK}`, 'Put a block, or a page, into the bin', () => block),
  row('notion_get_database', 'GET /v1/databases/{databaseId}', 'Get a database and its data sources', () => ({
    databaseId: text,
  })),
  row('notion_get_data_source', `GET ${DATA_SOURCE}`, 'Get a data source and its properties', () => ({
    dataSourceId: text,
  })),
  row(
    'notion_query_data_source',
    `POST ${DATA_SOURCE}/query`,
    'List pages of a data source, filtered and sorted, paged by startCursor',
    () => ({
      dataSourceId: text,
      filter: object.optional().describe('Such as {"property":"Done","checkbox":{"equals":true}}'),
      sorts: objects.optional().describe('Such as [{"property":"Name","direction":"ascending"}]'),
      ...paging(25),
    }),
    { access: 'read' },
  ),
  row('notion_create_data_source', 'POST /v1/data_sources', 'Add a data source to a database', () => ({
    parent: object.describe('{"database_id":"…"}'),
    properties: object.describe('By name, such as {"Name":{"title":{}}}'),
    title: richText.optional(),
  })),
  row('notion_list_users', 'GET /v1/users', 'List people and bots, paged by startCursor', () => paging(50)),
  row('notion_list_comments', 'GET /v1/comments', 'List open comments, paged by startCursor', () => ({
    ...block,
    ...anyPaging,
  })),
  row('notion_create_comment', 'POST /v1/comments', 'Comment on a page', () => ({
    parent: object.describe('{"page_id":"…"}'),
    richText,
  })),
];
