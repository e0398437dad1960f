// How HubSpot sends webhooks. https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    'contact.creation': 'A contact was made',
    'contact.propertyChange': 'A contact was changed',
    'deal.creation': 'A deal was made',
    'deal.propertyChange': 'A deal was changed',
    'company.creation': 'A company was made',
  },
  check: {
    kind: 'hmac',
    header: 'x-hubspot-signature-v3',
    encoding: 'base64',
    signed: '{method}{url}{body}{time}',
    time: { in: { header: 'x-hubspot-request-timestamp' }, unit: 'ms' },
  },
  id: [{ at: '/eventId' }],
  type: [{ at: '/subscriptionType' }],
  isList: true,
  secret: 'theirs',
  setUp:
    'In HubSpot open your app, then Webhooks. Enter the address as Target URL and subscribe to the events. The secret is the Client secret of the app. Only the app itself can do this, so the gateway cannot.',
};
