// Messages: sends, changes and searches them, and handles reactions and pins.
import * as z from 'zod';
import { blocks, channel, flag, pages, row, some, text } from './api.ts';

const ts = text.describe('ts of the message, such as 1700000000.000100');
const markup = some.describe('With *bold*, _italic_, <https://…|links> and <@U…> for people');

export const messages = [
  row(
    'slack_post_message',
    'POST /chat.postMessage',
    'Post a message to a channel or a person, or a reply in a thread',
    () => ({
      channel: channel.describe('Id or name of a channel, or id of a user for a direct message'),
      text: markup,
      threadTs: some.describe('ts of the message this replies to'),
      blocks,
      unfurlLinks: flag,
    }),
  ),
  row('slack_update_message', 'POST /chat.update', 'Change a message of one’s own', () => ({
    channel,
    ts,
    text: markup,
    blocks,
  })),
  row('slack_delete_message', 'POST /chat.delete', 'Delete a message of one’s own', () => ({ channel, ts }), {
    access: 'destroy',
  }),
  row(
    'slack_schedule_message',
    'POST /chat.scheduleMessage',
    'Post a message later, within 120 days',
    () => ({
      channel,
      text: markup,
      postAt: some.describe('Unix seconds; Slack wants it'),
    }),
  ),
  row('slack_get_permalink', 'GET /chat.getPermalink', 'Get the link of a message', () => ({
    channel,
    messageTs: ts,
  })),
  row(
    'slack_search_messages',
    'GET /search.messages',
    'Search all messages the person sees, by page',
    () => ({
      query: text.describe('Such as from:@ana in:#general after:2026-01-01 budget'),
      ...pages,
      sort: z.enum(['score', 'timestamp']).optional(),
    }),
  ),
  row('slack_add_reaction', 'POST /reactions.add', 'Add a reaction to a message', () => ({
    channel,
    name: text.describe('Of an emoji without its colons, such as thumbsup'),
    timestamp: ts,
  })),
  row('slack_remove_reaction', 'POST /reactions.remove', 'Take a reaction of one’s own away', () => ({
    name: text.describe('Of an emoji without its colons'),
    channel: some,
    timestamp: some.describe('ts of the message'),
  })),
  row('slack_pin_message', 'POST /pins.add', 'Pin a message to its channel', () => ({
    channel,
    timestamp: some.describe('ts of the message'),
  })),
];
