// Channels and direct messages: lists, members and history.
import { channel, flag, paging, row, some, text } from './api.ts';

const ts = text.describe('ts of a message, such as 1700000000.000100');

export const conversations = [
  row('slack_whoami', 'GET /auth.test', 'Who the token belongs to, and in which workspace', () => ({})),
  row('slack_list_channels', 'GET /conversations.list', 'List channels, paged by cursor', () => ({
    types: text
      .default('public_channel')
      .describe('Of public_channel, private_channel, mpim and im, separated by commas'),
    excludeArchived: flag.default(true),
    ...paging(100),
  })),
  row('slack_get_channel', 'GET /conversations.info', 'Get one channel', () => ({
    channel,
    includeNumMembers: flag,
  })),
  row('slack_create_channel', 'POST /conversations.create', 'Create a channel', () => ({
    name: text.describe('Lower case, without blanks or periods'),
    isPrivate: flag,
  })),
  row('slack_invite_to_channel', 'POST /conversations.invite', 'Invite people to a channel', () => ({
    channel,
    users: text.describe('Ids of users, separated by commas'),
  })),
  row(
    'slack_get_channel_history',
    'GET /conversations.history',
    'Read a channel, newest message first, paged by cursor; replies are in slack_get_thread_replies',
    () => ({
      channel,
      ...paging(30),
      oldest: some.describe('Only after this ts'),
      latest: some.describe('Only before this ts'),
      inclusive: flag.describe('Those at oldest and latest too'),
    }),
  ),
  row(
    'slack_get_thread_replies',
    'GET /conversations.replies',
    'Read a thread, its first message first, paged by cursor',
    () => ({ channel, ts: ts.describe('thread_ts, the ts of the first message'), ...paging(50) }),
  ),
  row(
    'slack_list_channel_members',
    'GET /conversations.members',
    'List the ids of the people in a channel, paged by cursor',
    () => ({ channel, ...paging(100) }),
  ),
  row('slack_open_dm', 'POST /conversations.open', 'Open a direct message with one or more people', () => ({
    users: text.describe('Ids of users, separated by commas'),
  })),
  row(
    'slack_mark_channel_read',
    'POST /conversations.mark',
    'Mark a channel as read up to a message',
    () => ({
      channel,
      ts,
    }),
  ),
];
