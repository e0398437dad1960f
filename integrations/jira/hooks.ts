// How Jira sends webhooks. https://developer.atlassian.com/cloud/jira/platform/webhooks/
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    'jira:issue_created': 'An issue was made',
    'jira:issue_updated': 'An issue was changed',
    'jira:issue_deleted': 'An issue was deleted',
    comment_created: 'Somebody commented',
  },
  check: { kind: 'hmac', header: 'x-hub-signature', encoding: 'hex', prefix: 'sha256=' },
  id: [{ header: 'x-atlassian-webhook-identifier' }],
  type: [{ at: '/webhookEvent' }],
  secret: 'ours',
  setUp:
    'In Jira open Settings, then System, WebHooks and Create a WebHook. Enter the address and the secret, and choose the events.',
  registration: {
    args: { name: 'What Jira calls the webhook' },
    add: {
      method: 'POST',
      path: '/rest/webhooks/1.0/webhook',
      body: { name: '{name}', url: '{url}', events: ['{event}'], secret: '{secret}', excludeBody: false },
    },
    // Jira gives these webhooks to administrators only, and not to apps that people have signed in to.
    unless: {
      config: 'cloudId',
      why: 'Jira makes webhooks for an API token of an administrator, and not for a sign-in',
    },
    id: '/self',
    remove: { method: 'DELETE', path: '/rest/webhooks/1.0/webhook/{id}' },
  },
};
