// Stripe: customers, payments and billing of an account. A key is for live data or for test data.
import { defineIntegration } from '../../src/kit/integration.ts';
import { billing } from './billing.ts';
import { catalog } from './catalog.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { payments } from './payments.ts';
import { words } from './words.ts';

export const stripe = defineIntegration({
  name: 'stripe',
  version: '1.0.0',
  displayName: 'Stripe',
  description: 'Customers, payments, invoices, subscriptions, products and prices',
  categories: ['payments'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'apiKey',
        label: 'Restricted API key',
        secret: true,
        required: true,
        placeholder: 'rk_live_…',
        help: 'Developers, API keys, Create restricted key: allow only what an agent should do',
      },
    ],
  },
  api: {
    base: 'https://api.stripe.com',
    credential: { in: 'bearer' },
    headers: { 'stripe-version': '2026-07-29.dahlia' },
    // Every POST takes a key of the caller, and the answer to it is kept for a day.
    idempotency: { header: 'idempotency-key' },
    // A POST also cancels, voids and refunds.
    methodsMeanNothing: 'except GET',
  },
  probe: { request: 'GET /v1/account', id: '/id', label: '/settings/dashboard/display_name' },
  revoke: { at: 'https://dashboard.stripe.com/apikeys' },
  hooks,
  words,
  tools: [...payments, ...billing, ...catalog],
});
