// The tools of Notion's REST API. Lists continue with `startCursor`, the next_cursor of the previous
// response.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { createRows, percentDecode } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const trash = z.boolean().optional().describe('true moves it to the trash, false restores it');
const object = z.record(text, z.unknown());
const objects = z.array(object);
const startCursor = some.describe('next_cursor of the previous response');
const pageSize = () => z.int().min(1).max(100).describe('Results per response');
const paging = (size: number) => ({ pageSize: pageSize().default(size), startCursor });
const anyPaging = () => ({ pageSize: pageSize().optional(), startCursor });

const PAGE = '/v1/pages/{pageId}';
const BLOCK = '/v1/blocks/{blockId}';
const DATA_SOURCE = '/v1/data_sources/{dataSourceId}';

const page = { pageId: text.describe('Page id, a UUID, from notion_search or the end of its address') };
const block = {
  blockId: text.describe('Id of a block, from notion_get_block_children, or of a page'),
};
const dataSource = {
  dataSourceId: text.describe('Data source id, from notion_search or notion_get_database'),
};
const properties = object.describe(
  'Values by property name, such as {"Name":{"title":[{"text":{"content":"Plan"}}]}}',
);
const children = objects.describe(
  'Blocks, each such as {"paragraph":{"rich_text":[{"text":{"content":"Hello"}}]}}',
);
const richText = objects.describe('Rich text, such as [{"text":{"content":"Hello"}}]');

export const tools = [
  row('notion_whoami', 'GET /v1/users/me', 'Show which bot is connected, and to which workspace', () => ({})),
  row(
    'notion_search',
    'POST /v1/search',
    'Search pages and data sources by title',
    () => ({
      query: some.describe('Words of the title; everything without it'),
      filter: object
        .optional()
        .describe('{"property":"object","value":"page"} for pages, value data_source for data sources'),
      sort: object
        .optional()
        .describe('Order, such as {"timestamp":"last_edited_time","direction":"descending"}'),
      ...paging(20),
    }),
    { access: 'read' },
  ),
  row(
    'notion_get_page',
    `GET ${PAGE}`,
    'Get the properties of a page; notion_get_block_children returns its text',
    () => page,
  ),
  row('notion_create_page', 'POST /v1/pages', 'Create a page below a page or in a data source', () => ({
    parent: object.describe('Where it goes: {"page_id":"…"} or {"data_source_id":"…"}'),
    // The API requires this field, even when it is empty.
    properties: properties.default({}),
    children: children.optional(),
  })),
  row(
    'notion_update_page',
    `PATCH ${PAGE}`,
    'Change the properties or the icon of a page, or move it to the trash',
    () => ({
      ...page,
      properties: properties.optional(),
      archived: trash.describe('Older name of inTrash'),
      inTrash: trash,
      icon: object.optional().describe('Icon, such as {"emoji":"🌱"}'),
    }),
  ),
  row(
    'notion_get_page_property',
    `GET ${PAGE}/properties/{propertyId}`,
    'Get the whole value of a property that notion_get_page cuts, such as a long list',
    () => ({
      ...page,
      propertyId: text.transform(percentDecode).describe('Property id, from notion_get_page'),
      ...anyPaging(),
    }),
  ),
  row(
    'notion_get_block_children',
    `GET ${BLOCK}/children`,
    'List the blocks in a page or a block, which are its text',
    () => ({ ...block, ...paging(50) }),
  ),
  row(
    'notion_append_block_children',
    `PATCH ${BLOCK}/children`,
    'Add up to 100 blocks at the end of a page or a block, or after one of its children',
    () => ({
      ...block,
      children,
      after: some.describe('Id of the child to insert after; at the end without it'),
    }),
  ),
  row('notion_get_block', `GET ${BLOCK}`, 'Get a block', () => block),
  tool(
    'notion_update_block',
    'Replace the content of a block, or move it to the trash',
    () => ({
      ...block,
      type: object
        .optional()
        .describe('New content under the type of the block, such as {"to_do":{"checked":true}}'),
      archived: trash,
    }),
    // The type is also the name of the field that the API expects.
    ({ type, ...args }, { upstream }) => send(upstream, `PATCH ${BLOCK}`, { ...type, ...args }),
    'write',
  ),
  row('notion_delete_block', `DELETE ${BLOCK}`, 'Move a block or a page to the trash', () => block),
  row('notion_get_database', 'GET /v1/databases/{databaseId}', 'Get a database and its data sources', () => ({
    databaseId: text.describe('Database id, a UUID, from its address'),
  })),
  row(
    'notion_get_data_source',
    `GET ${DATA_SOURCE}`,
    'Get a data source with the types of its properties',
    () => dataSource,
  ),
  row(
    'notion_query_data_source',
    `POST ${DATA_SOURCE}/query`,
    'List pages of a data source, filtered and sorted',
    () => ({
      ...dataSource,
      filter: object.optional().describe('Condition, such as {"property":"Done","checkbox":{"equals":true}}'),
      sorts: objects.optional().describe('Order, such as [{"property":"Name","direction":"ascending"}]'),
      ...paging(25),
    }),
    { access: 'read' },
  ),
  row('notion_create_data_source', 'POST /v1/data_sources', 'Add a data source to a database', () => ({
    parent: object.describe('Database that it goes into: {"database_id":"…"}'),
    properties: object.describe('Property types by name, such as {"Name":{"title":{}}}'),
    title: richText.optional().describe('Title as rich text, such as [{"text":{"content":"Tasks"}}]'),
  })),
  row('notion_list_users', 'GET /v1/users', 'List people and bots', () => paging(50)),
  row('notion_list_comments', 'GET /v1/comments', 'List the open comments on a page or a block', () => ({
    ...block,
    ...anyPaging(),
  })),
  row('notion_create_comment', 'POST /v1/comments', 'Comment on a page', () => ({
    parent: object.describe('Page to comment on: {"page_id":"…"}'),
    richText,
  })),
];
