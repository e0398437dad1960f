// Contacts, and the people that Google knows beside them.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { pageToken, row, send, text } from '../google/oauth.ts';
import {
  contactId,
  details,
  DIRECTORY_FIELDS,
  FIELDS,
  keepParts,
  OTHER_FIELDS,
  showPerson,
  writePerson,
} from './person.ts';

const CONTACT = '/{contactId+}';
const query = text.min(1).describe('Beginning of a name, an email address, a phone number or a company');
const Stored = z.lazy(() => z.looseObject({ etag: z.string().optional() }));
const People = z.lazy(() =>
  z.looseObject({ nextPageToken: z.string().optional(), totalItems: z.int().optional() }),
);
const Found = z.lazy(() => z.object({ results: z.array(z.object({ person: z.unknown() })).default([]) }));

export const contacts: readonly Tool[] = [
  row(
    'gcontacts_list_contacts',
    'GET /people/me/connections',
    'List the contacts of the person',
    () => ({
      pageSize: z.int().default(50).describe('Contacts per page, at most 1000'),
      pageToken,
      sortOrder: z
        .enum([
          'LAST_MODIFIED_DESCENDING',
          'LAST_MODIFIED_ASCENDING',
          'FIRST_NAME_ASCENDING',
          'LAST_NAME_ASCENDING',
        ])
        .default('LAST_MODIFIED_DESCENDING')
        .describe('Order of the contacts'),
      personFields: text.default(FIELDS).describe('Fields to read, separated by commas'),
    }),
    { result: (payload) => page(payload, 'connections') },
  ),
  tool(
    'gcontacts_search_contacts',
    'Find contacts by name, email address, phone number or company',
    () => ({
      query,
      pageSize: z.int().min(1).max(30).default(10).describe('Contacts to return, at most 30'),
    }),
    async (args, { upstream }) => {
      const asked = { ...args, readMask: FIELDS };
      // Google fills its index at the first request, which has to be empty.
      await send(upstream, 'GET /people:searchContacts', { ...asked, query: '' });
      return showFound(await send(upstream, 'GET /people:searchContacts', asked));
    },
  ),
  row(
    'gcontacts_get_contact',
    `GET ${CONTACT}`,
    'Get all details of one contact',
    () => ({ contactId, personFields: text.default(FIELDS).describe('Fields to read, separated by commas') }),
    { result: showPerson },
  ),
  tool(
    'gcontacts_create_contact',
    'Add a contact to the address book',
    details,
    async (args, { upstream }) => {
      const person = writePerson(args);
      if (Object.keys(person).length === 0) throw new Error('A contact needs a name or another detail');
      return showPerson(
        await send(
          upstream,
          'POST /people:createContact',
          { personFields: FIELDS, person },
          { query: ['personFields'], body: 'person' },
        ),
      );
    },
    'write',
  ),
  tool(
    'gcontacts_update_contact',
    'Change a contact; details left out stay as they are, a list that is given replaces the whole list',
    () => ({ contactId, ...details() }),
    async ({ contactId: id, ...given }, { upstream }) => {
      const stored = await send(upstream, `GET ${CONTACT}`, { contactId: id, personFields: FIELDS });
      const changed = writePerson(keepParts(given, stored));
      const updatePersonFields = Object.keys(changed).join(',');
      if (updatePersonFields === '') throw new Error('Say what to change, such as emails or notes');
      // Google refuses a change of a contact that somebody has changed meanwhile.
      const person = { etag: Stored.parse(stored).etag, ...changed };
      const args = { contactId: id, updatePersonFields, personFields: FIELDS, person };
      const sent = { query: ['updatePersonFields', 'personFields'], body: 'person' };
      return showPerson(await send(upstream, `PATCH ${CONTACT}:updateContact`, args, sent));
    },
    'write',
  ),
  row('gcontacts_delete_contact', `DELETE ${CONTACT}:deleteContact`, 'Delete a contact for good', () => ({
    contactId,
  })),
  tool(
    'gcontacts_search_other_contacts',
    'Find people from the mail of the person who are not saved as contacts',
    () => ({ query, pageSize: z.int().min(1).max(30).default(10).describe('People to return, at most 30') }),
    async (args, { upstream }) => {
      const asked = { ...args, readMask: OTHER_FIELDS };
      await send(upstream, 'GET /otherContacts:search', { ...asked, query: '' });
      return showFound(await send(upstream, 'GET /otherContacts:search', asked));
    },
  ),
  row(
    'gcontacts_search_directory',
    'GET /people:searchDirectoryPeople',
    'Find colleagues in the directory of a Google Workspace',
    () => ({
      query: text.min(1).describe('Beginning of a name or an email address'),
      pageSize: z.int().default(20).describe('People per page, at most 500'),
      pageToken,
      sources: z
        .array(z.enum(['DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE', 'DIRECTORY_SOURCE_TYPE_DOMAIN_CONTACT']))
        .default(['DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE'])
        .describe('Profiles of colleagues, or contacts that the organization shares'),
      readMask: text.default(DIRECTORY_FIELDS).describe('Fields to read, separated by commas'),
    }),
    { result: (payload) => page(payload, 'people') },
  ),
];

function page(payload: unknown, member: 'connections' | 'people') {
  const { nextPageToken, totalItems, [member]: people = [] } = People.parse(payload);
  return { totalItems, nextPageToken, contacts: z.array(z.unknown()).parse(people).map(showPerson) };
}

const showFound = (payload: unknown) => ({
  contacts: Found.parse(payload).results.map(({ person }) => showPerson(person)),
});
