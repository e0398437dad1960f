// Messages: reading, searching, writing, reactions and files.
import * as z from 'zod';
import { encodeForm, readBytes } from '../../src/kit/binary.ts';
import { asFile, fileReference, renderFile, type ToolFiles } from '../../src/kit/files.ts';
import { type Tool, tool, type UpstreamCall } from '../../src/kit/integration.ts';
import {
  channelId,
  guildId,
  messageId,
  row,
  send,
  showAll,
  showMessage,
  showPerson,
  some,
  text,
} from './fields.ts';

const MESSAGES = '/channels/{channelId}/messages';
const MESSAGE = `${MESSAGES}/{messageId}` as const;
/** A bot may upload this much without a boosted server. docs: Uploading Files */
const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;

const content = text.max(2_000).describe('Text in Markdown; <@id> mentions a person, <#id> a channel');
const notify = z
  .enum(['nobody', 'people', 'everyone'])
  .default('people')
  .describe('Who is notified by mentions in the text; everyone includes @everyone and @here');
const emoji = text.describe('The character, such as 👍, or name:id of an emoji of the server');

const MENTIONS = { nobody: [], people: ['users', 'roles'], everyone: ['users', 'roles', 'everyone'] };
const mentionsOf = (who: keyof typeof MENTIONS): object => ({ parse: MENTIONS[who] });

const Found = z.lazy(() => z.object({ total_results: z.int(), messages: z.array(z.array(z.unknown())) }));
const NotYet = z.object({ retry_after: z.number() });
const Attached = z.lazy(() =>
  z.object({
    attachments: z.array(z.object({ id: text, filename: text, content_type: some, url: z.url() })),
  }),
);

/** Discord takes files and the message in one form. */
async function formWith(files: ToolFiles, references: readonly string[], message: object): Promise<FormData> {
  const form = new FormData();
  form.set('payload_json', JSON.stringify(message));
  for (const [index, reference] of references.entries()) {
    const { bytes, name, mimeType } = await files.read(reference, MAX_UPLOAD_BYTES);
    form.set(`files[${index}]`, new Blob([bytes], { type: mimeType }), name);
  }
  return form;
}

export const messages: readonly Tool[] = [
  row(
    'discord_list_messages',
    `GET ${MESSAGES}`,
    'List the messages of a channel or thread, newest first',
    () => ({
      channelId,
      limit: z.int().min(1).max(100).default(30).describe('Messages per page'),
      before: some.describe('`id` of a message; only older ones'),
      after: some.describe('`id` of a message; only newer ones'),
      around: some.describe('`id` of a message; those before and after it'),
    }),
    { result: showAll(showMessage) },
  ),
  tool(
    'discord_search_messages',
    'Search the messages of a server by words, author, channel or attachment',
    () => ({
      guildId,
      content: text.max(1_024).optional().describe('Words in the message'),
      authorId: z.array(text).optional().describe('Ids of authors, from discord_list_members'),
      channelId: z.array(text).optional().describe('Ids of channels, from discord_list_channels'),
      has: z
        .array(z.enum(['link', 'embed', 'file', 'image', 'video', 'sound']))
        .optional()
        .describe('What the message has to contain'),
      pinned: z.boolean().optional().describe('true finds pinned messages only'),
      sortBy: z.enum(['timestamp', 'relevance']).default('timestamp').describe('Order of the results'),
      limit: z.int().min(1).max(25).default(25).describe('Results per page'),
      offset: z.int().min(0).max(9_975).default(0).describe('Results to skip'),
    }),
    async (args, { upstream }) => {
      const answer = await send(upstream, 'GET /guilds/{guildId}/messages/search', args);
      const waiting = NotYet.safeParse(answer);
      // Discord answers 202 while it builds the index of a server.
      if (waiting.success)
        throw new Error(
          `Discord is still building the index of this server; try again in ${waiting.data.retry_after || 5} seconds`,
        );
      const { total_results: total, messages: found } = Found.parse(answer);
      return { total, messages: found.flat().map(showMessage) };
    },
  ),
  tool(
    'discord_send_message',
    'Send a message to a text channel or thread, or reply to one, with files',
    () => ({
      channelId,
      content: content.optional(),
      replyTo: some.describe('`id` of the message to reply to, from discord_list_messages'),
      notify,
      files: z
        .array(fileReference)
        .max(10)
        .optional()
        .describe('file:<handle> of kept files to attach, at most 10 MiB each'),
    }),
    async ({ replyTo, notify: who, files: attached = [], ...args }, { upstream, files }) => {
      const message = {
        content: args.content,
        allowed_mentions: mentionsOf(who),
        ...(replyTo === undefined ? {} : { message_reference: { message_id: replyTo } }),
      };
      if (attached.length === 0)
        return showMessage(
          await send(upstream, `POST ${MESSAGES}`, { channelId: args.channelId, ...message }),
        );
      const form = await encodeForm(await formWith(files, attached, message));
      const sendForm = (call: UpstreamCall) => upstream({ ...call, ...form });
      return showMessage(await send(sendForm, `POST ${MESSAGES}`, { channelId: args.channelId }));
    },
    'write',
  ),
  tool(
    'discord_edit_message',
    'Change the text of a message that the bot has sent',
    () => ({ channelId, messageId, content, notify }),
    async ({ notify: who, ...args }, { upstream }) =>
      showMessage(await send(upstream, `PATCH ${MESSAGE}`, { ...args, allowedMentions: mentionsOf(who) })),
    'write',
  ),
  row('discord_delete_message', `DELETE ${MESSAGE}`, 'Delete a message', () => ({ channelId, messageId })),
  row(
    'discord_pin_message',
    'PUT /channels/{channelId}/messages/pins/{messageId}',
    'Pin a message in its channel',
    () => ({ channelId, messageId }),
  ),
  row(
    'discord_add_reaction',
    `PUT ${MESSAGE}/reactions/{emoji}/@me`,
    'React to a message with an emoji',
    () => ({ channelId, messageId, emoji }),
  ),
  row(
    'discord_list_reactions',
    `GET ${MESSAGE}/reactions/{emoji}`,
    'List the people who reacted to a message with an emoji',
    () => ({
      channelId,
      messageId,
      emoji,
      limit: z.int().min(1).max(100).default(50).describe('People per page'),
      after: some.describe('`id` of the last person so far'),
    }),
    { result: showAll(showPerson) },
  ),
  tool(
    'discord_read_attachment',
    'Read a file of a message as text, an image or a file',
    () => ({
      channelId,
      messageId,
      attachmentId: text.describe('`id` of an attachment, from discord_list_messages'),
      asFile,
    }),
    async ({ attachmentId, asFile: keep, ...args }, { upstream, fetch, files }) => {
      // The address of a file expires, so the message is read again.
      const { attachments } = Attached.parse(await send(upstream, `GET ${MESSAGE}`, args));
      const found = attachments.find(({ id }) => id === attachmentId);
      if (found === undefined)
        throw new Error(`The message has no attachment ${attachmentId}; discord_list_messages shows them`);
      const { filename: name, content_type: mimeType = '', url } = found;
      const bytes = await readBytes(await fetch(url, { redirects: 3 }));
      return { name, ...(await renderFile(files, { bytes, name, mimeType }, { asFile: keep })) };
    },
  ),
];
