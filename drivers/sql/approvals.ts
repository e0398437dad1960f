// Calls that people are asked about. Every change of a row is one update with one winner.
import type { ApprovalChange, ApprovalRecord, Approvals, ApprovalState } from '../../src/ports/policy.ts';
import type { Builder } from './builder.ts';
import { createLockUser } from './lock-user.ts';
import { PORTION_ROWS } from './portions.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Sql } from './sql.ts';

const NOT_RUN = ['pending', 'approved'] as const satisfies ApprovalState[];
const WAITING = ['pending', 'approved', 'denied'] as const satisfies ApprovalState[];

/** Ends approvals that have not run, in the step that changes what they were asked under. */
export function endApprovals(db: Builder) {
  const ended = (p: { now: number }) =>
    db
      .updateTable('approvals')
      .set((is) => ({ state: 'expired' as const, slot: is.ref('id'), sealed: null, ended_at: p.now }))
      .where('ended_at', 'is', null)
      .where('state', 'in', NOT_RUN);
  return {
    all: prepare((p: { now: number }) => ended(p)),
    ofUser: prepare((p: { user: string; now: number }) => ended(p).where('user_id', '=', p.user)),
    ofCaller: prepare((p: { user: string; caller: string; now: number }) =>
      ended(p).where('user_id', '=', p.user).where('caller', '=', p.caller),
    ),
    ofIntegration: prepare((p: { user: string; integration: string; now: number }) =>
      ended(p).where('user_id', '=', p.user).where('integration', '=', p.integration),
    ),
  };
}

export function createApprovals({ db, all, one, change, batch }: Sql): Approvals {
  const rows = db.selectFrom('approvals').select(columns('approvals'));
  const insert = prepare((p: ApprovalRecord) =>
    db
      .insertInto('approvals')
      .values(values('approvals', p))
      .onConflict((conflict) => conflict.column('slot').doNothing()),
  );
  const lock = createLockUser({ db });
  const removeBeyond = prepare((p: { id: string; user: string; caller: string; now: number; most: number }) =>
    db
      .deleteFrom('approvals')
      .where('id', '=', p.id)
      .where(
        (is) =>
          is
            .selectFrom('approvals as others')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('others.user_id', '=', p.user)
            .where('others.caller', '=', p.caller)
            .where('others.state', '=', 'pending')
            .where('others.expires_at', '>', p.now),
        '>',
        p.most,
      ),
  );
  const bySlot = prepare((p: { user: string; slot: string }) =>
    rows.where('slot', '=', p.slot).where('user_id', '=', p.user),
  );
  const get = prepare((p: { user: string; id: string }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const lastEnded = prepare((p: { user: string; digest: string }) =>
    rows
      .where('user_id', '=', p.user)
      .where('digest', '=', p.digest)
      .where('state', 'in', ['done', 'failed', 'unknown'])
      .orderBy('ended_at', 'desc')
      .limit(1),
  );
  const due = (p: { now: number; limit: number }) =>
    rows
      .where('ended_at', 'is', null)
      .where((is) =>
        is.or([
          is.and([is('state', 'in', WAITING), is('expires_at', '<=', p.now)]),
          is.and([is('state', '=', 'running'), is('running_until', '<=', p.now)]),
        ]),
      )
      .orderBy('expires_at')
      .limit(p.limit);
  const dueOfAll = prepare(due);
  const dueOfUser = prepare((p: { user: string; now: number; limit: number }) =>
    due(p).where('user_id', '=', p.user),
  );
  const purge = prepare((p: { before: number }) =>
    db
      .deleteFrom('approvals')
      .where(
        'id',
        'in',
        db
          .selectFrom('approvals')
          .select('id')
          .where('created_at', '<=', p.before)
          .where('ended_at', 'is not', null)
          .limit(PORTION_ROWS),
      ),
  );
  const keepRunning = prepare((p: { id: string; run: string; until: number }) =>
    db
      .updateTable('approvals')
      .set({ running_until: p.until })
      .where('id', '=', p.id)
      .where('run', '=', p.run)
      .where('state', '=', 'running'),
  );
  const end = endApprovals(db);

  return {
    async ask(approval, most) {
      const { id, user_id: user, caller, created_at: now } = approval;
      const [, inserted, removed] = await batch([
        lock({ user }),
        insert(approval),
        removeBeyond({ id, user, caller, now, most }),
      ]);
      if (inserted.changes === 0) return 'taken';
      return removed.changes === 1 ? 'full' : 'asked';
    },
    bySlot: (user, slot) => one(bySlot({ user, slot })),
    get: (user, id) => one(get({ user, id })),
    lastEnded: (user, digest) => one(lastEnded({ user, digest })),
    list({ user_id, states, limit }) {
      const own = rows.where('user_id', '=', user_id);
      const wanted = states === undefined ? own : own.where('state', 'in', [...states]);
      return all(wanted.orderBy('created_at', 'desc').orderBy('id').limit(limit).compile());
    },
    async move({ id, state, run, expires_at }, changes: ApprovalChange) {
      const moved = db
        .updateTable('approvals')
        .set(changes)
        .where('id', '=', id)
        .where('state', '=', state)
        .where('expires_at', '=', expires_at)
        .where('run', run === null ? 'is' : '=', run);
      return (await change(moved.compile())) === 1;
    },
    async keepRunning(id, run, until) {
      await change(keepRunning({ id, run, until }));
    },
    due: (now, limit, user) =>
      all(user === undefined ? dueOfAll({ now, limit }) : dueOfUser({ user, now, limit })),
    async end(user, integration, now) {
      await change(end.ofIntegration({ user, integration, now }));
    },
    purge: async (before) => (await change(purge({ before }))) >= PORTION_ROWS,
  };
}
