// The writing tools of Confluence. Texts are Markdown, and are sent as Atlassian documents.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { toAdf } from '../atlassian/adf.ts';
import { id, PAGE, PAGES, row, send, some, SPACE_ID, text } from './fields.ts';

const body = text.describe('Text in Markdown, or in storage format when it begins with <');
const title = text.describe('Title of the page; unique in its space');
const Version = z.lazy(() => z.looseObject({ version: z.looseObject({ number: z.int() }) }));

export const writing = [
  tool(
    'confluence_create_page',
    'Create a page in a space',
    () => ({
      spaceId: text.describe(SPACE_ID),
      title,
      body,
      parentId: some.describe('Id of the page above it; the home page of the space by default'),
      status: some.describe('current (the default) or draft'),
    }),
    (args, { upstream }) => send(upstream, `POST ${PAGES}`, { ...args, body: bodyOf(args.body) }),
    'write',
  ),
  tool(
    'confluence_update_page',
    'Replace the title and the text of a page; macros and layouts that Markdown cannot express are lost',
    () => ({
      id,
      title,
      body,
      version: z
        .int()
        .optional()

        .describe(
          'Version number that the text is based on; Confluence refuses when the page has a newer one',
        ),
      message: some.describe('Reason for the change, for the history of the page'),
    }),
    async ({ id: pageId, title: heading, body: content, version, message }, { upstream }) => {
      const number = (version ?? (await currentVersion(upstream, pageId))) + 1;
      return send(upstream, `PUT ${PAGES}/{pageId}`, {
        pageId,
        id: pageId,
        title: heading,
        status: 'current',
        body: bodyOf(content),
        version: { number, message },
      });
    },
    'write',
  ),
  row('confluence_delete_page', `DELETE ${PAGE}`, 'Move a page to the trash', () => ({ id })),
  tool(
    'confluence_add_page_comment',
    'Comment on a page, or reply to a comment',
    () => ({
      pageId: id,
      body,
      parentCommentId: some.describe('Comment to reply to, from confluence_list_page_comments'),
    }),
    ({ pageId, body: content, parentCommentId }, { upstream }) =>
      send(upstream, 'POST /wiki/api/v2/footer-comments', {
        // A reply belongs to the place of its comment.
        ...(parentCommentId === undefined ? { pageId } : { parentCommentId }),
        body: bodyOf(content),
      }),
    'write',
  ),
];

function bodyOf(content: string): { representation: string; value: string } {
  return content.trimStart().startsWith('<')
    ? { representation: 'storage', value: content }
    : { representation: 'atlas_doc_format', value: JSON.stringify(toAdf(content)) };
}

async function currentVersion(upstream: Upstream, pageId: string): Promise<number> {
  return Version.parse(await send(upstream, `GET ${PAGE}`, { id: pageId })).version.number;
}
