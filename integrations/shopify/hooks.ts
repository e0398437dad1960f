// How Shopify sends webhooks. https://shopify.dev/docs/apps/build/webhooks
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    'orders/create': 'Somebody ordered',
    'orders/paid': 'An order was paid',
    'orders/cancelled': 'An order was cancelled',
    'products/update': 'A product was changed',
    'customers/create': 'A customer was made',
  },
  check: { kind: 'hmac', header: 'x-shopify-hmac-sha256', encoding: 'base64' },
  id: [{ header: 'x-shopify-event-id' }, { header: 'x-shopify-webhook-id' }],
  type: [{ header: 'x-shopify-topic' }],
  secret: 'theirs',
  setUp:
    'In the Shopify admin open Settings, then Notifications and Webhooks, and create one with the address and the format JSON. That page shows the secret. For an app it is the secret of its client.',
  registration: {
    args: {},
    add: {
      method: 'POST',
      path: '/webhooks.json',
      body: { webhook: { topic: '{event}', address: '{url}', format: 'json' } },
    },
    id: '/webhook/id',
    remove: { method: 'DELETE', path: '/webhooks/{id}.json' },
  },
};
