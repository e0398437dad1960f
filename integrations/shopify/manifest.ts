// Shopify: the Admin API of one shop, which is GraphQL.
import { defineIntegration } from '../../src/kit/integration.ts';
import { catalog } from './catalog.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { orders } from './orders.ts';
import { words } from './words.ts';

export const shopify = defineIntegration({
  name: 'shopify',
  version: '1.0.0',
  displayName: 'Shopify',
  description: 'Orders, products, customers, inventory and fulfilment of your shop',
  categories: ['sales'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'token',
        label: 'Admin API access token',
        secret: true,
        required: true,
        placeholder: 'shpat_…',
        help: 'Settings, Apps, Develop apps: of an app that is installed, with the scopes for orders, products, customers and inventory',
      },
    ],
  },
  instance: { required: true, example: 'https://acme.myshopify.com' },
  api: {
    base: { instancePath: '/admin/api/2026-04' },
    credential: { in: 'headers', headers: { 'X-Shopify-Access-Token': '{token}' } },
    // Every GraphQL request has the same address and method: its text reads, changes or deletes.
    methodsMeanNothing: true,
  },
  probe: {
    request: 'POST /graphql.json',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{shop{id name}}"}',
    id: '/data/shop/id',
    label: '/data/shop/name',
  },
  revoke: { at: '{instance}/admin/settings/apps/development' },
  hooks,
  words,
  tools: [...orders, ...catalog],
});
