// The tools of MediaWiki: pages through its REST API, everything else through its Action API.
import * as z from 'zod';
import { bytesGiven } from '../../src/kit/binary.ts';
import { tool } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';
import { act, readAction, readJson } from './action.ts';

const { row } = createRows({ names: 'snake_case', read: readAction });
const { row: restRow } = createRows({ names: 'snake_case', read: readJson });
const { row: pageRow } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const title = text.min(1).describe('With its namespace, such as Help:Contents');
const summary = some.describe('Why, for the history of the page');

const QUERY = '/api.php?action=query&format=json&formatversion=2';
const CHANGES = encodeURIComponent('title|ids|user|comment|timestamp|sizes|flags');
const PAGE = '/rest.php/v1/page/{title}';

export const tools = [
  row('mediawiki_whoami', `GET ${QUERY}&meta=userinfo`, 'Who the session belongs to', () => ({}), {
    result: (payload) => readQuery(payload)['userinfo'],
  }),
  row(
    'mediawiki_search',
    // Without srwhat a wiki that searches by SQL searches only titles.
    `GET ${QUERY}&list=search&srwhat=text`,
    'Search the text of pages for words, best matches first',
    () => ({ query: text, limit: z.int().default(10) }),
    { names: { query: 'srsearch', limit: 'srlimit' }, result: readQuery },
  ),
  restRow('mediawiki_get_page', `GET ${PAGE}`, 'Get a page as wikitext, with its latest revision', () => ({
    title,
  })),
  pageRow('mediawiki_get_page_html', `GET ${PAGE}/html`, 'Get a page as HTML', () => ({ title }), {
    result: (html) => ({ html }),
  }),
  tool(
    'mediawiki_edit_page',
    'Create a page, or replace its text or one section of it',
    () => ({
      title,
      text: text.describe('Wikitext'),
      summary,
      baseRevId: some.describe('The revision the text was made from: what came after it is not written over'),
      section: some.describe('The number of a section, 0 for what is above the first, or new'),
    }),
    ({ baseRevId: baserevid, ...page }, { upstream }) => act(upstream, 'edit', { ...page, baserevid }),
    'write',
  ),
  tool(
    'mediawiki_append_page',
    'Add text at the end of a page',
    () => ({
      title,
      appendText: text.describe('Wikitext; begins with a line break where one is wanted'),
      summary,
    }),
    ({ appendText: appendtext, ...page }, { upstream }) => act(upstream, 'edit', { ...page, appendtext }),
    'write',
  ),
  restRow(
    'mediawiki_list_history',
    `GET ${PAGE}/history`,
    'List revisions of a page, newest first, 20 at once; olderThan goes on from there',
    () => ({ title, olderThan: some.describe('The number of a revision') }),
  ),
  row(
    'mediawiki_list_recent_changes',
    `GET ${QUERY}&list=recentchanges&rcprop=${CHANGES}`,
    'List the newest limit changes of all pages',
    () => ({ limit: z.int().default(20), namespace: some.describe('Numbers, such as 0 or 0|1') }),
    { names: { limit: 'rclimit', namespace: 'rcnamespace' }, result: readQuery },
  ),
  row(
    'mediawiki_list_categories',
    `GET ${QUERY}&list=allcategories`,
    'List the first limit categories by name; a prefix leads to the others',
    () => ({ prefix: some, limit: z.int().optional() }),
    { names: { prefix: 'acprefix', limit: 'aclimit' }, result: readQuery },
  ),
  tool(
    'mediawiki_upload_file',
    'Upload a file',
    () => ({
      filename: text.min(1).describe('Such as Plan.png, as its page will be called'),
      contentBase64: z.base64(),
      comment: some,
    }),
    ({ filename, contentBase64, comment }, { upstream }) => {
      const file = new File([bytesGiven(undefined, contentBase64)], filename);
      return act(upstream, 'upload', { filename, comment }, file);
    },
    'write',
  ),
];

const Queried = z.object({ query: z.record(text, z.unknown()) });

function readQuery(payload: unknown): Record<string, unknown> {
  return Queried.parse(payload).query;
}
