// How Stripe sends webhooks. https://docs.stripe.com/webhooks
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    'checkout.session.completed': 'Somebody finished a checkout',
    'invoice.paid': 'An invoice was paid',
    'invoice.payment_failed': 'An invoice could not be paid',
    'customer.subscription.deleted': 'A subscription ended',
    'charge.refunded': 'A charge was refunded',
    'charge.dispute.created': 'A charge was disputed',
  },
  check: {
    kind: 'hmac',
    header: 'stripe-signature',
    encoding: 'hex',
    list: { separator: ',', assign: '=', name: 'v1', time: 't' },
    signed: '{time}.{body}',
    time: { unit: 's' },
  },
  id: [{ at: '/id' }],
  type: [{ at: '/type' }],
  secret: 'theirs',
  setUp:
    'In the Stripe dashboard open Developers, then Webhooks and Add destination. Enter the address and choose the events. Stripe shows the signing secret.',
  registration: {
    args: {},
    add: {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      type: 'form',
      body: { url: '{url}', 'enabled_events[]': '{event}' },
    },
    takesAll: true,
    id: '/id',
    secret: '/secret',
    remove: { method: 'DELETE', path: '/v1/webhook_endpoints/{id}' },
  },
};
