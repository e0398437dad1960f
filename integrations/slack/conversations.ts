// Channels and direct messages: lists, members and history.
import { channel, flag, paging, row, some, text, users } from './api.ts';

const ts = text.describe('ts of the message, such as 1700000000.000100');

export const conversations = [
  row('slack_whoami', 'GET /auth.test', 'Show who is connected, and to which workspace', () => ({})),
  row('slack_list_channels', 'GET /conversations.list', 'List channels', () => ({
    types: text
      .default('public_channel')
      .describe('Kinds separated by commas: public_channel, private_channel, mpim (group message), im'),
    excludeArchived: flag.default(true).describe('false to list archived channels too'),
    ...paging(100),
  })),
  row('slack_get_channel', 'GET /conversations.info', 'Get one channel with its topic and purpose', () => ({
    channel,
    includeNumMembers: flag.describe('true for the number of members too'),
  })),
  row('slack_create_channel', 'POST /conversations.create', 'Create a channel', () => ({
    name: text.describe('Lower case, without spaces or periods, such as team-web'),
    isPrivate: flag.describe('true for a private channel'),
  })),
  row('slack_invite_to_channel', 'POST /conversations.invite', 'Invite people to a channel', () => ({
    channel,
    users,
  })),
  row(
    'slack_get_channel_history',
    'GET /conversations.history',
    'Read the messages of a channel, newest first; slack_get_thread_replies returns replies',
    () => ({
      channel,
      ...paging(30),
      oldest: some.describe('Only messages after this ts, such as 1700000000.000100'),
      latest: some.describe('Only messages before this ts'),
      inclusive: flag.describe('true for the messages at oldest and latest too'),
    }),
  ),
  row(
    'slack_get_thread_replies',
    'GET /conversations.replies',
    'Read a thread, oldest message first',
    () => ({
      channel,
      ts: ts.describe('ts of the first message of the thread, its thread_ts'),
      ...paging(50),
    }),
  ),
  row(
    'slack_list_channel_members',
    'GET /conversations.members',
    'List the user ids of the people in a channel',
    () => ({ channel, ...paging(100) }),
  ),
  row(
    'slack_open_dm',
    'POST /conversations.open',
    'Open a direct message with one or more people; returns its channel id',
    () => ({
      users: users.describe('1 to 8 user ids of others, separated by commas, from slack_list_users'),
    }),
  ),
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
