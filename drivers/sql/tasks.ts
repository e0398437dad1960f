// Calls that wait for their clients. A task is held by one process at a time, and every write of it has one winner.
import { sql } from 'kysely';
import type { MostTasks, TaskRecord, Tasks } from '../../src/ports/tasks.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Sql } from './sql.ts';

type Seen = Pick<TaskRecord, 'id' | 'version'>;

export function createTasks({ db, all, one, change, batch }: Sql): Tasks {
  const own = columns('tasks').filter((name) => name !== 'characters');
  const rows = db.selectFrom('tasks').select(own);
  const lock = createLockUser({ db });
  const insert = prepare((p: TaskRecord & { characters: number }) =>
    db
      .insertInto('tasks')
      .values(values('tasks', p))
      .onConflict((conflict) => conflict.column('slot').doNothing()),
  );
  const wait = prepare((p: { approval: string; task: string; user: string; until: number }) =>
    db
      .insertInto('task_approvals')
      .values({ approval_id: p.approval, task_id: p.task, user_id: p.user, expires_at: p.until })
      .onConflict((conflict) => conflict.columns(['approval_id', 'task_id']).doNothing()),
  );
  const isGone = (user: string) =>
    db.selectFrom('users').select('id').where('id', '=', user).where('deleted_at', 'is', null);
  const removeOfGone = prepare((p: { id: string; user: string }) =>
    db.deleteFrom('tasks').where('id', '=', p.id).where('user_id', 'not in', isGone(p.user)),
  );
  // Nothing waits for an approval without its task.
  const removeStray = prepare((p: { id: string }) =>
    db
      .deleteFrom('task_approvals')
      .where('task_id', '=', p.id)
      .where('task_id', 'not in', db.selectFrom('tasks').select('id').where('id', '=', p.id)),
  );
  const trim = prepare((p: { user: string; caller: string } & MostTasks) =>
    db.deleteFrom('tasks').where('id', 'in', (is) =>
      is
        .selectFrom((inner) =>
          inner
            .selectFrom('tasks')
            .select([
              'id',
              sql<number>`row_number() over (order by created_at desc, id desc)`.as('place'),
              sql<number>`sum(characters) over (order by created_at desc, id desc)`.as('total'),
            ])
            .where('user_id', '=', p.user)
            .where('caller', '=', p.caller)
            .as('newest'),
        )
        .select('newest.id')
        .where((or) => or.or([or('place', '>', p.tasks), or('total', '>', p.characters)])),
    ),
  );
  const bySlot = prepare((p: { user: string; slot: string }) =>
    rows.where('slot', '=', p.slot).where('user_id', '=', p.user),
  );
  const get = prepare((p: { user: string; id: string }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const list = prepare((p: { user: string; limit: number }) =>
    rows.where('user_id', '=', p.user).orderBy('created_at', 'desc').orderBy('id').limit(p.limit),
  );
  // The index serves only statements with this literal.
  const open = rows.where('state', '=', sql.lit('open')).where('cancelled_at', 'is', null);
  const ofApproval = prepare((p: { user: string; approval: string }) =>
    open
      .where('user_id', '=', p.user)
      .where('id', 'in', (is) =>
        is
          .selectFrom('task_approvals')
          .select('task_id')
          .where('approval_id', '=', p.approval)
          .where('user_id', '=', p.user),
      ),
  );
  const held = (p: Seen) => db.updateTable('tasks').where('id', '=', p.id).where('version', '=', p.version);
  interface Write {
    id: string;
    seen: string;
    version: string;
    sealed: string;
    characters: number;
    updated: number;
  }
  const write = ({ id, seen, version, sealed, characters, updated }: Write) =>
    held({ id, version: seen }).set({ version, sealed, characters, updated_at: updated });
  const claim = prepare((p: Write & { until: number | null }) =>
    write(p).set({ running_until: p.until }).where('state', '=', 'open').where('cancelled_at', 'is', null),
  );
  const keep = prepare((p: Seen & { until: number }) =>
    held(p).set({ running_until: p.until }).where('running_until', 'is not', null),
  );
  const release = prepare((p: Write & { state: TaskRecord['state'] }) =>
    write(p).set({ running_until: null, state: p.state }),
  );
  const waitNoLonger = prepare((p: { id: string; approval: string }) =>
    db.deleteFrom('task_approvals').where('approval_id', '=', p.approval).where('task_id', '=', p.id),
  );
  const cancel = prepare((p: { user: string; id: string; now: number }) =>
    db
      .updateTable('tasks')
      .set({ cancelled_at: p.now, updated_at: p.now })
      .where('id', '=', p.id)
      .where('user_id', '=', p.user)
      .where('state', '=', 'open')
      .where('cancelled_at', 'is', null),
  );
  const answer = prepare((p: { id: string; seen: string; answered: string }) =>
    db
      .updateTable('tasks')
      .set({ answered: p.answered })
      .where('id', '=', p.id)
      .where('answered', '=', p.seen),
  );
  const due = prepare((p: { now: number; limit: number }) =>
    open
      .where((is) =>
        is.or([
          is('running_until', '<=', p.now),
          is.and([
            is('running_until', 'is', null),
            // PostgreSQL would answer "exists" for all tasks at once, or a join with a merge, and read every approval for that.
            is(
              is
                .selectFrom('task_approvals')
                .select('task_approvals.approval_id')
                .whereRef('task_approvals.task_id', '=', 'tasks.id')
                .where(
                  (waits) =>
                    waits
                      .selectFrom('approvals')
                      .select('approvals.id')
                      .whereRef('approvals.id', '=', 'task_approvals.approval_id')
                      .where((decided) =>
                        decided.or([
                          decided('approvals.state', '!=', 'pending'),
                          decided('approvals.expires_at', '<=', p.now),
                        ]),
                      ),
                  'is not',
                  null,
                )
                .limit(1),
              'is not',
              null,
            ),
          ]),
        ]),
      )
      .orderBy('created_at')
      .limit(p.limit),
  );
  const page = prepare((p: { after: string; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapSealed = prepare((p: { id: string; seen: string; next: string }) =>
    db.updateTable('tasks').set({ sealed: p.next }).where('id', '=', p.id).where('sealed', '=', p.seen),
  );

  return {
    async add(task, approvals, most) {
      const { id, user_id: user, caller, expires_at: until } = task;
      const [, inserted, removed] = await batch([
        lock({ user }),
        insert({ ...task, characters: task.sealed.length }),
        removeOfGone({ id, user }),
        ...approvals.map((approval) => wait({ approval, task: id, user, until })),
        removeStray({ id }),
        trim({ user, caller, ...most }),
      ]);
      return inserted.changes === 1 && removed.changes === 0;
    },
    bySlot: (user, slot) => one(bySlot({ user, slot })),
    get: (user, id) => one(get({ user, id })),
    list: (user, limit) => all(list({ user, limit })),
    ofApproval: (user, approval) => all(ofApproval({ user, approval })),
    async claim({ id, version: seen }, { version, sealed, updated_at: updated, running_until: until }) {
      const characters = sealed.length;
      return (await change(claim({ id, seen, version, sealed, characters, updated, until }))) === 1;
    },
    async keep({ id, version }, until) {
      await change(keep({ id, version, until }));
    },
    async release(row, { version, sealed, updated_at: updated, state }, { ended = [], begun = [] }) {
      const { id, version: seen, user_id: user, expires_at: until } = row;
      const [released] = await batch([
        release({ id, seen, version, sealed, characters: sealed.length, updated, state }),
        ...ended.map((approval) => waitNoLonger({ id, approval })),
        ...begun.map((approval) => wait({ approval, task: id, user, until })),
      ]);
      return released.changes === 1;
    },
    async cancel(user, id, now) {
      await change(cancel({ user, id, now }));
    },
    answer: async ({ id, answered: seen }, answered) => (await change(answer({ id, seen, answered }))) === 1,
    due: (now, limit) => all(due({ now, limit })),
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    swapSealed: async (id, seen, next) => (await change(swapSealed({ id, seen, next }))) === 1,
  };
}
