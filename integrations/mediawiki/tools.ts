// The tools of MediaWiki: pages through its REST API, everything else through its Action API.
import * as z from 'zod';
import { fileReference, readGiven } from '../../src/kit/files.ts';
import { tool } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';
import { act, readAction, readJson } from './action.ts';

const { row } = createRows({ names: 'snake_case', read: readAction });
const { row: restRow } = createRows({ names: 'snake_case', read: readJson });
const { row: pageRow } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const title = text.min(1).describe('Page title with its namespace, e.g. Help:Contents');
const summary = some.describe('What you changed and why, for the history of the page');
const limit = z.int().describe('Results to return, at most 500');

const QUERY = '/api.php?action=query&format=json&formatversion=2';
const CHANGES = encodeURIComponent('title|ids|user|comment|timestamp|sizes|flags');
const PAGE = '/rest.php/v1/page/{title}';

export const tools = [
  row('mediawiki_whoami', `GET ${QUERY}&meta=userinfo`, 'Get the MediaWiki user of the session', () => ({}), {
    result: (payload) => readQuery(payload)['userinfo'],
  }),
  row(
    'mediawiki_search',
    // Without srwhat a wiki that searches by SQL searches only titles.
    `GET ${QUERY}&list=search&srwhat=text`,
    'Search the text of pages for words, best matches first',
    () => ({ query: text.describe('Words to find'), limit: limit.default(10) }),
    { names: { query: 'srsearch', limit: 'srlimit' }, result: readQuery },
  ),
  restRow(
    'mediawiki_get_page',
    `GET ${PAGE}`,
    'Get a page as wikitext, with its latest revision. Use it before you edit',
    () => ({ title }),
  ),
  pageRow(
    'mediawiki_get_page_html',
    `GET ${PAGE}/html`,
    'Get a page as rendered HTML, for reading',
    () => ({ title }),
    { result: (html) => ({ html }) },
  ),
  tool(
    'mediawiki_edit_page',
    'Create a page, or replace its text or one section of it',
    () => ({
      title,
      text: text.describe('Whole new text of the page or section, in wikitext'),
      summary,
      baseRevId: some.describe('`latest.id` from mediawiki_get_page: refuses to overwrite a later edit'),
      section: some.describe('Number of the section, 0 for the text above the first, or new to add one'),
    }),
    ({ baseRevId: baserevid, ...page }, { upstream }) => act(upstream, 'edit', { ...page, baserevid }),
    'write',
  ),
  tool(
    'mediawiki_append_page',
    'Add text at the end of a page, without sending the rest of it',
    () => ({
      title,
      appendText: text.describe('Wikitext to add; begin it with a line break to start a new line'),
      summary,
    }),
    ({ appendText: appendtext, ...page }, { upstream }) => act(upstream, 'edit', { ...page, appendtext }),
    'write',
  ),
  restRow(
    'mediawiki_list_history',
    `GET ${PAGE}/history`,
    'List up to 20 revisions of a page, newest first; olderThan continues the list',
    () => ({
      title,
      olderThan: some.describe('Last `id` of the previous answer, to get the revisions before it'),
    }),
  ),
  row(
    'mediawiki_list_recent_changes',
    `GET ${QUERY}&list=recentchanges&rcprop=${CHANGES}`,
    'List the newest changes to any page of the wiki',
    () => ({
      limit: limit.default(20),
      namespace: some.describe(
        'Namespace numbers separated by |, e.g. 0 for articles or 0|1; all if left out',
      ),
    }),
    { names: { limit: 'rclimit', namespace: 'rcnamespace' }, result: readQuery },
  ),
  row(
    'mediawiki_list_categories',
    `GET ${QUERY}&list=allcategories`,
    'List the categories of the wiki by name, all or those that begin with a prefix',
    () => ({ prefix: some.describe('Beginning of the names, e.g. Hist'), limit: limit.optional() }),
    { names: { prefix: 'acprefix', limit: 'aclimit' }, result: readQuery },
  ),
  tool(
    'mediawiki_upload_file',
    'Upload a new file, which gets a page File:<filename>',
    () => ({
      filename: text.min(1).describe('Name with extension, e.g. Plan.png'),
      contentBase64: z.base64().optional().describe('Content of the file in base64'),
      file: fileReference.optional().describe('file:<handle> of a kept file, instead of bytes'),
      comment: some.describe('Comment for the upload log, also the text of the new page of the file'),
    }),
    async ({ filename, contentBase64, file, comment }, { upstream, files }) => {
      const { bytes } = await readGiven(files, { contentBase64, file });
      return act(upstream, 'upload', { filename, comment }, new File([bytes], filename));
    },
    'write',
  ),
];

const Queried = z.lazy(() => z.object({ query: z.record(text, z.unknown()) }));

function readQuery(payload: unknown): Record<string, unknown> {
  return Queried.parse(payload).query;
}
