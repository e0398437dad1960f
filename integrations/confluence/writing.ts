// The writing tools of Confluence. Texts are Markdown, and are sent as Atlassian documents.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { toAdf } from '../atlassian/adf.ts';
import { id, PAGE, PAGES, row, send, some, text } from './fields.ts';

const body = text.describe('Markdown; or storage format, for what begins with <');
const status = some.describe('current, unless given, or draft');
const Version = z.looseObject({ version: z.looseObject({ number: z.int() }) });

export const writing = [
  tool(
    'confluence_create_page',
    'Create a page in a space',
    () => ({ spaceId: text, title: text, body, parentId: some.describe('The page it is below'), status }),
    (args, { upstream }) => send(upstream, `POST ${PAGES}`, { ...args, body: bodyOf(args.body) }),
    'write',
  ),
  tool(
    'confluence_update_page',
    'Replace the title and the text of a page: macros and layouts that Markdown does not know are gone then',
    () => ({
      id,
      title: text,
      body,
      version: z
        .int()
        .optional()
        .describe('The version the text was made from: what came after it is not written over'),
      message: some.describe('Why, for the history of the page'),
    }),
    async ({ id: pageId, title, body: content, version, message }, { upstream }) => {
      const number = (version ?? (await currentVersion(upstream, pageId))) + 1;
      return send(upstream, `PUT ${PAGES}/{pageId}`, {
        pageId,
        id: pageId,
        title,
        status: 'current',
        body: bodyOf(content),
        version: { number, message },
      });
    },
    'write',
  ),
  row('confluence_delete_page', `DELETE ${PAGE}`, 'Put a page into the trash', () => ({ id })),
  tool(
    'confluence_add_page_comment',
    'Comment on a page, or answer a comment',
    () => ({ pageId: text, body, parentCommentId: some }),
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
