// Writes messages to chats and channels, in Markdown and with mentions.
import * as z from 'zod';
import { type Tool, tool, type Upstream } from '../../src/kit/integration.ts';
import { send, some, text, texts } from '../microsoft/graph.ts';
import { escapeHtml } from '../html/escape.ts';
import { toHtml } from '../microsoft/html.ts';
import { channelId, chatId, messageId, teamId } from './read.ts';
import { showChat, showMessage } from './show.ts';

const content = text.describe('Text of the message, in Markdown');
const mentions = () =>
  z
    .array(
      z.strictObject({
        userId: text.describe('User id, from teams_find_people'),
        name: text.describe('Name that follows an @ in the text, such as Ana Silva'),
      }),
    )
    .optional()
    .describe('People to notify: the text has @ and the name where each is mentioned');
const importance = z.enum(['normal', 'high', 'urgent']).optional().describe('How important it is');

interface Written {
  content: string;
  mentions?: readonly { userId: string; name: string }[] | undefined;
}

function toMessage({ content: markdown, mentions: people = [] }: Written) {
  let html = toHtml(markdown);
  for (const [id, { name }] of people.entries()) {
    const sign = `@${escapeHtml(name)}`;
    if (!html.includes(sign)) throw new Error(`The text does not mention @${name}`);
    html = html.replace(sign, () => `<at id="${id}">${escapeHtml(name)}</at>`);
  }
  const mentioned = people.map(({ userId, name }, id) => ({
    id,
    mentionText: name,
    mentioned: { user: { id: userId, displayName: name, userIdentityType: 'aadUser' } },
  }));
  return {
    body: { contentType: 'html', content: html },
    ...(mentioned.length === 0 ? {} : { mentions: mentioned }),
  };
}

/** Writes a message where the request says, and shows it. */
async function post(
  upstream: Upstream,
  request: `POST /${string}`,
  { content: markdown, mentions: people, ...rest }: Written & Record<string, unknown>,
): Promise<unknown> {
  const message = toMessage({ content: markdown, mentions: people });
  return showMessage(await send(upstream, request, { ...rest, ...message }));
}

export const writing: readonly Tool[] = [
  tool(
    'teams_send_chat_message',
    'Send a message to a chat',
    () => ({ chatId, content, mentions: mentions(), importance }),
    (args, { upstream }) => post(upstream, 'POST /chats/{chatId}/messages', args),
    'write',
  ),
  tool(
    'teams_update_message',
    'Correct a message that the person sent in a chat',
    () => ({ chatId, messageId, content, mentions: mentions() }),
    async ({ content: markdown, mentions: people, ...ids }, { upstream }) => {
      const message = toMessage({ content: markdown, mentions: people });
      await send(upstream, 'PATCH /chats/{chatId}/messages/{messageId}', { ...ids, ...message });
      return { edited: true };
    },
    'write',
  ),
  tool(
    'teams_send_channel_message',
    'Start a conversation in a channel',
    () => ({
      teamId,
      channelId,
      content,
      subject: some.describe('Title of the conversation'),
      mentions: mentions(),
      importance,
    }),
    (args, { upstream }) => post(upstream, 'POST /teams/{teamId}/channels/{channelId}/messages', args),
    'write',
  ),
  tool(
    'teams_reply_to_channel_message',
    'Reply in a conversation of a channel',
    () => ({ teamId, channelId, messageId, content, mentions: mentions(), importance }),
    (args, { upstream }) =>
      post(upstream, 'POST /teams/{teamId}/channels/{channelId}/messages/{messageId}/replies', args),
    'write',
  ),
  tool(
    'teams_start_chat',
    'Start a chat with one person, or a group chat with several; an existing chat with one person is returned',
    () => ({
      people: texts
        .min(1)
        .describe('User ids from teams_find_people, or sign-in names such as ana@example.com'),
      topic: some.describe('Title of a group chat'),
    }),
    async ({ people, topic }, { upstream }) => {
      const me = z.object({ id: text }).parse(await send(upstream, 'GET /me', { $select: 'id' }));
      const isGroup = people.length > 1;
      const chat = {
        chatType: isGroup ? 'group' : 'oneOnOne',
        topic: isGroup ? topic : undefined,
        members: [me.id, ...people].map(toMember),
      };
      return showChat(await send(upstream, 'POST /chats', chat));
    },
    'write',
  ),
  tool(
    'teams_react_to_message',
    'React to a message of a chat or channel with an emoji',
    () => ({
      messageId,
      reactionType: text.describe('Emoji, such as 👍'),
      chatId: chatId.optional(),
      teamId: teamId.optional(),
      channelId: channelId.optional(),
      replyId: some.describe('Id of a reply, where the message is a reply to messageId in a channel'),
    }),
    async (args, { upstream }) => {
      await send(upstream, `POST ${placeOf(args)}/setReaction`, args);
      return { reacted: true };
    },
    'write',
  ),
];

const toMember = (user: string) => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${encodeURIComponent(user).replaceAll("'", "''")}')`,
});

function placeOf(given: {
  chatId?: string | undefined;
  teamId?: string | undefined;
  channelId?: string | undefined;
  replyId?: string | undefined;
}): `/${string}` {
  const inChannel = given.teamId !== undefined && given.channelId !== undefined;
  if ((given.chatId !== undefined) === inChannel) throw new Error('Give chatId, or teamId and channelId');
  if (!inChannel) return '/chats/{chatId}/messages/{messageId}';
  const reply = given.replyId === undefined ? '' : '/replies/{replyId}';
  return `/teams/{teamId}/channels/{channelId}/messages/{messageId}${reply}`;
}
