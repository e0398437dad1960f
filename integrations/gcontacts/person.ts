// A person of the People API in the words of an address book, in both directions.
import * as z from 'zod';
import { some, text, texts } from '../google/oauth.ts';

/** The fields of a contact that the tools read. */
export const FIELDS =
  'names,nicknames,emailAddresses,phoneNumbers,organizations,addresses,birthdays,biographies,urls,memberships';
/** What the directory and other contacts have. */
export const OTHER_FIELDS = 'names,emailAddresses,phoneNumbers';
export const DIRECTORY_FIELDS = 'names,emailAddresses,phoneNumbers,organizations';

const Valued = z.lazy(() =>
  z.array(z.object({ value: text.default(''), type: text.optional() })).default([]),
);
const DateParts = z.lazy(() =>
  z.object({ year: z.int().optional(), month: z.int().optional(), day: z.int().optional() }),
);

const Person = z.lazy(() =>
  z.object({
    resourceName: text,
    etag: text.optional(),
    names: z
      .array(
        z.object({
          displayName: text.optional(),
          givenName: text.optional(),
          familyName: text.optional(),
        }),
      )
      .default([]),
    nicknames: Valued,
    emailAddresses: Valued,
    phoneNumbers: Valued,
    organizations: z
      .array(z.object({ name: text.optional(), title: text.optional(), department: text.optional() }))
      .default([]),
    addresses: z.array(z.object({ formattedValue: text.default(''), type: text.optional() })).default([]),
    birthdays: z.array(z.object({ date: DateParts.optional(), text: text.optional() })).default([]),
    biographies: Valued,
    urls: Valued,
    memberships: z
      .array(
        z.object({
          contactGroupMembership: z.object({ contactGroupResourceName: text.optional() }).optional(),
        }),
      )
      .default([]),
  }),
);

/** Leaves out what a person does not have. */
export function showPerson(payload: unknown): Record<string, unknown> {
  const person = Person.parse(payload);
  const [name] = person.names;
  const [organization] = person.organizations;
  const shown = {
    id: person.resourceName,
    name: name?.displayName,
    givenName: name?.givenName,
    familyName: name?.familyName,
    nickname: person.nicknames[0]?.value,
    emails: person.emailAddresses,
    phones: person.phoneNumbers,
    company: organization?.name,
    jobTitle: organization?.title,
    department: organization?.department,
    addresses: person.addresses.map(({ formattedValue: value, type }) => ({ value, type })),
    birthday: showDate(person.birthdays[0]),
    notes: person.biographies[0]?.value,
    urls: person.urls,
    groups: person.memberships.flatMap(
      ({ contactGroupMembership }) => contactGroupMembership?.contactGroupResourceName ?? [],
    ),
  };
  return Object.fromEntries(
    Object.entries(shown).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** People often leave out the year: `--03-01`, as in vCard. RFC 6350 §4.3.1 */
function showDate(birthday: z.infer<typeof Person>['birthdays'][number] | undefined): string | undefined {
  const { year, month, day } = birthday?.date ?? {};
  if (month === undefined || day === undefined) return birthday?.text;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${year === undefined || year === 0 ? '-' : String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

const typed = (what: string, example: string) =>
  z
    .array(
      z.strictObject({
        value: text.describe(`${what}, such as ${example}`),
        type: some.describe('Kind of it, such as home, work or mobile'),
      }),
    )
    .optional();

/** What tools take of a contact. A list that is given replaces the whole list. */
export const details = () => ({
  givenName: some.describe('Given name of the person'),
  familyName: some.describe('Family name of the person'),
  nickname: some.describe('Other name of the person'),
  emails: typed('Address', 'ana@example.com').describe('Email addresses, all of them'),
  phones: typed('Number', '+49 30 123456').describe('Phone numbers, all of them'),
  company: some.describe('Company or organization'),
  jobTitle: some.describe('Position in the company'),
  department: some.describe('Department in the company'),
  addresses: typed('Postal address', 'Hauptstraße 1, 10115 Berlin').describe('Postal addresses, all of them'),
  birthday: text
    .regex(/^(\d{4}|-)-\d{2}-\d{2}$/, 'is not a date such as 1990-03-01 or --03-01')
    .optional()
    .describe('Birthday, such as 1990-03-01, or --03-01 without the year'),
  notes: some.describe('Notes on the person'),
  urls: typed('Address of a page', 'https://example.com').describe('Web pages, all of them'),
});
type Details = z.output<z.ZodObject<ReturnType<typeof details>>>;

/** The members of a person that the details are about. */
export function writePerson(given: Details): Record<string, unknown> {
  const { givenName, familyName, nickname, emails, phones, addresses, birthday, notes, urls } = given;
  const { company, jobTitle, department } = given;
  const hasName = givenName !== undefined || familyName !== undefined;
  const hasWork = [company, jobTitle, department].some((value) => value !== undefined);
  return {
    ...(hasName ? { names: [{ givenName, familyName }] } : {}),
    ...(nickname === undefined ? {} : { nicknames: [{ value: nickname }] }),
    ...(emails === undefined ? {} : { emailAddresses: emails }),
    ...(phones === undefined ? {} : { phoneNumbers: phones }),
    ...(hasWork ? { organizations: [{ name: company, title: jobTitle, department }] } : {}),
    ...(addresses === undefined
      ? {}
      : { addresses: addresses.map(({ value, type }) => ({ formattedValue: value, type })) }),
    ...(birthday === undefined ? {} : { birthdays: [{ date: readDate(birthday) }] }),
    ...(notes === undefined ? {} : { biographies: [{ value: notes, contentType: 'TEXT_PLAIN' }] }),
    ...(urls === undefined ? {} : { urls }),
  };
}

function readDate(birthday: string): Record<string, number> {
  const [, year = '', month = '', day = ''] = /^(\d{4}|-)-(\d{2})-(\d{2})$/.exec(birthday) ?? [];
  return { ...(year === '-' ? {} : { year: Number(year) }), month: Number(month), day: Number(day) };
}

/** An update needs what is stored of a name or a position, or the parts that it does not name would be lost. */
export function keepParts(given: Details, stored: unknown): Details {
  const { names, organizations } = Person.parse(stored);
  const [name] = names;
  const [work] = organizations;
  const hasName = given.givenName !== undefined || given.familyName !== undefined;
  const hasWork = [given.company, given.jobTitle, given.department].some((value) => value !== undefined);
  return {
    ...given,
    ...(hasName
      ? {
          givenName: given.givenName ?? name?.givenName,
          familyName: given.familyName ?? name?.familyName,
        }
      : {}),
    ...(hasWork
      ? {
          company: given.company ?? work?.name,
          jobTitle: given.jobTitle ?? work?.title,
          department: given.department ?? work?.department,
        }
      : {}),
  };
}

export const contactId = text
  .regex(/^people\/[\w-]+$/, 'is not an id such as people/c123')
  .describe('Id of a contact, from gcontacts_search_contacts, such as people/c123');
export const contactIds = texts.describe('Ids of contacts, from gcontacts_search_contacts');
