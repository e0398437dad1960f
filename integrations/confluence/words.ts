// Lists words that people use for Confluence and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'atlassian wiki',
  owned: 'cql',
  called: {
    page: 'document',
  },
  tools: {
    confluence_search: 'wiki find page document guide documentation',
    confluence_get_page: 'read: content text',
    confluence_update_page: 'edit: change content',
    confluence_list_attachments: 'attached file document download',
  },
};
