// Tests what every driver of pending connections must do.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import { type PendingConnections, RECORDS_PER_PLACE } from '../../src/ports/pending.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

export interface OpenPending {
  pending: PendingConnections;
  close(): Promise<void>;
}

const TTL = 600;
const HOUR = 3600;

export function pendingContract(name: string, open: (clock: Clock) => Promise<OpenPending>): void {
  describe(`pending connections contract: ${name}`, () => {
    const clock: FakeClock = createFakeClock();
    let opened: OpenPending;
    beforeAll(async () => {
      opened = await open(clock);
    });
    afterAll(() => opened.close());
    const pending = () => opened.pending;

    const ask = async (of: { user_id?: string; integration?: string; ttl?: number } = {}) => {
      const { user_id = randomUUID(), integration = 'github', ttl = TTL } = of;
      const record = { connection_id: randomUUID(), user_id, integration, expires_at: clock.now() + ttl };
      await pending().put(record);
      return record;
    };
    const status = async (record: { connection_id: string }) =>
      (await pending().get(record.connection_id))?.status;

    describe('counting', () => {
      it('counts what still waits for a person, of this person alone', async () => {
        const user_id = randomUUID();
        const put = async (ttl: number, owner = user_id) => {
          const connection_id = randomUUID();
          const record = {
            connection_id,
            user_id: owner,
            integration: 'github',
            expires_at: clock.now() + ttl,
          };
          await pending().put(record, 3);
          return connection_id;
        };
        expect(await pending().count(user_id)).toBe(0);
        await put(TTL, randomUUID());
        await put(1);
        const expired = await put(TTL);
        await put(TTL);
        expect(await pending().count(user_id)).toBe(3);
        clock.advance(1);
        expect(await pending().count(user_id)).toBe(2);
        await pending().expire(expired);
        expect(await pending().count(user_id)).toBe(1);
        await pending().connect(user_id, 'github');
        expect(await pending().count(user_id)).toBe(0);
        for (let each = 0; each < 5; each++) await put(TTL);
        expect(await pending().count(user_id)).toBe(3);
      });
    });

    describe('reading', () => {
      it('returns a new record as PENDING', async () => {
        const record = await ask();
        expect(await pending().get(record.connection_id)).toStrictEqual({ ...record, status: 'PENDING' });
      });

      it('returns null for an unknown record', async () => {
        expect(await pending().get(randomUUID())).toBeNull();
      });

      it('reports a record as PENDING until its expiry and as EXPIRED from then on', async () => {
        const record = await ask();
        clock.advance(TTL - 1);
        expect(await status(record)).toBe('PENDING');
        clock.advance(1);
        expect(await pending().get(record.connection_id)).toStrictEqual({ ...record, status: 'EXPIRED' });
      });

      it('keeps a CONNECTED record CONNECTED after its expiry', async () => {
        const record = await ask();
        await pending().connect(record.user_id, record.integration);
        clock.advance(TTL);
        expect(await status(record)).toBe('CONNECTED');
      });

      it('starts a record anew when its id is put again', async () => {
        const record = await ask();
        await pending().expire(record.connection_id);
        await pending().put(record);
        expect(await status(record)).toBe('PENDING');
      });
    });

    describe('connecting', () => {
      it('connects the newest PENDING record of the user and integration, then the one before', async () => {
        const older = await ask();
        const newer = await ask(older);
        expect(await pending().connect(older.user_id, older.integration)).toBe(true);
        expect([await status(older), await status(newer)]).toStrictEqual(['PENDING', 'CONNECTED']);
        expect(await pending().connect(older.user_id, older.integration)).toBe(true);
        expect(await status(older)).toBe('CONNECTED');
        expect(await pending().connect(older.user_id, older.integration)).toBe(false);
      });

      it('treats the record put last as the newest', async () => {
        const again = await ask();
        const other = await ask(again);
        await pending().put(again);
        await pending().connect(again.user_id, again.integration);
        expect([await status(again), await status(other)]).toStrictEqual(['CONNECTED', 'PENDING']);
      });

      it('leaves the records of other users and integrations alone', async () => {
        const record = await ask();
        const others = [await ask(), await ask({ user_id: record.user_id, integration: 'slack' })];
        expect(await pending().connect(record.user_id, record.integration)).toBe(true);
        expect(await Promise.all(others.map(status))).toStrictEqual(['PENDING', 'PENDING']);
        expect(await pending().connect(record.user_id, 'jira')).toBe(false);
      });

      it('skips an expired record and connects an older live one', async () => {
        const longer = await ask({ ttl: TTL * 2 });
        const shorter = await ask(longer);
        clock.advance(TTL);
        expect(await pending().connect(longer.user_id, longer.integration)).toBe(true);
        expect([await status(longer), await status(shorter)]).toStrictEqual(['CONNECTED', 'EXPIRED']);
        expect(await pending().connect(longer.user_id, longer.integration)).toBe(false);
      });

      it('connects a record once when 20 connects race', async () => {
        const { user_id, integration } = await ask();
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => pending().connect(user_id, integration)),
        );
        expect(answers.filter(Boolean)).toHaveLength(1);
      });
    });

    describe('bounding', () => {
      const putAll = async (count: number, most: number, of: { user_id: string; integration?: string }) => {
        const records = [];
        for (let n = 0; n < count; n++) {
          const { user_id, integration = `kind-${n}` } = of;
          const record = { connection_id: randomUUID(), user_id, integration, expires_at: clock.now() + TTL };
          await pending().put(record, most);
          records.push(record);
        }
        return records;
      };
      const statuses = (records: { connection_id: string }[]) => Promise.all(records.map(status));

      it('expires the oldest PENDING records of a user beyond the limit, and nobody else’s', async () => {
        const other = await ask();
        const records = await putAll(5, 3, { user_id: randomUUID() });
        expect(await statuses(records)).toStrictEqual([
          'EXPIRED',
          'EXPIRED',
          'PENDING',
          'PENDING',
          'PENDING',
        ]);
        const [first] = records;
        expect(await pending().connect(first?.user_id ?? '', first?.integration ?? '')).toBe(false);
        expect(await status(other)).toBe('PENDING');
      });

      it('returns the records that it has expired for a new one', async () => {
        const user_id = randomUUID();
        const [first, second] = await putAll(3, 3, { user_id });
        await pending().connect(user_id, 'kind-1');
        const put = (most?: number) => {
          const record = {
            connection_id: randomUUID(),
            user_id,
            integration: 'x',
            expires_at: clock.now() + TTL,
          };
          return pending().put(record, most);
        };
        expect(await put()).toStrictEqual([]);
        const evicted = [...(await put(3)), ...(await put(3))];
        expect(evicted).toContain(first?.connection_id);
        expect(evicted).not.toContain(second?.connection_id);
      });

      it('does not count records that are CONNECTED or EXPIRED', async () => {
        const user_id = randomUUID();
        const old = await putAll(3, 3, { user_id });
        await pending().connect(user_id, 'kind-0');
        await pending().expire(old[1]?.connection_id ?? '');
        const fresh = await putAll(2, 3, { user_id, integration: 'github' });
        expect(await statuses([...old, ...fresh])).toStrictEqual([
          'CONNECTED',
          'EXPIRED',
          'PENDING',
          'PENDING',
          'PENDING',
        ]);
      });

      it('forgets the records of a user that are far beyond the limit', async () => {
        const records = await putAll(2 * RECORDS_PER_PLACE + 2, 2, { user_id: randomUUID() });
        const [first, second, third, ...rest] = await statuses(records);
        expect([first, second, third]).toStrictEqual([undefined, undefined, 'EXPIRED']);
        expect(rest.filter((each) => each === 'PENDING')).toHaveLength(2);
      });

      it('holds the limit after 20 puts at once and one more', async () => {
        const user_id = randomUUID();
        const batches = await Promise.all(Array.from({ length: 20 }, () => putAll(1, 3, { user_id })));
        const last = await putAll(1, 3, { user_id });
        const all = await statuses([...batches.flat(), ...last]);
        expect(all.filter((each) => each === 'PENDING')).toHaveLength(3);
        expect(all.at(-1)).toBe('PENDING');
      });
    });

    describe('expiring', () => {
      it('expires one record at once, so that it cannot be connected', async () => {
        const other = await ask();
        const record = await ask();
        await pending().expire(record.connection_id);
        expect([await status(record), await status(other)]).toStrictEqual(['EXPIRED', 'PENDING']);
        expect(await pending().connect(record.user_id, record.integration)).toBe(false);
        expect(await status(record)).toBe('EXPIRED');
      });

      it('does not expire a CONNECTED record', async () => {
        const record = await ask();
        await pending().connect(record.user_id, record.integration);
        await pending().expire(record.connection_id);
        expect(await status(record)).toBe('CONNECTED');
      });

      it('ignores an unknown record', async () => {
        const id = randomUUID();
        await pending().expire(id);
        expect(await pending().get(id)).toBeNull();
      });

      it('lets one win when a connect and an expire race', async () => {
        for (let round = 0; round < 10; round++) {
          const record = await ask();
          const [connected] = await Promise.all([
            pending().connect(record.user_id, record.integration),
            pending().expire(record.connection_id),
          ]);
          expect(await status(record)).toBe(connected ? 'CONNECTED' : 'EXPIRED');
        }
      });
    });

    describe('sweeping', () => {
      it('keeps a record for an hour after its expiry and then forgets it', async () => {
        const [unfinished, connected] = [await ask(), await ask()];
        await pending().connect(connected.user_id, connected.integration);
        clock.advance(TTL + HOUR);
        await pending().sweep();
        expect([await status(unfinished), await status(connected)]).toStrictEqual(['EXPIRED', 'CONNECTED']);
        clock.advance(1);
        const fresh = await ask();
        await pending().sweep();
        expect(await pending().get(unfinished.connection_id)).toBeNull();
        expect(await pending().get(connected.connection_id)).toBeNull();
        expect(await status(fresh)).toBe('PENDING');
      });
    });
  });
}
