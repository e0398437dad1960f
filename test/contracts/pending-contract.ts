// Everything that pending connections promise; each driver runs it against the real thing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import type { PendingConnections } from '../../src/ports/pending.ts';
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

    describe('reading', () => {
      it('a record is there as PENDING after its put', async () => {
        const record = await ask();
        expect(await pending().get(record.connection_id)).toStrictEqual({ ...record, status: 'PENDING' });
      });

      it('an unknown record is null', async () => {
        expect(await pending().get(randomUUID())).toBeNull();
      });

      it('a record is PENDING until its expiry and EXPIRED from then on', async () => {
        const record = await ask();
        clock.advance(TTL - 1);
        expect(await status(record)).toBe('PENDING');
        clock.advance(1);
        expect(await pending().get(record.connection_id)).toStrictEqual({ ...record, status: 'EXPIRED' });
      });

      it('a CONNECTED record stays CONNECTED after its expiry', async () => {
        const record = await ask();
        await pending().connect(record.user_id, record.integration);
        clock.advance(TTL);
        expect(await status(record)).toBe('CONNECTED');
      });

      it('a second put of an id starts it anew', async () => {
        const record = await ask();
        await pending().expire(record.connection_id);
        await pending().put(record);
        expect(await status(record)).toBe('PENDING');
      });
    });

    describe('connecting', () => {
      it('the newest PENDING record of the user and integration wins, then the one before', async () => {
        const older = await ask();
        const newer = await ask(older);
        expect(await pending().connect(older.user_id, older.integration)).toBe(true);
        expect([await status(older), await status(newer)]).toStrictEqual(['PENDING', 'CONNECTED']);
        expect(await pending().connect(older.user_id, older.integration)).toBe(true);
        expect(await status(older)).toBe('CONNECTED');
        expect(await pending().connect(older.user_id, older.integration)).toBe(false);
      });

      it('the newest is the one put last', async () => {
        const again = await ask();
        const other = await ask(again);
        await pending().put(again);
        await pending().connect(again.user_id, again.integration);
        expect([await status(again), await status(other)]).toStrictEqual(['CONNECTED', 'PENDING']);
      });

      it("another user's and another integration's records are left alone", async () => {
        const record = await ask();
        const others = [await ask(), await ask({ user_id: record.user_id, integration: 'slack' })];
        expect(await pending().connect(record.user_id, record.integration)).toBe(true);
        expect(await Promise.all(others.map(status))).toStrictEqual(['PENDING', 'PENDING']);
        expect(await pending().connect(record.user_id, 'jira')).toBe(false);
      });

      it('a record at its expiry cannot be connected, an older live one can', async () => {
        const longer = await ask({ ttl: TTL * 2 });
        const shorter = await ask(longer);
        clock.advance(TTL);
        expect(await pending().connect(longer.user_id, longer.integration)).toBe(true);
        expect([await status(longer), await status(shorter)]).toStrictEqual(['CONNECTED', 'EXPIRED']);
        expect(await pending().connect(longer.user_id, longer.integration)).toBe(false);
      });

      it('of many parallel connects of one record one is true', async () => {
        const { user_id, integration } = await ask();
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => pending().connect(user_id, integration)),
        );
        expect(answers.filter(Boolean)).toHaveLength(1);
      });
    });

    describe('expiring', () => {
      it('an expired record is EXPIRED at once and cannot be connected, and no other is', async () => {
        const other = await ask();
        const record = await ask();
        await pending().expire(record.connection_id);
        expect([await status(record), await status(other)]).toStrictEqual(['EXPIRED', 'PENDING']);
        expect(await pending().connect(record.user_id, record.integration)).toBe(false);
        expect(await status(record)).toBe('EXPIRED');
      });

      it('a CONNECTED record does not expire', async () => {
        const record = await ask();
        await pending().connect(record.user_id, record.integration);
        await pending().expire(record.connection_id);
        expect(await status(record)).toBe('CONNECTED');
      });

      it('an unknown record is ignored', async () => {
        const id = randomUUID();
        await pending().expire(id);
        expect(await pending().get(id)).toBeNull();
      });

      it('of a connect and an expire at once one wins', async () => {
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
      it('a record is kept for an hour after its expiry and forgotten later', async () => {
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
