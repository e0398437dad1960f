// Lists words that people use for Discord and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    discord_list_servers: 'guild community',
    discord_list_messages: 'read: chat conversation latest said new today',
    discord_search_messages: 'find: chat conversation mention talked',
    discord_send_message: 'tell announce notify write post reply: chat update upload file',
    discord_create_thread: 'forum post discussion',
    discord_list_threads: 'forum posts discussion',
    discord_list_members: 'find who people person user',
    discord_add_reaction: 'emoji thumbs like',
    discord_add_role: 'grant assign permission person',
    discord_read_attachment: 'download open image document',
  },
};
