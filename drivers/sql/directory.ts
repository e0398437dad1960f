// What a directory has pushed: people, groups and who is in them. decision: 071
import { sql } from 'kysely';
import type {
  Directory,
  DirectoryGroup,
  DirectoryPerson,
  GroupsFilter,
  PeopleFilter,
} from '../../src/ports/directory.ts';
import { selectJsonRows, selectJsonTexts, toJson } from './json-rows.ts';
import { columns, prepare, setToExcluded } from './prepare.ts';
import type { Sql } from './sql.ts';

// Held within one transaction only, so that two writes never store the same name.
const WRITING = 'write directory';

export function createDirectory(source: Sql): Directory {
  const { db, all, one, batch } = source;

  const known = db
    .selectFrom('users')
    .leftJoin('directory_people as told', 'told.user_id', 'users.id')
    .where('users.unverified_since', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('told.removed_at', 'is', null);
  const peopleBy = (filter: PeopleFilter | null) => {
    if (filter === null) return known;
    if ('id' in filter) return known.where('users.id', '=', filter.id);
    if ('externalId' in filter) return known.where('told.external_id', '=', filter.externalId);
    const { userName } = filter;
    return known.where((is) =>
      is.or([
        is('told.user_name', '=', userName),
        is.and([is('told.user_id', 'is', null), is('users.email', '=', userName)]),
      ]),
    );
  };
  const groupsBy = (filter: GroupsFilter | null) => {
    const groups = db.selectFrom('directory_groups');
    if (filter === null) return groups;
    if ('id' in filter) return groups.where('id', '=', filter.id);
    if ('externalId' in filter) return groups.where('external_id', '=', filter.externalId);
    return groups.where(sql`lower(name)`, '=', sql`lower(${filter.name})`);
  };
  const groupsOfPeople = prepare((p: { users: string }) =>
    db
      .selectFrom('directory_members')
      .innerJoin('directory_groups', 'directory_groups.id', 'directory_members.group_id')
      .select(['directory_members.user_id', 'directory_groups.id', 'directory_groups.name'])
      .where('directory_members.user_id', 'in', selectJsonTexts(source, p.users))
      .orderBy('directory_groups.name'),
  );
  const members = prepare((p: { groups: string }) =>
    db
      .selectFrom('directory_members')
      .innerJoin('users', 'users.id', 'directory_members.user_id')
      .select(['directory_members.group_id', 'directory_members.user_id'])
      .where('directory_members.group_id', 'in', selectJsonTexts(source, p.groups))
      .where('users.deleted_at', 'is', null)
      .orderBy('users.id'),
  );

  // On PostgreSQL a second transaction waits at this row until the first one has committed.
  const begin = prepare((p: { id: string }) =>
    db
      .insertInto('leases')
      .values({ name: WRITING, holder: p.id, expires_at: 0 })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  const end = prepare((p: { id: string }) =>
    db.deleteFrom('leases').where('name', '=', WRITING).where('holder', '=', p.id),
  );
  const putPerson = prepare((p: DirectoryPerson & { rows: string }) =>
    db
      .insertInto('directory_people')
      .columns(columns('directory_people'))
      .expression(
        selectJsonRows(source, 'directory_people', p.rows)
          .where((is) =>
            is.exists(db.selectFrom('users').select('users.id').where('users.id', '=', p.user_id)),
          )
          .where((is) =>
            is.not(
              is.exists(
                db
                  .selectFrom('directory_people as other')
                  .select('other.user_id')
                  .where('other.user_name', '=', p.user_name)
                  .where('other.user_id', '<>', p.user_id)
                  .where('other.removed_at', 'is', null),
              ),
            ),
          ),
      )
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(setToExcluded('directory_people', 'user_id', 'created_at')),
      ),
  );
  const told = prepare((p: { user: string }) =>
    db.selectFrom('directory_people').select(columns('directory_people')).where('user_id', '=', p.user),
  );
  const leaveAll = prepare((p: { user: string }) =>
    db.deleteFrom('directory_members').where('user_id', '=', p.user),
  );
  const putGroup = prepare((p: DirectoryGroup & { rows: string }) =>
    db
      .insertInto('directory_groups')
      .columns(columns('directory_groups'))
      .expression(
        selectJsonRows(source, 'directory_groups', p.rows).where((is) =>
          is.not(
            is.exists(
              db
                .selectFrom('directory_groups as other')
                .select('other.id')
                .where(sql`lower(other.name)`, '=', sql`lower(${p.name})`)
                .where('other.id', '<>', p.id),
            ),
          ),
        ),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(setToExcluded('directory_groups', 'id', 'created_at')),
      ),
  );
  const removeGroup = prepare((p: { id: string }) =>
    db.deleteFrom('directory_groups').where('id', '=', p.id),
  );
  const takeOut = prepare((p: { id: string; users: string }) =>
    db
      .deleteFrom('directory_members')
      .where('group_id', '=', p.id)
      .where('user_id', 'in', selectJsonTexts(source, p.users)),
  );
  // What a sign-in said before would otherwise keep them in.
  const unsay = prepare((p: { users: string; name: string; external_id: string | null }) =>
    db
      .deleteFrom('person_groups')
      .where('user_id', 'in', selectJsonTexts(source, p.users))
      .where('name', 'in', [p.name, sql<string>`${p.external_id}`]),
  );
  const putIn = prepare((p: { id: string; users: string }) =>
    db
      .insertInto('directory_members')
      .columns(['group_id', 'user_id'])
      .expression(
        db
          .selectFrom('directory_groups')
          .innerJoin('users', (join) => join.onTrue())
          .select(['directory_groups.id', 'users.id'])
          .where('directory_groups.id', '=', p.id)
          .where('users.id', 'in', selectJsonTexts(source, p.users)),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );

  // A directory that puts somebody into a group has spoken of this person.
  const tellOf = prepare((p: { now: number; users: string }) =>
    db
      .insertInto('directory_people')
      .columns(['user_id', 'user_name', 'profile', 'created_at', 'updated_at'])
      .expression(
        db
          .selectFrom('users')
          .select((is) => [
            'id',
            'email',
            is.cast<string>(is.val('{}'), 'text').as('profile'),
            is.cast<number>(is.val(p.now), 'bigint').as('created_at'),
            is.cast<number>(is.val(p.now), 'bigint').as('updated_at'),
          ])
          .where('id', 'in', selectJsonTexts(source, p.users)),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );

  async function membersOf(ids: readonly string[]) {
    return all(members({ groups: toJson(ids) }));
  }

  return {
    async people(filter, { offset, limit }) {
      const found = peopleBy(filter);
      const count = await one(found.select(({ fn }) => fn.countAll<number>().as('count')).compile());
      const rows = await all(
        found
          .select(['users.id', 'users.email', 'users.created_at', 'users.disabled_at'])
          .select([
            'told.user_name',
            'told.external_id',
            'told.profile',
            'told.inactive_since',
            'told.created_at as told_at',
            'told.updated_at',
          ])
          .orderBy('users.id')
          .offset(offset)
          .limit(limit)
          .compile(),
      );
      const groups = Map.groupBy(
        rows.length === 0 ? [] : await all(groupsOfPeople({ users: toJson(rows.map(({ id }) => id)) })),
        ({ user_id }) => user_id,
      );
      return {
        total: count?.count ?? 0,
        rows: rows.map(({ id, email, created_at, disabled_at, ...row }) => ({
          user: { id, email, created_at, disabled_at },
          told:
            row.user_name === null || row.told_at === null || row.updated_at === null
              ? null
              : {
                  user_id: id,
                  user_name: row.user_name,
                  external_id: row.external_id,
                  profile: row.profile ?? '{}',
                  inactive_since: row.inactive_since,
                  created_at: row.told_at,
                  updated_at: row.updated_at,
                  removed_at: null,
                },
          groups: (groups.get(id) ?? []).map(({ id: group, name }) => ({ id: group, name })),
        })),
      };
    },
    told: (user) => one(told({ user })),
    async putPerson(person) {
      const { user_id: user, removed_at } = person;
      const [, put] = await batch([
        begin({ id: user }),
        putPerson({ ...person, rows: toJson([person]) }),
        ...(removed_at === null ? [] : [leaveAll({ user })]),
        end({ id: user }),
      ]);
      return put?.changes === 1;
    },
    async groups(filter, { offset, limit }) {
      const found = groupsBy(filter);
      const count = await one(found.select(({ fn }) => fn.countAll<number>().as('count')).compile());
      const rows = await all(
        found.select(columns('directory_groups')).orderBy('id').offset(offset).limit(limit).compile(),
      );
      return { total: count?.count ?? 0, rows };
    },
    members: async (ids) => (ids.length === 0 ? [] : membersOf(ids)),
    async putGroup(group) {
      const { id } = group;
      const [, put] = await batch([
        begin({ id }),
        putGroup({ ...group, rows: toJson([group]) }),
        end({ id }),
      ]);
      return put?.changes === 1;
    },
    async deleteGroup({ id, name, external_id }) {
      const users = toJson((await membersOf([id])).map(({ user_id }) => user_id));
      await batch([takeOut({ id, users }), unsay({ users, name, external_id }), removeGroup({ id })]);
    },
    async changeMembers({ id, name, external_id, updated_at: now }, { added, removed }) {
      const [out, users] = [toJson(removed), toJson(added)];
      await batch([
        takeOut({ id, users: out }),
        unsay({ users: out, name, external_id }),
        tellOf({ now, users }),
        putIn({ id, users }),
      ]);
    },
  };
}
