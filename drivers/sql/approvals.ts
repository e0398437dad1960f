// Calls that people are asked about. Every change of a row is one update with one winner.
import { sql } from 'kysely';
import type { ApprovalChange, ApprovalRecord, Approvals, ApprovalState } from '../../src/ports/policy.ts';
import type { Builder } from './builder.ts';
import { createLockUser } from './lock-user.ts';
import { PORTION_ROWS } from './portions.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Sql } from './sql.ts';

const NOT_RUN = ['pending', 'approved'] as const satisfies ApprovalState[];
/** An expired one counts as waiting until its audit row is written. */
const WAITING = ['pending', 'approved', 'denied', 'expired'] as const satisfies ApprovalState[];

/**
 * Ends approvals that have not run, in the step that changes what they were asked under. They expire at once, and the
 * next look for expired approvals settles them. decision: 036
 */
export function endApprovals(db: Builder) {
  const ended = () =>
    db
      .updateTable('approvals')
      .set((is) => ({ state: 'expired' as const, slot: is.ref('id'), sealed: null, expires_at: 0 }))
      .where('ended_at', 'is', null)
      .where('state', 'in', NOT_RUN);
  return {
    all: prepare(() => ended()),
    ofUser: prepare((p: { user: string }) => ended().where('user_id', '=', p.user)),
    ofDisabled: prepare((p: { user: string }) =>
      ended().where('user_id', 'in', (is) =>
        is.selectFrom('users').select('id').where('id', '=', p.user).where('disabled_at', 'is not', null),
      ),
    ),
    ofCaller: prepare((p: { user: string; caller: string }) =>
      ended().where('user_id', '=', p.user).where('caller', '=', p.caller),
    ),
    ofTeam: prepare((p: { integration: string }) =>
      ended().where('integration', '=', p.integration).where('owner', '=', 'team'),
    ),
    ofIntegration: prepare((p: { user: string; integration: string }) =>
      ended().where('user_id', '=', p.user).where('integration', '=', p.integration),
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
  const sealedBytes = sql<number>`coalesce(sum(octet_length(sealed)), 0)`;
  const removeBeyondPerson = prepare((p: { id: string; user: string; most: number; sealed: number }) =>
    db
      .deleteFrom('approvals')
      .where('id', '=', p.id)
      .where((is) =>
        is.exists(
          is
            .selectFrom('approvals as others')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('others.user_id', '=', p.user)
            .where('others.state', '=', 'pending')
            .having((has) => has.or([has(has.fn.countAll(), '>', p.most), has(sealedBytes, '>', p.sealed)])),
        ),
      ),
  );
  const waiting = prepare((p: { user: string }) =>
    db
      .selectFrom('approvals')
      .select(({ fn }) => [fn.countAll<number>().as('count'), sealedBytes.as('sealed')])
      .where('user_id', '=', p.user)
      .where('state', '=', 'pending'),
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
  // Two statements: one with `or` reads every row that has not ended.
  const over = (p: { now: number; limit: number }) =>
    rows
      .where('ended_at', 'is', null)
      .where('state', 'in', WAITING)
      .where('expires_at', '<=', p.now)
      .orderBy('expires_at')
      .limit(p.limit);
  // The index serves only statements with these literals.
  const lost = (p: { now: number; limit: number }) =>
    rows
      .where('ended_at', 'is', null)
      .where('state', '=', sql.lit('running'))
      .where('running_until', '>', sql.lit(0))
      .where('running_until', '<=', p.now)
      .orderBy('running_until')
      .limit(p.limit);
  const due = [over, lost].map((choose) => ({
    ofAll: prepare(choose),
    ofUser: prepare((p: { user: string; now: number; limit: number }) =>
      choose(p).where('user_id', '=', p.user),
    ),
  }));
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
  const renameAccount = prepare((p: { user: string; integration: string; former: string; label: string }) =>
    db
      .updateTable('approvals')
      .set({ account: p.label })
      .where('user_id', '=', p.user)
      .where('integration', '=', p.integration)
      .where('account', '=', p.former)
      .where('owner', 'is', null)
      .where('ended_at', 'is', null),
  );
  const end = endApprovals(db);

  return {
    async ask(approval, most) {
      const { id, user_id: user, caller, created_at: now } = approval;
      const { ofCaller, ofPerson, sealedOfPerson } = most;
      const [, inserted, beyondCaller, beyondPerson] = await batch([
        lock({ user }),
        insert(approval),
        removeBeyond({ id, user, caller, now, most: ofCaller }),
        removeBeyondPerson({ id, user, most: ofPerson, sealed: sealedOfPerson }),
      ]);
      if (inserted.changes === 0) return 'taken';
      if (beyondCaller.changes === 1) return 'full';
      return beyondPerson.changes === 1 ? 'person-full' : 'asked';
    },
    waiting: async (user) => (await one(waiting({ user }))) ?? { count: 0, sealed: 0 },
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
    async due(now, limit, user) {
      const found = await Promise.all(
        due.map(({ ofAll, ofUser }) =>
          all(user === undefined ? ofAll({ now, limit }) : ofUser({ user, now, limit })),
        ),
      );
      return found.flat().slice(0, limit);
    },
    async renameAccount({ user_id: user, integration }, former, label) {
      await change(renameAccount({ user, integration, former, label }));
    },
    async end(user, integration) {
      await change(end.ofIntegration({ user, integration }));
    },
    purge: async (before) => (await change(purge({ before }))) >= PORTION_ROWS,
  };
}
