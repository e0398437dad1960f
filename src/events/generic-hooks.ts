// The recipes for senders that no integration knows.
import type { HookRecipe } from '../kit/hooks.ts';

export const GENERIC = 'webhook';

const BODY_TYPE = [{ at: '/type' }, { at: '/event' }];

/** The keys are the names that people subscribe to. Each takes whatever its sender sends. */
export const genericHooks: Readonly<Record<string, HookRecipe>> = {
  standard: {
    events: { standard: 'Any sender that signs by Standard Webhooks' },
    check: {
      kind: 'hmac',
      header: 'webhook-signature',
      encoding: 'base64',
      list: { separator: ' ', assign: ',', name: 'v1' },
      signed: '{id}.{time}.{body}',
      time: { in: { header: 'webhook-timestamp' }, unit: 's' },
      secretForm: 'whsec',
    },
    id: [{ header: 'webhook-id' }],
    type: BODY_TYPE,
    secret: 'ours',
    setUp: 'Add an endpoint with the address, and let both sides have the secret.',
  },
  header: {
    events: { header: 'Any sender that puts a secret into the header X-Webhook-Secret' },
    check: { kind: 'token', header: 'x-webhook-secret' },
    id: [{ header: 'idempotency-key' }, { header: 'x-event-id' }, { header: 'webhook-id' }],
    type: BODY_TYPE,
    secret: 'ours',
    setUp:
      'Send to the address by POST, with the secret in the header X-Webhook-Secret. An Idempotency-Key makes a repeat known.',
  },
  hook_secret: {
    events: {
      hook_secret: 'A sender that gives its secret in a first request, as Asana does (X-Hook-Secret)',
    },
    check: { kind: 'hmac', header: 'x-hook-signature', encoding: 'hex' },
    type: BODY_TYPE,
    secret: 'theirs',
    handshake: 'hook-secret',
    setUp: 'Name the address as the target. The sender gives its secret to the gateway by itself.',
  },
  challenge: {
    events: { challenge: 'A sender that first asks with GET ?challenge=, as Dropbox does' },
    check: { kind: 'hmac', header: 'x-dropbox-signature', encoding: 'hex' },
    type: BODY_TYPE,
    secret: 'theirs',
    handshake: 'get-challenge',
    setUp: 'Enter the address as the webhook URI, and set the secret of the app for this subscription.',
  },
};
