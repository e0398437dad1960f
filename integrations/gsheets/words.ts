// Lists words that people use for Google Sheets and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'google sheet spreadsheet excel',
  tools: {
    gsheets_read_range: 'get show: cells rows values table spreadsheet',
    gsheets_find_rows: 'search look filter: table record entry spreadsheet',
    gsheets_write_range: 'update change edit set fill: cells values formula spreadsheet',
    gsheets_append_rows: 'add insert log: row line entry record spreadsheet table',
    gsheets_create_spreadsheet: 'new make: workbook excel',
    gsheets_list_spreadsheets: 'search: workbook excel',
    gsheets_add_sheet: 'create new: tab worksheet',
    gsheets_delete_sheet: 'remove: tab worksheet',
    gsheets_format_range: 'colour color bold highlight style currency percent date',
  },
};
