// Drafts: mail that a person checks before it is sent.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { pageToken, row, send, some, text, texts } from '../google/oauth.ts';
import { BODY, mail, RECIPIENTS, SUBJECT } from './compose.ts';
import { composeMessage } from './send.ts';

const DRAFTS = '/gmail/v1/users/me/drafts';

export const drafts: readonly Tool[] = [
  row(
    'gmail_list_drafts',
    `GET ${DRAFTS}`,
    'List or search drafts',
    () => ({
      query: some.describe('Query of the Gmail search box, such as to:ana subject:offer'),
      maxResults: z.int().default(20).describe('Drafts per page, at most 500'),
      pageToken,
    }),
    { names: { query: 'q' } },
  ),
  tool(
    'gmail_create_draft',
    'Write a draft of a mail, also with attachments or as a reply in a mail thread',
    () => ({
      to: texts.optional().describe(RECIPIENTS),
      subject: some.describe(SUBJECT),
      body: some.describe(BODY),
      ...mail(),
    }),
    async (args, context) =>
      send(context.upstream, `POST ${DRAFTS}`, { message: await composeMessage(context, args) }),
    'write',
  ),
  row('gmail_send_draft', `POST ${DRAFTS}/send`, 'Send a draft', () => ({
    id: text.describe('Draft id, from gmail_list_drafts'),
  })),
];
