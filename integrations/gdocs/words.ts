// Lists words that people use for Google Docs and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'google doc',
  tools: {
    gdocs_read_document: 'open get show summarize: text content google doc',
    gdocs_create_document: 'write new draft: report letter text google doc',
    gdocs_append_markdown: 'add write: text paragraph end google doc',
    gdocs_insert_markdown: 'add write: text paragraph section google doc',
    gdocs_replace_section: 'rewrite update edit: text chapter google doc',
    gdocs_replace_text: 'fill substitute: template placeholder google doc',
    gdocs_list_documents: 'search: google doc',
    gdocs_insert_image: 'add: picture photo google doc',
  },
};
