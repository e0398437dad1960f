// Tests what `Groups` and `Directory` must do.
import { describe, expect, it } from 'vitest';
import type { DirectoryGroup, DirectoryPerson } from '../../../src/ports/directory.ts';
import type { User } from '../../../src/ports/records.ts';
import { EVERYONE, type Store } from '../../../src/ports/store.ts';
import { TEAM_ACCOUNT } from '../../../src/ports/team.ts';
import { connection, hash, newUser, NOW } from './records.ts';

const ALL = { offset: 0, limit: 100 };

export function directoryContract(store: () => Store): void {
  const person = (): Promise<User> => store().users.create(newUser());
  const told = (user_id: string, more: Partial<DirectoryPerson> = {}): DirectoryPerson => ({
    user_id,
    user_name: hash(),
    external_id: null,
    profile: '{"a":"\u00e9"}',
    inactive_since: null,
    created_at: NOW,
    updated_at: NOW,
    removed_at: null,
    ...more,
  });
  const group = (more: Partial<DirectoryGroup> = {}): DirectoryGroup => ({
    id: hash(),
    name: `Group ${hash()}`,
    external_id: null,
    created_at: NOW,
    updated_at: NOW,
    ...more,
  });

  describe('groups of people', () => {
    it('are unknown until a source has spoken, and empty when it has named none', async () => {
      const { groups } = store();
      const { id } = await person();
      expect(await groups.of(id)).toBeNull();
      await groups.note(id, 'idp', []);
      expect(await groups.of(id)).toEqual([]);
      await groups.note(id, 'idp', ['b', 'a', 'b']);
      expect(await groups.of(id)).toEqual(['a', 'b']);
      await groups.note(id, 'hosted', ['c']);
      expect(await groups.of(id)).toEqual(['a', 'b', 'c']);
      await groups.note(id, 'hosted', ['d'], 'idp');
      expect(await groups.of(id)).toEqual(['d']);
      await groups.note('nobody', 'idp', ['a']);
      expect(await groups.of('nobody')).toBeNull();
    });

    it('are known by the names of sign-ins and of the directory, each once and in their order', async () => {
      const { directory, groups } = store();
      const [one, two] = [await person(), await person()];
      // No other test has names like these.
      const [first, second, third] = ['!1', '!2', '!3'];
      await groups.note(one.id, 'idp', [second, first]);
      await groups.note(two.id, 'hosted', [second]);
      await directory.putGroup(group({ name: third, external_id: '!0' }));
      await directory.putGroup(group({ name: first }));
      expect(await groups.known(3)).toEqual([first, second, third]);
      expect(await groups.known(2)).toEqual([first, second]);
      expect(await groups.known(500)).toContain(third);
    });

    it('let a person use a team connection that is for them', async () => {
      const { team, groups } = store();
      const [root, ana] = [await person(), await person()];
      const row = connection({
        user_id: EVERYONE,
        account: TEAM_ACCOUNT,
        integration: `i${hash().slice(0, 9)}`,
      });
      await team.save(row, { connected_by: root.id, connected_at: NOW });
      await team.change(row.integration, { groups: ['x', 'y'] }, NOW);
      const named = async () =>
        (await team.groups()).flatMap(({ integration, name }) =>
          integration === row.integration ? [name] : [],
        );
      expect(await named()).toEqual(['x', 'y']);
      expect(await team.usable(ana.id, row.integration)).toBeNull();
      await groups.note(ana.id, 'idp', ['y']);
      expect(await team.usable(ana.id, row.integration)).not.toBeNull();
      const reached = (await team.reachable(ana.id)).team.map(
        ({ connection: { integration } }) => integration,
      );
      expect(reached).toContain(row.integration);
      await groups.note(ana.id, 'idp', ['']);
      expect(await team.usable(ana.id, row.integration)).toBeNull();
      await team.withdraw(row.integration);
      expect(await named()).toEqual([]);
    });

    it('go with their person', async () => {
      const { directory, groups, people } = store();
      const { id } = await person();
      const staff = group();
      await directory.putGroup(staff);
      await directory.putPerson(told(id));
      await directory.changeMembers(staff, { added: [id], removed: [] });
      await groups.note(id, 'idp', ['a']);
      await people.beginDeletion(id, { person: hash(), before: NOW, expires_at: NOW });
      await people.erase([id], 'deleted:1');
      expect([await groups.of(id), await directory.told(id)]).toEqual([null, null]);
      expect(await directory.members([staff.id])).toEqual([]);
    });
  });

  describe('a directory', () => {
    it('finds people by what it calls them, and those it has not named by their address', async () => {
      const { directory } = store();
      const { id, email, created_at } = await person();
      const user = { id, email, created_at, disabled_at: null };
      expect(await directory.people({ userName: email }, ALL)).toEqual({
        total: 1,
        rows: [{ user, told: null, groups: [] }],
      });
      const row = told(id, { external_id: hash() });
      expect(await directory.putPerson(row)).toBe(true);
      expect((await directory.people({ userName: email }, ALL)).total).toBe(0);
      for (const filter of [{ userName: row.user_name }, { externalId: row.external_id ?? '' }, { id }])
        expect((await directory.people(filter, ALL)).rows).toEqual([{ user, told: row, groups: [] }]);
      const changed = { ...row, profile: '{}', inactive_since: NOW, updated_at: NOW + 1 };
      await directory.putPerson(changed);
      expect(await directory.told(id)).toEqual(changed);
    });

    it('has a name once, also when two are given it at the same time', async () => {
      const { directory } = store();
      const [one, other] = [await person(), await person()];
      const user_name = hash();
      const put = await Promise.all(
        [one, other].map(({ id }) => directory.putPerson(told(id, { user_name }))),
      );
      expect(put.filter((done) => done)).toHaveLength(1);
      const name = `Same ${hash()}`;
      const made = await Promise.all(
        [group({ name }), group({ name: name.toUpperCase() })].map(directory.putGroup),
      );
      expect(made.filter((done) => done)).toHaveLength(1);
      expect(await directory.putPerson(told('nobody'))).toBe(false);
    });

    it('does not list whom it has removed, whom nobody has verified, and who is being deleted', async () => {
      const { directory, people, users } = store();
      const [gone, leaving] = [await person(), await person()];
      const stranger = await users.create({ ...newUser(), unverified_since: NOW });
      const staff = group();
      await directory.putGroup(staff);
      await directory.changeMembers(staff, { added: [gone.id], removed: [] });
      const row = told(gone.id, { removed_at: NOW });
      await directory.putPerson(row);
      await people.beginDeletion(leaving.id, { person: hash(), before: NOW, expires_at: NOW });
      for (const { id } of [gone, leaving, stranger])
        expect(await directory.people({ id }, ALL)).toEqual({ total: 0, rows: [] });
      expect(await directory.told(gone.id)).toEqual(row);
      expect(await directory.members([staff.id])).toEqual([]);
      // The name is free again.
      const { id } = await person();
      expect(await directory.putPerson(told(id, { user_name: row.user_name }))).toBe(true);
    });

    it('puts people into groups and takes them out, with what a sign-in said before', async () => {
      const { directory, groups } = store();
      const [ana, bob] = [await person(), await person()];
      const staff = group({ external_id: hash() });
      expect(await directory.putGroup(staff)).toBe(true);
      const found = await directory.groups({ name: staff.name.toUpperCase() }, ALL);
      expect(found).toEqual({ total: 1, rows: [staff] });
      await directory.changeMembers(staff, { added: [ana.id, bob.id, 'nobody', ana.id], removed: [] });
      expect(new Set((await directory.members([staff.id])).map(({ user_id }) => user_id))).toEqual(
        new Set([ana.id, bob.id]),
      );
      const names = [staff.name, staff.external_id];
      expect(await groups.ofDirectory(ana.id)).toEqual(names);
      expect((await directory.people({ id: ana.id }, ALL)).rows).toMatchObject([
        { groups: [{ id: staff.id, name: staff.name }] },
      ]);
      await groups.note(ana.id, 'idp', [staff.name, 'other']);
      await directory.changeMembers(staff, { added: [], removed: [ana.id] });
      expect([await groups.of(ana.id), await groups.ofDirectory(ana.id)]).toEqual([['other'], []]);
      expect(await groups.of(bob.id)).toEqual([...names].map(String).toSorted());
      await directory.deleteGroup(staff);
      expect(await groups.of(bob.id)).toEqual([]);
      expect((await directory.groups({ id: staff.id }, ALL)).total).toBe(0);
    });

    it('reads pages', async () => {
      const { directory } = store();
      await Promise.all([1, 2, 3].map(() => person()));
      const { total, rows } = await directory.people(null, { offset: 1, limit: 2 });
      expect(total).toBeGreaterThanOrEqual(3);
      expect(rows).toHaveLength(2);
      expect((await directory.people(null, { offset: total, limit: 2 })).rows).toEqual([]);
      expect((await directory.people(null, { offset: 0, limit: 0 })).rows).toEqual([]);
    });
  });
}
