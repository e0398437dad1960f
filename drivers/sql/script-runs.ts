// Runs of scripts and the ledger of their calls. A run is held by one process at a time, and only that one writes.
import { sql } from 'kysely';
import type { MostRuns, ScriptCallRecord, ScriptRunRecord, ScriptRuns } from '../../src/ports/scripts.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

type Held = Pick<ScriptRunRecord, 'id' | 'version'>;
type Place = Pick<ScriptCallRecord, 'run_id' | 'position'>;

export function createScriptRuns({ db, dialect, all, one, change, batch }: Sql): ScriptRuns {
  const own = columns('script_runs').filter((name) => name !== 'characters');
  const rows = db.selectFrom('script_runs').select(own);
  const calls = db.selectFrom('script_calls').select(columns('script_calls'));
  const lock = createLockUser({ db });
  const isThere = (user: string) =>
    db.selectFrom('users').select('id').where('id', '=', user).where('deleted_at', 'is', null);
  const insert = prepare((p: ScriptRunRecord & { characters: number }) =>
    db.insertInto('script_runs').values(values('script_runs', p)),
  );
  const removeOfGone = prepare((p: { id: string; user: string }) =>
    db.deleteFrom('script_runs').where('id', '=', p.id).where('user_id', 'not in', isThere(p.user)),
  );
  const trim = prepare((p: { user: string; now: number } & MostRuns) =>
    db
      .deleteFrom('script_runs')
      .where((is) => is.or([is('running_until', 'is', null), is('running_until', '<=', p.now)]))
      .where('id', 'in', (is) =>
        is
          .selectFrom((inner) =>
            inner
              .selectFrom('script_runs')
              .select([
                'id',
                sql<number>`row_number() over (order by created_at desc, id desc)`.as('place'),
                sql<number>`sum(characters) over (order by created_at desc, id desc)`.as('total'),
              ])
              .where('user_id', '=', p.user)
              .as('newest'),
          )
          .select('newest.id')
          .where((or) => or.or([or('place', '>', p.runs), or('total', '>', p.characters)])),
      ),
  );
  // Calls have no place without their run.
  const removeStray = prepare((p: { user: string }) =>
    db
      .deleteFrom('script_calls')
      .where('user_id', '=', p.user)
      .where('run_id', 'not in', db.selectFrom('script_runs').select('id').where('user_id', '=', p.user)),
  );
  const get = prepare((p: { user: string; id: string }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const list = prepare((p: { user: string; limit: number }) =>
    rows.where('user_id', '=', p.user).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(p.limit),
  );
  const open = prepare((p: { user: string; slot: string; now: number }) =>
    rows
      .where('user_id', '=', p.user)
      .where('slot', '=', p.slot)
      .where('expires_at', '>', p.now)
      .where('state', 'in', ['waiting', 'running'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1),
  );
  const held = (p: Held) =>
    db.updateTable('script_runs').where('id', '=', p.id).where('version', '=', p.version);
  const claim = prepare(
    (p: { id: string; seen: string; version: string; until: number | null; now: number }) =>
      held({ id: p.id, version: p.seen })
        .set({ version: p.version, running_until: p.until, updated_at: p.now, state: 'running' })
        .where('state', 'in', ['waiting', 'running']),
  );
  const keep = prepare((p: Held & { until: number }) =>
    held(p).set({ running_until: p.until }).where('running_until', 'is not', null),
  );
  const count = prepare((p: Held & { characters: number; now: number; place: number | null }) =>
    held(p)
      .set((is) => ({
        characters: is('characters', '+', p.characters),
        // The number of calls that the ledger answers, whoever counts.
        calls: is.fn.coalesce(is(is.cast<number>(is.val(p.place), 'bigint'), '+', 1), 'calls'),
        updated_at: p.now,
      }))
      .where('state', '=', 'running'),
  );
  const append = prepare((p: ScriptCallRecord & { version: string }) =>
    db
      .insertInto('script_calls')
      .columns(columns('script_calls'))
      .expression(() => {
        const wanted = db
          .selectFrom('script_runs')
          .select(
            selected('script_calls', p, {
              user_id: sql.ref('script_runs.user_id'),
              expires_at: sql.ref('script_runs.expires_at'),
            }),
          )
          .where('script_runs.id', '=', p.run_id)
          .where('script_runs.version', '=', p.version)
          .where('script_runs.state', '=', 'running');
        return dialect === 'postgres' ? wanted.forShare() : wanted;
      })
      .onConflict((conflict) =>
        conflict
          .columns(['run_id', 'position'])
          .doUpdateSet((is) => ({ place: is.ref('excluded.place'), sealed: is.ref('excluded.sealed') }))
          .where('script_calls.place', 'is', null),
      ),
  );
  const release = prepare(
    (p: {
      id: string;
      seen: string;
      version: string;
      state: ScriptRunRecord['state'];
      sealed: string;
      updated: number;
    }) =>
      held({ id: p.id, version: p.seen })
        .set({
          version: p.version,
          state: p.state,
          sealed: p.sealed,
          updated_at: p.updated,
          running_until: null,
        })
        .where('state', '=', 'running'),
  );
  const callsOf = prepare((p: { user: string; run: string }) =>
    calls.where('run_id', '=', p.run).where('user_id', '=', p.user).orderBy('position'),
  );
  const used = prepare((p: { user: string }) =>
    db
      .selectFrom('script_runs')
      .select([
        sql<number>`cast(count(*) as bigint)`.as('runs'),
        sql<number>`cast(coalesce(sum(characters), 0) as bigint)`.as('characters'),
      ])
      .where('user_id', '=', p.user),
  );
  const page = prepare((p: { after: string; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapSealed = prepare((p: { id: string; seen: string; next: string }) =>
    db.updateTable('script_runs').set({ sealed: p.next }).where('id', '=', p.id).where('sealed', '=', p.seen),
  );
  const pageCalls = prepare((p: { run: string; position: number; limit: number }) =>
    calls
      .where((is) =>
        is.or([
          is('run_id', '>', p.run),
          is.and([is('run_id', '=', p.run), is('position', '>', p.position)]),
        ]),
      )
      .orderBy('run_id')
      .orderBy('position')
      .limit(p.limit),
  );
  const swapSealedCall = prepare((p: Place & { seen: string; next: string }) =>
    db
      .updateTable('script_calls')
      .set({ sealed: p.next })
      .where('run_id', '=', p.run_id)
      .where('position', '=', p.position)
      .where('sealed', '=', p.seen),
  );

  return {
    async add(run, most) {
      const { id, user_id: user, created_at: now } = run;
      const [, , removed] = await batch([
        lock({ user }),
        insert({ ...run, characters: run.sealed.length }),
        removeOfGone({ id, user }),
        trim({ user, now, ...most }),
        removeStray({ user }),
      ]);
      return removed.changes === 0;
    },
    get: (user, id) => one(get({ user, id })),
    list: (user, limit) => all(list({ user, limit })),
    open: (user, slot, now) => one(open({ user, slot, now })),
    async claim({ id, version: seen }, { version, running_until: until, updated_at: now }) {
      return (await change(claim({ id, seen, version, until, now }))) === 1;
    },
    async keep({ id, version }, until) {
      await change(keep({ id, version, until }));
    },
    async append({ id, version }, call, now) {
      const [counted, added] = await batch([
        count({ id, version, characters: call.sealed.length, now, place: call.place }),
        append({ ...call, run_id: id, version }),
      ]);
      return counted.changes === 1 && added.changes === 1;
    },
    async release({ id, version: seen }, { version, state, sealed, updated_at: updated }) {
      return (await change(release({ id, seen, version, state, sealed, updated }))) === 1;
    },
    calls: (user, run) => all(callsOf({ user, run })),
    async used(user) {
      return (await one(used({ user }))) ?? { runs: 0, characters: 0 };
    },
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    swapSealed: async (id, seen, next) => (await change(swapSealed({ id, seen, next }))) === 1,
    pageCalls: (after, limit) =>
      all(pageCalls({ run: after?.run_id ?? '', position: after?.position ?? -1, limit })),
    swapSealedCall: async ({ run_id, position }, seen, next) =>
      (await change(swapSealedCall({ run_id, position, seen, next }))) === 1,
  };
}
