// Files of cards.
import * as z from 'zod';
import { encodeForm, readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool, type UpstreamCall } from '../../src/kit/integration.ts';
import { card, row, send, text, toCall } from './api.ts';

const ATTACHMENTS = '/cards/{cardId}/attachments';

const Attachment = z.lazy(() =>
  z.object({
    name: text,
    url: text,
    isUpload: z.boolean(),
    fileName: text.nullish(),
    mimeType: text.nullish(),
  }),
);

export const attachments: readonly Tool[] = [
  tool(
    'trello_read_attachment',
    'Read a file of a card as text, an image or a file',
    () => ({ ...card, attachmentId: text.describe('Id of the attachment, from trello_get_card'), asFile }),
    async ({ cardId, attachmentId, asFile: keep }, { upstream, files }) => {
      const place = { cardId, attachmentId };
      const found = Attachment.parse(await send(upstream, `GET ${ATTACHMENTS}/{attachmentId}`, place));
      const { name, url, isUpload, mimeType } = found;
      if (!isUpload) throw new Error(`${name} is a link to ${url}, not a file in Trello`);
      const fileName = found.fileName ?? url.slice(url.lastIndexOf('/') + 1);
      const call = toCall(`GET ${ATTACHMENTS}/{attachmentId}/download/{fileName}`, { ...place, fileName });
      const content = { bytes: await readBytes(await upstream(call)), name, mimeType: mimeType ?? '' };
      return { name, ...(await renderFile(files, content, { asFile: keep })) };
    },
  ),
  row('trello_attach_link', `POST ${ATTACHMENTS}`, 'Attach an address to a card', () => ({
    ...card,
    url: text.describe('Address, beginning with https:// or http://'),
    name: text.optional().describe('Text to show for it'),
  })),
  tool(
    'trello_add_attachment',
    'Attach a file to a card; Trello takes 10 MB, and 250 MB in paid workspaces',
    () => ({
      ...card,
      filename: text.min(1).describe('File name with its extension, such as plan.pdf'),
      ...givenContent,
    }),
    async ({ cardId, filename, ...given }, { upstream, files }) => {
      const { bytes, mimeType = '' } = await readGiven(files, given);
      const form = new FormData();
      form.set('name', filename);
      form.set('file', new File([bytes], filename, { type: mimeType }));
      const encoded = await encodeForm(form);
      const sendForm = (call: UpstreamCall) => upstream({ ...call, ...encoded });
      return send(sendForm, `POST ${ATTACHMENTS}`, { cardId });
    },
    'write',
  ),
];
