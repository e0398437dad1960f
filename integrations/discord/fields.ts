// The spelling of Discord's API, and its objects as a model reads them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();

export const guildId = text.describe('Server, by `id` from discord_list_servers');
export const channelId = text.describe('Channel or thread, by `id` from discord_list_channels');
export const messageId = text.describe('`id` from discord_list_messages');

const CHANNEL_TYPES: ReadonlyMap<number, string> = new Map([
  [0, 'text'],
  [1, 'direct'],
  [2, 'voice'],
  [3, 'group'],
  [4, 'category'],
  [5, 'announcement'],
  [10, 'announcement thread'],
  [11, 'thread'],
  [12, 'private thread'],
  [13, 'stage'],
  [14, 'directory'],
  [15, 'forum'],
  [16, 'media'],
]);

const Channel = z.lazy(() =>
  z.object({
    id: text,
    type: z.int(),
    name: z.string().nullish(),
    topic: z.string().nullish(),
    parent_id: z.string().nullish(),
    position: z.int().optional(),
    owner_id: z.string().nullish(),
    message_count: z.int().optional(),
    available_tags: z.array(z.object({ id: text, name: text })).nullish(),
    thread_metadata: z.object({ archived: z.boolean(), locked: z.boolean() }).optional(),
  }),
);

export function showChannel(payload: unknown): unknown {
  const { type, thread_metadata: state, ...rest } = Channel.parse(payload);
  return withoutEmpty({ ...rest, type: CHANNEL_TYPES.get(type) ?? type, ...state });
}

const Person = z.lazy(() =>
  z.object({
    id: text,
    username: text,
    global_name: z.string().nullish(),
    bot: z.boolean().optional(),
  }),
);

export const showPerson = (payload: unknown): unknown => withoutEmpty(Person.parse(payload));

const Attachment = z.lazy(() =>
  z.object({
    id: text,
    filename: text,
    content_type: z.string().nullish(),
    size: z.int(),
    description: z.string().nullish(),
  }),
);
const Reaction = z.lazy(() =>
  z.object({
    count: z.int(),
    emoji: z.object({ id: z.string().nullish(), name: z.string().nullish() }),
  }),
);
const Embed = z.lazy(() =>
  z.object({
    title: z.string().nullish(),
    url: z.string().nullish(),
    description: z.string().nullish(),
  }),
);
const Message = z.lazy(() =>
  z.object({
    id: text,
    channel_id: text,
    author: Person,
    content: text,
    timestamp: text,
    edited_timestamp: z.string().nullish(),
    pinned: z.boolean().optional(),
    attachments: z.array(Attachment).default([]),
    embeds: z.array(Embed).default([]),
    reactions: z.array(Reaction).default([]),
    mentions: z.array(Person).default([]),
    message_reference: z.object({ message_id: some }).nullish(),
    thread: Channel.nullish(),
  }),
);

/** The emoji as the tools take it: the character, or `name:id` of a server's own one. */
const showEmoji = ({ id, name }: z.output<typeof Reaction>['emoji']): string =>
  typeof id === 'string' ? `${name ?? ''}:${id}` : (name ?? '');

export function showMessage(payload: unknown): unknown {
  const {
    author,
    pinned,
    reactions,
    mentions,
    message_reference: replied,
    thread,
    ...rest
  } = Message.parse(payload);
  return withoutEmpty({
    ...rest,
    author: showPerson(author),
    pinned: pinned === true ? true : null,
    // The text names people by id only.
    mentions: Object.fromEntries(mentions.map(({ id, username }) => [id, username])),
    reactions: Object.fromEntries(reactions.map(({ emoji, count }) => [showEmoji(emoji), count])),
    reply_to: replied?.message_id,
    thread_id: thread?.id,
  });
}

export const showAll =
  (show: (item: unknown) => unknown) =>
  (payload: unknown): unknown[] =>
    z.array(z.unknown()).parse(payload).map(show);
