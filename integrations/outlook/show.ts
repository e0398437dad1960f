// Shows messages as people read them: who, when, the text, and what is attached.
import * as z from 'zod';
import { readBody } from '../microsoft/html.ts';
import { Recipient, showRecipient } from '../microsoft/recipients.ts';

export const LISTED =
  'id,conversationId,subject,from,toRecipients,receivedDateTime,isRead,isDraft,importance,flag,categories,hasAttachments,bodyPreview,webLink';
export const WHOLE = `${LISTED.replace(',bodyPreview', '')},sender,ccRecipients,bccRecipients,replyTo,sentDateTime,parentFolderId,body`;

const text = z.string().nullish();
const Body = z.lazy(() => z.object({ contentType: text, content: text }).nullish());
const people = z.array(Recipient).nullish();

const Message = z.lazy(() =>
  z.object({
    id: z.string(),
    conversationId: text,
    subject: text,
    from: Recipient.nullish(),
    toRecipients: people,
    ccRecipients: people,
    bccRecipients: people,
    replyTo: people,
    receivedDateTime: text,
    parentFolderId: text,
    isRead: z.boolean().nullish(),
    isDraft: z.boolean().nullish(),
    importance: text,
    flag: z.object({ flagStatus: text }).nullish(),
    categories: z.array(z.string()).nullish(),
    hasAttachments: z.boolean().nullish(),
    bodyPreview: text,
    body: Body,
    uniqueBody: Body,
    webLink: text,
    attachments: z.array(z.unknown()).nullish(),
  }),
);

const Attachment = z.lazy(() =>
  z.object({
    id: z.string(),
    name: text,
    contentType: text,
    size: z.number().nullish(),
    isInline: z.boolean().nullish(),
  }),
);

/** Leaves out what is empty, because most messages have no copies, flags and categories. */
export function showMessage(payload: unknown): Record<string, unknown> {
  const message = Message.parse(payload);
  const body = message.uniqueBody ?? message.body;
  return {
    id: message.id,
    conversationId: message.conversationId,
    subject: message.subject,
    from: showRecipient(message.from),
    to: showPeople(message.toRecipients),
    cc: showPeople(message.ccRecipients),
    bcc: showPeople(message.bccRecipients),
    replyTo: showPeople(message.replyTo),
    receivedDateTime: message.receivedDateTime,
    folderId: message.parentFolderId ?? undefined,
    isRead: message.isRead,
    isDraft: message.isDraft === true ? true : undefined,
    importance: message.importance === 'normal' ? undefined : message.importance,
    flag: message.flag?.flagStatus === 'notFlagged' ? undefined : message.flag?.flagStatus,
    categories: message.categories?.length === 0 ? undefined : message.categories,
    hasAttachments: message.hasAttachments,
    preview: message.bodyPreview,
    text: body === undefined || body === null ? undefined : readBody(body),
    attachments: message.attachments?.map((each) => Attachment.parse(each)),
    webLink: message.webLink,
  };
}

function showPeople(list: readonly Recipient[] | null | undefined): (string | undefined)[] | undefined {
  return list === null || list === undefined || list.length === 0 ? undefined : list.map(showRecipient);
}
