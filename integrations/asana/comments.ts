// Comments and attachments of tasks.
import * as z from 'zod';
import { encodeForm, readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool, type UpstreamCall } from '../../src/kit/integration.ts';
import { body, flag, members, page, row, send, some, TASK, text } from './api.ts';
import { withMarkdown } from './markdown.ts';
import { toComment } from './rich-text.ts';

const STORY = 'html_text,created_at,created_by.name,resource_subtype,type';
const MAX_FILE_BYTES = 100 * 1024 * 1024;

const Attachment = z.lazy(() => z.object({ name: text, host: some, download_url: text.nullish() }));
const Stories = z.lazy(() => z.looseObject({ results: z.array(z.looseObject({ type: some })) }));

export const comments: readonly Tool[] = [
  row(
    'asana_list_comments',
    'GET /tasks/{taskGid}/stories',
    'List the comments on a task as Markdown, oldest first; a page may hold fewer than limit',
    () => ({
      taskGid: text.describe(TASK),
      withHistory: flag.describe('true lists the changes of the task too'),
      ...page(),
    }),
    {
      local: ['withHistory'],
      always: members(STORY),
      result(payload, { withHistory }) {
        const stories = Stories.safeParse(payload).data;
        if (stories === undefined || withHistory === true) return withMarkdown(payload);
        return withMarkdown({
          ...stories,
          results: stories.results.filter(({ type }) => type === 'comment'),
        });
      },
    },
  ),
  row(
    'asana_add_comment',
    'POST /tasks/{taskGid}/stories',
    'Comment on a task',
    () => ({
      taskGid: text.describe(TASK),
      text: text.transform(toComment).describe('Text of the comment, in Markdown'),
      isPinned: flag.describe('true pins the comment to the top of the task'),
    }),
    { ...body(STORY), names: { text: 'html_text' }, result: withMarkdown },
  ),
  row(
    'asana_list_attachments',
    'GET /attachments',
    'List the files of a task or of a project',
    () => ({ parent: text.describe('Gid of the task or the project'), ...page() }),
    { always: members('name,size,host,created_at,permanent_url') },
  ),
  tool(
    'asana_read_attachment',
    'Read a file of a task as text, an image or a file',
    () => ({ attachmentGid: text.describe('Attachment gid, from asana_list_attachments'), asFile }),
    async ({ attachmentGid, asFile: keep }, { upstream, fetch, files }) => {
      const always = members('name,host,download_url,view_url');
      const found = await send(upstream, 'GET /attachments/{attachmentGid}', { attachmentGid }, { always });
      const { name, host = '', download_url: url } = Attachment.parse(found);
      // Files of other services are links, which Asana cannot open for the caller.
      if (typeof url !== 'string' || host !== 'asana')
        throw new Error(`${name} is kept at ${host === '' ? 'another service' : host}, not in Asana`);
      // The address is itself the permission for two minutes, so no token is sent.
      const answer = await fetch(url);
      const [mimeType = ''] = (answer.headers.get('content-type') ?? '').split(';');
      const content = { bytes: await readBytes(answer), name, mimeType };
      return { name, ...(await renderFile(files, content, { asFile: keep })) };
    },
  ),
  tool(
    'asana_add_attachment',
    'Attach a file to a task, at most 100 MB',
    () => ({
      taskGid: text.describe(TASK),
      filename: text.min(1).describe('File name with its extension, such as plan.pdf'),
      ...givenContent,
    }),
    async ({ taskGid, filename, ...given }, { upstream, files }) => {
      const { bytes, mimeType = '' } = await readGiven(files, given, MAX_FILE_BYTES);
      const form = new FormData();
      form.set('parent', taskGid);
      form.set('file', new File([bytes], filename, { type: mimeType }));
      const encoded = await encodeForm(form);
      const sendForm = (call: UpstreamCall) => upstream({ ...call, ...encoded });
      return send(sendForm, 'POST /attachments', {}, { always: members('name,size,permanent_url') });
    },
    'write',
  ),
];
