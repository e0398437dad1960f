// Messages and their attachments.
import * as z from 'zod';
import { fromBase64, imageOf } from '../../src/kit/binary.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { pageToken, row, send, some, text, texts } from '../google/oauth.ts';
import { mail } from './compose.ts';
import { readable } from './readable.ts';
import { composeMessage } from './send.ts';

const MESSAGES = '/gmail/v1/users/me/messages';
const id = text.describe('Of a message');

export const messages: readonly Tool[] = [
  row(
    'gmail_whoami',
    'GET /gmail/v1/users/{userId}/profile',
    'Whose mailbox it is, and how much is in it',
    () => ({
      userId: text.default('me'),
    }),
  ),
  row(
    'gmail_list_messages',
    `GET ${MESSAGES}`,
    'List or search messages: ids, which gmail_get_message reads; paged by pageToken',
    () => ({
      query: some.describe('As in the search box, such as from:ana is:unread newer_than:7d'),
      labelIds: texts.optional().describe('Those that have all of them, such as INBOX'),
      maxResults: z.int().default(20).describe('At most 500'),
      pageToken,
      includeSpamTrash: z.boolean().optional(),
    }),
    { names: { query: 'q' } },
  ),
  row(
    'gmail_get_message',
    `GET ${MESSAGES}/{id}`,
    'Read a message: its headers, its text, and what is attached',
    () => ({
      id,
      format: z
        .enum(['full', 'minimal', 'raw', 'metadata'])
        .default('full')
        .describe('metadata for headers alone, raw for the whole mail in base64url'),
      metadataHeaders: texts.optional().describe('With metadata: only these headers'),
    }),
    { result: readable },
  ),
  tool(
    'gmail_send_message',
    'Send a mail, with attachments, or as a reply in a mail thread',
    () => ({
      to: texts.describe('Each an address, or Name <address>'),
      subject: text,
      body: text,
      ...mail,
    }),
    async (args, { upstream }) =>
      send(upstream, `POST ${MESSAGES}/send`, await composeMessage(upstream, args)),
    'write',
  ),
  row(
    'gmail_modify_message_labels',
    `POST ${MESSAGES}/{id}/modify`,
    'Sort or mark a mail by labels: add STARRED or ids of gmail_list_labels, take INBOX away to archive it, UNREAD when it was read',
    () => ({ id, addLabelIds: texts.optional(), removeLabelIds: texts.optional() }),
    { result: readable },
  ),
  row('gmail_trash_message', `POST ${MESSAGES}/{id}/trash`, 'Move a message to the trash', () => ({ id }), {
    result: readable,
  }),
  row(
    'gmail_get_attachment',
    `GET ${MESSAGES}/{messageId}/attachments/{id}`,
    'Get an attachment, in base64url; an image is shown as one',
    () => ({ messageId: text, id: text.describe('attachmentId of gmail_get_message') }),
    { result: showAttachment },
  ),
];

const Attachment = z.looseObject({ data: z.string() });

function showAttachment(payload: unknown): unknown {
  const { data: attachment } = Attachment.safeParse(payload);
  const bytes = attachment === undefined ? null : fromBase64(attachment.data);
  return attachment === undefined || bytes === null ? payload : { ...attachment, ...imageOf(bytes) };
}
