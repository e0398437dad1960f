// Lists words that people use for Microsoft Teams and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'microsoft 365 chat',
  tools: {
    teams_send_chat_message: 'tell write: private direct',
    teams_send_channel_message: 'post tell announce notify write: team update',
    teams_list_channel_messages: 'read: latest said happened today',
    teams_react_to_message: 'emoji thumbs like',
    teams_find_people: 'search: user account member colleague',
  },
};
