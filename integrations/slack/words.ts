// Lists words that people use for Slack and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'chat',
  tools: {
    slack_post_message: 'tell announce notify write send reply: team chat update',
    slack_get_channel_history: 'read: messages latest said happened conversation new today',
    slack_get_thread_replies: 'conversation discussion answers',
    slack_search_messages: 'find: conversation mention talked',
    slack_open_dm: 'private direct message',
    slack_schedule_message: 'remind: future reminder delayed',
    slack_add_reaction: 'react: emoji thumbs like',
    slack_get_permalink: 'permalink share',
    slack_get_user: 'profile who person account',
    slack_lookup_user_by_email: 'account member find',
    slack_set_status: 'away vacation busy available emoji',
    slack_invite_to_channel: 'add: people person member join',
    slack_update_message: 'edit fix: typo correct',
    slack_upload_file: 'send share: picture document screenshot',
  },
};
