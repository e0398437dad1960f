// Lists words that people use for Outlook and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'microsoft 365 office exchange email inbox mailbox',
  called: {
    message: 'email',
  },
  tools: {
    outlook_list_messages: 'email inbox unread new latest newest from sender',
    outlook_search_messages: 'find: email from sender',
    outlook_get_message: 'email open body content',
    outlook_send_message: 'write attach: email',
    outlook_create_draft: 'save: email prepare',
    outlook_reply: 'answer: email',
    outlook_update_message: 'mark: email star read unread important category',
    outlook_move_message: 'archive: email trash bin spam',
    outlook_get_attachment: 'download save: email attached file pdf picture',
    outlook_get_conversation: 'email thread whole',
  },
};
