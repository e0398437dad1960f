// Tests Shopify: tool, arguments → expected variables; and errors of GraphQL, against a fake shop.
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { shopify } from '../../integrations/shopify/manifest.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createPerson } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

const O = 'gid://shopify/Order/1';
const P = 'gid://shopify/Product/1';

/** The root field of the document, and the variables. */
const rows: readonly (readonly [name: string, args: object, field: string, variables: object])[] = [
  ['whoami', {}, 'shop', {}],
  [
    'list_orders',
    { query: 'financial_status:paid', after: 'c' },
    'orders',
    { first: 20, after: 'c', query: 'financial_status:paid', sortKey: 'CREATED_AT', reverse: true },
  ],
  ['get_order', { id: O }, 'order', { id: O }],
  [
    'update_order',
    { id: O, note: 'Größe', tags: ['vip'] },
    'orderUpdate',
    { input: { id: O, note: 'Größe', tags: ['vip'] } },
  ],
  [
    'cancel_order',
    { orderId: O, reason: 'CUSTOMER', refund: true, restock: true },
    'orderCancel',
    {
      orderId: O,
      reason: 'CUSTOMER',
      refund: { originalPaymentMethodsRefund: true },
      restock: true,
      notifyCustomer: false,
    },
  ],
  [
    'create_fulfillment',
    {
      lineItemsByFulfillmentOrder: [
        { fulfillmentOrderId: 'f', fulfillmentOrderLineItems: [{ id: 'l', quantity: 1 }] },
      ],
      trackingInfo: { company: 'DHL', number: '1' },
    },
    'fulfillmentCreate',
    {
      input: {
        lineItemsByFulfillmentOrder: [
          { fulfillmentOrderId: 'f', fulfillmentOrderLineItems: [{ id: 'l', quantity: 1 }] },
        ],
        trackingInfo: { company: 'DHL', number: '1' },
        notifyCustomer: false,
      },
    },
  ],
  ['list_customers', { query: 'tag:vip', first: 1 }, 'customers', { first: 1, query: 'tag:vip' }],
  [
    'update_customer',
    { id: 'c', lastName: 'Müller' },
    'customerUpdate',
    { input: { id: 'c', lastName: 'Müller' } },
  ],
  [
    'list_products',
    { sortKey: 'TITLE', reverse: false },
    'products',
    { first: 20, sortKey: 'TITLE', reverse: false },
  ],
  ['get_product', { id: P }, 'product', { id: P }],
  [
    'create_product',
    { title: 'Shirt', descriptionHtml: '**Soft** & warm' },
    'productCreate',
    {
      input: { title: 'Shirt', descriptionHtml: '<p><strong>Soft</strong> &amp; warm</p>', status: 'DRAFT' },
    },
  ],
  [
    'update_product',
    { id: P, status: 'ARCHIVED' },
    'productUpdate',
    { input: { id: P, status: 'ARCHIVED' } },
  ],
  [
    'update_variants',
    { productId: P, variants: [{ id: 'v', price: '19.90' }] },
    'productVariantsBulkUpdate',
    { productId: P, variants: [{ id: 'v', price: '19.90' }] },
  ],
  ['list_inventory', { query: 'sku:TS-1' }, 'productVariants', { first: 20, query: 'sku:TS-1' }],
  ['list_locations', {}, 'locations', { first: 20 }],
  [
    'adjust_inventory',
    { key: 'k', changes: [{ inventoryItemId: 'i', locationId: 'l', delta: -2 }] },
    'inventoryAdjustQuantities',
    {
      key: 'k',
      input: {
        name: 'available',
        reason: 'correction',
        changes: [{ inventoryItemId: 'i', locationId: 'l', delta: -2, changeFromQuantity: null }],
      },
    },
  ],
];

const Sent = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()) });

describe('shopify', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends its variables', async (_, row) => {
    const [name, args, field, variables] = row;
    const [line = ''] = await sent(shopify, `shopify_${name}`, args, [{ data: { [field]: {} } }]);
    expect(line).toMatch(/^POST \/graphql\.json /);
    const { query, variables: given } = Sent.parse(JSON.parse(line.slice(line.indexOf('{'))));
    expect(query).toMatch(new RegExp(`^(query|mutation)[^{]*\\{${field}\\b`));
    expect(given).toEqual(variables);
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `shopify_${name}`));
    expect(names).toEqual(new Set(shopify.tools.map(({ name }) => name)));
  });

  it('connects with the address of the shop, sends the token in its header, and passes on errors', async () => {
    const paths: (string | undefined)[] = [];
    const server = await startHttpServer((request, response) => {
      paths.push(request.url);
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      const isOurs = request.headers['x-shopify-access-token'] === 'shpat_ana';
      response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
      const refusal = {
        errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
      };
      const denied = { errors: [{ message: 'Access denied for orders field.' }], data: null };
      const shop = { data: { shop: { id: 'gid://shopify/Shop/7', name: 'Größe' } } };
      request.on('end', () =>
        response.end(JSON.stringify(isOurs ? (body.includes('orders(') ? denied : shop) : refusal)),
      );
    });
    const app = await createTestApp({
      env: { UPSTREAM_MAP: `https://acme.myshopify.com=http://127.0.0.1:${server.port}` },
    });
    onTestFinished(async () => {
      await app.close();
      await server.close();
    });
    const ana = await createPerson(app);
    const enter = (token: string) =>
      ana.post('/api/auth/apikey/shopify', { values: { token, instanceUrl: 'https://acme.myshopify.com' } });
    expect(await enter('shpat_wrong')).toMatchObject({ status: 400 });
    expect(await enter('shpat_ana')).toMatchObject({
      status: 200,
      body: { account: { id: 'gid://shopify/Shop/7', label: 'Größe' } },
    });
    expect(await ana.run('shopify_whoami')).toEqual({ id: 'gid://shopify/Shop/7', name: 'Größe' });
    await expect(ana.run('shopify_list_orders')).rejects.toThrow('Access denied for orders field.');
    expect(new Set(paths)).toEqual(new Set(['/admin/api/2026-04/graphql.json']));
  });
});
