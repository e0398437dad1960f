// Messages: sends, changes and searches them, and handles reactions and pins.
import * as z from 'zod';
import { blocks, channel, flag, pages, row, some, text, threadTs } from './api.ts';

const ts = text.describe('ts of the message, such as 1700000000.000100');
const markup = some.describe(
  'Text with *bold*, _italic_, <https://…|link text> and <@U0123456789> for people',
);
const EMOJI = 'Emoji name without colons, such as thumbsup';

export const messages = [
  row(
    'slack_post_message',
    'POST /chat.postMessage',
    'Post a message to a channel or a person, or a reply in a thread',
    () => ({
      channel: channel.describe('Channel id such as C0123456789 or name, or a user id for a direct message'),
      text: markup,
      threadTs,
      blocks: blocks(),
      unfurlLinks: flag.describe('true to show previews of links to text pages'),
    }),
  ),
  row('slack_update_message', 'POST /chat.update', 'Change a message that the person has posted', () => ({
    channel,
    ts,
    text: markup,
    blocks: blocks(),
  })),
  row(
    'slack_delete_message',
    'POST /chat.delete',
    'Delete a message that the person has posted',
    () => ({ channel, ts }),
    {
      access: 'destroy',
    },
  ),
  row(
    'slack_schedule_message',
    'POST /chat.scheduleMessage',
    'Schedule a message to be posted later',
    () => ({
      channel,
      text: markup,
      postAt: some.describe('Required by Slack: Unix seconds such as 1767225600, within 120 days'),
    }),
  ),
  row('slack_get_permalink', 'GET /chat.getPermalink', 'Get the link to a message', () => ({
    channel,
    messageTs: ts,
  })),
  row('slack_search_messages', 'GET /search.messages', 'Search all messages that the person can see', () => ({
    query: text.describe('Words and filters, such as budget from:@ana in:#general after:2026-01-01'),
    ...pages(),
    sort: z.enum(['score', 'timestamp']).optional().describe('score (best first, the default) or timestamp'),
  })),
  row('slack_add_reaction', 'POST /reactions.add', 'Add a reaction to a message', () => ({
    channel,
    name: text.describe(EMOJI),
    timestamp: ts,
  })),
  row(
    'slack_remove_reaction',
    'POST /reactions.remove',
    'Remove a reaction that the person has added',
    () => ({
      name: text.describe(EMOJI),
      channel: channel.optional(),
      timestamp: ts.optional(),
    }),
  ),
  row('slack_pin_message', 'POST /pins.add', 'Pin a message to its channel', () => ({
    channel,
    timestamp: ts.optional(),
  })),
];
