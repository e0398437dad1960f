// Shows chat messages as people read them.
import * as z from 'zod';
import { readBody } from '../microsoft/html.ts';

const text = z.string().nullish();
const Person = z.lazy(() => z.object({ id: text, displayName: text }).nullish());
// A search names the sender like that of a mail.
const Identity = z.lazy(() =>
  z.object({ user: Person, application: Person, emailAddress: z.object({ name: text }).nullish() }).nullish(),
);

const Message = z.lazy(() =>
  z.object({
    id: z.string(),
    replyToId: text,
    chatId: text,
    channelIdentity: z.object({ teamId: text, channelId: text }).nullish(),
    messageType: text,
    createdDateTime: text,
    lastEditedDateTime: text,
    deletedDateTime: text,
    subject: text,
    importance: text,
    from: Identity,
    body: z.object({ contentType: text, content: text }).nullish(),
    attachments: z.array(z.object({ name: text, contentType: text, contentUrl: text })).nullish(),
    mentions: z
      .array(z.object({ mentionText: text, mentioned: z.object({ user: Person }).nullish() }))
      .nullish(),
    reactions: z.array(z.object({ reactionType: z.string(), user: Identity })).nullish(),
    eventDetail: z.looseObject({ '@odata.type': text }).nullish(),
    webUrl: text,
    webLink: text,
  }),
);

/** Leaves out what is empty, because most messages have no attachments and reactions. */
export function showMessage(payload: unknown): Record<string, unknown> {
  const message = Message.parse(payload);
  const { from, eventDetail, attachments, mentions, reactions } = message;
  return {
    id: message.id,
    replyToId: message.replyToId ?? undefined,
    chatId: message.chatId ?? undefined,
    teamId: message.channelIdentity?.teamId ?? undefined,
    channelId: message.channelIdentity?.channelId ?? undefined,
    from: from?.user?.displayName ?? from?.application?.displayName ?? from?.emailAddress?.name ?? undefined,
    fromId: from?.user?.id ?? undefined,
    createdDateTime: message.createdDateTime,
    lastEditedDateTime: message.lastEditedDateTime ?? undefined,
    deleted: typeof message.deletedDateTime === 'string' ? true : undefined,
    subject: message.subject ?? undefined,
    importance: message.importance === 'normal' ? undefined : message.importance,
    event: eventDetail?.['@odata.type']?.replace('#microsoft.graph.', ''),
    text: readBody(message.body),
    attachments: some(attachments),
    mentions: some(mentions)?.map((each) => ({ name: each.mentionText, userId: each.mentioned?.user?.id })),
    reactions: some(reactions)?.map(({ reactionType, user }) => ({
      reactionType,
      from: user?.user?.displayName ?? user?.user?.id,
    })),
    webUrl: message.webUrl ?? message.webLink ?? undefined,
  };
}

function some<Each>(list: readonly Each[] | null | undefined): readonly Each[] | undefined {
  return list === null || list === undefined || list.length === 0 ? undefined : list;
}

const Chat = z.lazy(() =>
  z.looseObject({
    members: z.array(z.object({ displayName: text, userId: text, email: text })).nullish(),
    lastMessagePreview: z
      .object({
        createdDateTime: text,
        body: z.object({ contentType: text, content: text }).nullish(),
        from: Identity,
      })
      .nullish(),
  }),
);

export function showChat(payload: unknown): Record<string, unknown> {
  const { members, lastMessagePreview: last, ...rest } = Chat.parse(payload);
  return {
    id: rest['id'],
    topic: rest['topic'] ?? undefined,
    chatType: rest['chatType'],
    webUrl: rest['webUrl'],
    members: members?.map(({ displayName, userId, email }) => ({ displayName, userId, email })),
    lastMessage:
      last === undefined || last === null
        ? undefined
        : {
            from: last.from?.user?.displayName ?? undefined,
            createdDateTime: last.createdDateTime,
            text: readBody(last.body),
          },
  };
}
