// Files: lists, reads and shares them. Their bytes are on another host.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { channel, pages, row, send, some, text, threadTs } from './api.ts';

const FILES = 'https://files.slack.com';

const Info = z.lazy(() =>
  z.object({
    file: z.object({
      name: text.nullish().transform((name) => name ?? 'unnamed'),
      mimetype: text.default(''),
      url_private: text,
    }),
  }),
);
const Place = z.lazy(() => z.object({ upload_url: text, file_id: text }));

export const files: readonly Tool[] = [
  row('slack_list_files', 'GET /files.list', 'List files, newest first', () => ({
    channel: some.describe('Only files in this channel, by id'),
    user: some.describe('Only files of this person, by user id'),
    types: some.describe('Only these types, such as images,pdfs'),
    ...pages(),
  })),
  tool(
    'slack_read_file',
    'Read a file as text, an image or a file',
    () => ({
      file: text.describe('File id such as F0123456789, from slack_list_files'),
      maxBytes: z
        .int()
        .positive()
        .optional()
        .describe('Shows at most this many bytes of text; all of it by default'),
      asFile,
    }),
    async ({ file: id, maxBytes, asFile: keep }, { upstream, files: kept }) => {
      const { file } = Info.parse(await send(upstream, 'GET /files.info', { file: id }));
      const url = URL.parse(file.url_private);
      // A file of another service is only linked here; the token must not be sent there.
      if (url?.origin !== FILES)
        throw new Error(`${file.name} is not kept in Slack but at ${file.url_private}`);
      const call = { at: 'files', method: 'GET', path: url.pathname, query: url.searchParams };
      const answer = await upstream(call);
      // Without permission Slack redirects to a sign-in page, which must not be taken for the file.
      if (isPage(answer) && file.mimetype !== 'text/html') {
        await answer.body?.cancel();
        throw new Error(`Slack did not hand out ${file.name}, but its page to sign in at`);
      }
      const found = { bytes: await readBytes(answer), name: file.name, mimeType: file.mimetype };
      return { name: file.name, ...(await renderFile(kept, found, { maxBytes, asFile: keep })) };
    },
  ),
  tool(
    'slack_upload_file',
    'Upload a file, and share it in a channel or thread',
    () => ({
      filename: text.describe('File name with its extension, such as plan.txt'),
      ...givenContent,
      title: some.describe('Title; the file name by default'),
      channel: channel
        .optional()
        .describe('Id of the channel to share it in; nobody else sees it without one'),
      threadTs,
      comment: some.describe('Message to post with the file'),
    }),
    async (
      { filename, content, contentBase64, file, title = filename, ...share },
      { upstream, fetch, files: kept },
    ) => {
      const { bytes: body } = await readGiven(kept, { content, contentBase64, file });
      const place = { filename, length: body.length };
      const answer = await send(upstream, 'GET /files.getUploadURLExternal', place);
      const { upload_url, file_id } = Place.parse(answer);
      // The upload address is itself the permission, so no token is sent.
      await readPayload(await fetch(upload_url, { method: 'POST', body }));
      return send(
        upstream,
        'POST /files.completeUploadExternal',
        { files: [{ id: file_id, title }], ...share },
        { names: { channel: 'channel_id', comment: 'initial_comment' } },
      );
    },
    'write',
  ),
];

const isPage = ({ headers }: Response): boolean => /^text\/html\b/i.test(headers.get('content-type') ?? '');
