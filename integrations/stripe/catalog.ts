// Products, their prices, and links to pay at.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { AMOUNT, currency, flag, listArgs, metadata, page, priceId, send, some, text } from './fields.ts';
import { show, showList } from './show.ts';

const product = text.describe('Product id such as prod_…, from stripe_list_products');
const active = flag.describe('true for what is on sale, false for what is archived; both by default');
const unitAmount = z.int().min(0);
const recurring = () =>
  z
    .strictObject({
      interval: z.enum(['day', 'week', 'month', 'year']).describe('Unit of the period'),
      intervalCount: z.int().min(1).default(1).describe('Number of units in a period'),
    })
    .optional()
    .describe('For a subscription, how often it is charged; once without it');

function periodOf(given: { interval: string; intervalCount: number } | undefined): object | undefined {
  return given === undefined ? undefined : { interval: given.interval, interval_count: given.intervalCount };
}

export const catalog: readonly Tool[] = [
  tool(
    'stripe_list_products',
    'List products, newest first',
    () => ({ active, ...page() }),
    async (args, { upstream }) => showList(await send(upstream, 'GET /v1/products', listArgs(args))),
  ),
  tool(
    'stripe_create_product',
    'Create a product, with a price if you give an amount',
    () => ({
      name: text.describe('Name that customers see'),
      description: some.describe('Text that customers see'),
      unitAmount: unitAmount.optional().describe(`Price ${AMOUNT}; needs a currency`),
      currency: currency().optional(),
      recurring: recurring(),
      metadata,
    }),
    async ({ unitAmount: amount, currency: code, recurring: every, ...args }, { upstream }) => {
      if ((amount === undefined) !== (code === undefined))
        throw new Error('Give unitAmount and currency together');
      const price = { currency: code, unit_amount: amount, recurring: periodOf(every) };
      return show(
        await send(upstream, 'POST /v1/products', {
          ...args,
          ...(amount === undefined ? {} : { defaultPriceData: price }),
        }),
      );
    },
    'write',
  ),
  tool(
    'stripe_list_prices',
    'List prices, newest first',
    () => ({
      product: product.optional(),
      active,
      type: z.enum(['one_time', 'recurring']).optional().describe('Only prices of this type'),
      ...page(),
    }),
    async (args, { upstream }) => showList(await send(upstream, 'GET /v1/prices', listArgs(args))),
  ),
  tool(
    'stripe_create_price',
    'Create a price for a product',
    () => ({
      product,
      unitAmount: unitAmount.describe(`Price ${AMOUNT}`),
      currency: currency(),
      recurring: recurring(),
      nickname: some.describe('Name that only you see'),
    }),
    async ({ recurring: every, ...args }, { upstream }) =>
      show(await send(upstream, 'POST /v1/prices', { ...args, recurring: periodOf(every) })),
    'write',
  ),
  tool(
    'stripe_create_payment_link',
    'Create a link to a page where anybody can pay for prices',
    () => ({
      lineItems: z
        .array(
          z.strictObject({ price: priceId, quantity: z.int().min(1).default(1).describe('How many of it') }),
        )
        .min(1)
        .max(20)
        .describe('What is paid for'),
      metadata,
    }),
    async (args, { upstream }) => show(await send(upstream, 'POST /v1/payment_links', args)),
    'write',
  ),
];
