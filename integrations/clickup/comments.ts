// Comments and files of tasks.
import * as z from 'zod';
import { encodeForm, readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool, type UpstreamCall } from '../../src/kit/integration.ts';
import { row, send, some, TASK, text, tidy } from './api.ts';
import { toCommentParts } from './comment-text.ts';

const task = { taskId: text.describe(TASK) };
const parts = () => text.min(1).transform(toCommentParts).describe('Text of the comment, in Markdown');
const notifyAll = z.boolean().default(false).describe('true notifies the author and the watchers too');
const names = { text: 'comment' } as const;

const Task = z.lazy(() =>
  z.object({
    attachments: z
      .array(z.object({ id: text, title: text, url: text, mimetype: text.nullish() }))
      .default([]),
  }),
);

export const comments: readonly Tool[] = [
  row(
    'clickup_list_comments',
    'GET /v2/task/{taskId}/comment',
    'List comments on a task, newest first, 25 at a time and startId',
    () => ({
      ...task,
      start: z
        .string()
        .transform((date) => Date.parse(date))
        .optional()
        .describe(
          'date of the oldest comment so far, such as 2026-03-31T15:00:00.123Z; together with startId',
        ),
      startId: some.describe('id of the oldest comment so far'),
    }),
    { result: tidy },
  ),
  row(
    'clickup_add_comment',
    'POST /v2/task/{taskId}/comment',
    'Comment on a task',
    () => ({
      ...task,
      text: parts(),
      assignee: z.int().optional().describe('User id of who should resolve it'),
      notifyAll,
    }),
    { names, result: tidy },
  ),
  row(
    'clickup_list_replies',
    'GET /v2/comment/{commentId}/reply',
    'List the replies to a comment',
    () => ({ commentId: text.describe('Comment id, from clickup_list_comments') }),
    { result: tidy },
  ),
  row(
    'clickup_reply_to_comment',
    'POST /v2/comment/{commentId}/reply',
    'Reply to a comment in its thread',
    () => ({ commentId: text.describe('Comment id, from clickup_list_comments'), text: parts(), notifyAll }),
    { names, result: tidy },
  ),
  tool(
    'clickup_read_attachment',
    'Read a file of a task as text, an image or a file',
    () => ({ ...task, attachmentId: text.describe('Id from the attachments of clickup_get_task'), asFile }),
    async ({ taskId, attachmentId, asFile: keep }, { upstream, fetch, files }) => {
      const { attachments } = Task.parse(await send(upstream, 'GET /v2/task/{taskId}', { taskId }));
      const found = attachments.find(({ id }) => id === attachmentId);
      if (found === undefined) throw new Error(`The task has no attachment ${JSON.stringify(attachmentId)}`);
      // The files are at public addresses that nobody can guess, so no token is sent.
      const bytes = await readBytes(await fetch(found.url));
      const content = { bytes, name: found.title, mimeType: found.mimetype ?? '' };
      return { name: found.title, ...(await renderFile(files, content, { asFile: keep })) };
    },
  ),
  tool(
    'clickup_add_attachment',
    'Attach a file to a task, at most 1 GB',
    () => ({
      ...task,
      filename: text.min(1).describe('File name with its extension, such as plan.pdf'),
      ...givenContent,
    }),
    async ({ taskId, filename, ...given }, { upstream, files }) => {
      const { bytes, mimeType = '' } = await readGiven(files, given);
      const form = new FormData();
      form.set('attachment', new File([bytes], filename, { type: mimeType }));
      const encoded = await encodeForm(form);
      const sendForm = (call: UpstreamCall) => upstream({ ...call, ...encoded });
      return tidy(await send(sendForm, 'POST /v2/task/{taskId}/attachment', { taskId }));
    },
    'write',
  ),
];
