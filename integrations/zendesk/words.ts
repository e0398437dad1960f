// Lists words that people use for Zendesk and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'support helpdesk',
  tools: {
    zendesk_search: 'find list: support customer open unsolved my mine assigned queue',
    zendesk_get_ticket: 'read: support status detail',
    zendesk_list_comments: 'read: conversation messages replies thread ticket',
    zendesk_read_attachment: 'download open: screenshot picture document',
    zendesk_create_ticket: 'open: support request customer',
    zendesk_update_ticket: 'solve close assign tag escalate: support',
    zendesk_add_comment: 'answer respond write: ticket customer internal note',
    zendesk_list_view_tickets: 'queue inbox unsolved support',
    zendesk_preview_macro: 'apply canned answer template reply',
    zendesk_list_macros: 'canned answer template replies',
  },
};
