// The spelling of Salesforce's REST API, and its records as a model reads them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

export const { row, send, toCall } = createRows({ names: 'camelCase', lists: 'comma' });

export const text = z.string();
export const some = text.optional();
export const texts = z.array(text);

export const API = '/services/data/v66.0';
export const OBJECT = `${API}/sobjects/{object}` as const;
export const RECORD = `${OBJECT}/{id}` as const;

export const object = text.describe(
  'API name of the object, such as Account, Contact, Lead, Opportunity, Case, Task or Invoice__c',
);
export const id = text.describe(
  'Record id of 15 or 18 characters, from salesforce_query or salesforce_search',
);
export const values = z
  .record(text, z.unknown())
  .describe('Values by API name of the field, such as {"LastName":"Müller","AccountId":"001…"}');

/** Takes the addresses out of records, and shows the records of an inner query as a list. */
export function showRecord(value: unknown): unknown {
  return withoutEmpty(strip(value));
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  const { attributes, ...members } = z.looseObject({ attributes: z.unknown().optional() }).parse(value);
  if (Array.isArray(members['records'])) return members['records'].map(strip);
  const type: unknown = Reflect.get(Object(attributes), 'type');
  const shown = Object.entries(members).map(([name, member]) => [name, strip(member)]);
  return { ...(typeof type === 'string' ? { type } : {}), ...Object.fromEntries(shown) };
}
