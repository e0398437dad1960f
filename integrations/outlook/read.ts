// Lists, searches and reads messages.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { asFile, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import {
  flag,
  literal,
  page,
  pageSize,
  phrase,
  readPage,
  row,
  send,
  some,
  text,
  toCall,
} from '../microsoft/graph.ts';
import { LISTED, showMessage, WHOLE } from './show.ts';

const MESSAGES = '/me/messages';
export const messageId = text.describe('Message id, from outlook_list_messages or outlook_search_messages');
const moment = (what: string) =>
  z.iso.datetime({ offset: true }).optional().describe(`${what}, such as 2026-03-01T09:00:00Z`);
/** Before there was mail. A filter has to begin with the property that the list is ordered by. */
const ALWAYS = 'receivedDateTime ge 1970-01-01T00:00:00Z';

const Attachment = z.lazy(() =>
  z.looseObject({
    '@odata.type': some,
    name: z.string().nullish(),
    contentType: z.string().nullish(),
  }),
);

export const reading: readonly Tool[] = [
  tool(
    'outlook_list_messages',
    'List the messages of a folder, newest first',
    () => ({
      folder: text
        .default('inbox')
        .describe(
          'Folder id from outlook_list_folders, or inbox, sentitems, drafts, archive, deleteditems, junkemail; all for every folder',
        ),
      unread: flag.describe('true for unread messages only, false for read ones only'),
      from: some.describe('Only mail from this address, such as ana@example.com'),
      hasAttachments: flag.describe('true for messages with attachments only'),
      since: moment('Only mail received at this time or later'),
      before: moment('Only mail received before this time'),
      pageSize: pageSize(1000),
      page,
    }),
    ({ folder, unread, from, hasAttachments, since, before, pageSize: $top, page: cursor }, { upstream }) => {
      const wanted = [
        ...(before === undefined ? [] : [`receivedDateTime lt ${before}`]),
        ...(unread === undefined ? [] : [`isRead eq ${!unread}`]),
        ...(hasAttachments === undefined ? [] : [`hasAttachments eq ${hasAttachments}`]),
        ...(from === undefined ? [] : [`from/emailAddress/address eq ${literal(from)}`]),
      ];
      const begin = since === undefined ? ALWAYS : `receivedDateTime ge ${since}`;
      const $filter =
        since === undefined && wanted.length === 0 ? undefined : [begin, ...wanted].join(' and ');
      const query = { $filter, $orderby: 'receivedDateTime desc', $top, $select: LISTED };
      const options = { query, page: cursor, show: showMessage };
      return folder === 'all'
        ? readPage(upstream, `GET ${MESSAGES}`, options)
        : readPage(upstream, 'GET /me/mailFolders/{folder}/messages', { ...options, place: { folder } });
    },
  ),
  tool(
    'outlook_search_messages',
    'Search all mail for words, people, subjects or dates, newest first',
    () => ({
      query: text.describe(
        'Words, or terms such as from:ana, to:bob, subject:"weekly report", received>=2026-03-01, hasAttachments:true, joined by AND or OR',
      ),
      pageSize: pageSize(250),
      page,
    }),
    ({ query, pageSize: $top, page: cursor }, { upstream }) =>
      readPage(upstream, `GET ${MESSAGES}`, {
        query: { $search: phrase(query), $top, $select: LISTED },
        page: cursor,
        show: showMessage,
      }),
  ),
  tool(
    'outlook_get_message',
    'Read a message: its people, its text as Markdown, and a list of its attachments',
    () => ({ id: messageId }),
    async ({ id }, { upstream }) => {
      const $expand = 'attachments($select=id,name,contentType,size,isInline)';
      const message = await send(upstream, `GET ${MESSAGES}/{id}`, { id, $select: WHOLE, $expand });
      return showMessage(message);
    },
  ),
  tool(
    'outlook_get_conversation',
    'Read a mail conversation: what each message adds, oldest first',
    () => ({
      conversationId: text.describe('conversationId of a message, from outlook_list_messages'),
      pageSize: pageSize(100),
      page,
    }),
    async ({ conversationId, pageSize: $top, page: cursor }, { upstream }) => {
      const $filter = `conversationId eq ${literal(conversationId)}`;
      // Exchange refuses this filter together with an order.
      const found = await readPage(upstream, `GET ${MESSAGES}`, {
        query: { $filter, $top, $select: `${WHOLE.replace(',body', '')},uniqueBody` },
        page: cursor,
      });
      const receivedAt = ({ receivedDateTime: at }: Record<string, unknown>) =>
        typeof at === 'string' ? at : '';
      const items = found.items
        .map(showMessage)
        .toSorted((one, other) => (receivedAt(one) < receivedAt(other) ? -1 : 1));
      return { ...found, items };
    },
  ),
  tool(
    'outlook_get_attachment',
    'Read an attachment as text, an image or a file',
    () => ({
      messageId,
      attachmentId: text.describe('Attachment id, from outlook_get_message'),
      asFile,
    }),
    async ({ asFile: keep, ...ids }, { upstream, files }) => {
      const request = `GET ${MESSAGES}/{messageId}/attachments/{attachmentId}` as const;
      const about = Attachment.parse(
        await send(upstream, request, { ...ids, $select: 'id,name,contentType,size' }),
      );
      if (about['@odata.type'] === '#microsoft.graph.referenceAttachment')
        throw new Error(
          `${about.name ?? 'The attachment'} is a link to a file in the cloud. The text of the message has the link, and onedrive_get_shared_file reads it.`,
        );
      const isMail = about['@odata.type'] === '#microsoft.graph.itemAttachment';
      const bytes = await readBytes(await upstream(toCall(`${request}/$value`, ids)));
      const name = `${about.name ?? 'attachment'}${isMail ? '.eml' : ''}`;
      const mimeType = isMail ? 'message/rfc822' : (about.contentType ?? '');
      return { name, ...(await renderFile(files, { bytes, name, mimeType }, { asFile: keep })) };
    },
  ),
];

export const folders: readonly Tool[] = [
  tool(
    'outlook_list_folders',
    'List the mail folders with their ids and how many messages are unread',
    () => ({
      parentId: some.describe(
        'Only the folders in this folder, by id or such as inbox; the top level without it',
      ),
      pageSize: pageSize(100),
      page,
    }),
    ({ parentId, pageSize: $top, page: cursor }, { upstream }) => {
      const options = {
        query: { $top, $select: 'id,displayName,childFolderCount,unreadItemCount,totalItemCount' },
        page: cursor,
      };
      return parentId === undefined
        ? readPage(upstream, 'GET /me/mailFolders', options)
        : readPage(upstream, 'GET /me/mailFolders/{parentId}/childFolders', {
            ...options,
            place: { parentId },
          });
    },
  ),
  tool(
    'outlook_create_folder',
    'Create a mail folder',
    () => ({
      displayName: text.describe('Name of the folder'),
      parentId: some.describe('Folder to create it in, by id or such as inbox; the top level without it'),
    }),
    ({ parentId, displayName }, { upstream }) =>
      parentId === undefined
        ? send(upstream, 'POST /me/mailFolders', { displayName })
        : send(upstream, 'POST /me/mailFolders/{parentId}/childFolders', { parentId, displayName }),
    'write',
  ),
];

const ids = () => ({ id: messageId });

export const sorting: readonly Tool[] = [
  tool(
    'outlook_update_message',
    'Mark a message as read or unread, flag it, or set its categories and importance',
    () => ({
      ...ids(),
      isRead: flag.describe('true marks it as read, false as unread'),
      flag: z
        .enum(['flagged', 'complete', 'notFlagged'])
        .optional()
        .describe('Follow-up flag of the message'),
      categories: z.array(text).optional().describe('Categories, replacing those it has'),
      importance: z.enum(['low', 'normal', 'high']).optional().describe('How important it is'),
    }),
    async ({ flag: flagStatus, ...changes }, { upstream }) => {
      const changed = { ...changes, ...(flagStatus === undefined ? {} : { flag: { flagStatus } }) };
      return showMessage(await send(upstream, `PATCH ${MESSAGES}/{id}`, changed));
    },
    'write',
  ),
  row(
    'outlook_move_message',
    `POST ${MESSAGES}/{id}/move`,
    'Move a message to another folder: archive to archive it, deleteditems to the trash',
    () => ({
      ...ids(),
      destinationId: text.describe(
        'Folder id from outlook_list_folders, or inbox, archive, deleteditems, junkemail',
      ),
    }),
    { result: showMessage },
  ),
  row(
    'outlook_delete_message',
    `DELETE ${MESSAGES}/{id}`,
    'Delete a message or draft; outlook_move_message with deleteditems keeps it in the trash',
    ids,
  ),
];
