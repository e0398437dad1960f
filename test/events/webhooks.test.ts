// Checks the addresses that deliveries come to, and their handshakes. reference: Webhooks
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver, pathOf, runTool, subscribe } from '../support/events.ts';
import { hex } from '../support/hook-providers.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let users = 0;
beforeAll(async () => {
  // Libraries of the services look at the real time.
  app = await createTestApp({ now: Math.floor(Date.now() / 1000) });
});
afterAll(() => app.close());

const someone = () => app.user(`hooks${users++}@example.com`);
describe('deliveries', () => {
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
