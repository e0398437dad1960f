// How Sentry sends webhooks. https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    issue: 'An issue was made, resolved or assigned; issue.created for one action',
    event_alert: 'A rule for alerts was met',
    metric_alert: 'A metric crossed a limit',
    error: 'An error came in',
  },
  check: { kind: 'hmac', header: 'sentry-hook-signature', encoding: 'hex' },
  id: [{ header: 'request-id' }],
  type: [{ header: 'sentry-hook-resource' }, { at: '/action' }],
  secret: 'theirs',
  setUp:
    'In Sentry open Settings, then Custom Integrations and Create New Integration. Enter the address as Webhook URL. The secret is the Client Secret of the integration.',
};
