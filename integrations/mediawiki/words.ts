// Lists words that people use for MediaWiki and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'wiki',
  tools: {
    mediawiki_search: 'wiki find',
    mediawiki_edit_page: 'write create: article wiki',
    mediawiki_append_page: 'add append: text article section',
    mediawiki_get_page: 'read article wiki content text',
    mediawiki_upload_file: 'picture image',
    mediawiki_list_recent_changes: 'edits activity new latest changed recently',
    mediawiki_list_history: 'revisions versions past who changed',
  },
};
