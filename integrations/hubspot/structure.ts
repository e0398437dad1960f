// The account, how its records are linked, and which pipelines, properties and people it has.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import { objectType, paging, record, RECORD, row, showPage, some, text } from './fields.ts';

const other = {
  toObjectType: objectType.describe('Type of the other record, such as companies'),
  toObjectId: text.describe('`id` of the other record'),
};

const Linked = z.lazy(() =>
  z.object({
    toObjectId: z.union([text, z.int()]),
    associationTypes: z.array(z.object({ label: text.nullish() })).default([]),
  }),
);
const Pipelines = z.lazy(() =>
  z.object({
    results: z.array(
      z.object({
        id: text,
        label: text,
        stages: z.array(z.object({ id: text, label: text, metadata: z.unknown().optional() })),
      }),
    ),
  }),
);
const Properties = z.lazy(() =>
  z.object({
    results: z.array(
      z.object({
        name: text,
        label: some,
        description: some,
        type: some,
        options: z.array(z.object({ label: some, value: text })).default([]),
        modificationMetadata: z.object({ readOnlyValue: z.boolean().optional() }).optional(),
      }),
    ),
  }),
);
const Owner = z.lazy(() =>
  z.object({
    id: text,
    userId: z.int().nullish(),
    email: text.nullish(),
    firstName: some,
    lastName: some,
    teams: z.array(z.object({ id: text, name: text })).nullish(),
  }),
);
/** Longer lists of options, such as of countries, are cut. */
const MAX_OPTIONS = 50;

export const structure: readonly Tool[] = [
  row(
    'hubspot_whoami',
    'GET /account-info/2026-03/details',
    'Show which account is connected, with its time zone and currency',
    () => ({}),
  ),
  row(
    'hubspot_list_associations',
    `GET ${RECORD}/associations/{toObjectType}`,
    'List the records of a type that are linked to a record, with the labels of the links',
    () => ({ ...record, toObjectType: other.toObjectType, ...paging(500) }),
    {
      result: (payload) =>
        showPage(payload, (item) => {
          const { toObjectId, associationTypes } = Linked.parse(item);
          const labels = associationTypes.flatMap(({ label }) => label ?? []);
          return { id: String(toObjectId), ...(labels.length === 0 ? {} : { labels }) };
        }),
    },
  ),
  row(
    'hubspot_associate_records',
    'PUT /crm/objects/2026-03/{objectType}/{objectId}/associations/default/{toObjectType}/{toObjectId}',
    'Link two records, such as a contact to its company or to a deal',
    () => ({ ...record, ...other }),
    { result: () => ({ linked: true }) },
  ),
  row(
    'hubspot_remove_association',
    `DELETE ${RECORD}/associations/{toObjectType}/{toObjectId}`,
    'Remove all links between two records; the records stay',
    () => ({ ...record, ...other }),
  ),
  row(
    'hubspot_list_pipelines',
    'GET /crm/pipelines/2026-03/{objectType}',
    'List the pipelines of deals or tickets and their stages, whose ids go into dealstage and hs_pipeline_stage',
    () => ({ objectType: text.default('deals').describe('deals or tickets, or a custom type') }),
    { result: (payload) => withoutEmpty(Pipelines.parse(payload)) },
  ),
  row(
    'hubspot_list_properties',
    'GET /crm/properties/2026-03/{objectType}',
    'List the properties that records of a type have, with their types and options',
    () => ({
      objectType,
      contains: some.describe('Only properties whose name or label contains this, such as stage'),
    }),
    { local: ['contains'], result: (payload, { contains = '' }) => showProperties(payload, contains) },
  ),
  row(
    'hubspot_list_owners',
    'GET /crm/owners/2026-03',
    'List the people who can own records',
    () => ({ email: some.describe('Only the person with this address'), ...paging(500) }),
    { result: (payload) => showPage(payload, (item) => withoutEmpty(Owner.parse(item))) },
  ),
];

function showProperties(payload: unknown, contains: string): object {
  const wanted = contains.toLowerCase();
  const isWanted = (words: string) => words.toLowerCase().includes(wanted);
  const results = Properties.parse(payload)
    .results.filter(({ name, label = '' }) => isWanted(name) || isWanted(label))
    .map(({ options, modificationMetadata, ...rest }) =>
      withoutEmpty({
        ...rest,
        options: options.slice(0, MAX_OPTIONS),
        moreOptions: options.length > MAX_OPTIONS ? options.length - MAX_OPTIONS : null,
        readOnly: modificationMetadata?.readOnlyValue === true ? true : null,
      }),
    );
  return { results };
}
