// Records: lists, reads and changes. Airtable takes ten records in a request.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { fields, offset, pageSize, record, row, some, table, text, typecast } from './api.ts';

const TABLE = '/v0/{baseId}/{table}';
const MAX_RECORDS = 10;
const fieldNames = z.array(text).optional().describe('Only these fields, by name; all of them without it');
const sort = () =>
  z
    .array(
      z.strictObject({
        field: text.describe('Name of the field'),
        direction: z.enum(['asc', 'desc']).optional().describe('Direction, asc by default'),
      }),
    )
    .optional()
    .describe('Order, such as [{"field":"Due","direction":"desc"}]');
const ten = <Fields extends z.ZodType>(each: Fields) => z.array(each).min(1).max(MAX_RECORDS);
const ID = 'Record id, from airtable_list_records';

export const records: readonly Tool[] = [
  row(
    'airtable_list_records',
    // The same as the GET, without its limit on the length of an address.
    `POST ${TABLE}/listRecords`,
    'List records of a table, filtered by a formula and sorted',
    () => ({
      ...table,
      filterByFormula: some.describe(
        "Airtable formula that is true for the records to return, such as AND({Status}='Open', SEARCH('plan', LOWER({Name})))",
      ),
      view: some.describe('Name or id of a view: only its records, in its order'),
      fields: fieldNames,
      sort: sort(),
      pageSize: pageSize(),
      maxRecords: z.int().min(1).optional().describe('Number of records in all pages together'),
      offset,
    }),
    { access: 'read' },
  ),
  row('airtable_get_record', `GET ${TABLE}/{recordId}`, 'Get a record with all of its fields', () => record),
  row('airtable_create_records', `POST ${TABLE}`, 'Create up to ten records in a table', () => ({
    ...table,
    records: ten(z.strictObject({ fields })).describe('New records, such as [{"fields":{"Name":"Plan"}}]'),
    typecast,
  })),
  row(
    'airtable_update_records',
    `PATCH ${TABLE}`,
    'Change fields of up to ten records; fields that are not given stay',
    () => ({
      ...table,
      records: ten(z.strictObject({ id: text.describe(ID), fields })).describe(
        'Changes, such as [{"id":"recXXXXXXXXXXXXXX","fields":{"Status":"Done"}}]',
      ),
      typecast,
    }),
  ),
  row(
    'airtable_upsert_records',
    `PATCH ${TABLE}`,
    'Update or create up to ten records: a record that equals a given one in the merge fields is updated, others are created',
    () => ({
      ...table,
      records: ten(z.strictObject({ fields })).describe('Records with the merge fields and what to set'),
      performUpsert: z
        .array(text)
        .min(1)
        .max(3)
        .transform((fieldsToMergeOn) => ({ fieldsToMergeOn }))
        .describe('Names of one to three fields that identify a record together, such as ["Email"]'),
      typecast,
    }),
  ),
  row('airtable_delete_records', `DELETE ${TABLE}`, 'Delete up to ten records', () => ({
    ...table,
    records: ten(text).describe(`${ID}, one or more`),
  })),
];
