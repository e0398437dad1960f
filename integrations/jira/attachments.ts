// Downloads and uploads files of issues.
import { encodeForm, readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, nameInDisposition, readGiven, renderFile } from '../../src/kit/files.ts';
import { tool, type UpstreamCall } from '../../src/kit/integration.ts';
import { ISSUE, issueIdOrKey, send, text, toCall } from './fields.ts';

// Without redirect=false Jira redirects to the file's storage.
const CONTENT = '/rest/api/3/attachment/content/{id}?redirect=false';

export const attachments = [
  tool(
    'jira_get_attachment',
    'Read a file of an issue as text, an image or a file',
    () => ({ id: text.describe('Attachment id, from the attachment field of jira_get_issue'), asFile }),
    async ({ id, asFile: keep }, { upstream, files }) => {
      const answer = await upstream(toCall(`GET ${CONTENT}`, { id }, { headers: { accept: '*/*' } }));
      const [mimeType = ''] = (answer.headers.get('content-type') ?? '').split(';');
      const name = nameInDisposition(answer.headers.get('content-disposition')) ?? id;
      return renderFile(files, { bytes: await readBytes(answer), name, mimeType }, { asFile: keep });
    },
  ),
  tool(
    'jira_add_attachment',
    'Attach a file to an issue',
    () => ({
      issueIdOrKey,
      filename: text.min(1).describe('File name with its extension, such as log.txt'),
      ...givenContent,
    }),
    async ({ issueIdOrKey: key, filename, ...given }, { upstream, files }) => {
      const form = new FormData();
      const { bytes, mimeType = '' } = await readGiven(files, given);
      form.set('file', new File([bytes], filename, { type: mimeType }));
      const { headers, body } = await encodeForm(form);
      // Without X-Atlassian-Token Jira treats the form as one that a web page has sent.
      const sendForm = (call: UpstreamCall) =>
        upstream({ ...call, headers: { ...headers, 'x-atlassian-token': 'no-check' }, body });
      return send(sendForm, `POST ${ISSUE}/attachments`, { issueIdOrKey: key });
    },
    'write',
  ),
];
