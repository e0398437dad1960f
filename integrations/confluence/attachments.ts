// Downloads the files of pages.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { asFile, renderFile } from '../../src/kit/files.ts';
import { tool } from '../../src/kit/integration.ts';
import { send, text, toCall } from './fields.ts';

const Attachment = z.lazy(() =>
  z.looseObject({
    pageId: text.optional(),
    blogPostId: text.optional(),
    customContentId: text.optional(),
    title: text,
    mediaType: text.default(''),
  }),
);

/** Version 2 of the API knows the attachment, and only version 1 hands out its bytes. */
const CONTENT = '/wiki/rest/api/content/{container}/child/attachment/{id}/download';

export const attachments = [
  tool(
    'confluence_get_attachment',
    'Read a file of a page as text, an image or a file',
    () => ({ id: text.describe('From confluence_list_attachments'), asFile }),
    async ({ id, asFile: keep }, { upstream, files }) => {
      const found = Attachment.parse(await send(upstream, 'GET /wiki/api/v2/attachments/{id}', { id }));
      const { pageId, blogPostId, customContentId, title: name, mediaType: mimeType } = found;
      const container = pageId ?? blogPostId ?? customContentId;
      if (container === undefined) throw new Error(`${name} belongs to no page`);
      const call = toCall(`GET ${CONTENT}`, { container, id }, { headers: { accept: '*/*' } });
      const bytes = await readBytes(await upstream(call));
      return { name, ...(await renderFile(files, { bytes, name, mimeType }, { asFile: keep })) };
    },
  ),
];
