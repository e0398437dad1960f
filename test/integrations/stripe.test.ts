// Tests Stripe: tool, arguments → expected requests; and its objects as a model reads them, against a fake that knows
// only the documented requests.
import { describe, expect, it, onTestFinished } from 'vitest';
import { stripe } from '../../integrations/stripe/manifest.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

const list = { data: [], has_more: false };
const customer = 'cus_7';
const since = { createdAfter: '2026-03-01T00:00:00Z', createdBefore: '2026-04-01T00:00:00+02:00' };
const SINCE = 'created[gte]=1772323200&created[lt]=1774994400';

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

/** Bodies are forms, shown here without their percent-encoding. */
const rows: readonly Row[] = [
  ['whoami', {}, 'GET /v1/account'],
  [
    'search',
    { resource: 'customers', query: 'email:"ana@example.com"', page: 'p2' },
    'GET /v1/customers/search?query=email:"ana@example.com"&limit=20&page=p2',
    [list],
  ],
  [
    'search',
    { resource: 'payment_intents', query: 'metadata["order"]:"42"', limit: 1 },
    'GET /v1/payment_intents/search?query=metadata["order"]:"42"&limit=1',
    [list],
  ],
  [
    'list_customers',
    { email: 'ana@example.com', startingAfter: 'cus_1', ...since },
    `GET /v1/customers?email=ana@example.com&limit=20&starting_after=cus_1&${SINCE}`,
    [list],
  ],
  [
    'create_customer',
    { email: 'ana@example.com', name: 'Ana & Söhne', address: { city: 'Köln', postal_code: '50667' } },
    'POST /v1/customers email=ana@example.com&name=Ana & Söhne&address[city]=Köln&address[postal_code]=50667',
  ],
  [
    'update_customer',
    { customer, phone: '+49 1', metadata: { orderId: '42', old: '' } },
    'POST /v1/customers/cus_7 phone=+49 1&metadata[orderId]=42&metadata[old]=',
  ],
  ['list_payments', { customer, limit: 5 }, 'GET /v1/payment_intents?customer=cus_7&limit=5', [list]],
  ['get_payment', { paymentIntent: 'pi_1' }, 'GET /v1/payment_intents/pi_1?expand[]=latest_charge'],
  [
    'create_refund',
    { paymentIntent: 'pi_1', amount: 500, reason: 'requested_by_customer' },
    'POST /v1/refunds payment_intent=pi_1&amount=500&reason=requested_by_customer',
  ],
  ['get_balance', {}, 'GET /v1/balance'],
  [
    'list_invoices',
    { customer, subscription: 'sub_1', status: 'open' },
    'GET /v1/invoices?customer=cus_7&subscription=sub_1&status=open&limit=20',
    [list],
  ],
  ['get_invoice', { invoice: 'in_1' }, 'GET /v1/invoices/in_1'],
  [
    'create_invoice',
    {
      customer,
      currency: 'EUR',
      items: [
        { description: 'Hours', amount: 12_000 },
        { price: 'price_1', quantity: 2 },
      ],
      daysUntilDue: 14,
      description: 'March',
    },
    [
      'POST /v1/invoices customer=cus_7&currency=eur&description=March&collection_method=send_invoice&days_until_due=14&auto_advance=false&pending_invoice_items_behavior=exclude',
      'POST /v1/invoiceitems customer=cus_7&invoice=in_1&amount=12000&currency=eur&description=Hours',
      'POST /v1/invoiceitems customer=cus_7&invoice=in_1&pricing[price]=price_1&quantity=2',
      'GET /v1/invoices/in_1',
    ],
    [{ id: 'in_1' }],
  ],
  ['send_invoice', { invoice: 'in_1' }, 'POST /v1/invoices/in_1/send '],
  [
    'list_subscriptions',
    { customer, price: 'price_1', status: 'all' },
    'GET /v1/subscriptions?customer=cus_7&price=price_1&status=all&limit=20',
    [list],
  ],
  [
    'update_subscription',
    {
      subscription: 'sub_1',
      cancelAtPeriodEnd: true,
      items: [{ id: 'si_1', quantity: 3 }],
      prorationBehavior: 'none',
    },
    'POST /v1/subscriptions/sub_1 cancel_at_period_end=true&items[0][id]=si_1&items[0][quantity]=3&proration_behavior=none',
  ],
  [
    'cancel_subscription',
    { subscription: 'sub_1', prorate: true, invoiceNow: false },
    'DELETE /v1/subscriptions/sub_1?prorate=true&invoice_now=false',
  ],
  ['list_products', { active: true }, 'GET /v1/products?active=true&limit=20', [list]],
  [
    'create_product',
    { name: 'Plan', unitAmount: 1000, currency: 'eur', recurring: { interval: 'month' } },
    'POST /v1/products name=Plan&default_price_data[currency]=eur&default_price_data[unit_amount]=1000&default_price_data[recurring][interval]=month&default_price_data[recurring][interval_count]=1',
  ],
  ['create_product', { name: 'Größe' }, 'POST /v1/products name=Größe'],
  [
    'list_prices',
    { product: 'prod_1', type: 'recurring' },
    'GET /v1/prices?product=prod_1&type=recurring&limit=20',
    [list],
  ],
  [
    'create_price',
    {
      product: 'prod_1',
      unitAmount: 990,
      currency: 'EUR',
      recurring: { interval: 'year', intervalCount: 2 },
    },
    'POST /v1/prices product=prod_1&unit_amount=990&currency=eur&recurring[interval]=year&recurring[interval_count]=2',
  ],
  [
    'create_payment_link',
    { lineItems: [{ price: 'price_1' }], metadata: { order: '42' } },
    'POST /v1/payment_links line_items[0][price]=price_1&line_items[0][quantity]=1&metadata[order]=42',
  ],
];

/** Undoes the percent-encoding of the form behind a request. */
const readable = (line: string): string => {
  const [, request = '', form = ''] = /^(POST \S+ )(.*)$/.exec(line) ?? [line, line];
  const fields = [...new URLSearchParams(form)].map(([name, value]) => `${name}=${value}`);
  return request + fields.join('&');
};

describe('stripe', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, requests, answers] = row;
    const lines = await sent(stripe, `stripe_${name}`, args, answers);
    expect(lines.map(readable)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `stripe_${name}`));
    expect(names).toEqual(new Set(stripe.tools.map(({ name }) => name)));
  });

  it('says which draft lacks lines when a line is refused', async () => {
    const refusal = { error: { type: 'invalid_request_error', message: 'No such price: price_9' } };
    const args = { customer, currency: 'eur', items: [{ price: 'price_9' }] };
    const answers = [{ id: 'in_1' }, Response.json(refusal, { status: 400 })];
    await expect(sent(stripe, 'stripe_create_invoice', args, answers)).rejects.toThrow(
      /The draft in_1 was created, but lacks lines: 400: .*No such price: price_9/,
    );
  });

  it('asks for a currency before it creates a product with a price', async () => {
    await expect(sent(stripe, 'stripe_create_product', { name: 'a', unitAmount: 1 })).rejects.toThrow(
      'Give unitAmount and currency together',
    );
  });
});

const PAYMENT = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 1050,
  currency: 'eur',
  created: 1772323200,
  status: 'succeeded',
  client_secret: 'pi_1_secret_x',
  shipping: null,
  metadata: {},
  latest_charge: {
    id: 'ch_1',
    object: 'charge',
    paid: true,
    receipt_url: 'https://pay.stripe.com/receipts/x',
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', last4: '4242', network: 'visa', checks: { cvc_check: 'pass' } },
    },
  },
};
const SUBSCRIPTION = {
  id: 'sub_1',
  object: 'subscription',
  status: 'active',
  customer: 'cus_7',
  automatic_tax: { enabled: false },
  items: {
    object: 'list',
    url: '/v1/subscription_items',
    data: [
      {
        id: 'si_1',
        object: 'subscription_item',
        quantity: 1,
        current_period_end: 1774994400,
        price: { id: 'price_1', object: 'price', unit_amount: 990, currency: 'eur', livemode: true },
      },
    ],
  },
};
const ANSWERS: Record<string, unknown> = {
  'GET /v1/account': {
    id: 'acct_7',
    object: 'account',
    settings: { dashboard: { display_name: 'Größe AG' } },
  },
  'GET /v1/payment_intents/pi_1?expand[]=latest_charge': PAYMENT,
  'GET /v1/subscriptions?customer=cus_7&limit=20': { object: 'list', data: [SUBSCRIPTION], has_more: true },
  'GET /v1/customers/search?query=name:"a"&limit=20': {
    object: 'search_result',
    data: [],
    has_more: true,
    next_page: 'p2',
  },
};

/** Connects to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Person> {
  const server = await startHttpServer((request, response) => {
    const known = ANSWERS[decodeURIComponent(`${request.method} ${request.url}`)];
    const { authorization } = request.headers;
    const isOurs =
      authorization === 'Bearer rk_test_ana' && request.headers['stripe-version'] === '2026-07-29.dahlia';
    const status = isOurs ? (known === undefined ? 404 : 200) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    const error = { type: 'invalid_request_error', message: `Unrecognized request URL (${request.url})` };
    response.end(JSON.stringify(status === 200 ? known : { error }));
  });
  const app = await createTestApp({
    env: { UPSTREAM_MAP: `https://api.stripe.com=http://127.0.0.1:${server.port}` },
  });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const connected = await person.post('/api/auth/apikey/stripe', { values: { apiKey: 'rk_test_ana' } });
  expect(connected).toMatchObject({ status: 200, body: { account: { id: 'acct_7', label: 'Größe AG' } } });
  return person;
}

describe('a connection to Stripe', () => {
  it('shows what a payment says, with times as dates, and without its secret', async () => {
    const person = await connect();
    expect(await person.run('stripe_get_payment', { paymentIntent: 'pi_1' })).toEqual({
      id: 'pi_1',
      amount: 1050,
      currency: 'eur',
      created: '2026-03-01T00:00:00.000Z',
      status: 'succeeded',
      latest_charge: {
        id: 'ch_1',
        receipt_url: 'https://pay.stripe.com/receipts/x',
        payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
      },
    });
    expect(await person.run('stripe_whoami')).toEqual({ id: 'acct_7', name: 'Größe AG' });
  });

  it('shows lists inside of objects, and where the next page begins', async () => {
    const person = await connect();
    expect(await person.run('stripe_list_subscriptions', { customer })).toEqual({
      results: [
        {
          id: 'sub_1',
          status: 'active',
          customer: 'cus_7',
          items: [
            {
              id: 'si_1',
              quantity: 1,
              current_period_end: '2026-03-31T22:00:00.000Z',
              price: { id: 'price_1', unit_amount: 990, currency: 'eur' },
            },
          ],
        },
      ],
      startingAfter: 'sub_1',
    });
    expect(await person.run('stripe_search', { resource: 'customers', query: 'name:"a"' })).toEqual({
      results: [],
      page: 'p2',
    });
  });

  it("passes on Stripe's message", async () => {
    const person = await connect();
    await expect(person.run('stripe_get_invoice', { invoice: 'in_9' })).rejects.toThrow(
      /404: .*Unrecognized request URL/,
    );
  });
});
