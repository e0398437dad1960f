// The reading tools of Confluence. Lists continue with the cursor in _links.next of the previous response.
import * as z from 'zod';
import { percentDecode } from '../../src/kit/rest-rows.ts';
import { id, PAGE, PAGES, row, some, SPACE_ID, text } from './fields.ts';
import { toMarkdown } from '../html/to-markdown.ts';

const page = {
  limit: z.int().default(25).describe('Results per page, at most 250'),
  cursor: some
    .transform((given) => (given === undefined ? given : cursorIn(given)))
    .describe('Cursor or whole link in _links.next of the previous page'),
};
const bodyFormat = some.describe('Format of the texts, storage or atlas_doc_format; no texts by default');

export const tools = [
  row('confluence_whoami', 'GET /wiki/rest/api/user/current', 'Show who is connected', () => ({})),
  row(
    'confluence_search',
    'GET /wiki/rest/api/search',
    'Search pages, posts, comments and files with CQL',
    () => ({
      cql: text.describe('CQL, such as type = page AND text ~ "release" ORDER BY lastmodified DESC'),
      limit: z.int().default(20).describe('Results per page'),
      cursor: page.cursor,
    }),
  ),
  row('confluence_list_spaces', 'GET /wiki/api/v2/spaces', 'List spaces', () => ({
    keys: some.describe('Space keys separated by commas, such as ENG,HR'),
    ...page,
  })),
  row('confluence_get_space', 'GET /wiki/api/v2/spaces/{id}', 'Get a space', () => ({
    id: text.describe(SPACE_ID),
  })),
  row(
    'confluence_list_pages',
    `GET ${PAGES}`,
    'List pages of a space or with a title; confluence_search finds words in texts',
    () => ({
      spaceId: some.describe(SPACE_ID),
      title: some.describe('Exact title'),
      ...page,
      sort: some.describe('title, id, created-date or modified-date; a - before it sorts descending'),
      bodyFormat,
    }),
    { names: { spaceId: 'space-id', bodyFormat: 'body-format' } },
  ),
  row(
    'confluence_get_page',
    `GET ${PAGE}`,
    'Get a page with its text, as Markdown by default',
    () => ({
      id,
      bodyFormat: text
        .default('storage')
        .describe('storage returns Markdown, atlas_doc_format an Atlassian document, view HTML'),
    }),
    { names: { bodyFormat: 'body-format' }, result: readable },
  ),
  row(
    'confluence_list_page_children',
    `GET ${PAGE}/children`,
    'List the pages directly below a page',
    () => ({
      id,
      ...page,
    }),
  ),
  row(
    'confluence_list_page_comments',
    `GET ${PAGE}/footer-comments`,
    'List the comments at the foot of a page, without the replies to them',
    () => ({ id, ...page, bodyFormat }),
    { names: { bodyFormat: 'body-format' } },
  ),
  row(
    'confluence_list_attachments',
    `GET ${PAGE}/attachments`,
    'List the files of a page; confluence_get_attachment reads them',
    () => ({ id, ...page }),
  ),
  row('confluence_list_labels', `GET ${PAGE}/labels`, 'List the labels of a page', () => ({
    id,
    limit: z.int().optional().describe('Results per page, at most 250'),
    cursor: page.cursor,
  })),
];

const WithStorage = z.lazy(() =>
  z.looseObject({ body: z.looseObject({ storage: z.looseObject({ value: text }) }) }),
);

function readable(payload: unknown): unknown {
  const found = WithStorage.safeParse(payload).data;
  if (found === undefined) return payload;
  return { ...found, body: { markdown: toMarkdown(found.body.storage.value) } };
}

/** A whole link is accepted too. */
function cursorIn(given: string): string {
  const [, cursor = given] = /[?&]cursor=([^&]*)/.exec(given) ?? [];
  return percentDecode(cursor);
}
