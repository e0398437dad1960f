// Lists words that people use for Gmail and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'google email inbox mailbox',
  aliases: {
    'google mail': 'gmail',
  },
  called: {
    message: 'email',
    label: 'folder',
  },
  tools: {
    gmail_list_messages: 'search find: email inbox unread new latest newest from sender',
    gmail_get_message: 'email open body content',
    gmail_send_message: 'write reply attach forward: email answer attachment',
    gmail_create_draft: 'write save reply: email prepare',
    gmail_modify_message_labels:
      'archive mark move label: email star read unread important spam inbox folder',
    gmail_get_attachment: 'download save: email attached file pdf picture',
    gmail_get_thread: 'email conversation whole',
    gmail_list_threads: 'search find: email conversation',
    gmail_trash_message: 'delete: email bin',
    gmail_whoami: 'storage space full quota used left',
  },
};
