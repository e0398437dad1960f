// Lists words that people use for Notion and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  called: {
    datasource: 'database',
  },
  tools: {
    notion_search: 'find page database note',
    notion_create_page: 'write: row entry record item table database note document',
    notion_update_page: 'rename archive trash: property status check',
    notion_query_data_source: 'filter list: database table rows entries records sort',
    notion_get_data_source: 'columns schema properties database table',
    notion_get_database: 'table',
    notion_create_data_source: 'database table',
    notion_get_block_children: 'read: text content body page',
    notion_append_block_children: 'write add append: text paragraph content page todo',
    notion_update_block: 'check: text edit todo',
  },
};
