// How PagerDuty sends webhooks. https://developer.pagerduty.com/docs/webhooks-overview
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    'incident.triggered': 'An incident began',
    'incident.acknowledged': 'Somebody took an incident',
    'incident.resolved': 'An incident ended',
    'incident.escalated': 'An incident was escalated',
  },
  check: {
    kind: 'hmac',
    header: 'x-pagerduty-signature',
    encoding: 'hex',
    list: { separator: ',', assign: '=', name: 'v1' },
  },
  id: [{ at: '/event/id' }],
  type: [{ at: '/event/event_type' }],
  secret: 'theirs',
  setUp:
    'In PagerDuty open Integrations, then Generic Webhooks (v3) and New Webhook, and enter the address. PagerDuty shows the secret once.',
};
