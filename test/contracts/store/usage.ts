// Tests that counted calls are exact: they are compared with a plain count over all audit rows. reference: Usage
import { describe, expect, it } from 'vitest';
import { createRollUsage } from '../../../src/record/usage/roll.ts';
import { createReadUsage, type UsageWanted } from '../../../src/record/usage/read.ts';
import { createSystemRandom } from '../../../drivers/system/random.ts';
import { USAGE_TAIL } from '../../../src/record/model/limits.ts';
import type { AuditEntry } from '../../../src/ports/records.ts';
import { EVERYONE, type Store } from '../../../src/ports/store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import type { OpenStore } from '../store-contract.ts';
import { entry, newUser } from './records.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const clock = createFakeClock();
const now = clock.now();
const random = createSystemRandom();

/** Repeatable numbers from 0 up to `below`. */
function createDice(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const ENDS: readonly Partial<AuditEntry>[] = [
  {},
  {},
  {},
  { success: false, outcome: 'error', error: '404: Not Found' },
  { success: false, outcome: 'error', error: 'NOT_CONNECTED' },
  { success: false, outcome: 'blocked', error: 'BLOCKED' },
  { outcome: null, actor: null },
];

function makeRows(users: readonly string[], count: number): AuditEntry[] {
  const dice = createDice();
  return Array.from({ length: count }, () =>
    entry({
      user_id: users[dice(users.length)] ?? '',
      integration: `service${dice(3)}`,
      tool: `tool${dice(4)}`,
      actor: ['session', 'key', 'key:1', 'client:a'][dice(4)] ?? null,
      duration_ms: dice(5_000),
      created_at: now - dice(65 * DAY),
      ...ENDS[dice(ENDS.length)],
    }),
  );
}

const classOf = ({ success, outcome }: AuditEntry) =>
  outcome === 'blocked' ? 'refused' : success ? 'ok' : 'failed';

function countPlainly(rows: readonly AuditEntry[]) {
  const sum = { ok: 0, failed: 0, refused: 0 };
  for (const row of rows) sum[classOf(row)] += 1;
  return sum;
}

const busiest = (rows: readonly AuditEntry[], nameOf: (row: AuditEntry) => string) =>
  new Map([...Map.groupBy(rows, nameOf)].map(([name, each]) => [name, countPlainly(each)]));

/** Compares every number of an answer with a plain count of these rows. */
async function expectExact(store: Store, rows: readonly AuditEntry[], wanted: UsageWanted): Promise<void> {
  const answer = await createReadUsage({ clock, store })(wanted);
  const { userId, integration, tool, actor } = wanted;
  const own = rows.filter(
    (row) =>
      (userId === EVERYONE || row.user_id === userId) &&
      (integration === undefined || row.integration === integration) &&
      (tool === undefined || row.tool === tool) &&
      (actor === undefined || (row.actor ?? '') === actor),
  );
  const length = answer.series.length * answer.bucketSeconds;
  const within = own.filter(({ created_at }) => created_at >= answer.from);
  expect(answer.isBehind).toBe(false);
  expect(answer.totals).toEqual(countPlainly(within));
  expect(answer.before).toEqual(
    countPlainly(own.filter(({ created_at: at }) => at < answer.from && at >= answer.from - length)),
  );
  for (const { at, latency: _, ...counts } of answer.series)
    expect(counts, `the bucket at ${at}`).toEqual(
      countPlainly(
        within.filter((row) => row.created_at >= at && row.created_at < at + answer.bucketSeconds),
      ),
    );
  const shown = <T extends object>(list: T[], nameOf: (row: T) => string) =>
    new Map(list.map((row) => [nameOf(row), expect.objectContaining(counted(row))]));
  const nameActor = ({ actor: id }: { actor: string | null }) =>
    userId === EVERYONE && (id ?? '').startsWith('key:') ? 'key:' : (id ?? '');
  expect(busiest(within, (row) => row.integration)).toEqual(
    shown(answer.integrations, (row) => row.integration),
  );
  expect(busiest(within, nameActor)).toEqual(shown(answer.agents, nameActor));
  const tools = busiest(within, (row) => `${row.integration} ${row.tool}`);
  for (const row of answer.tools) expect(tools.get(`${row.integration} ${row.tool}`)).toEqual(counted(row));
  const causes = new Map(answer.causes.map(({ cause, calls }) => [cause, calls]));
  const failing = within.filter((row) => classOf(row) !== 'ok');
  const plainly = Map.groupBy(failing, ({ error }) =>
    error === 'BLOCKED' ? 'blocked' : error === 'NOT_CONNECTED' ? 'not-connected' : 'not-found',
  );
  expect(causes).toEqual(new Map([...plainly].map(([cause, each]) => [cause, each.length])));
  expectPercentiles(within, answer.latency);
}

const counted = (row: object) => {
  const { ok, failed, refused } = { ok: 0, failed: 0, refused: 0, ...row };
  return { ok, failed, refused };
};

/** A percentile lies in the range of the true one, and a range ends at twice its beginning at most. */
function expectPercentiles(rows: readonly AuditEntry[], latency: object | null): void {
  const ran = rows.filter(({ error }) => error !== 'BLOCKED' && error !== 'NOT_CONNECTED');
  if (ran.length === 0) return expect(latency).toBeNull();
  const sorted = ran.map((row) => row.duration_ms).toSorted((one, other) => one - other);
  for (const [name, estimate] of Object.entries(latency ?? {})) {
    const rank = Math.ceil((Number(name.slice(1)) / 100) * sorted.length);
    const exact = sorted[rank - 1] ?? 0;
    expect(Number(estimate)).toBeGreaterThanOrEqual(exact / 2 - 2);
    expect(Number(estimate)).toBeLessThanOrEqual(exact * 2 + 2);
  }
}

async function rollAll(store: Store): Promise<void> {
  const rolls = createRollUsage({ clock, random, store });
  for (let seen = -1; seen !== (await store.usage.counted());) {
    seen = await store.usage.counted();
    await rolls.round();
  }
}

export function usageContract(open: () => Promise<OpenStore>): void {
  describe('usage', () => {
    it('counts each call once, whether or not a round has counted it yet', async () => {
      const { store, close } = await open();
      const users = [await store.users.create(newUser()), await store.users.create(newUser())].map(
        ({ id }) => id,
      );
      const [first = ''] = users;
      const rows = makeRows(users, 900);
      const look = async () => {
        for (const range of ['24h', '7d', '30d'] as const) {
          await expectExact(store, rows.slice(0, written), { userId: first, range, offset: 120 });
          await expectExact(store, rows.slice(0, written), { userId: EVERYONE, range, offset: -330 });
        }
        await expectExact(store, rows.slice(0, written), {
          userId: first,
          range: '30d',
          offset: 0,
          integration: 'service1',
          tool: 'tool2',
        });
        await expectExact(store, rows.slice(0, written), {
          userId: first,
          range: '7d',
          offset: 0,
          actor: 'key:1',
        });
      };
      let written = 0;
      for (const end of [500, 850, 900]) {
        await store.audit.append(rows.slice(written, end));
        written = end;
        // The last rows stay uncounted.
        if (end < 900) await rollAll(store);
        if (end !== 500) await look();
      }
      await close();
    });

    it('counts each row once while several processes count and others write', async () => {
      const { store, close } = await open();
      const { id } = await store.users.create(newUser());
      const rows = makeRows([id], 1_200);
      const write = async (part: number) => {
        for (let at = part * 400; at < (part + 1) * 400; at += 40)
          await store.audit.append(rows.slice(at, at + 40));
      };
      // Without the lease, so that they really compete.
      const leases = { ...store.leases, acquire: () => Promise.resolve(true) };
      let isWriting = true;
      const count = async () => {
        const rolls = createRollUsage({ clock, random, store: { ...store, leases } });
        while (isWriting) await rolls.round();
      };
      const counting = [count(), count(), count()];
      await Promise.all([0, 1, 2].map(write));
      isWriting = false;
      await Promise.all(counting);
      await rollAll(store);
      expect(await store.usage.newest(id, await store.usage.counted(), 1)).toEqual([]);
      await expectExact(store, rows, { userId: id, range: '30d', offset: 0 });
      await expectExact(store, rows, { userId: EVERYONE, range: '30d', offset: 0 });
      await close();
    });

    it('adds nothing to a person who goes while their calls are counted', async () => {
      const { store, close } = await open();
      const rolls = createRollUsage({ clock, random, store });
      // The first person becomes the owner, and an owner must stay.
      await store.users.create(newUser());
      for (let round = 0; round < 8; round++) {
        const { id } = await store.users.create(newUser());
        const ending = { person: id, before: now, expires_at: now + DAY };
        await store.people.beginDeletion(id, ending);
        await store.audit.append([entry({ user_id: id, created_at: now })]);
        const erase = () => store.people.erase([id], `deleted-${round}`);
        await Promise.all(round % 2 === 0 ? [rolls.round(), erase()] : [erase(), rolls.round()]);
        const hour = Math.floor(now / HOUR) * HOUR;
        for (const level of ['total', 'hour'] as const)
          expect(await store.usage.groups({ user_id: id, level, start: hour })).toEqual([]);
      }
      const answer = await createReadUsage({ clock, store })({ userId: EVERYONE, range: '24h', offset: 0 });
      expect(answer.totals.ok).toBe(8);
      await close();
    });

    it('bounds the groups of a person and hour, and keeps the totals', async () => {
      const { store, close } = await open();
      const { id } = await store.users.create(newUser());
      const rows = Array.from({ length: 500 }, (_, index) =>
        entry({ user_id: id, action: 'CURL', tool: `GET /path/${index}`, created_at: now }),
      );
      await store.audit.append(rows.slice(0, 30));
      await rollAll(store);
      await store.audit.append(rows.slice(30));
      await store.audit.append(rows.slice(0, 10));
      await rollAll(store);
      const hour = Math.floor(now / HOUR) * HOUR;
      const day = Math.floor(now / DAY) * DAY;
      const sizeOf = async (user_id: string, level: 'hour' | 'day', start: number) =>
        (await store.usage.groups({ user_id, level, start })).length;
      expect(await sizeOf(id, 'hour', hour)).toBe(61);
      expect(await sizeOf(id, 'day', day)).toBe(201);
      // All people together have the method alone.
      expect(await sizeOf(EVERYONE, 'hour', hour)).toBe(1);
      const answer = await createReadUsage({ clock, store })({ userId: id, range: '24h', offset: 0 });
      expect(answer.totals).toEqual({ ok: 510, failed: 0, refused: 0 });
      expect(answer.integrations[0]).toMatchObject({ integration: '*' });
      await close();
    });

    it('reads a bounded number of rows that are not counted, and says that it is behind', async () => {
      const { store, close } = await open();
      const { id } = await store.users.create(newUser());
      const rows = Array.from({ length: USAGE_TAIL + 1 }, () => entry({ user_id: id, created_at: now }));
      await store.audit.append(rows);
      const read = createReadUsage({ clock, store });
      const before = await read({ userId: id, range: '24h', offset: 0 });
      expect([before.isBehind, before.totals.ok]).toEqual([true, USAGE_TAIL]);
      await rollAll(store);
      const after = await read({ userId: id, range: '24h', offset: 0 });
      expect([after.isBehind, after.totals.ok]).toEqual([false, USAGE_TAIL + 1]);
      await close();
    });

    it('forgets hours after 70 days and days after 400, and does not count older calls', async () => {
      const { store, close } = await open();
      const { id } = await store.users.create(newUser());
      const at = (days: number) => entry({ user_id: id, created_at: now - days * DAY });
      await store.audit.append([at(0), at(69), at(71), at(399), at(401)]);
      await rollAll(store);
      const placesOf = async () => {
        const found: number[] = [];
        for (const level of ['hour', 'day'] as const)
          for (const days of [0, 69, 71, 399, 401]) {
            const length = level === 'hour' ? HOUR : DAY;
            const start = Math.floor((now - days * DAY) / length) * length;
            if ((await store.usage.groups({ user_id: id, level, start })).length > 0) found.push(days);
          }
        return found;
      };
      expect(await placesOf()).toEqual([0, 69, 0, 69, 71, 399]);
      while (await store.usage.prune({ hours: now - 60 * DAY, days: now - 100 * DAY }));
      expect(await placesOf()).toEqual([0, 0, 69, 71]);
      await close();
    });
  });
}
