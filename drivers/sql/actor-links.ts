// Connect links of actors: each is bound to the first browser that goes on with it. decision: 074
import type { ActorLink, ActorLinks } from '../../src/ports/actors.ts';
import { selectJsonRows, toJson } from './json-rows.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createActorLinks(source: Sql): ActorLinks {
  const { db, all, one, change, batch } = source;
  const links = db.selectFrom('actor_links').select(columns('actor_links'));
  const lock = createLockUser(source);
  const living = (user: string) =>
    db
      .selectFrom('users')
      .select('users.id')
      .where('users.id', '=', user)
      .where('users.external_id', 'is not', null)
      .where('users.disabled_at', 'is', null);
  const insert = prepare((p: { rows: string; user: string; most: number; now: number }) =>
    db
      .insertInto('actor_links')
      .columns(columns('actor_links'))
      .expression(
        selectJsonRows(source, 'actor_links', p.rows)
          .where((is) => is.exists(living(p.user)))
          .where(
            (is) =>
              is
                .selectFrom('actor_links as others')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('others.user_id', '=', p.user)
                .where('others.ended_at', 'is', null)
                .where('others.ends_at', '>', p.now),
            '<',
            p.most,
          ),
      ),
  );
  const isLiving = prepare((p: { user: string }) => living(p.user));
  const byToken = prepare((p: { sha: string }) => links.where('token_sha', '=', p.sha));
  const get = prepare((p: { id: string }) => links.where('id', '=', p.id));
  const open = prepare((p: { id: string; binding: string; now: number; until: number }) =>
    db
      .updateTable('actor_links')
      .set((is) => ({
        state: 'opened' as const,
        binding: p.binding,
        ends_at: is.case().when('binding', 'is', null).then(p.until).else(is.ref('ends_at')).end(),
      }))
      .where('id', '=', p.id)
      .where('ended_at', 'is', null)
      .where('ends_at', '>', p.now)
      .where((is) => is.or([is('binding', 'is', null), is('binding', '=', p.binding)])),
  );
  const endAs = (state: 'connected' | 'expired', from: readonly ActorLink['state'][]) =>
    prepare((p: { id: string; now: number }) =>
      db
        .updateTable('actor_links')
        .set({ state, ended_at: p.now })
        .where('id', '=', p.id)
        .where('ended_at', 'is', null)
        .where('state', 'in', [...from]),
    );
  const finish = endAs('connected', ['opened']);
  const expire = endAs('expired', ['open', 'opened']);
  const due = prepare((p: { now: number; limit: number }) =>
    links.where('ended_at', 'is', null).where('ends_at', '<=', p.now).orderBy('ends_at').limit(p.limit),
  );

  return {
    async add(link, most) {
      const { user_id: user, created_at: now } = link;
      const [, inserted] = await batch([lock({ user }), insert({ rows: toJson([link]), user, most, now })]);
      if (inserted.changes === 1) return 'added';
      return (await one(isLiving({ user }))) === null ? 'gone' : 'full';
    },
    byToken: (sha) => one(byToken({ sha })),
    get: (id) => one(get({ id })),
    open: async (id, binding, times) => (await change(open({ id, binding, ...times }))) === 1,
    finish: async (id, now) => (await change(finish({ id, now }))) === 1,
    list({ keyId, userId, before, limit }) {
      let rows = links.where('service_key_id', '=', keyId);
      if (userId !== undefined) rows = rows.where('user_id', '=', userId);
      if (before !== undefined)
        rows = rows.where((is) =>
          is.or([
            is('created_at', '<', before.created_at),
            is.and([is('created_at', '=', before.created_at), is('id', '<', before.id)]),
          ]),
        );
      return all(rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).compile());
    },
    due: (now, limit) => all(due({ now, limit })),
    expire: async (id, now) => (await change(expire({ id, now }))) === 1,
  };
}
