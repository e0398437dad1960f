// Servers, which the API calls guilds: their channels, threads, members and roles.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import {
  channelId,
  guildId,
  messageId,
  row,
  send,
  showAll,
  showChannel,
  showPerson,
  some,
  text,
} from './fields.ts';

const Server = z.lazy(() =>
  z.object({
    id: text,
    name: text,
    owner: z.boolean().optional(),
    approximate_member_count: z.int().optional(),
  }),
);
const Threads = z.lazy(() => z.object({ threads: z.array(z.unknown()), has_more: z.boolean().optional() }));
const Member = z.lazy(() =>
  z.object({
    user: z.unknown(),
    nick: z.string().nullish(),
    roles: z.array(text),
    joined_at: z.string().nullish(),
  }),
);
const Role = z.lazy(() =>
  z.object({
    id: text,
    name: text,
    position: z.int(),
    managed: z.boolean(),
    mentionable: z.boolean(),
    permissions: text,
  }),
);

/** The types of channels that a person makes by hand. */
const NEW_TYPES = { text: 0, voice: 2, category: 4, announcement: 5, forum: 15 } as const;

function showThreads(payload: unknown): object {
  const { threads, has_more: hasMore } = Threads.parse(payload);
  return { threads: threads.map(showChannel), ...(hasMore === true ? { hasMore } : {}) };
}

function showMember(payload: unknown): unknown {
  const { user, ...rest } = Member.parse(payload);
  return withoutEmpty({ ...Object(showPerson(user)), ...rest });
}

const autoArchiveDuration = () =>
  z
    .union([z.literal(60), z.literal(1_440), z.literal(4_320), z.literal(10_080)])
    .optional()
    .describe('Minutes without a message until the thread is archived');
const membership = {
  guildId,
  userId: text.describe('`id` from discord_list_members'),
  roleId: text.describe('`id` from discord_list_roles'),
};

export const servers: readonly Tool[] = [
  row('discord_whoami', 'GET /users/@me', 'Show the bot that the token belongs to', () => ({}), {
    result: showPerson,
  }),
  row(
    'discord_list_servers',
    'GET /users/@me/guilds',
    'List the servers that the bot is in',
    () => ({
      limit: z.int().min(1).max(200).default(50).describe('Servers per page'),
      after: some.describe('`id` of the last server so far'),
    }),
    {
      always: { with_counts: 'true' },
      result: showAll((server) => withoutEmpty(Server.parse(server))),
    },
  ),
  row(
    'discord_list_channels',
    'GET /guilds/{guildId}/channels',
    'List the channels and categories of a server; parent_id is the category',
    () => ({ guildId }),
    { result: showAll(showChannel) },
  ),
  tool(
    'discord_create_channel',
    'Create a channel or a category in a server',
    () => ({
      guildId,
      name: text.max(100).describe('Its name, such as release-notes'),
      type: z
        .enum(['text', 'voice', 'category', 'announcement', 'forum'])
        .default('text')
        .describe('Kind of channel'),
      topic: some.describe('What the channel is about'),
      parentId: some.describe('Category, by `id` from discord_list_channels'),
    }),
    async ({ type, ...args }, { upstream }) =>
      showChannel(
        await send(upstream, 'POST /guilds/{guildId}/channels', { ...args, type: NEW_TYPES[type] }),
      ),
    'write',
  ),
  row(
    'discord_list_threads',
    'GET /guilds/{guildId}/threads/active',
    'List the active threads and forum posts of a server; parent_id is the channel',
    () => ({ guildId }),
    { result: showThreads },
  ),
  row(
    'discord_list_archived_threads',
    'GET /channels/{channelId}/threads/archived/public',
    'List the archived threads or forum posts of a channel, newest first',
    () => ({
      channelId,
      limit: z.int().min(2).max(100).default(50).describe('Threads per page'),
      before: z.iso
        .datetime({ offset: true })
        .optional()
        .describe('Only those archived before this time, such as 2026-03-01T09:00:00Z'),
    }),
    { result: showThreads },
  ),
  tool(
    'discord_create_thread',
    'Start a thread on a message or in a channel, or a post in a forum',
    () => ({
      channelId,
      name: text.max(100).describe('Title of the thread or post'),
      messageId: messageId.optional().describe('Message to start it on, by `id` from discord_list_messages'),
      content: text.max(2_000).optional().describe('First message in Markdown; a post in a forum needs it'),
      appliedTags: z
        .array(text)
        .optional()
        .describe('Tags of a post, by `id` of available_tags in discord_list_channels'),
      autoArchiveDuration: autoArchiveDuration(),
    }),
    async ({ content, appliedTags, ...args }, { upstream }) => {
      if (args.messageId !== undefined) {
        if (content !== undefined || appliedTags !== undefined)
          throw new Error('A thread on a message takes no content and no appliedTags; leave them out');
        const path = 'POST /channels/{channelId}/messages/{messageId}/threads';
        return showChannel(await send(upstream, path, args));
      }
      // Without the type of a public thread Discord makes a private one.
      const start =
        content === undefined
          ? { type: 11 }
          : { appliedTags, message: { content, allowed_mentions: { parse: ['users', 'roles'] } } };
      return showChannel(await send(upstream, 'POST /channels/{channelId}/threads', { ...args, ...start }));
    },
    'write',
  ),
  tool(
    'discord_list_members',
    'List the members of a server, or find them by the start of a name',
    () => ({
      guildId,
      query: text.max(100).optional().describe('Start of a username or nickname'),
      limit: z.int().min(1).max(1_000).default(50).describe('Members per page'),
      after: some.describe('`id` of the last member so far, for the next page without query'),
    }),
    async ({ query, after, ...args }, { upstream }) => {
      const found =
        query === undefined
          ? await send(upstream, 'GET /guilds/{guildId}/members', { ...args, after })
          : await send(upstream, 'GET /guilds/{guildId}/members/search', { ...args, query });
      return showAll(showMember)(found);
    },
  ),
  row(
    'discord_list_roles',
    'GET /guilds/{guildId}/roles',
    'List the roles of a server',
    () => ({ guildId }),
    {
      result: showAll((role) => Role.parse(role)),
    },
  ),
  row(
    'discord_add_role',
    'PUT /guilds/{guildId}/members/{userId}/roles/{roleId}',
    'Give a role to a member of a server',
    () => membership,
  ),
  row(
    'discord_remove_role',
    'DELETE /guilds/{guildId}/members/{userId}/roles/{roleId}',
    'Take a role from a member of a server',
    () => membership,
  ),
];
