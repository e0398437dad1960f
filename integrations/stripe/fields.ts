// The spelling of Stripe's API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send } = createRows({ names: 'snake_case', lists: 'brackets', bodies: 'form' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();

/** The smallest unit, as Stripe counts: Japan has no cents. */
export const AMOUNT = 'in the smallest unit of the currency: 1050 is 10.50 EUR, and 1050 JPY';
export const currency = () =>
  text
    .length(3)
    .transform((code) => code.toLowerCase())
    .describe('Currency of three letters, such as eur');
export const customerId = text.describe(
  'Customer id such as cus_…, from stripe_list_customers or stripe_search',
);
export const priceId = text.describe('Price id such as price_…, from stripe_list_prices');
export const metadata = z
  .record(text, text)
  .optional()
  .describe('Texts to keep with it, such as {"order":"42"}; an empty text removes one');

const time = z.iso.datetime({ offset: true }).optional();

/** The arguments of a list. */
export const page = () => ({
  createdAfter: time.describe('Only what was created at this time or later, such as 2026-03-01T00:00:00Z'),
  createdBefore: time.describe('Only what was created before this time'),
  limit: z.int().min(1).max(100).default(20).describe('Results per page'),
  startingAfter: some.describe('`startingAfter` of the previous page'),
});

interface ListArgs {
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  [name: string]: unknown;
}

/** Stripe compares times in seconds. */
export function listArgs({ createdAfter, createdBefore, ...args }: ListArgs): Record<string, unknown> {
  return { ...args, created: { gte: secondsOf(createdAfter), lt: secondsOf(createdBefore) } };
}

function secondsOf(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Math.floor(Date.parse(moment) / 1000);
}
