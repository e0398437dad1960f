// Bases, tables and fields.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { base, object, offset, row, some, text } from './api.ts';

const TABLES = '/v0/meta/bases/{baseId}/tables';
const tableId = text.describe('Table id such as tblXXXXXXXXXXXXXX, from airtable_get_base_schema');
const field = () => ({
  name: text.describe('Name of the field'),
  type: text.describe(
    'Type, such as singleLineText, multilineText, richText, number, checkbox, date, singleSelect, multipleRecordLinks, multipleAttachments',
  ),
  description: some.describe('What the field is for'),
  options: object
    .optional()
    .describe(
      'Options that the type requires, such as {"choices":[{"name":"Open"}]} for a select or {"precision":0} for a number',
    ),
});

export const schema: readonly Tool[] = [
  row(
    'airtable_whoami',
    'GET /v0/meta/whoami',
    'Show who is connected, and what the token may do',
    () => ({}),
  ),
  row('airtable_list_bases', 'GET /v0/meta/bases', 'List the bases that the token may use', () => ({
    offset,
  })),
  row(
    'airtable_get_base_schema',
    `GET ${TABLES}`,
    'List the tables of a base with their fields, types, options and views',
    () => base,
  ),
  row('airtable_create_table', `POST ${TABLES}`, 'Create a table in a base', () => ({
    ...base,
    name: text.describe('Name of the table'),
    description: some.describe('What the table is for'),
    fields: z.array(z.strictObject(field())).min(1).describe('Fields; the first one names the records'),
  })),
  row('airtable_create_field', `POST ${TABLES}/{tableId}/fields`, 'Add a field to a table', () => ({
    ...base,
    tableId,
    ...field(),
  })),
  row(
    'airtable_update_field',
    `PATCH ${TABLES}/{tableId}/fields/{fieldId}`,
    'Rename or describe a field; its type stays',
    () => ({
      ...base,
      tableId,
      fieldId: text.describe('Field id such as fldXXXXXXXXXXXXXX, from airtable_get_base_schema'),
      name: some.describe('New name'),
      description: some.describe('What the field is for'),
    }),
  ),
];
