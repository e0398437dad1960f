// Tests Google Contacts: the requests of every tool, and people in the words of an address book.
import { describe, expect, it } from 'vitest';
import { gcontacts } from '../../integrations/gcontacts/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const c = { contactId: 'people/c1' };
const g = { groupId: 'contactGroups/g1' };
const FIELDS =
  'names,nicknames,emailAddresses,phoneNumbers,organizations,addresses,birthdays,biographies,urls,memberships';
const ANA = {
  resourceName: 'people/c1',
  etag: 'e1',
  names: [{ displayName: 'Ana Müller', givenName: 'Ana', familyName: 'Müller', metadata: { primary: true } }],
  emailAddresses: [{ value: 'ana@example.com', type: 'work', formattedType: 'Work' }],
  organizations: [{ name: 'Acme', title: 'CTO' }],
  addresses: [{ formattedValue: 'Hauptstraße 1\n10115 Berlin', type: 'home' }],
  birthdays: [{ date: { month: 3, day: 1 } }],
  biographies: [{ value: 'Kollegin' }],
  memberships: [
    { contactGroupMembership: { contactGroupResourceName: 'contactGroups/g1' } },
    { domainMembership: { inViewerDomain: true } },
  ],
};
const SHOWN = {
  id: 'people/c1',
  name: 'Ana Müller',
  givenName: 'Ana',
  familyName: 'Müller',
  emails: [{ value: 'ana@example.com', type: 'work' }],
  company: 'Acme',
  jobTitle: 'CTO',
  addresses: [{ value: 'Hauptstraße 1\n10115 Berlin', type: 'home' }],
  birthday: '--03-01',
  notes: 'Kollegin',
  groups: ['contactGroups/g1'],
};

const TABLE: [tool: string, args: object, requests: string | string[]][] = [
  ['whoami', {}, 'GET /userinfo'],
  [
    'list_contacts',
    { pageToken: 'p2' },
    `GET /people/me/connections?pageSize=50&pageToken=p2&sortOrder=LAST_MODIFIED_DESCENDING&personFields=${FIELDS}`,
  ],
  [
    'search_contacts',
    { query: 'Mü', pageSize: 5 },
    [
      `GET /people:searchContacts?query=&pageSize=5&readMask=${FIELDS}`,
      `GET /people:searchContacts?query=Mü&pageSize=5&readMask=${FIELDS}`,
    ],
  ],
  ['get_contact', c, `GET /people/c1?personFields=${FIELDS}`],
  [
    'create_contact',
    {
      givenName: 'Bo',
      nickname: 'B',
      emails: [{ value: 'bo@example.com', type: 'home' }],
      phones: [{ value: '+49 30 1' }],
      company: 'Acme',
      addresses: [{ value: 'Weg 1' }],
      birthday: '1990-03-01',
      notes: 'n',
      urls: [{ value: 'https://bo.example' }],
    },
    `POST /people:createContact?personFields=${FIELDS} {"names":[{"givenName":"Bo"}],"nicknames":[{"value":"B"}],"emailAddresses":[{"value":"bo@example.com","type":"home"}],"phoneNumbers":[{"value":"+49 30 1"}],"organizations":[{"name":"Acme"}],"addresses":[{"formattedValue":"Weg 1"}],"birthdays":[{"date":{"year":1990,"month":3,"day":1}}],"biographies":[{"value":"n","contentType":"TEXT_PLAIN"}],"urls":[{"value":"https://bo.example"}]}`,
  ],
  [
    'update_contact',
    { ...c, familyName: 'Maier', birthday: '--04-02' },
    [
      `GET /people/c1?personFields=${FIELDS}`,
      `PATCH /people/c1:updateContact?updatePersonFields=names,birthdays&personFields=${FIELDS} {"etag":"e1","names":[{"givenName":"Ana","familyName":"Maier"}],"birthdays":[{"date":{"month":4,"day":2}}]}`,
    ],
  ],
  [
    'update_contact',
    { ...c, jobTitle: 'CEO', emails: [] },
    [
      `GET /people/c1?personFields=${FIELDS}`,
      `PATCH /people/c1:updateContact?updatePersonFields=emailAddresses,organizations&personFields=${FIELDS} {"etag":"e1","emailAddresses":[],"organizations":[{"name":"Acme","title":"CEO"}]}`,
    ],
  ],
  ['delete_contact', c, 'DELETE /people/c1:deleteContact'],
  [
    'search_other_contacts',
    { query: 'bo' },
    [
      'GET /otherContacts:search?query=&pageSize=10&readMask=names,emailAddresses,phoneNumbers',
      'GET /otherContacts:search?query=bo&pageSize=10&readMask=names,emailAddresses,phoneNumbers',
    ],
  ],
  [
    'search_directory',
    { query: 'bo' },
    'GET /people:searchDirectoryPeople?query=bo&pageSize=20&sources=DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE&readMask=names,emailAddresses,phoneNumbers,organizations',
  ],
  ['list_groups', { pageToken: 'p2' }, 'GET /contactGroups?pageSize=100&pageToken=p2'],
  ['get_group', g, 'GET /contactGroups/g1?maxMembers=100'],
  ['create_group', { name: 'Büro' }, 'POST /contactGroups {"contactGroup":{"name":"Büro"}}'],
  [
    'rename_group',
    { ...g, name: 'Haus' },
    'PUT /contactGroups/g1 {"contactGroup":{"name":"Haus"},"updateGroupFields":"name"}',
  ],
  ['delete_group', { ...g, deleteContacts: true }, 'DELETE /contactGroups/g1?deleteContacts=true'],
  [
    'change_group_members',
    { ...g, resourceNamesToAdd: ['people/c1'], resourceNamesToRemove: ['people/c2'] },
    'POST /contactGroups/g1/members:modify {"resourceNamesToAdd":["people/c1"],"resourceNamesToRemove":["people/c2"]}',
  ],
];

describe('the requests of Google Contacts', () => {
  it.each(TABLE)('gcontacts_%s %j', async (name, args, requests) => {
    const isOne = name.endsWith('contact');
    expect(await sent(gcontacts, `gcontacts_${name}`, args, isOne ? [ANA, ANA] : [])).toEqual(
      [requests].flat(),
    );
  });

  it('names every tool', () => {
    expect(new Set(TABLE.map(([name]) => `gcontacts_${name}`))).toEqual(
      new Set(gcontacts.tools.map(({ name }) => name)),
    );
  });
});

/** Knows one contact, and finds it only after the request that fills the index. */
async function use(tool: string, args: object) {
  let isIndexed = false;
  return run(gcontacts, `gcontacts_${tool}`, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream: async ({ method, path, query }) => {
      const search = query?.get('query');
      if (method === 'GET' && path === '/people/c1') return Response.json(ANA);
      if (method === 'GET' && path === '/people/me/connections')
        return Response.json({ connections: [ANA], totalItems: 1, nextPageToken: 'p2', nextSyncToken: 's' });
      if (method === 'GET' && path === '/people:searchContacts') {
        const results = isIndexed && search === 'Ana' ? [{ person: ANA }] : undefined;
        isIndexed ||= search === '';
        return Response.json({ results });
      }
      if (method === 'GET' && path === '/people:searchDirectoryPeople')
        return Response.json({ people: [{ resourceName: 'people/7' }] });
      if (method === 'PATCH' && path === '/people/c1:updateContact')
        return Response.json({ error: { message: 'person.etag is different' } }, { status: 400 });
      return Response.json({ error: { message: 'Requested entity was not found.' } }, { status: 404 });
    },
    fetch: () => Promise.reject(new Error('no address is fetched')),
  });
}

describe('a contact', () => {
  it('is shown without what Google adds, and without what is empty', async () => {
    expect(await use('get_contact', c)).toEqual(SHOWN);
    expect(await use('list_contacts', {})).toEqual({
      totalItems: 1,
      nextPageToken: 'p2',
      contacts: [SHOWN],
    });
    expect(await use('search_directory', { query: 'b' })).toEqual({ contacts: [{ id: 'people/7' }] });
  });

  it('is found by the first search, because the index is filled before it', async () => {
    expect(await use('search_contacts', { query: 'Ana' })).toEqual({ contacts: [SHOWN] });
    expect(await use('search_contacts', { query: 'Bo' })).toEqual({ contacts: [] });
  });

  it('is not overwritten when somebody else has changed it', async () => {
    await expect(use('update_contact', { ...c, notes: 'x' })).rejects.toThrow('person.etag is different');
  });

  it.each([
    ['create_contact', {}, 'A contact needs a name or another detail'],
    ['update_contact', c, 'Say what to change'],
    ['get_contact', { contactId: 'contactGroups/g1' }, 'is not an id such as people/c123'],
    ['delete_contact', { contactId: 'people/../x' }, 'is not an id such as people/c123'],
    ['create_contact', { givenName: 'A', birthday: '1.3.1990' }, 'is not a date such as 1990-03-01'],
    ['get_contact', { contactId: 'people/c9' }, '404: '],
  ])('gcontacts_%s %j says what is wrong', async (tool, args, message) => {
    await expect(use(tool, args)).rejects.toThrow(message);
  });
});
