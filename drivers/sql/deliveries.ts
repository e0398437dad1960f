// The outbox: one row a delivery. Each attempt holds its row for a while, and every write of a row has one winner.
import { type ExpressionBuilder, sql } from 'kysely';
import type { Attempted, Deliveries, DeliveryRecord, MostDeliveries } from '../../src/ports/outbox.ts';
import { createLockUser } from './lock-user.ts';
import { PORTION_ROWS } from './portions.ts';
import { columns, prepare } from './prepare.ts';
import type { Database } from './schema.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

type New = DeliveryRecord & { characters: number; queued: number };

export function createDeliveries({ db, all, one, change, batch }: Sql): Deliveries {
  const own = columns('deliveries').filter((name) => name !== 'characters');
  const rows = db.selectFrom('deliveries').select(own);
  const lock = createLockUser({ db });
  // The index serves only statements with this literal.
  const queued = sql.lit('queued' as const);
  const waitingOf = (user: string) =>
    db
      .selectFrom('deliveries as waiting')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('waiting.user_id', '=', user)
      .where('waiting.state', '=', 'queued');
  const insert = prepare((p: New) =>
    db
      .insertInto('deliveries')
      .columns(columns('deliveries'))
      .expression(
        db
          .selectFrom('destinations')
          .select(selected('deliveries', p))
          .where('destinations.id', '=', p.destination)
          .where('destinations.user_id', '=', p.user_id)
          .where('destinations.disabled_at', 'is', null)
          .where(waitingOf(p.user_id), '<', p.queued),
      )
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  const insertInvitation = prepare((p: New) =>
    db
      .insertInto('deliveries')
      .columns(columns('deliveries'))
      .expression(
        db
          .selectFrom('users')
          .select(selected('deliveries', p))
          .where('users.id', '=', p.user_id)
          .where('users.deleted_at', 'is', null),
      )
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  const trim = prepare((p: { user: string; rows: number; most: number }) =>
    db
      .deleteFrom('deliveries')
      .where('state', '!=', 'queued')
      .where('id', 'in', (is) =>
        is
          .selectFrom((inner) =>
            inner
              .selectFrom('deliveries')
              .select([
                'id',
                sql<number>`row_number() over (order by created_at desc, id desc)`.as('place'),
                sql<number>`sum(characters) over (order by created_at desc, id desc)`.as('total'),
              ])
              .where('user_id', '=', p.user)
              .as('newest'),
          )
          .select('newest.id')
          .where((or) => or.or([or('place', '>', p.rows), or('total', '>', p.most)])),
      ),
  );
  const byId = prepare((p: { id: string }) =>
    db.selectFrom('deliveries').select('id').where('id', '=', p.id),
  );
  const taker = prepare((p: { user: string; id: string }) =>
    db
      .selectFrom('destinations')
      .select('id')
      .where('id', '=', p.id)
      .where('user_id', '=', p.user)
      .where('disabled_at', 'is', null),
  );
  const newest = (p: { user: string; limit: number }) =>
    rows.where('user_id', '=', p.user).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(p.limit);
  const older = (p: { at: number; id: string }) => (is: ExpressionBuilder<Database, 'deliveries'>) =>
    is.or([is('created_at', '<', p.at), is.and([is('created_at', '=', p.at), is('id', '<', p.id)])]);
  const list = prepare(newest);
  const listOf = prepare((p: { user: string; destination: string; limit: number }) =>
    newest(p).where('destination', '=', p.destination),
  );
  const listBefore = prepare((p: { user: string; limit: number; at: number; id: string }) =>
    newest(p).where(older(p)),
  );
  const listOfBefore = prepare(
    (p: { user: string; destination: string; limit: number; at: number; id: string }) =>
      newest(p).where('destination', '=', p.destination).where(older(p)),
  );
  const get = prepare((p: { user: string; id: string }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const count = prepare((p: { user: string }) =>
    db
      .selectFrom('deliveries')
      .select(({ fn }) => [
        fn.countAll<number>().as('rows'),
        sql<number>`coalesce(sum(case when state = 'queued' then 1 else 0 end), 0)`.as('queued'),
      ])
      .where('user_id', '=', p.user),
  );
  const countSince = prepare((p: { user: string; kind: string; since: number }) =>
    db
      .selectFrom('deliveries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', p.user)
      .where('kind', '=', p.kind)
      .where('created_at', '>', p.since),
  );
  const heads = (p: { now: number }) =>
    db
      .selectFrom('deliveries')
      .leftJoin('destinations', 'destinations.id', 'deliveries.destination')
      .select([
        'deliveries.id',
        'deliveries.due_at',
        sql<number>`row_number() over (partition by deliveries.user_id, deliveries.destination order by deliveries.due_at, deliveries.created_at, deliveries.id)`.as(
          'place',
        ),
      ])
      .where('deliveries.state', '=', queued)
      .where('deliveries.due_at', '<=', p.now)
      .where((is) =>
        is.or([is('deliveries.running_until', 'is', null), is('deliveries.running_until', '<=', p.now)]),
      )
      .where((is) =>
        is.or([is('destinations.id', 'is', null), is('destinations.paused_until', '<=', p.now)]),
      );
  const dueFrom = (first: ReturnType<typeof heads>, limit: number) =>
    rows
      .where('id', 'in', (is) =>
        is
          .selectFrom(first.as('first'))
          .select('first.id')
          .where('first.place', '=', 1)
          .orderBy('first.due_at')
          .orderBy('first.id')
          .limit(limit),
      )
      .orderBy('due_at')
      .orderBy('id');
  const due = prepare((p: { now: number; limit: number }) => dueFrom(heads(p), p.limit));
  const dueWithoutMails = prepare((p: { now: number; limit: number }) =>
    dueFrom(heads(p).where('deliveries.channel', '!=', 'email'), p.limit),
  );
  const dueOf = prepare((p: { destination: string; now: number; limit: number }) =>
    rows
      .where('destination', '=', p.destination)
      .where('state', '=', queued)
      .where('due_at', '<=', p.now)
      .where((is) => is.or([is('running_until', 'is', null), is('running_until', '<=', p.now)]))
      .orderBy('created_at')
      .orderBy('id')
      .limit(p.limit),
  );
  const claim = prepare((p: { id: string; run: string; now: number; until: number }) =>
    db
      .updateTable('deliveries')
      .set({ run: p.run, running_until: p.until })
      .where('id', '=', p.id)
      .where('state', '=', queued)
      .where('due_at', '<=', p.now)
      .where((is) => is.or([is('running_until', 'is', null), is('running_until', '<=', p.now)])),
  );
  const finish = prepare((p: Attempted & { id: string }) =>
    db
      .updateTable('deliveries')
      .set({
        state: p.state,
        attempts: p.attempts,
        due_at: p.due_at,
        run: null,
        running_until: null,
        last_status: p.last_status,
        last_error: p.last_error,
        ended_at: p.ended_at,
      })
      .where('id', '=', p.id)
      .where('run', '=', p.run)
      .where('state', '=', 'queued'),
  );
  const again = prepare((p: { user: string; id: string; now: number; giveUpAt: number; expiresAt: number }) =>
    db
      .updateTable('deliveries')
      .set({
        state: 'queued',
        attempts: 0,
        due_at: p.now,
        give_up_at: p.giveUpAt,
        expires_at: p.expiresAt,
        run: null,
        running_until: null,
        ended_at: null,
      })
      .where('id', '=', p.id)
      .where('user_id', '=', p.user)
      .where('state', '!=', 'queued'),
  );
  const drop = prepare((p: { user: string; about: string; now: number }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'dropped', ended_at: p.now })
      .where('user_id', '=', p.user)
      .where('about', '=', p.about)
      .where('state', '=', queued),
  );
  const failAll = prepare((p: { destination: string; error: string; now: number }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'failed', ended_at: p.now, last_error: p.error, run: null, running_until: null })
      .where('destination', '=', p.destination)
      .where('state', '=', queued),
  );
  const giveUp = prepare((p: { now: number; error: string }) =>
    db
      .updateTable('deliveries')
      .set({ state: 'failed', ended_at: p.now, last_error: p.error, run: null, running_until: null })
      .where('state', '=', queued)
      .where('id', 'in', (is) =>
        is
          .selectFrom('deliveries')
          .select('id')
          .where('state', '=', queued)
          .where('give_up_at', '<=', p.now)
          .limit(PORTION_ROWS),
      ),
  );
  const page = prepare((p: { after: string; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapSealed = prepare((p: { id: string; seen: string; next: string }) =>
    db.updateTable('deliveries').set({ sealed: p.next }).where('id', '=', p.id).where('sealed', '=', p.seen),
  );

  return {
    async add(record, most: MostDeliveries) {
      const { id, user_id: user, destination } = record;
      const given = { ...record, characters: record.sealed.length, queued: most.queued };
      const [, inserted] = await batch([
        lock({ user }),
        destination === '' ? insertInvitation(given) : insert(given),
        trim({ user, rows: most.rows, most: most.characters }),
      ]);
      if (inserted.changes === 1) return 'queued';
      if ((await one(byId({ id }))) !== null) return 'known';
      return destination !== '' && (await one(taker({ user, id: destination }))) !== null ? 'full' : 'gone';
    },
    list({ userId: user, destination, before, limit }) {
      const from = before && { at: before.created_at, id: before.id };
      if (destination === undefined)
        return all(from === undefined ? list({ user, limit }) : listBefore({ user, limit, ...from }));
      return all(
        from === undefined
          ? listOf({ user, destination, limit })
          : listOfBefore({ user, destination, limit, ...from }),
      );
    },
    get: (user, id) => one(get({ user, id })),
    count: async (user) => (await one(count({ user }))) ?? { queued: 0, rows: 0 },
    countSince: async (user, kind, since) => (await one(countSince({ user, kind, since })))?.count ?? 0,
    due: (now, mails, limit) => all(mails ? due({ now, limit }) : dueWithoutMails({ now, limit })),
    dueOf: (destination, now, limit) => all(dueOf({ destination, now, limit })),
    claim: async (id, run, now, until) => (await change(claim({ id, run, now, until }))) === 1,
    finish: async (id, attempted) => (await change(finish({ ...attempted, id }))) === 1,
    again: async (user, id, { now, giveUpAt, expiresAt }) =>
      (await change(again({ user, id, now, giveUpAt, expiresAt }))) === 1,
    async drop(user, about, now) {
      await change(drop({ user, about, now }));
    },
    async failAll(destination, error, now) {
      await change(failAll({ destination, error, now }));
    },
    giveUp: async (now, error) => (await change(giveUp({ now, error }))) >= PORTION_ROWS,
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    swapSealed: async (id, seen, next) => (await change(swapSealed({ id, seen, next }))) === 1,
  };
}
