// Lists words that people use for Excel and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'microsoft 365 spreadsheet workbook',
  aliases: {
    excel: 'spreadsheet',
  },
  called: {
    range: 'cells',
    worksheet: 'sheet tab',
  },
  tools: {
    excel_read_range: 'cells spreadsheet formula',
    excel_write_range: 'fill set change: cells spreadsheet formula',
    excel_add_table_rows: 'append: record entry spreadsheet',
  },
};
