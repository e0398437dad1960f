// The reading tools of Confluence. Lists continue with the cursor in _links.next of the previous response.
import * as z from 'zod';
import { percentDecode } from '../../src/kit/rest-rows.ts';
import { id, PAGE, PAGES, row, some, text } from './fields.ts';
import { toMarkdown } from './storage.ts';

const page = {
  limit: z.int().default(25).describe('At most 250'),
  cursor: some
    .transform((given) => (given === undefined ? given : cursorIn(given)))
    .describe('From _links.next of the answer before'),
};
const bodyFormat = some.describe('storage or atlas_doc_format; no bodies unless given');

export const tools = [
  row('confluence_whoami', 'GET /wiki/rest/api/user/current', 'Who the connection belongs to', () => ({})),
  row('confluence_search', 'GET /wiki/rest/api/search', 'Search with CQL, paged by cursor', () => ({
    cql: text.describe('Such as type = page AND text ~ "release" ORDER BY lastmodified DESC'),
    limit: z.int().default(20),
    cursor: page.cursor,
  })),
  row('confluence_list_spaces', 'GET /wiki/api/v2/spaces', 'List spaces, paged by cursor', () => ({
    keys: some.describe('Separated by commas'),
    ...page,
  })),
  row('confluence_get_space', 'GET /wiki/api/v2/spaces/{id}', 'Get a space', () => ({
    id: text.describe('Its number, from confluence_list_spaces'),
  })),
  row(
    'confluence_list_pages',
    `GET ${PAGES}`,
    'List pages, of a space or with a title, paged by cursor',
    () => ({
      spaceId: some,
      title: some.describe('Exactly'),
      ...page,
      sort: some.describe('Such as -modified-date or title'),
      bodyFormat,
    }),
    { names: { spaceId: 'space-id', bodyFormat: 'body-format' } },
  ),
  row(
    'confluence_get_page',
    `GET ${PAGE}`,
    'Get a page, its text as Markdown, or with atlas_doc_format as Confluence has it',
    () => ({ id, bodyFormat: text.default('storage').describe('storage, atlas_doc_format or view') }),
    { names: { bodyFormat: 'body-format' }, result: readable },
  ),
  row(
    'confluence_list_page_children',
    `GET ${PAGE}/children`,
    'List the pages below one, paged by cursor',
    () => ({
      id,
      ...page,
    }),
  ),
  row(
    'confluence_list_page_comments',
    `GET ${PAGE}/footer-comments`,
    'List comments of a page, without the answers to them, paged by cursor',
    () => ({ id, ...page, bodyFormat }),
    { names: { bodyFormat: 'body-format' } },
  ),
  row(
    'confluence_list_attachments',
    `GET ${PAGE}/attachments`,
    'List files of a page, paged by cursor; each is at its downloadLink below /wiki',
    () => ({ id, ...page }),
  ),
  row('confluence_list_labels', `GET ${PAGE}/labels`, 'List labels of a page, paged by cursor', () => ({
    id,
    limit: z.int().optional(),
    cursor: page.cursor,
  })),
];

const WithStorage = z.looseObject({ body: z.looseObject({ storage: z.looseObject({ value: text }) }) });

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
