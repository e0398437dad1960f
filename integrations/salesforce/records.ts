// Reads and changes single records.
import type { Tool } from '../../src/kit/integration.ts';
import { id, object, OBJECT, RECORD, row, showRecord, texts, values } from './fields.ts';

export const records: readonly Tool[] = [
  row(
    'salesforce_get_record',
    `GET ${RECORD}`,
    'Get a record',
    () => ({
      object,
      id,
      fields: texts.optional().describe('API names of the fields to return; all by default'),
    }),
    { result: showRecord },
  ),
  row(
    'salesforce_create_record',
    `POST ${OBJECT}`,
    'Create a record, such as a lead, an opportunity, a case or a task',
    () => ({ object, fields: values }),
    { body: 'fields', result: showRecord },
  ),
  row(
    'salesforce_update_record',
    `PATCH ${RECORD}`,
    'Change fields of a record, such as the stage of an opportunity; null clears a field',
    () => ({ object, id, fields: values }),
    { body: 'fields', result: () => ({ updated: true }) },
  ),
  row(
    'salesforce_delete_record',
    `DELETE ${RECORD}`,
    'Move a record to the recycle bin, where Salesforce keeps it for 15 days',
    () => ({ object, id }),
    { result: () => ({ deleted: true }) },
  ),
];
