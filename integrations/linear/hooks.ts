// How Linear sends webhooks. https://linear.app/developers/webhooks
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    Issue: 'An issue was made, changed or removed; Issue.create for one action',
    Comment: 'Somebody commented',
    Project: 'A project was made or changed',
    Cycle: 'A cycle was made or changed',
  },
  check: {
    kind: 'hmac',
    header: 'linear-signature',
    encoding: 'hex',
    time: { in: { at: '/webhookTimestamp' }, unit: 'ms' },
  },
  id: [{ header: 'linear-delivery' }],
  type: [{ header: 'linear-event' }, { at: '/action' }],
  secret: 'ours',
  setUp:
    'In Linear open Settings, then API and New webhook, and enter the address. Linear shows the signing secret: set it for this subscription.',
  registration: {
    args: {},
    add: {
      method: 'POST',
      path: '/graphql',
      body: {
        query:
          'mutation($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }',
        variables: {
          input: { url: '{url}', secret: '{secret}', resourceTypes: ['{event}'], allPublicTeams: true },
        },
      },
    },
    id: '/data/webhookCreate/webhook/id',
    remove: {
      method: 'POST',
      path: '/graphql',
      body: {
        query: 'mutation($id: String!) { webhookDelete(id: $id) { success } }',
        variables: { id: '{id}' },
      },
    },
  },
};
