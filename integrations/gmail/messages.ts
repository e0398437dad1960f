// Messages and their attachments.
import * as z from 'zod';
import { fromBase64 } from '../../src/kit/binary.ts';
import { asFile, renderFile, type ToolFiles } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { pageToken, row, send, some, text, texts } from '../google/oauth.ts';
import { BODY, mail, RECIPIENTS, SUBJECT } from './compose.ts';
import { readable } from './readable.ts';
import { composeMessage } from './send.ts';

const MESSAGES = '/gmail/v1/users/me/messages';
const id = text.describe('Message id, from gmail_list_messages');

export const messages: readonly Tool[] = [
  row(
    'gmail_whoami',
    'GET /gmail/v1/users/{userId}/profile',
    'Show whose mailbox is connected, and how much mail is in it',
    () => ({
      userId: text.default('me').describe('E-mail address, or me for the connected account'),
    }),
  ),
  row(
    'gmail_list_messages',
    `GET ${MESSAGES}`,
    'List or search messages; returns ids for gmail_get_message',
    () => ({
      query: some.describe('Query of the Gmail search box, such as from:ana is:unread newer_than:7d'),
      labelIds: texts.optional().describe('Only messages with all of these labels, such as INBOX'),
      maxResults: z.int().default(20).describe('Messages per page, at most 500'),
      pageToken,
      includeSpamTrash: z.boolean().optional().describe('true to search spam and trash too'),
    }),
    { names: { query: 'q' } },
  ),
  row(
    'gmail_get_message',
    `GET ${MESSAGES}/{id}`,
    'Read a message: its headers, its text and a list of its attachments',
    () => ({
      id,
      format: z
        .enum(['full', 'minimal', 'raw', 'metadata'])
        .default('full')
        .describe('metadata for the headers only, raw for the whole mail in base64url'),
      metadataHeaders: texts.optional().describe('Only these headers, such as Subject; for format metadata'),
    }),
    { result: readable },
  ),
  tool(
    'gmail_send_message',
    'Send a mail, also with attachments or as a reply in a mail thread',
    () => ({
      to: texts.describe(RECIPIENTS),
      subject: text.describe(SUBJECT),
      body: text.describe(BODY),
      ...mail(),
    }),
    async (args, context) =>
      send(context.upstream, `POST ${MESSAGES}/send`, await composeMessage(context, args)),
    'write',
  ),
  row(
    'gmail_modify_message_labels',
    `POST ${MESSAGES}/{id}/modify`,
    'Sort or mark a mail by adding and removing labels: remove INBOX to archive it, UNREAD to mark it as read',
    () => ({
      id,
      addLabelIds: texts.optional().describe('Such as STARRED, or ids from gmail_list_labels'),
      removeLabelIds: texts.optional().describe('Such as INBOX or UNREAD, or ids from gmail_list_labels'),
    }),
    { result: readable },
  ),
  row('gmail_trash_message', `POST ${MESSAGES}/{id}/trash`, 'Move a message to the trash', () => ({ id }), {
    result: readable,
  }),
  row(
    'gmail_get_attachment',
    `GET ${MESSAGES}/{messageId}/attachments/{id}`,
    'Get an attachment as text, an image or a file',
    () => ({
      messageId: id,
      id: text.describe('attachmentId, from gmail_get_message'),
      filename: some.describe('Name of the kept file, from gmail_get_message'),
      asFile,
    }),
    { local: ['filename', 'asFile'], result: showAttachment },
  ),
];

const Attachment = z.looseObject({ data: z.string() });

async function showAttachment(
  payload: unknown,
  {
    filename: name = 'attachment',
    asFile: keep,
  }: { filename?: string | undefined; asFile?: boolean | undefined },
  { files }: { files: ToolFiles },
): Promise<unknown> {
  const found = Attachment.safeParse(payload).data;
  const bytes = found === undefined ? null : fromBase64(found.data);
  if (found === undefined || bytes === null) return payload;
  const { data: _, ...about } = found;
  // Gmail does not say the type.
  const content = { bytes, name, mimeType: '' };
  const { mimeType: __, ...shown } = await renderFile(files, content, { asFile: keep });
  return { ...about, ...shown };
}
