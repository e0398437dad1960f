// Attaches files to messages: small ones in the request, large ones in pieces. docs: Attach large files to Outlook messages
import * as z from 'zod';
import { toBase64 } from '../../src/kit/binary.ts';
import { type FileContent, givenContent, readAttachments, type ToolFiles } from '../../src/kit/files.ts';
import type { ToolContext } from '../../src/kit/integration.ts';
import { send, some } from '../microsoft/graph.ts';
import { uploadPieces } from '../microsoft/upload-session.ts';

export const givenAttachment = () =>
  z.strictObject({
    name: some.describe('File name with its extension, such as plan.pdf; that of the kept file by default'),
    contentType: some.describe('Type, such as application/pdf; that of the kept file by default'),
    ...givenContent,
  });

/** What one request may carry, in base64 with everything else. */
const MAX_INLINE_BYTES = 3_000_000;
/** Exchange takes messages of 35 MB unless an administrator allows more, and base64 needs a third of that. */
const MAX_ATTACHMENT_BYTES = 25_000_000;

export const readFiles = (
  files: ToolFiles,
  given: readonly z.output<ReturnType<typeof givenAttachment>>[] = [],
): Promise<FileContent[]> =>
  readAttachments(
    files,
    given.map(({ contentType, ...content }) => ({ ...content, mimeType: contentType })),
    { maxBytes: MAX_ATTACHMENT_BYTES, nameless: 'An attachment needs a name' },
  );

export const fitsInline = (attachments: readonly FileContent[]): boolean =>
  attachments.reduce((sum, { bytes }) => sum + bytes.length, 0) <= MAX_INLINE_BYTES;

export const toFileAttachment = ({ name, mimeType, bytes }: FileContent) => ({
  '@odata.type': '#microsoft.graph.fileAttachment',
  name,
  contentType: mimeType,
  contentBytes: toBase64(bytes),
});

/** Attaches files to a draft, one after the other. */
export async function attach(
  { upstream, fetch }: Pick<ToolContext, 'upstream' | 'fetch'>,
  id: string,
  attachments: readonly FileContent[],
): Promise<void> {
  const place = '/me/messages/{id}/attachments';
  for (const attachment of attachments) {
    const { name, mimeType, bytes } = attachment;
    if (bytes.length <= MAX_INLINE_BYTES) {
      await send(upstream, `POST ${place}`, { id, ...toFileAttachment(attachment) });
      continue;
    }
    const item = { attachmentType: 'file', name, contentType: mimeType, size: bytes.length };
    const session = await send(upstream, `POST ${place}/createUploadSession`, { id, AttachmentItem: item });
    await uploadPieces(fetch, session, bytes);
  }
}
