// Comments on records, and files in them.
import * as z from 'zod';
import { readBytes, toBase64 } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool, type UpstreamCall } from '../../src/kit/integration.ts';
import { base, offset, pageSize, record, row, send, some, text } from './api.ts';

const RECORD = '/v0/{baseId}/{table}/{recordId}';
const MAX_FILE_BYTES = 5 * 1024 * 1024;

const Record = z.lazy(() => z.object({ fields: z.record(text, z.unknown()) }));
const Attachment = z.lazy(() => z.object({ id: text, url: text, filename: text, type: text.default('') }));
const Attachments = z.array(Attachment).min(1);

export const comments: readonly Tool[] = [
  row(
    'airtable_list_comments',
    `GET ${RECORD}/comments`,
    'List the comments on a record, newest first',
    () => ({ ...record, pageSize: pageSize(), offset }),
  ),
  row(
    'airtable_add_comment',
    `POST ${RECORD}/comments`,
    'Comment on a record, or reply to a comment',
    () => ({
      ...record,
      text: text.describe('Text of the comment; @[usrXXXXXXXXXXXXXX] mentions a person'),
      parentCommentId: some.describe('Id of the comment to reply to, from airtable_list_comments'),
    }),
  ),
  tool(
    'airtable_read_attachment',
    'Read a file in a record as text, an image or a file',
    () => ({
      ...record,
      field: text.describe('Name of the attachment field'),
      attachmentId: some.describe(
        'Id of the attachment in the field, such as attXXXXXXXXXXXXXX; the first without it',
      ),
      asFile,
    }),
    async ({ field, attachmentId, asFile: keep, ...place }, { upstream, fetch, files }) => {
      const { fields } = Record.parse(await send(upstream, `GET ${RECORD}`, place));
      const attachments = Attachments.safeParse(fields[field]).data;
      const found = attachments?.find(({ id }) => attachmentId === undefined || id === attachmentId);
      if (found === undefined)
        throw new Error(`The field ${JSON.stringify(field)} of this record has no such attachment`);
      // The address is itself the permission for two hours, so no token is sent.
      const bytes = await readBytes(await fetch(found.url));
      const content = { bytes, name: found.filename, mimeType: found.type };
      return { id: found.id, name: found.filename, ...(await renderFile(files, content, { asFile: keep })) };
    },
  ),
  tool(
    'airtable_upload_attachment',
    'Add a file to an attachment field of a record, at most 5 MB',
    () => ({
      ...base,
      recordId: record.recordId,
      field: text.describe('Name or id of the attachment field'),
      filename: text.min(1).describe('File name with its extension, such as plan.pdf'),
      ...givenContent,
    }),
    async ({ baseId, recordId, field, filename, ...given }, { upstream, files }) => {
      const { bytes, mimeType = '' } = await readGiven(files, given, MAX_FILE_BYTES);
      const contentType = mimeType === '' ? 'application/octet-stream' : mimeType;
      const sendThere = (call: UpstreamCall) => upstream({ ...call, at: 'content' });
      const args = { baseId, recordId, field, contentType, filename, file: toBase64(bytes) };
      return send(sendThere, 'POST /v0/{baseId}/{recordId}/{field}/uploadAttachment', args);
    },
    'write',
  ),
];
