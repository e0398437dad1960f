// Invoices and subscriptions.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import {
  AMOUNT,
  currency,
  customerId,
  flag,
  listArgs,
  metadata,
  page,
  priceId,
  row,
  send,
  some,
  text,
} from './fields.ts';
import { show, showList } from './show.ts';

const INVOICE_STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;
const SUBSCRIPTION_STATUSES = [
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'trialing',
  'paused',
  'ended',
  'all',
] as const;
const invoice = text.describe('Invoice id such as in_…, from stripe_list_invoices');
const subscription = text.describe('Subscription id such as sub_…, from stripe_list_subscriptions');

const item = () =>
  z.strictObject({
    description: some.describe('Text of the line'),
    amount: z.int().optional().describe(`Amount of the whole line ${AMOUNT}; or give a price`),
    price: priceId.optional(),
    quantity: z.int().min(1).optional().describe('How many of the price; 1 by default'),
  });

const Created = z.object({ id: text });

export const billing: readonly Tool[] = [
  tool(
    'stripe_list_invoices',
    'List invoices, newest first',
    () => ({
      customer: customerId.optional(),
      subscription: subscription.optional(),
      status: z.enum(INVOICE_STATUSES).optional().describe('Only invoices with this status'),
      ...page(),
    }),
    async (args, { upstream }) => showList(await send(upstream, 'GET /v1/invoices', listArgs(args))),
  ),
  row(
    'stripe_get_invoice',
    'GET /v1/invoices/{invoice}',
    'Get an invoice with its lines',
    () => ({ invoice }),
    {
      result: show,
    },
  ),
  tool(
    'stripe_create_invoice',
    'Create a draft of an invoice with its lines; stripe_send_invoice makes it final and sends it',
    () => ({
      customer: customerId,
      currency: currency(),
      items: z.array(item()).min(1).max(20).describe('Lines, each with an amount or a price'),
      daysUntilDue: z.int().min(0).default(30).describe('Days that the customer has to pay'),
      description: some.describe('Text above the lines'),
      metadata,
    }),
    async ({ items, daysUntilDue, ...args }, { upstream }) => {
      const draft = await send(upstream, 'POST /v1/invoices', {
        ...args,
        collectionMethod: 'send_invoice',
        daysUntilDue,
        autoAdvance: false,
        pendingInvoiceItemsBehavior: 'exclude',
      });
      const { id } = Created.parse(draft);
      try {
        // Lines have the order in which they were made.
        for (const { price, amount, ...line } of items)
          await send(upstream, 'POST /v1/invoiceitems', {
            customer: args.customer,
            invoice: id,
            ...(price === undefined ? { amount, currency: args.currency } : { pricing: { price } }),
            ...line,
          });
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`The draft ${id} was created, but lacks lines: ${why}`, { cause: error });
      }
      return show(await send(upstream, 'GET /v1/invoices/{id}', { id }));
    },
    'write',
  ),
  row(
    'stripe_send_invoice',
    'POST /v1/invoices/{invoice}/send',
    'Send an invoice to the customer by e-mail; a draft becomes final and gets a number',
    () => ({ invoice }),
    { result: show },
  ),
  tool(
    'stripe_list_subscriptions',
    'List subscriptions, newest first',
    () => ({
      customer: customerId.optional(),
      price: priceId.optional(),
      status: z
        .enum(SUBSCRIPTION_STATUSES)
        .optional()
        .describe('Only this status; all but canceled ones by default'),
      ...page(),
    }),
    async (args, { upstream }) => showList(await send(upstream, 'GET /v1/subscriptions', listArgs(args))),
  ),
  row(
    'stripe_update_subscription',
    'POST /v1/subscriptions/{subscription}',
    'Change a subscription: let it end with the period, or change a price or a quantity',
    () => ({
      subscription,
      cancelAtPeriodEnd: flag.describe('true ends it with the paid period, false takes that back'),
      items: z
        .array(
          z.strictObject({
            id: text.describe('Id of the item such as si_…, from stripe_list_subscriptions'),
            price: priceId.optional(),
            quantity: z.int().min(0).optional().describe('New quantity'),
          }),
        )
        .optional()
        .describe('Items that change; the others stay'),
      prorationBehavior: z
        .enum(['create_prorations', 'always_invoice', 'none'])
        .optional()
        .describe('How the rest of the period is charged; create_prorations by default'),
      metadata,
    }),
    { result: show },
  ),
  row(
    'stripe_cancel_subscription',
    'DELETE /v1/subscriptions/{subscription}',
    'Cancel a subscription at once; stripe_update_subscription lets it end with the paid period',
    () => ({
      subscription,
      prorate: flag.describe('true credits the customer for the rest of the period'),
      invoiceNow: flag.describe('true makes a last invoice for what is not yet billed'),
    }),
    { result: show },
  ),
];
