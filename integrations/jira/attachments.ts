// Downloads and uploads files of issues.
import * as z from 'zod';
import { bytesGiven, encodeForm, readBytes, renderFile } from '../../src/kit/binary.ts';
import { tool, type UpstreamCall } from '../../src/kit/integration.ts';
import { ISSUE, issueIdOrKey, send, some, text, toCall } from './fields.ts';

// Without redirect=false Jira redirects to the file's storage.
const CONTENT = '/rest/api/3/attachment/content/{id}?redirect=false';

export const attachments = [
  tool(
    'jira_get_attachment',
    'Read a file of an issue: text as text, images as images, other bytes in base64',
    () => ({ id: text.describe('Attachment id, from the attachment field of jira_get_issue') }),
    async (args, { upstream }) => {
      const answer = await upstream(toCall(`GET ${CONTENT}`, args, { headers: { accept: '*/*' } }));
      const [mimeType = ''] = (answer.headers.get('content-type') ?? '').split(';');
      return renderFile(await readBytes(answer), mimeType);
    },
  ),
  tool(
    'jira_add_attachment',
    'Attach a file to an issue',
    () => ({
      issueIdOrKey,
      filename: text.min(1).describe('File name with its extension, such as log.txt'),
      content: some.describe('Text of the file'),
      contentBase64: z.base64().optional().describe('Bytes, instead of text'),
    }),
    async ({ issueIdOrKey: key, filename, content, contentBase64 }, { upstream }) => {
      const form = new FormData();
      form.set('file', new File([bytesGiven(content, contentBase64)], filename));
      const { headers, body } = await encodeForm(form);
      // Without X-Atlassian-Token Jira treats the form as one that a web page has sent.
      const sendForm = (call: UpstreamCall) =>
        upstream({ ...call, headers: { ...headers, 'x-atlassian-token': 'no-check' }, body });
      return send(sendForm, `POST ${ISSUE}/attachments`, { issueIdOrKey: key });
    },
    'write',
  ),
];
