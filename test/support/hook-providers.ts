// How each service signs what it sends, as its documentation and its own libraries do it.
import { createHmac } from 'node:crypto';
import { sign as signForGitHub } from '@octokit/webhooks-methods';
import { Signature } from '@hubspot/api-client';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { shopifyApi } from '@shopify/shopify-api';
// oxlint-disable-next-line import/no-unassigned-import -- it gives the package its runtime
import '@shopify/shopify-api/adapters/node';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';

export const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const base64 = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64');

export interface SentHook {
  body: string;
  headers: Record<string, string>;
}

export interface HookProvider {
  integration: string;
  event: string;
  type: string;
  /** The secret of a service that makes it. */
  secret?: string;
  /** Whether an old delivery can be told. */
  isTimed: boolean;
  send: (secret: string, id: string, now: number, url: string) => Promise<SentHook> | SentHook;
  /** Whether somebody else's library takes what was sent. Absent where none installs: the rule of its documentation. */
  judge?: (secret: string, sent: SentHook, url: string) => Promise<boolean> | boolean;
}

const STRIPE = new Stripe('sk_test_x');
export const HOOK_PROVIDERS: readonly HookProvider[] = [
  {
    integration: 'github',
    event: 'issues',
    type: 'issues.opened',
    isTimed: false,
    send: async (secret, id) => {
      const body = JSON.stringify({ action: 'opened', issue: { number: 1, title: 'Ünï 😀' } });
      const headers = { 'x-github-event': 'issues', 'x-github-delivery': id };
      return { body, headers: { ...headers, 'x-hub-signature-256': await signForGitHub(secret, body) } };
    },
  },
  {
    integration: 'gitlab',
    event: 'Push Hook',
    type: 'Push Hook',
    isTimed: false,
    send: (secret, id) => ({
      body: '{"object_kind":"push"}',
      headers: { 'x-gitlab-event': 'Push Hook', 'idempotency-key': id, 'x-gitlab-token': secret },
    }),
  },
  {
    integration: 'slack',
    event: 'message',
    type: 'message',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    isTimed: true,
    send: (secret, id, now) => {
      const body = JSON.stringify({ type: 'event_callback', event_id: id, event: { type: 'message' } });
      const time = String(now);
      return {
        body,
        headers: {
          'x-slack-request-timestamp': time,
          'x-slack-signature': `v0=${hex(secret, `v0:${time}:${body}`)}`,
        },
      };
    },
  },
  {
    integration: 'linear',
    event: 'Issue',
    type: 'Issue.create',
    isTimed: true,
    send: (secret, id, now) => {
      const body = JSON.stringify({ action: 'create', type: 'Issue', webhookTimestamp: now * 1000 });
      return {
        body,
        headers: { 'linear-delivery': id, 'linear-event': 'Issue', 'linear-signature': hex(secret, body) },
      };
    },
    judge: (secret, { body, headers }) =>
      new LinearWebhookClient(secret).verify(Buffer.from(body), headers['linear-signature'] ?? ''),
  },
  {
    integration: 'jira',
    event: 'jira:issue_created',
    type: 'jira:issue_created',
    isTimed: false,
    send: (secret, id) => {
      const body = '{"webhookEvent":"jira:issue_created","issue":{"key":"A-1"}}';
      return {
        body,
        headers: { 'x-atlassian-webhook-identifier': id, 'x-hub-signature': `sha256=${hex(secret, body)}` },
      };
    },
  },
  {
    integration: 'stripe',
    event: 'invoice.paid',
    type: 'invoice.paid',
    secret: 'whsec_test_secret',
    isTimed: true,
    send: (secret, id, now) => {
      const body = JSON.stringify({ id, object: 'event', type: 'invoice.paid' });
      const header = STRIPE.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: now });
      return { body, headers: { 'stripe-signature': header } };
    },
  },
  {
    integration: 'sentry',
    event: 'issue',
    type: 'issue.created',
    secret: 'client-secret',
    isTimed: false,
    send: (secret, id) => {
      const body = '{"action":"created","data":{}}';
      return {
        body,
        headers: {
          'sentry-hook-resource': 'issue',
          'request-id': id,
          'sentry-hook-signature': hex(secret, body),
        },
      };
    },
  },
  {
    integration: 'pagerduty',
    event: 'incident.triggered',
    type: 'incident.triggered',
    secret: 'pd-secret',
    isTimed: false,
    send: (secret, id) => {
      const body = JSON.stringify({ event: { id, event_type: 'incident.triggered' } });
      return { body, headers: { 'x-pagerduty-signature': `v1=${hex('old', body)},v1=${hex(secret, body)}` } };
    },
  },
  {
    integration: 'hubspot',
    event: 'contact.creation',
    type: 'contact.creation',
    secret: 'hubspot-secret',
    isTimed: true,
    send: (secret, id, now, url) => {
      const body = JSON.stringify([{ eventId: id, subscriptionType: 'contact.creation' }]);
      const time = String(now * 1000);
      return {
        body,
        headers: {
          'x-hubspot-request-timestamp': time,
          'x-hubspot-signature-v3': base64(secret, `POST${url}${body}${time}`),
        },
      };
    },
    judge: (secret, { body, headers }, url) =>
      headers['x-hubspot-signature-v3'] ===
      Signature.getSignature('POST', 'v3', {
        clientSecret: secret,
        requestBody: body,
        url,
        timestamp: Number(headers['x-hubspot-request-timestamp']),
        signature: '',
      }),
  },
  {
    integration: 'shopify',
    event: 'orders/create',
    type: 'orders/create',
    secret: 'shopify-secret',
    isTimed: false,
    send: (secret, id) => {
      const body = '{"id":820982911946154508}';
      return {
        body,
        headers: {
          'x-shopify-topic': 'orders/create',
          'x-shopify-event-id': id,
          'x-shopify-webhook-id': id,
          'x-shopify-api-version': '2026-04',
          'x-shopify-shop-domain': 'shop.myshopify.com',
          'x-shopify-hmac-sha256': base64(secret, body),
        },
      };
    },
    judge: async (secret, { body, headers }, url) => {
      const shopify = shopifyApi({
        apiSecretKey: secret,
        apiKey: 'key',
        hostName: 'example.com',
        isEmbeddedApp: false,
        apiVersion: '2026-04' as never,
        logger: { log: () => {} },
      });
      // The adapter for Node takes its requests.
      const rawRequest = { method: 'POST', url, headers };
      return (await shopify.webhooks.validate({ rawBody: body, rawRequest })).valid;
    },
  },
  {
    integration: 'cal_com',
    event: 'BOOKING_CREATED',
    type: 'BOOKING_CREATED',
    isTimed: false,
    send: (secret, id) => {
      const body = JSON.stringify({ triggerEvent: 'BOOKING_CREATED', createdAt: id });
      return { body, headers: { 'x-cal-signature-256': hex(secret, body) } };
    },
  },
  {
    integration: 'webhook',
    event: 'standard',
    type: 'user.created',
    isTimed: true,
    send: (secret, id, now) => {
      const body = '{"type":"user.created"}';
      const time = new Date(now * 1000);
      return {
        body,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(now),
          'webhook-signature': new Webhook(secret).sign(id, time, body),
        },
      };
    },
  },
  {
    integration: 'webhook',
    event: 'header',
    type: 'ping',
    isTimed: false,
    send: (secret, id) => ({
      body: '{"type":"ping"}',
      headers: { 'x-webhook-secret': secret, 'idempotency-key': id },
    }),
  },
];
