// Checks that deliveries are taken when their service has signed them, and only then. Libraries of the services sign. reference: Webhooks
import { createHmac } from 'node:crypto';
import { sign as signForGitHub } from '@octokit/webhooks-methods';
import { Signature } from '@hubspot/api-client';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { shopifyApi } from '@shopify/shopify-api';
// oxlint-disable-next-line import/no-unassigned-import -- it gives the package its runtime
import '@shopify/shopify-api/adapters/node';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver, pathOf, readAll, runTool, subscribe } from '../support/events.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let users = 0;
beforeAll(async () => {
  // Libraries of the services look at the real time.
  app = await createTestApp({ now: Math.floor(Date.now() / 1000) });
});
afterAll(() => app.close());

const someone = () => app.user(`hooks${users++}@example.com`);
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const base64 = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64');

interface Sent {
  body: string;
  headers: Record<string, string>;
}

interface Provider {
  integration: string;
  event: string;
  type: string;
  /** The secret of a service that makes it. */
  secret?: string;
  /** Whether an old delivery can be told. */
  isTimed: boolean;
  send: (secret: string, id: string, now: number, url: string) => Promise<Sent> | Sent;
  /** Whether somebody else's library takes what was sent. Absent where none installs: the rule of its documentation. */
  judge?: (secret: string, sent: Sent, url: string) => Promise<boolean> | boolean;
}

const STRIPE = new Stripe('sk_test_x');
const PROVIDERS: Provider[] = [
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

describe('deliveries', () => {
  it.each(PROVIDERS)('of $integration ($event) are taken when they are right', async (provider) => {
    const { integration, event, type, secret, isTimed, send, judge } = provider;
    const ana = await someone();
    const to = await subscribe(app, ana, {
      integration,
      event,
      args: secret === undefined ? {} : { secret },
    });
    const theirs = secret ?? to.secret;
    const now = app.clock.now();
    const right = await send(theirs, 'delivery-1', now, to.address);
    if (judge !== undefined) expect(await judge(theirs, right, to.address)).toBe(true);

    const taken = await deliver(app, to, right.body, right.headers);
    expect([taken.status, await taken.json()]).toEqual([200, { received: true }]);
    const { events, cursor } = await readAll(app, ana);
    expect(events).toMatchObject([{ integration, type, subscription: to.id }]);

    expect((await deliver(app, to, right.body, right.headers)).status).toBe(200);
    expect((await readAll(app, ana, { cursor })).events).toEqual([]);

    const wrongSecret = event === 'standard' ? `whsec_${btoa('another secret of nobody')}` : 'another secret';
    const forged = await send(wrongSecret, 'delivery-2', now, to.address);
    expect((await deliver(app, to, forged.body, forged.headers)).status).toBe(401);
    const changed = await send(theirs, 'delivery-3', now, to.address);
    if (provider.event !== 'header' && integration !== 'gitlab')
      expect((await deliver(app, to, `${changed.body} `, changed.headers)).status).toBe(401);
    expect((await deliver(app, to, right.body)).status).toBe(401);
    const old = await send(theirs, 'delivery-4', now - 600, to.address);
    expect((await deliver(app, to, old.body, old.headers)).status).toBe(isTimed ? 401 : 200);

    const [listed] = (await runTool(app, ana, 'events_list')).body.result.subscriptions;
    expect(listed).toMatchObject({ id: to.id, lastDelivery: now });
    await runTool(app, ana, 'events_unsubscribe', { id: to.id });
    expect((await deliver(app, to, right.body, right.headers)).status).toBe(404);
  });

  it('takes the example of the documentation of Slack', async () => {
    const secret = '8f742231b10e8888abcd99yyyzzz85a5';
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const past = await createTestApp({ now: 1_531_420_618 });
    try {
      const bea = await past.user('bea@example.com');
      const to = await subscribe(past, bea, { integration: 'slack', event: '*', args: { secret } });
      const headers = {
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      };
      expect((await deliver(past, to, body, headers)).status).toBe(200);
    } finally {
      await past.close();
    }
  });
});

describe('addresses', () => {
  it('answer alike whether they are unknown, malformed or ended', async () => {
    for (const path of ['/hooks/x', `/hooks/${'A'.repeat(43)}`]) {
      const response = await app.request(path, { method: 'POST', body: '{}' });
      expect([response.status, await response.json()]).toEqual([404, { error: 'There is no such address' }]);
    }
  });

  it('take a body of a megabyte, and no larger one', async () => {
    const ana = await someone();
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    const headers = { 'x-webhook-secret': to.secret };
    expect((await deliver(app, to, 'x'.repeat(1024 * 1024), headers)).status).toBe(200);
    expect((await deliver(app, to, 'x'.repeat(1024 * 1024 + 1), headers)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 20; n++) controller.enqueue(new Uint8Array(64 * 1024));
        controller.close();
      },
    });
    const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
    expect((await app.request(pathOf(to), init)).status).toBe(413);
  });

  it('show their secret once', async () => {
    const ana = await someone();
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'standard' });
    const listed = JSON.stringify((await runTool(app, ana, 'events_list')).body);
    expect(listed).not.toContain(to.secret);
    expect(listed).not.toContain(pathOf(to).slice('/hooks/'.length));
  });

  it('take the old secret beside a new one for a day', async () => {
    const ana = await someone();
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    const response = await app.request(`/api/events/${to.id}/secret`, {
      method: 'PUT',
      headers: ana.sessionHeader,
      body: '{}',
    });
    const { secret } = await response.json();
    const status = async (given: string) =>
      (await deliver(app, to, '{}', { 'x-webhook-secret': given })).status;
    expect([await status(secret), await status(to.secret)]).toEqual([200, 200]);
    app.clock.advance(24 * 60 * 60);
    expect([await status(secret), await status(to.secret)]).toEqual([200, 401]);
  });

  it('keep a bound a minute, which forgeries do not spend', async () => {
    const ana = await someone();
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    const id = { 'idempotency-key': 'one' };
    expect((await deliver(app, to, '{}', { ...id, 'x-webhook-secret': to.secret })).status).toBe(200);
    for (let n = 0; n < 50; n++) await deliver(app, to, '{}', { 'x-webhook-secret': 'forged' });
    const many = Array.from({ length: 9_999 }, () =>
      deliver(app, to, '{}', { ...id, 'x-webhook-secret': to.secret }),
    );
    expect((await Promise.all(many)).filter(({ status }) => status !== 200)).toHaveLength(0);
    const beyond = await deliver(app, to, '{}', { ...id, 'x-webhook-secret': to.secret });
    expect([beyond.status, beyond.headers.get('retry-after')]).toEqual([429, '60']);
    app.clock.advance(60);
    expect((await deliver(app, to, '{}', { 'x-webhook-secret': to.secret })).status).toBe(200);
  });
});

describe('handshakes', () => {
  it('answers the challenge of Slack before the secret is known', async () => {
    const ana = await someone();
    const to = await subscribe(app, ana, { integration: 'slack', event: 'message' });
    const asked = await deliver(app, to, '{"type":"url_verification","challenge":"3eZbrw1aB"}');
    expect([asked.status, await asked.text()]).toEqual([200, '3eZbrw1aB']);
    expect((await deliver(app, to, '{"type":"event_callback"}')).status).toBe(401);
  });

  it('takes the secret of a first request, and no later one', async () => {
    const ana = await someone();
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'hook_secret' });
    const first = await deliver(app, to, '', { 'x-hook-secret': 'b537207f20cbfa02357cf448134da559' });
    expect([first.status, first.headers.get('x-hook-secret')]).toEqual([
      200,
      'b537207f20cbfa02357cf448134da559',
    ]);
    expect((await deliver(app, to, '', { 'x-hook-secret': 'another' })).status).toBe(401);
    const body = '{"events":[]}';
    const headers = { 'x-hook-signature': hex('b537207f20cbfa02357cf448134da559', body) };
    expect((await deliver(app, to, body, headers)).status).toBe(200);
  });

  it('answers a GET with a challenge only where its sender asks so', async () => {
    const ana = await someone();
    const to = await subscribe(app, ana, {
      integration: 'webhook',
      event: 'challenge',
      args: { secret: 's' },
    });
    const asked = await app.request(`${pathOf(to)}?challenge=<b>x</b>`);
    expect([asked.status, await asked.text()]).toEqual([200, '<b>x</b>']);
    expect(asked.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(asked.headers.get('x-content-type-options')).toBe('nosniff');
    const other = await subscribe(app, ana, { integration: 'webhook', event: 'standard' });
    expect((await app.request(`${pathOf(other)}?challenge=x`)).status).toBe(405);
  });
});
