// Kills processes while deliveries come, are read and are sent on: three gateways over one PostgreSQL, and one with three workers
// over a file of SQLite, none of them spared. test/events/deaths.test.ts has each step.
// reference: Event subscriptions; Addresses for events
import { describe, expect, it, vi } from 'vitest';
import type { ShownDelivery } from '../../src/notices/operations.ts';
import { runTool } from '../support/events.ts';
import { type Gateway, openSite } from '../support/gateway-process.ts';
import { startReceiver } from '../support/notice-stand.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';

vi.setConfig({ testTimeout: 360_000 });

const DELIVERIES = 240;
const SENDERS = 6;
/** A process is killed whenever so many more were acknowledged. */
const KILL_EVERY = 40;

interface Killed {
  env: Record<string, string>;
  /** How many gateways, each of them in a process group of its own. */
  count: number;
  close: () => Promise<void>;
}

async function openPostgres(): Promise<Killed> {
  const schema = await createPostgresSchema();
  return { env: { DATABASE_URL: schema.url }, count: 3, close: schema.drop };
}

await describeService('three processes over PostgreSQL', postgresUrl(), () => killsContract(openPostgres));
// The file belongs to one gateway: its workers are killed together with it, and start again over what they have left.
describe('three processes over SQLite', () =>
  killsContract(async () => ({ env: { WORKERS: '3' }, count: 1, close: async () => {} })));

function killsContract(open: () => Promise<Killed>): void {
  it('lose nothing and repeat nothing when each of them is killed', async () => {
    const { env: own, count, close } = await open();
    const site = await openSite();
    const receiver = await startReceiver();
    const env = { ...own, PERSON_MAX_CALLS: '1000' };
    try {
      const first = await site.start({ env });
      const gateways: Gateway[] = [first];
      while (gateways.length < count) gateways.push(await site.start({ env }));
      const user = { keyHeader: { 'x-service-api-key': first.apiKey } };
      const portal = {
        authorization: `Bearer ${first.session}`,
        'content-type': 'application/json',
      };
      const { body } = await runTool(first, user, 'events_subscribe', {
        integration: 'webhook',
        event: 'header',
      });
      const { id, address, secret } = body.result;
      const put = await first.request(`/api/events/${id}/deliver-to`, {
        method: 'PUT',
        headers: portal,
        body: JSON.stringify({ url: receiver.url }),
      });
      expect(put.status).toBe(200);

      let turn = 0;
      /** Asks one process after the other until one answers. */
      async function anyOf<T>(ask: (gateway: Gateway) => Promise<T | null>): Promise<T> {
        for (;;) {
          const gateway = gateways[turn++ % count];
          const answer = gateway === undefined ? null : await ask(gateway).catch(() => null);
          if (answer !== null) return answer;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      const deliver = (number: number) =>
        anyOf(async ({ request }) => {
          const headers = { 'x-webhook-secret': secret, 'idempotency-key': `delivery ${number}` };
          const init = { method: 'POST', headers, body: JSON.stringify({ number }) };
          return (await request(new URL(address).pathname, init)).status === 200 ? true : null;
        });

      let [next, acknowledged] = [0, 0];
      async function sendAll(): Promise<void> {
        while (next < DELIVERIES) {
          await deliver(next++);
          acknowledged++;
        }
      }
      async function killAll(): Promise<number> {
        let kills = 0;
        for (let at = KILL_EVERY; at < DELIVERIES; at += KILL_EVERY) {
          while (acknowledged < at) await new Promise((resolve) => setImmediate(resolve));
          const place = kills++ % count;
          const victim = gateways[place];
          if (victim === undefined) throw new Error('it runs');
          victim.signal('SIGKILL', 'group');
          expect((await victim.exited).code).not.toBe(0);
          gateways[place] = await site.start({ env, port: victim.port });
        }
        return kills;
      }
      const read: number[] = [];
      async function readAll(): Promise<void> {
        for (let cursor: string | undefined; read.length < DELIVERIES;) {
          const page = await anyOf(async (gateway) => {
            const args = { waitSec: 5, ...(cursor === undefined ? {} : { cursor }) };
            const answer = await runTool(gateway, user, 'events_read', args);
            return answer.status === 200 ? answer.body.result : null;
          });
          read.push(...page.events.map((each: { payload: { number: number } }) => each.payload.number));
          ({ cursor } = page);
        }
      }
      const senders = Array.from({ length: SENDERS }, sendAll);
      const [kills] = await Promise.all([killAll(), readAll(), ...senders]);
      expect(kills).toBe(5);
      const all = Array.from({ length: DELIVERIES }, (_, number) => number);
      expect(read.toSorted((one, other) => one - other)).toEqual(all);

      // What a process left behind goes on with the next event.
      await deliver(DELIVERIES);
      const deliveries = async (): Promise<ShownDelivery[]> => {
        const found: ShownDelivery[] = [];
        for (let cursor = ''; ;) {
          const page = await anyOf(async ({ request }) => {
            const answer = await request(`/api/notices/deliveries${cursor}`, { headers: portal });
            return answer.status === 200 ? answer.json() : null;
          });
          found.push(...page.deliveries);
          if (page.nextCursor === undefined) return found;
          cursor = `?cursor=${page.nextCursor}`;
        }
      };
      await expect
        .poll(async () => new Set((await deliveries()).map((each) => each.id)).size, { timeout: 60_000 })
        .toBe(DELIVERIES + 1);
      // The row of a killed sender is held for two minutes. Everything else has arrived, and repeats carry the same id.
      const held = async () => (await deliveries()).filter(({ state }) => state !== 'done').length;
      await expect.poll(held, { timeout: 60_000 }).toBeLessThanOrEqual(kills);
      const numberOf = new Map(
        receiver.got.map(({ headers, body: text }) => [
          String(headers['webhook-id']),
          JSON.parse(text.toString()).data.payload.number,
        ]),
      );
      expect(new Set(numberOf.values()).size).toBe(numberOf.size);
      expect(numberOf.size).toBeGreaterThanOrEqual(DELIVERIES + 1 - kills);
    } finally {
      await site.close();
      await receiver.close();
      await close();
    }
  });
}
