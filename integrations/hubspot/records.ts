// Records of the CRM: contacts, companies, deals, tickets and all others.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import {
  objectId,
  OBJECTS,
  objectType,
  paging,
  properties,
  propertiesOf,
  record,
  RECORD,
  row,
  send,
  showPage,
  showRecord,
  some,
  text,
  texts,
} from './fields.ts';

const OPERATORS = [
  'EQ',
  'NEQ',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'BETWEEN',
  'IN',
  'NOT_IN',
  'HAS_PROPERTY',
  'NOT_HAS_PROPERTY',
  'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const;
const filter = () =>
  z.strictObject({
    propertyName: text.describe('Name of a property, from hubspot_list_properties'),
    operator: z.enum(OPERATORS).describe('How the property compares with the value'),
    value: some.describe('Value as a text; times such as 2026-03-01 or in milliseconds'),
    values: texts.optional().describe('Values for IN and NOT_IN, texts in lower case'),
    highValue: some.describe('Upper end for BETWEEN'),
  });
const associations = texts
  .optional()
  .describe('Types of linked records whose ids to return, such as ["companies","deals"]');
const values = z
  .record(text, text)
  .describe('Values by property name, such as {"email":"ana@example.com","firstname":"Ana"}');
const idProperty = some.describe(
  'Property that objectId is a value of, such as email; the record id by default',
);

export const records: readonly Tool[] = [
  tool(
    'hubspot_search_records',
    'Search contacts, companies, deals, tickets or other records by text and by filters',
    () => ({
      objectType,
      query: some.describe('Words in names, e-mail addresses, domains and the like'),
      filters: z.array(filter()).max(6).optional().describe('Conditions that all have to hold'),
      properties,
      sortBy: some.describe('Property to sort by; a - before it sorts descending, such as -createdate'),
      ...paging(200),
    }),
    async ({ objectType: type, filters, properties: asked, sortBy, ...args }, { upstream }) => {
      const found = await send(upstream, `POST ${OBJECTS}/search`, {
        objectType: type,
        filterGroups: filters === undefined ? [] : [{ filters }],
        properties: propertiesOf(type, asked) ?? [],
        ...(sortBy === undefined ? {} : { sorts: [sortOf(sortBy)] }),
        ...args,
      });
      return showPage(found, showRecord);
    },
    'read',
  ),
  tool(
    'hubspot_list_records',
    'List records of a type with the ids of linked records; hubspot_search_records sorts and filters',
    () => ({ objectType, properties, associations, ...paging(100) }),
    async ({ properties: asked, ...args }, { upstream }) => {
      const shown = propertiesOf(args.objectType, asked);
      return showPage(await send(upstream, `GET ${OBJECTS}`, { properties: shown, ...args }), showRecord);
    },
  ),
  tool(
    'hubspot_get_record',
    'Get one record by its id, or a contact by its e-mail address',
    () => ({ objectType, objectId, idProperty, properties, associations }),
    async ({ properties: asked, ...args }, { upstream }) =>
      showRecord(
        await send(upstream, `GET ${RECORD}`, { properties: propertiesOf(args.objectType, asked), ...args }),
      ),
  ),
  tool(
    'hubspot_create_record',
    'Create a contact, company, deal, ticket or other record; hubspot_associate_records links it to others',
    () => ({ objectType, properties: values }),
    async (args, { upstream }) =>
      showRecord(await send(upstream, `POST ${OBJECTS}`, { ...args, associations: [] })),
    'write',
  ),
  row(
    'hubspot_update_record',
    `PATCH ${RECORD}`,
    'Change properties of a record, such as the stage of a deal or the status of a task; an empty text clears one',
    () => ({ ...record, idProperty, properties: values }),
    { query: ['idProperty'], result: showRecord },
  ),
  row(
    'hubspot_archive_record',
    `DELETE ${RECORD}`,
    'Move a record to the recycle bin, from which HubSpot restores it for 90 days',
    () => record,
  ),
];

function sortOf(sortBy: string): object {
  return sortBy.startsWith('-')
    ? { propertyName: sortBy.slice(1), direction: 'DESCENDING' }
    : { propertyName: sortBy, direction: 'ASCENDING' };
}
