// The groups of people, from what sign-ins said and from what a directory has pushed.
import { sql } from 'kysely';
import type { Groups } from '../../src/ports/groups.ts';
import { selectJsonTexts, toJson } from './json-rows.ts';
import { prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

/** Says that a source has spoken of the person, also where it has named no group. No group has this name. */
const TOLD = '';

/** Selects as `name` every group of the person, and `TOLD` where a source has spoken. A group of a directory has two names. */
export const namesOf = (user: string) => sql<{ name: string | null }>`
  select name from person_groups where user_id = ${user}
  union all select '' from directory_people where user_id = ${user} and removed_at is null
  union all ${namesInDirectory(user)}`;

const namesInDirectory = (user: string) => sql<{ name: string | null }>`
  select g.name from directory_members m join directory_groups g on g.id = m.group_id where m.user_id = ${user}
  union all select g.external_id from directory_members m join directory_groups g on g.id = m.group_id where m.user_id = ${user}`;

export function createGroups(source: Sql): Groups {
  const { db, all, batch } = source;
  const of = prepare((p: { user: string }) =>
    db.selectFrom(sql<{ name: string | null }>`(${namesOf(p.user)})`.as('told')).select('name'),
  );
  const ofDirectory = prepare((p: { user: string }) =>
    db.selectFrom(sql<{ name: string | null }>`(${namesInDirectory(p.user)})`.as('told')).select('name'),
  );
  // Each step finds the next name by the index, so the many rows of one name are not read.
  const named = prepare((p: { limit: number }) =>
    db
      .selectFrom(
        sql<{ name: string }>`(
          with recursive next_name(name) as (
            select min(name) from person_groups where name > ''
            union all
            select (select min(g.name) from person_groups g where g.name > n.name) from next_name n where n.name is not null
          )
          select name from next_name where name is not null limit ${p.limit})`.as('told'),
      )
      .select('name'),
  );
  const namedByDirectory = prepare((p: { limit: number }) =>
    db.selectFrom('directory_groups').select('name').where('name', '>', '').orderBy('name').limit(p.limit),
  );
  const forget = prepare((p: { user: string; by: string; also: string }) =>
    db.deleteFrom('person_groups').where('user_id', '=', p.user).where('source', 'in', [p.by, p.also]),
  );
  const note = prepare((p: { user: string; by: string; names: string }) =>
    db
      .insertInto('person_groups')
      .columns(['user_id', 'source', 'name'])
      .expression(
        db
          .selectFrom(selectJsonTexts(source, p.names).as('told'))
          .innerJoin('users', (join) => join.on('users.id', '=', p.user))
          .select((is) => ['users.id', is.cast<string>(is.val(p.by), 'text').as('source'), 'told.text']),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  return {
    async of(user) {
      const names = (await all(of({ user }))).flatMap(({ name }) => name ?? []);
      return names.length === 0 ? null : [...new Set(names)].filter((name) => name !== TOLD).toSorted();
    },
    ofDirectory: async (user) => (await all(ofDirectory({ user }))).flatMap(({ name }) => name ?? []),
    async known(limit) {
      const told = [...(await all(named({ limit }))), ...(await all(namedByDirectory({ limit })))];
      return [...new Set(told.map(({ name }) => name))].toSorted().slice(0, limit);
    },
    async note(user, by, names, also = by) {
      await batch([forget({ user, by, also }), note({ user, by, names: toJson([TOLD, ...names]) })]);
    },
  };
}
