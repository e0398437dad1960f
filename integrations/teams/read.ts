// Finds teams, channels, chats and people, and reads messages.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { page, pageSize, phrase, readPage, send, text } from '../microsoft/graph.ts';
import { readBody } from '../microsoft/html.ts';
import { searchFor } from '../microsoft/search.ts';
import { showChat, showMessage } from './show.ts';

export const teamId = text.describe('Team id, from teams_list_teams');
export const channelId = text.describe('Channel id such as 19:abc@thread.tacv2, from teams_list_channels');
export const chatId = text.describe('Chat id such as 19:abc@thread.v2, from teams_list_chats');
export const messageId = text.describe('Message id, from a tool that lists messages');

const CHANNEL = '/teams/{teamId}/channels/{channelId}';

export const reading: readonly Tool[] = [
  tool(
    'teams_list_teams',
    'List the teams that the person belongs to',
    () => ({ page }),
    ({ page: cursor }, { upstream }) =>
      readPage(upstream, 'GET /me/joinedTeams', {
        page: cursor,
        show: ({ id, displayName, description, isArchived }) => ({
          id,
          displayName,
          description,
          isArchived,
        }),
      }),
  ),
  tool(
    'teams_list_channels',
    'List the channels of a team',
    () => ({ teamId, page }),
    ({ page: cursor, ...place }, { upstream }) =>
      readPage(upstream, 'GET /teams/{teamId}/channels', {
        place,
        query: { $select: 'id,displayName,description,membershipType,webUrl' },
        page: cursor,
      }),
  ),
  tool(
    'teams_list_channel_messages',
    'List the conversations of a channel, the latest ones first, without their replies',
    () => ({ teamId, channelId, pageSize: pageSize(50), page }),
    ({ pageSize: $top, page: cursor, ...place }, { upstream }) =>
      readPage(upstream, `GET ${CHANNEL}/messages`, {
        place,
        query: { $top },
        page: cursor,
        show: showMessage,
      }),
  ),
  tool(
    'teams_list_message_replies',
    'List the replies in a conversation of a channel',
    () => ({ teamId, channelId, messageId, pageSize: pageSize(50), page }),
    ({ pageSize: $top, page: cursor, ...place }, { upstream }) =>
      readPage(upstream, `GET ${CHANNEL}/messages/{messageId}/replies`, {
        place,
        query: { $top },
        page: cursor,
        show: showMessage,
      }),
  ),
  tool(
    'teams_list_chats',
    'List the chats of the person with their members, the latest ones first',
    () => ({ pageSize: pageSize(50), page }),
    ({ pageSize: $top, page: cursor }, { upstream }) =>
      readPage(upstream, 'GET /me/chats', {
        query: {
          $expand: 'members,lastMessagePreview',
          $orderby: 'lastMessagePreview/createdDateTime desc',
          $top,
        },
        page: cursor,
        show: showChat,
      }),
  ),
  tool(
    'teams_list_chat_messages',
    'List the messages of a chat, newest first',
    () => ({ chatId, pageSize: pageSize(50), page }),
    ({ pageSize: $top, page: cursor, ...place }, { upstream }) =>
      readPage(upstream, 'GET /chats/{chatId}/messages', {
        place,
        query: { $top, $orderby: 'createdDateTime desc' },
        page: cursor,
        show: showMessage,
      }),
  ),
  tool(
    'teams_search_messages',
    'Search the messages of all chats and channels for words or people',
    () => ({
      query: text.describe(
        'Words, or terms such as from:ana, sent>=2026-03-01, mentions:bob, hasAttachment:true',
      ),
      from: z.int().min(0).default(0).describe('nextFrom of the previous answer, to continue'),
      pageSize: pageSize(25),
    }),
    async ({ query, from, pageSize: size }, { upstream }) => {
      const { hits, nextFrom } = await searchFor(upstream, 'chatMessage', { query, from, size });
      const items = hits.map(({ summary, resource }) => ({
        ...showMessage(resource),
        // Most hits have no body, and the summary marks the words that were found.
        text: readBody({ contentType: 'html', content: summary }),
      }));
      return { items, ...(nextFrom === undefined ? {} : { nextFrom }) };
    },
  ),
  tool(
    'teams_find_people',
    'Find people of the organization by name or e-mail address',
    () => ({ query: text.describe('Name or start of an e-mail address'), pageSize: pageSize(100), page }),
    ({ query, pageSize: $top, page: cursor }, { upstream }) =>
      readPage(upstream, 'GET /users', {
        query: {
          $search: `${phrase(`displayName:${query}`)} OR ${phrase(`mail:${query}`)}`,
          $top,
          $select: 'id,displayName,mail,userPrincipalName,jobTitle',
        },
        page: cursor,
        // The directory searches only with this header.
        headers: { consistencylevel: 'eventual' },
      }),
  ),
  tool(
    'teams_get_message',
    'Read one message of a chat or channel',
    () => ({
      messageId,
      chatId: chatId.optional(),
      teamId: teamId.optional(),
      channelId: channelId.optional(),
    }),
    async (args, { upstream }) => {
      const place = args.chatId === undefined ? CHANNEL : '/chats/{chatId}';
      if (args.chatId === undefined && (args.teamId === undefined || args.channelId === undefined))
        throw new Error('Give chatId, or teamId and channelId');
      return showMessage(await send(upstream, `GET ${place}/messages/{messageId}`, args));
    },
  ),
];
