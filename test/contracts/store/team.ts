// Tests what `TeamConnections` must do.
import { describe, expect, it } from 'vitest';
import { type Connection, FIRST_ACCOUNT } from '../../../src/ports/records.ts';
import { EVERYONE, type Store } from '../../../src/ports/store.ts';
import { TEAM_ACCOUNT } from '../../../src/ports/team.ts';
import { approval, connection, hash, MANY_QUESTIONS, newUser, NOW } from './records.ts';

export function teamContract(store: () => Store): void {
  const teamRow = (changes: Partial<Connection> = {}): Connection =>
    connection({
      user_id: EVERYONE,
      account: TEAM_ACCOUNT,
      label: 'team',
      integration: `i${hash().slice(0, 20)}`,
      ...changes,
    });
  const person = async (): Promise<string> => (await store().users.create(newUser())).id;
  const by = (connected_by: string, connected_at = NOW) => ({ connected_by, connected_at });
  const ruleOf = async (integration: string) =>
    (await store().team.rules()).find((rule) => rule.integration === integration);
  const peopleOf = async (integration: string) =>
    (await store().team.people()).flatMap((row) => (row.integration === integration ? [row.user_id] : []));

  describe('team connections', () => {
    it('are for nobody at first, then for those whom the rule names', async () => {
      const [root, ana, bob] = [await person(), await person(), await person()];
      const row = teamRow();
      const { integration } = row;
      const { team } = store();
      await team.save(row, by(root));
      expect(await ruleOf(integration)).toStrictEqual({
        integration,
        everyone: false,
        access: 'read',
        connected_by: root,
        connected_at: NOW,
        updated_at: NOW,
        last_used_at: null,
      });
      expect(await team.usable(ana, integration)).toBeNull();
      expect(await team.change(integration, { who: [ana, 'nobody'], access: 'write' }, NOW + 1)).toBe(true);
      expect(await peopleOf(integration)).toEqual([ana]);
      expect(await team.usable(ana, integration)).toStrictEqual({ connection: row, access: 'write' });
      expect(await team.usable(bob, integration)).toBeNull();
      expect(await team.change(integration, { who: 'everyone' }, NOW + 2)).toBe(true);
      expect(await peopleOf(integration)).toEqual([]);
      expect(await team.usable(bob, integration)).toStrictEqual({ connection: row, access: 'write' });
      expect(await team.usable('nobody', integration)).toBeNull();
      expect(await team.usable(EVERYONE, integration)).toBeNull();
      await store().people.disable(bob, { person: hash(), before: NOW, expires_at: NOW + 1 });
      expect(await team.usable(bob, integration)).toBeNull();
      expect(await team.change('another', { who: 'everyone' }, NOW)).toBe(false);
    });

    it('are listed with the own connections of a person', async () => {
      const [root, ana] = [await person(), await person()];
      const [first, second] = [teamRow(), teamRow()];
      const { team } = store();
      const own = connection({ user_id: ana });
      const same = connection({ user_id: ana, integration: first.integration });
      await store().connections.put(own);
      await store().connections.put(same);
      for (const row of [first, second]) await team.save(row, by(root));
      await team.change(first.integration, { who: [ana], access: 'destroy' }, NOW);
      const found = await team.reachable(ana);
      expect(found.own).toHaveLength(2);
      expect(found.own).toEqual(expect.arrayContaining([own, same]));
      // Other tests leave team connections for everyone.
      const mine = found.team.filter((each) =>
        [first, second].some((row) => row.integration === each.connection.integration),
      );
      expect(mine).toStrictEqual([{ connection: first, access: 'destroy' }]);
    });

    it('keep their rule when they are stored again, and not after they were deleted', async () => {
      const [root, ana] = [await person(), await person()];
      const row = teamRow({ config: '{"a":"1"}' });
      const { integration } = row;
      const { team, connections } = store();
      await team.save(row, by(root));
      await team.change(integration, { who: [ana], access: 'destroy' }, NOW);
      await team.noteUse(integration, NOW + 5);
      await team.noteUse(integration, NOW + 4);
      await team.save({ ...row, access_token: 'newer', config: null }, by(ana, NOW + 9));
      expect(await ruleOf(integration)).toMatchObject({
        access: 'destroy',
        connected_by: ana,
        connected_at: NOW + 9,
        last_used_at: NOW + 5,
      });
      expect((await team.usable(ana, integration))?.connection).toStrictEqual({
        ...row,
        access_token: 'newer',
      });
      // As the deletion of an import does.
      await connections.delete(EVERYONE, integration, TEAM_ACCOUNT);
      expect(await team.usable(ana, integration)).toBeNull();
      await team.save(row, by(root));
      expect(await ruleOf(integration)).toMatchObject({
        access: 'read',
        everyone: false,
        last_used_at: null,
      });
      expect(await peopleOf(integration)).toEqual([]);
      await team.withdraw(integration);
      expect(await ruleOf(integration)).toBeUndefined();
    });

    it('end the approvals for them, and no others, when they are stored and withdrawn', async () => {
      const [root, ana] = [await person(), await person()];
      const row = teamRow();
      const { integration } = row;
      const { team, approvals } = store();
      const ask = async (owner: 'team' | null) => {
        const asked = approval({ user_id: ana, integration, owner });
        expect(await approvals.ask(asked, MANY_QUESTIONS)).toBe('asked');
        return asked.id;
      };
      const stateOf = async (id: string) => (await approvals.get(ana, id))?.state;
      const [first, own] = [await ask('team'), await ask(null)];
      await team.save(row, by(root));
      expect([await stateOf(first), await stateOf(own)]).toEqual(['expired', 'pending']);
      const second = await ask('team');
      await team.withdraw(integration);
      expect([await stateOf(second), await stateOf(own)]).toEqual(['expired', 'pending']);
    });

    it('are chosen beside the accounts of a person, for one use at a time', async () => {
      const ana = await person();
      const of = { user_id: ana, integration: 'github' };
      const { connections } = store();
      expect(await connections.setTeamDefault(of, 'reads', true)).toBe(false);
      const rows = [
        connection(of),
        connection({ ...of, account: 'b', is_default: true, is_write_default: true }),
      ];
      for (const row of rows) await connections.add(row, 5);
      const uses = async () =>
        (await connections.of(ana, 'github')).map(
          ({ team_use, is_default, is_write_default }) => [team_use, is_default, is_write_default] as const,
        );
      expect(await connections.setTeamDefault(of, 'reads', true)).toBe(true);
      expect(await uses()).toEqual([
        ['reads', false, false],
        ['reads', false, true],
      ]);
      await connections.setTeamDefault(of, 'writes', true);
      expect(await uses()).toEqual([
        ['all', false, false],
        ['all', false, false],
      ]);
      const first = { ...of, account: FIRST_ACCOUNT };
      await connections.setDefault(first, 'reads', true);
      expect(await uses()).toEqual([
        ['writes', true, false],
        ['writes', false, false],
      ]);
      await connections.setTeamDefault(of, 'reads', false);
      await connections.setDefault(first, 'writes', false);
      expect((await uses()).map(([use]) => use)).toEqual(['writes', 'writes']);
      await connections.setTeamDefault(of, 'writes', false);
      expect((await uses()).map(([use]) => use)).toEqual([null, null]);
    });

    it('outlive the people who use and connect them', async () => {
      const [root, ana] = [await person(), await person()];
      const row = teamRow();
      const { integration } = row;
      const { team, people } = store();
      await team.save(row, by(root));
      await team.change(integration, { who: [ana, root] }, NOW);
      for (const id of [root, ana]) {
        await people.beginDeletion(id, { person: hash(), before: NOW, expires_at: NOW + 1 });
        await people.erase([id], `deleted-${id}`);
      }
      expect(await peopleOf(integration)).toEqual([]);
      expect(await ruleOf(integration)).toMatchObject({ connected_by: `deleted-${root}` });
      expect(await store().connections.get(EVERYONE, integration, TEAM_ACCOUNT)).toStrictEqual(row);
    });
  });
}
