// The account, its customers and its payments.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { AMOUNT, customerId, listArgs, metadata, page, row, send, some, text } from './fields.ts';
import { show, showList } from './show.ts';

const RESOURCES = [
  'customers',
  'payment_intents',
  'charges',
  'invoices',
  'subscriptions',
  'products',
  'prices',
] as const;
const paymentIntent = text.describe('Payment id such as pi_…, from stripe_list_payments');
const person = () => ({
  email: some.describe('E-mail address for receipts and invoices'),
  name: some.describe('Name of the person or company'),
  phone: some.describe('Telephone number'),
  description: some.describe('Note that only you see'),
  address: z
    .record(text, text)
    .optional()
    .describe('Such as {"line1":"1 Main St","city":"Berlin","postal_code":"10115","country":"DE"}'),
  metadata,
});

export const payments: readonly Tool[] = [
  row('stripe_whoami', 'GET /v1/account', 'Show which account is connected', () => ({}), {
    result: (payload) => {
      const { id, email, country, default_currency, settings, charges_enabled, payouts_enabled } =
        Object(payload);
      const name: unknown = settings?.dashboard?.display_name;
      return show({ id, name, email, country, default_currency, charges_enabled, payouts_enabled });
    },
  }),
  row(
    'stripe_search',
    'GET /v1/{resource}/search',
    'Search customers, payments, invoices, subscriptions, products or prices by a query; new objects appear after a minute',
    () => ({
      resource: z.enum(RESOURCES).describe('What to search; payment_intents are payments'),
      query: text.describe(
        'Query such as email:"ana@example.com", status:"open" AND total>1000, or metadata["order"]:"42"',
      ),
      limit: z.int().min(1).max(100).default(20).describe('Results per page'),
      page: some.describe('`page` of the previous response'),
    }),
    { result: showList },
  ),
  tool(
    'stripe_list_customers',
    'List customers, newest first',
    () => ({ email: some.describe('Only customers with exactly this address'), ...page() }),
    async (args, { upstream }) => showList(await send(upstream, 'GET /v1/customers', listArgs(args))),
  ),
  row('stripe_create_customer', 'POST /v1/customers', 'Create a customer', person, { result: show }),
  row(
    'stripe_update_customer',
    'POST /v1/customers/{customer}',
    'Change the name, address or other data of a customer',
    () => ({ customer: customerId, ...person() }),
    { result: show },
  ),
  tool(
    'stripe_list_payments',
    'List payments (payment intents), newest first',
    () => ({ customer: customerId.optional(), ...page() }),
    async (args, { upstream }) => showList(await send(upstream, 'GET /v1/payment_intents', listArgs(args))),
  ),
  row(
    'stripe_get_payment',
    'GET /v1/payment_intents/{paymentIntent}?expand[]=latest_charge',
    'Get a payment with its card, its receipt, and why it failed',
    () => ({ paymentIntent }),
    { result: show },
  ),
  row(
    'stripe_create_refund',
    'POST /v1/refunds',
    'Refund a payment, whole or in part',
    () => ({
      paymentIntent,
      amount: z.int().min(1).optional().describe(`Amount ${AMOUNT}; what is left of the payment by default`),
      reason: z
        .enum(['duplicate', 'fraudulent', 'requested_by_customer'])
        .optional()
        .describe('Why; fraudulent also blocks the card and the e-mail address'),
      metadata,
    }),
    // A refund cannot be undone.
    { result: show, access: 'destroy' },
  ),
  row(
    'stripe_get_balance',
    'GET /v1/balance',
    'Get the balance: what is available and what is pending, by currency',
    () => ({}),
    { result: show },
  ),
];
