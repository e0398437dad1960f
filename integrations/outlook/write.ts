// Writes mail: new messages, replies and forwards, sent at once or kept as drafts.
import * as z from 'zod';
import { type Tool, tool, type ToolContext } from '../../src/kit/integration.ts';
import { flag, row, send, some, text, texts } from '../microsoft/graph.ts';
import { toBody, toHtml } from '../microsoft/html.ts';
import { RECIPIENT, toRecipient, toRecipients } from '../microsoft/recipients.ts';
import { attach, fitsInline, givenAttachment, readFiles, toFileAttachment } from './attachments.ts';
import { messageId } from './read.ts';
import { showMessage } from './show.ts';

const MESSAGES = '/me/messages';
const to = texts.min(1).describe(`Recipients, each an ${RECIPIENT}`);
const body = text.describe('Text of the mail in Markdown');
const copies = () => ({
  cc: texts.optional().describe('Recipients of a copy'),
  bcc: texts.optional().describe('Recipients of a copy whom the others do not see'),
  attachments: z.array(givenAttachment()).optional().describe('Files to send along'),
});
const more = () => ({
  ...copies(),
  importance: z.enum(['low', 'normal', 'high']).optional().describe('How important it is'),
});
const keep = flag.describe('true keeps it as a draft for outlook_send_draft, instead of sending it');

interface Mail {
  to?: readonly string[] | undefined;
  cc?: readonly string[] | undefined;
  bcc?: readonly string[] | undefined;
  subject?: string | undefined;
  body?: string | undefined;
  importance?: string | undefined;
}

const toMessage = ({ to: toPeople, cc, bcc, body: markdown, ...rest }: Mail) => ({
  ...rest,
  ...(markdown === undefined ? {} : { body: toBody(markdown) }),
  toRecipients: toRecipients(toPeople),
  ccRecipients: toRecipients(cc),
  bccRecipients: toRecipients(bcc),
});

const Draft = z.lazy(() =>
  z.looseObject({
    id: z.string(),
    body: z
      .object({ contentType: z.string(), content: z.string() })
      .default({ contentType: 'html', content: '' }),
    ccRecipients: z.array(z.unknown()).default([]),
  }),
);

export const writing: readonly Tool[] = [
  tool(
    'outlook_send_message',
    'Send a mail, also with attachments',
    () => ({ to, subject: text.describe('Subject line'), body, ...more() }),
    async ({ attachments: given, ...mail }, context) => {
      const attachments = await readFiles(context.files, given);
      const message = toMessage(mail);
      if (fitsInline(attachments)) {
        const all = attachments.length === 0 ? {} : { attachments: attachments.map(toFileAttachment) };
        await send(context.upstream, 'POST /me/sendMail', { message: { ...message, ...all } });
        return { sent: true };
      }
      const { id } = Draft.parse(await send(context.upstream, `POST ${MESSAGES}`, message));
      await attach(context, id, attachments);
      return sendDraft(context, id);
    },
    'write',
  ),
  tool(
    'outlook_create_draft',
    'Write a draft of a mail, also with attachments',
    () => ({
      to: to.optional(),
      subject: some.describe('Subject line'),
      body: body.optional(),
      ...more(),
    }),
    async ({ attachments: given, ...mail }, context) => {
      const attachments = await readFiles(context.files, given);
      const draft = await send(context.upstream, `POST ${MESSAGES}`, toMessage(mail));
      await attach(context, Draft.parse(draft).id, attachments);
      return showMessage(draft);
    },
    'write',
  ),
  tool(
    'outlook_reply',
    'Reply to a mail, to its sender or to all, with the mail quoted below',
    () => ({
      id: messageId,
      body,
      all: flag.describe('true replies to everyone who got the mail'),
      ...copies(),
      draft: keep,
    }),
    ({ all, ...rest }, context) => answer(context, all === true ? 'createReplyAll' : 'createReply', {}, rest),
    'write',
  ),
  tool(
    'outlook_forward',
    'Forward a mail with its attachments, with a text above it',
    () => ({ id: messageId, to, body: body.optional(), ...copies(), draft: keep }),
    ({ to: people, ...rest }, context) =>
      answer(context, 'createForward', { toRecipients: toRecipients(people) }, rest),
    'write',
  ),
  row(
    'outlook_send_draft',
    `POST ${MESSAGES}/{id}/send`,
    'Send a draft',
    () => ({ id: text.describe('Draft id, from outlook_create_draft, outlook_reply or the folder drafts') }),
    { result: () => ({ sent: true }) },
  ),
];

interface Answer extends Pick<Mail, 'body' | 'cc' | 'bcc'> {
  id: string;
  attachments?: z.output<ReturnType<typeof givenAttachment>>[] | undefined;
  draft?: boolean | undefined;
}

/** Lets Outlook quote the mail in a draft, and writes the text above it: a comment could have no formatting. */
async function answer(
  context: ToolContext,
  action: 'createReply' | 'createReplyAll' | 'createForward',
  extra: object,
  { id, body: markdown = '', cc, bcc, attachments: given, draft: keeps }: Answer,
): Promise<unknown> {
  const { upstream, files } = context;
  const attachments = await readFiles(files, given);
  const draft = Draft.parse(await send(upstream, `POST ${MESSAGES}/{id}/${action}`, { id, ...extra }));
  const { contentType, content } = draft.body;
  const isHtml = contentType.toLowerCase() === 'html';
  const whole = isHtml ? insert(toHtml(markdown), content) : `${markdown}\n\n${content}`;
  const changes = {
    body: { contentType, content: whole },
    // A reply to all has copies already.
    ccRecipients: cc === undefined ? undefined : [...draft.ccRecipients, ...cc.map(toRecipient)],
    bccRecipients: toRecipients(bcc),
  };
  const changed = await send(upstream, `PATCH ${MESSAGES}/{id}`, { id: draft.id, ...changes });
  await attach(context, draft.id, attachments);
  return keeps === true ? showMessage(changed) : sendDraft(context, draft.id);
}

/** Puts the text at the beginning of the page's body. */
function insert(html: string, document: string): string {
  const at = /<body(?:\s[^>]*)?>/i.exec(document);
  const start = at === null ? 0 : at.index + at[0].length;
  return `${document.slice(0, start)}${html}\n${document.slice(start)}`;
}

async function sendDraft({ upstream }: Pick<ToolContext, 'upstream'>, id: string): Promise<unknown> {
  await send(upstream, `POST ${MESSAGES}/{id}/send`, { id });
  return { sent: true };
}
