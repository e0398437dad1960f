// Comments on tasks and projects, with their files.
import * as z from 'zod';
import { encodeForm, readBytes } from '../../src/kit/binary.ts';
import { asFile, fileReference, nameInPath, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool, type ToolContext, type UpstreamCall } from '../../src/kit/integration.ts';
import { page, PROJECT, row, send, show, some, TASK, text } from './api.ts';

const FILES = 'https://files.todoist.com';

const result = show(['id', 'content', 'posted_at', 'posted_uid', 'item_id', 'project_id', 'file_attachment']);
const place = () => ({
  taskId: some.describe(`${TASK}; give this or projectId`),
  projectId: some.describe(`${PROJECT}; for comments on the project itself`),
});

const Upload = z.lazy(() =>
  z.object({ file_url: text, file_name: text, file_type: text, resource_type: text }),
);
const Comment = z.lazy(() =>
  z.object({
    file_attachment: z
      .object({ file_url: text.nullish(), file_name: text.nullish(), file_type: text.nullish() })
      .nullish(),
  }),
);

export const comments: readonly Tool[] = [
  row(
    'todoist_list_comments',
    'GET /comments',
    'List the comments on a task or a project, oldest first',
    () => ({ ...place(), ...page() }),
    { result },
  ),
  tool(
    'todoist_add_comment',
    'Comment on a task or a project, with a file if there is one',
    () => ({
      content: text.min(1).describe('Text of the comment, in Markdown'),
      ...place(),
      file: fileReference.optional().describe('file:<handle> of a kept file to attach'),
    }),
    async ({ file, ...args }, context) => {
      const attachment = file === undefined ? undefined : await upload(file, context);
      return result(await send(context.upstream, 'POST /comments', { ...args, attachment }));
    },
    'write',
  ),
  tool(
    'todoist_read_attachment',
    'Read the file of a comment as text, an image or a file',
    () => ({ commentId: text.describe('Comment id, from todoist_list_comments'), asFile }),
    async ({ commentId, asFile: keep }, { upstream, files }) => {
      const comment = Comment.parse(await send(upstream, 'GET /comments/{commentId}', { commentId }));
      const { file_url: address, file_name: named, file_type: mimeType } = comment.file_attachment ?? {};
      if (typeof address !== 'string') throw new Error('This comment has no file');
      const url = URL.parse(address);
      // Files of other services are only linked; the token must not be sent there.
      if (url?.origin !== FILES) throw new Error(`The file is not kept in Todoist but at ${address}`);
      const call = { at: 'files', method: 'GET', path: url.pathname, query: url.searchParams };
      const name = named ?? nameInPath(url.pathname);
      const content = { bytes: await readBytes(await upstream(call)), name, mimeType: mimeType ?? '' };
      return { name, ...(await renderFile(files, content, { asFile: keep })) };
    },
  ),
];

/** Comments take the address of a file that was uploaded before. */
async function upload(file: string, { upstream, files }: ToolContext): Promise<z.output<typeof Upload>> {
  const { bytes, name, mimeType } = await files.read(file);
  const form = new FormData();
  form.set('file_name', name);
  form.set('file', new File([bytes], name, { type: mimeType }));
  const encoded = await encodeForm(form);
  const sendForm = (call: UpstreamCall) => upstream({ ...call, ...encoded });
  return Upload.parse(await send(sendForm, 'POST /uploads'));
}
