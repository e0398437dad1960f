// Files of records. A file is a ContentVersion; its bytes have an address of their own.
import * as z from 'zod';
import { readBytes, toBase64 } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { RECORD, send, showRecord, some, text, toCall } from './fields.ts';

const VERSION = { object: 'ContentVersion' };
const Named = z.lazy(() => z.object({ PathOnClient: text.nullish() }));
/** Salesforce takes 50 MB of base64 in one request. */
const MAX_BYTES = 36 * 1024 * 1024;

export const files: readonly Tool[] = [
  tool(
    'salesforce_read_file',
    'Read a file as text, an image or a file',
    () => ({
      versionId: text.describe(
        "Id of a ContentVersion, from salesforce_query with FROM ContentVersion WHERE ContentDocumentId = '069…' AND IsLatest = true",
      ),
      asFile,
    }),
    async ({ versionId, asFile: keep }, { upstream, files: kept }) => {
      const version = { ...VERSION, id: versionId };
      const found = await send(upstream, `GET ${RECORD}`, { ...version, fields: ['PathOnClient'] });
      const name = Named.parse(found).PathOnClient ?? versionId;
      const call = toCall(`GET ${RECORD}/VersionData`, version, { headers: { accept: '*/*' } });
      const answer = await upstream(call);
      const [mimeType = ''] = (answer.headers.get('content-type') ?? '').split(';');
      const content = { bytes: await readBytes(answer), name, mimeType };
      return { name, ...(await renderFile(kept, content, { asFile: keep })) };
    },
  ),
  tool(
    'salesforce_upload_file',
    'Upload a file, and attach it to a record',
    () => ({
      filename: text.min(1).describe('File name with its extension, such as offer.pdf'),
      ...givenContent,
      recordId: some.describe('Id of the record to attach it to; only you see the file without one'),
    }),
    async ({ filename, recordId, ...given }, { upstream, files: kept }) => {
      const { bytes } = await readGiven(kept, given, MAX_BYTES);
      const version = {
        Title: filename.replace(/\.[^.]+$/, ''),
        PathOnClient: filename,
        VersionData: toBase64(bytes),
        FirstPublishLocationId: recordId,
      };
      return showRecord(await send(upstream, 'POST /services/data/v66.0/sobjects/ContentVersion', version));
    },
    'write',
  ),
];
