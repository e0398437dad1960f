// Tests what a product hears of its actors. reference: Events of actors; decision: 069
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { type ActorStand, openActorStand, RETURN_TO, runTool, type Tenant } from '../support/actors.ts';
import { type Receiver, startReceiver } from '../support/notice-stand.ts';

let stand: ActorStand;
let receiver: Receiver;
let acme: Tenant;
let secret: string;

beforeEach(async () => {
  receiver = await startReceiver();
  stand = await openActorStand({ EGRESS_ALLOW: '127.0.0.1/32' });
  acme = await stand.tenant({ integrations: ['vaulted'] });
  const { status, body } = await stand.admin('PATCH', `/api/service-keys/${acme.id}`, {
    notifyTo: `${receiver.url}/hook`,
  });
  expect(status).toBe(200);
  secret = body.notifySecret;
  await acme.actor('ann', 'Ann Lee');
});
afterEach(async () => {
  await stand.close();
  await receiver.close();
});

/** The nth event, once its signature was checked with the library of the standard. */
async function event(n: number): Promise<Record<string, unknown>> {
  await receiver.until(n);
  const got = receiver.got[n - 1];
  if (got === undefined) throw new Error('nothing came');
  const headers = Object.fromEntries(
    Object.entries(got.headers).map(([name, value]) => [name, String(value)]),
  );
  const { 'webhook-timestamp': at } = headers;
  // The clock of the test stands still.
  const signed = new Webhook(secret).sign(
    headers['webhook-id'] ?? '',
    new Date(Number(at) * 1000),
    got.body.toString(),
  );
  expect(headers['webhook-signature']).toBe(signed);
  return JSON.parse(got.body.toString());
}

it('tells of a new connection, and of one that needs its actor again', async () => {
  await stand.connect(acme, 'ann');
  expect(await event(1)).toMatchObject({
    type: 'connection.created',
    data: { externalId: 'ann', integration: 'vaulted' },
  });
  stand.provider.revokeAccess();
  stand.provider.script.push((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  });
  stand.app.clock.advance(4_000);
  await runTool(stand, acme.for('ann'), 'vaulted_get', { path: '/x' });
  expect(await event(2)).toMatchObject({
    type: 'connection.reconnect',
    data: { externalId: 'ann', integration: 'vaulted' },
  });
  expect(receiver.got.map(({ body }) => body.toString()).join()).not.toContain('Ann Lee');
});

it('tells once of a link that expired, and not of one that was used', async () => {
  const { id } = await acme.link('ann');
  await stand.connect(acme, 'ann');
  await event(1);
  stand.app.clock.advance(601);
  const { actorEvents } = stand.app.deps;
  await Promise.all([actorEvents.expireLinks(), actorEvents.expireLinks()]);
  expect(await event(2)).toMatchObject({
    type: 'link.expired',
    data: { externalId: 'ann', integration: 'vaulted', link: id },
  });
  await actorEvents.expireLinks();
  const found = await stand.app.deps.store.actorLinks.list({ keyId: acme.id, limit: 10 });
  expect(found.map(({ state }) => state).toSorted()).toEqual(['connected', 'expired']);
  expect(receiver.got).toHaveLength(2);
});

it('tells another product nothing, and stops when the address is taken away', async () => {
  const blue = await stand.tenant({ name: 'Blue', integrations: ['vaulted'] });
  await blue.actor('ann');
  await stand.connect(blue, 'ann');
  await stand.connect(acme, 'ann');
  await event(1);
  expect((await stand.admin('PATCH', `/api/service-keys/${acme.id}`, { notifyTo: null })).body.notifies).toBe(
    false,
  );
  await stand.connect(acme, 'ann');
  expect(receiver.got).toHaveLength(1);
});

it('refuses an address that it may not send to, and makes no key then', async () => {
  const before = (await stand.admin('GET', '/api/service-keys')).body.serviceKeys.length;
  const form = { name: 'C', returnTo: [RETURN_TO], notifyTo: 'http://169.254.169.254/' };
  expect((await stand.admin('POST', '/api/service-keys', form)).status).toBe(400);
  expect((await stand.admin('GET', '/api/service-keys')).body.serviceKeys).toHaveLength(before);
});
