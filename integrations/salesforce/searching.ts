// Finds records by SOQL or by words, and says which objects and fields an org has.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import { API, object, OBJECT, row, send, showRecord, some, text, texts } from './fields.ts';

const Page = z.lazy(() =>
  z.object({
    totalSize: z.int(),
    done: z.boolean(),
    nextRecordsUrl: some,
    records: z.array(z.unknown()),
  }),
);
const Found = z.lazy(() => z.object({ searchRecords: z.array(z.unknown()) }));
const contains = some.describe('Only those whose name or label contains this');
/** Longer lists of values, such as of countries, are cut. */
const MAX_VALUES = 50;

const Objects = z.lazy(() =>
  z.object({
    sobjects: z.array(z.object({ name: text, label: text, custom: z.boolean(), queryable: z.boolean() })),
  }),
);
const Described = z.lazy(() =>
  z.object({
    name: text,
    label: text,
    fields: z.array(
      z.object({
        name: text,
        label: text,
        type: text,
        nillable: z.boolean().default(true),
        createable: z.boolean().default(false),
        updateable: z.boolean().default(false),
        defaultedOnCreate: z.boolean().default(false),
        referenceTo: texts.default([]),
        relationshipName: text.nullish(),
        picklistValues: z.array(z.object({ value: text, active: z.boolean().default(true) })).default([]),
      }),
    ),
  }),
);

const isIn = (wanted: string | undefined, ...words: readonly string[]) =>
  words.some((word) => word.toLowerCase().includes((wanted ?? '').toLowerCase()));

export const searching: readonly Tool[] = [
  row(
    'salesforce_whoami',
    'GET /services/oauth2/userinfo',
    'Show who is connected, and to which org',
    () => ({}),
    {
      result: (payload) => {
        const { user_id, organization_id, name, email, preferred_username, zoneinfo } = Object(payload);
        return withoutEmpty({
          user_id,
          organization_id,
          name,
          email,
          username: preferred_username,
          zoneinfo,
        });
      },
    },
  ),
  tool(
    'salesforce_query',
    'Query records with SOQL',
    () => ({
      soql: some.describe(
        "Query, such as SELECT Id, Name, Amount FROM Opportunity WHERE StageName = 'Prospecting' ORDER BY CloseDate LIMIT 50",
      ),
      cursor: some.describe('`cursor` of the previous page, in place of soql'),
    }),
    async ({ soql, cursor }, { upstream }) => {
      if ((soql === undefined) === (cursor === undefined)) throw new Error('Give either soql or cursor');
      const options = { headers: { 'sforce-query-options': 'batchSize=200' } };
      const answer =
        cursor === undefined
          ? await send(upstream, `GET ${API}/query`, { q: soql }, options)
          : await send(upstream, `GET ${API}/query/{cursor}`, { cursor }, options);
      const { totalSize, done, nextRecordsUrl, records } = Page.parse(answer);
      const next = done ? undefined : nextRecordsUrl?.split('/').at(-1);
      return {
        totalSize,
        records: records.map(showRecord),
        ...(next === undefined ? {} : { cursor: next }),
      };
    },
  ),
  tool(
    'salesforce_search',
    'Search the text of records of several objects at once',
    () => ({
      query: text
        .min(2)
        .describe('Words to search for, such as a name, an e-mail address or a telephone number'),
      objects: texts
        .min(1)
        .max(10)
        .default(['Account', 'Contact', 'Lead', 'Opportunity'])
        .describe('Objects to search, by API name'),
      fields: texts
        .default(['Id', 'Name'])
        .describe('Fields to return, which all of these objects must have'),
      limit: z.int().min(1).max(200).default(20).describe('Results of all objects together'),
    }),
    async ({ query, objects, fields, limit }, { upstream }) => {
      const found = await send(upstream, `POST ${API}/parameterizedSearch`, {
        q: query,
        in: 'ALL',
        fields,
        sobjects: objects.map((name) => ({ name })),
        overallLimit: limit,
      });
      return { records: Found.parse(found).searchRecords.map(showRecord) };
    },
    'read',
  ),
  row(
    'salesforce_list_objects',
    `GET ${API}/sobjects`,
    'List the objects of the org, the custom ones too',
    () => ({ contains }),
    {
      local: ['contains'],
      result: (payload, { contains: wanted }) => ({
        objects: Objects.parse(payload)
          .sobjects.filter(({ name, label, queryable }) => queryable && isIn(wanted, name, label))
          .map(({ name, label, custom }) => ({ name, label, ...(custom ? { custom } : {}) })),
      }),
    },
  ),
  row(
    'salesforce_describe_object',
    `GET ${OBJECT}/describe`,
    'List the fields of an object with their types, values and references',
    () => ({ object, contains }),
    { local: ['contains'], result: (payload, { contains: wanted }) => describe(payload, wanted) },
  ),
  row(
    'salesforce_list_recent',
    `GET ${API}/recent`,
    'List the records that you have viewed last',
    () => ({ limit: z.int().min(1).max(200).default(20).describe('Number of records') }),
    { result: (payload) => ({ records: z.array(z.unknown()).parse(payload).map(showRecord) }) },
  ),
];

function describe(payload: unknown, wanted: string | undefined): object {
  const { name, label, fields } = Described.parse(payload);
  const shown = fields
    .filter((field) => isIn(wanted, field.name, field.label))
    .map((field) => {
      const active = field.picklistValues.filter((each) => each.active).map(({ value }) => value);
      const isRequired = field.createable && !field.nillable && !field.defaultedOnCreate;
      return withoutEmpty({
        name: field.name,
        label: field.label,
        type: field.type,
        required: isRequired ? true : null,
        readOnly: field.createable || field.updateable ? null : true,
        referenceTo: field.referenceTo,
        relationshipName: field.relationshipName,
        values: active.slice(0, MAX_VALUES),
        moreValues: active.length > MAX_VALUES ? active.length - MAX_VALUES : null,
      });
    });
  return { name, label, fields: shown };
}
