// The spelling of Airtable's API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

// Reads and deletions spell lists as `records[]=a&records[]=b`.
export const { row, send, toCall } = createRows({ names: 'camelCase', lists: 'brackets' });

export const text = z.string();
export const some = text.optional();
export const object = z.record(text, z.unknown());

export const base = { baseId: text.describe('Base id such as appXXXXXXXXXXXXXX, from airtable_list_bases') };
export const table = {
  ...base,
  table: text.describe('Name or id of the table, from airtable_get_base_schema; ids survive renaming'),
};
export const record = {
  ...table,
  recordId: text.describe('Record id such as recXXXXXXXXXXXXXX, from airtable_list_records'),
};
export const offset = some.describe('offset of the previous page');
export const pageSize = () => z.int().min(1).max(100).default(50).describe('Results per page');

export const fields = object.describe(
  'Values by field name, such as {"Name": "Plan", "Status": "Open", "Owner": ["recXXXXXXXXXXXXXX"]}; null clears a value',
);
export const typecast = z
  .boolean()
  .optional()
  .describe('true converts texts to the type of the field, and adds missing options of selects');
