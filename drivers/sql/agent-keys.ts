// Keys for single agents.
import type { AgentKey, AgentKeys } from '../../src/ports/policy.ts';
import { endApprovals } from './approvals.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createAgentKeys({ db, all, one, change, batch }: Sql): AgentKeys {
  const keys = db.selectFrom('agent_keys').select(columns('agent_keys'));
  const lock = createLockUser({ db });
  const add = prepare((p: AgentKey & { most: number }) =>
    db
      .insertInto('agent_keys')
      .columns(columns('agent_keys'))
      .expression(
        db
          .selectFrom('users')
          .select(selected('agent_keys', p))
          .where('users.id', '=', p.user_id)
          .where('users.disabled_at', 'is', null)
          .where(
            (is) =>
              is
                .selectFrom('agent_keys as others')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('others.user_id', '=', p.user_id),
            '<',
            p.most,
          ),
      ),
  );
  const list = prepare((p: { user: string }) =>
    keys.where('user_id', '=', p.user).orderBy('created_at', 'desc').orderBy('id'),
  );
  const ofPeople = keys.where((is) =>
    is.exists(
      is
        .selectFrom('users')
        .select('users.id')
        .whereRef('users.id', '=', 'agent_keys.user_id')
        .where('users.disabled_at', 'is', null),
    ),
  );
  const expiring = prepare((p: { from: number; until: number; after: string; limit: number }) =>
    keys
      .where('expires_at', '>', p.from)
      .where('expires_at', '<=', p.until)
      .where('user_id', 'in', (is) => is.selectFrom('destinations').select('destinations.user_id'))
      .where('agent_keys.id', '>', p.after)
      .orderBy('agent_keys.id')
      .limit(p.limit),
  );
  const bySha = prepare((p: { sha: string }) => ofPeople.where('key_sha', '=', p.sha));
  const get = prepare((p: { id: string }) => ofPeople.where('agent_keys.id', '=', p.id));
  const remove = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('agent_keys').where('user_id', '=', p.user).where('id', '=', p.id),
  );
  const update = prepare(
    (p: Pick<AgentKey, 'name' | 'limits' | 'expires_at'> & { user: string; id: string }) =>
      db
        .updateTable('agent_keys')
        .set({ name: p.name, limits: p.limits, expires_at: p.expires_at })
        .where('user_id', '=', p.user)
        .where('id', '=', p.id)
        .returning(columns('agent_keys')),
  );
  const pause = prepare((p: { user: string; id: string; at: number | null }) =>
    db
      .updateTable('agent_keys')
      .set({ paused_at: p.at })
      .where('user_id', '=', p.user)
      .where('id', '=', p.id)
      .returning(columns('agent_keys')),
  );
  const noteUse = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('agent_keys')
      .set({ last_used_at: p.now })
      .where('id', '=', p.id)
      .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', p.now)])),
  );
  const end = endApprovals(db);

  return {
    async add(key, most) {
      const [, added] = await batch([lock({ user: key.user_id }), add({ ...key, most })]);
      return added.changes === 1;
    },
    list: (user) => all(list({ user })),
    expiring: (from, until, { after, limit }) => all(expiring({ from, until, after: after ?? '', limit })),
    bySha: (sha) => one(bySha({ sha })),
    get: (id) => one(get({ id })),
    async delete(user, id) {
      const [removed] = await batch([remove({ user, id }), end.ofCaller({ user, caller: `key:${id}` })]);
      return removed.changes === 1;
    },
    async update(user, id, changed) {
      const [{ rows }] = await batch([
        update({ user, id, ...changed }),
        end.ofCaller({ user, caller: `key:${id}` }),
      ]);
      return rows[0] ?? null;
    },
    pause: (user, id, at) => one(pause({ user, id, at })),
    async noteUse(id, now) {
      await change(noteUse({ id, now }));
    },
  };
}
