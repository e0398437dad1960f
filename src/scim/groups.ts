// What a directory does to groups. Who is taken out of one loses what the group gave, at once. reference: SCIM; decision: 071
import type { DirectoryGroup, DirectoryMember, GroupsFilter } from '../ports/directory.ts';
import type { Ports } from '../ports/ports.ts';
import { type Complex, readDocument } from './document.ts';
import { readFilter } from './filter.ts';
import { applyPatch, valuesIn } from './patch.ts';
import { toDate } from './people.ts';
import { GROUP } from './schemas.ts';
import { badValue, missing, taken } from './scim-error.ts';
import type { Trail } from './trail.ts';

export type GroupsNeeds = Pick<Ports, 'clock' | 'random' | 'store'> & {
  membership: { heed(userId: string, changed: readonly string[], isLeaving?: boolean): Promise<void> };
};

const ONE = { offset: 0, limit: 1 };

export function createScimGroups(
  { clock, membership, random, store }: GroupsNeeds,
  base: string,
  trail: Trail,
) {
  const { directory } = store;

  async function find(id: string): Promise<{ group: DirectoryGroup; members: DirectoryMember[] }> {
    const [group] = (await directory.groups({ id }, ONE)).rows;
    if (group === undefined) throw missing('group');
    return { group, members: await directory.members([id]) };
  }

  async function requirePeople(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      if ((await directory.people({ id }, ONE)).total === 0)
        throw badValue(`members: there is no user ${id}`);
  }

  async function save(
    group: DirectoryGroup,
    document: Complex,
    before: readonly string[],
    requestId: string,
    change: 'group_created' | 'group_changed',
  ) {
    const { displayName, externalId } = document;
    if (typeof displayName !== 'string' || displayName === '') throw badValue('displayName is required');
    const wanted = new Set(
      valuesIn(document, 'members').map(({ value }) => {
        if (typeof value !== 'string') throw badValue('members need the value of a user');
        return value;
      }),
    );
    const added = [...wanted.difference(new Set(before))];
    const removed = before.filter((id) => !wanted.has(id));
    await requirePeople(added);
    const next = {
      ...group,
      name: displayName,
      external_id: typeof externalId === 'string' ? externalId : null,
      updated_at: clock.now(),
    };
    const isRenamed = next.name !== group.name || next.external_id !== group.external_id;
    if (!(await directory.putGroup(next))) throw taken('Another group has this displayName');
    if (change === 'group_created' || isRenamed) await trail(change, null, requestId, next.name);
    await shutOutEarly([group], removed);
    // Under the former names too, so that nothing is left of what a sign-in said.
    if (isRenamed) await directory.changeMembers(group, { added: [], removed });
    await directory.changeMembers(next, { added, removed });
    const stayed = isRenamed && change === 'group_changed' ? before.filter((id) => wanted.has(id)) : [];
    await tell([group, next], { joined: added, left: removed, stayed }, requestId);
    return show(next, await directory.members([next.id]));
  }

  /**
   * Ends the access of people who are about to leave their last member group. A process that dies afterwards has ended too
   * much rather than too little, and the directory sends the same again.
   */
  async function shutOutEarly(groups: readonly DirectoryGroup[], leaving: readonly string[]): Promise<void> {
    for (const id of leaving) await membership.heed(id, namesOf(groups), true);
  }

  /** Roles and access by groups hold at once, also for somebody who has signed in meanwhile. */
  async function tell(
    groups: readonly DirectoryGroup[],
    { joined, left, stayed }: Record<'joined' | 'left' | 'stayed', readonly string[]>,
    requestId: string,
  ): Promise<void> {
    for (const id of [...left, ...joined, ...stayed]) await membership.heed(id, namesOf(groups));
    const group = groups.at(-1)?.name;
    for (const id of left) await trail('group_left', id, requestId, group);
    for (const id of joined) await trail('group_joined', id, requestId, group);
  }

  function show(
    { id, name, external_id, created_at, updated_at }: DirectoryGroup,
    members: readonly DirectoryMember[],
  ) {
    return {
      schemas: [GROUP.id],
      id,
      ...(external_id === null ? {} : { externalId: external_id }),
      displayName: name,
      ...(members.length === 0
        ? {}
        : {
            members: members.map(({ user_id }) => ({
              value: user_id,
              $ref: `${base}/Users/${user_id}`,
            })),
          }),
      meta: {
        resourceType: 'Group',
        created: toDate(created_at),
        lastModified: toDate(updated_at),
        location: `${base}/Groups/${id}`,
      },
    };
  }

  return {
    async list(filter: string | undefined, place: { offset: number; limit: number }) {
      const read = readFilter<GroupsFilter>(filter, {
        displayName: (name) => ({ name }),
        externalId: (externalId) => ({ externalId }),
        id: (id) => ({ id }),
      });
      const { total, rows } = await directory.groups(read, place);
      const members = Map.groupBy(
        await directory.members(rows.map(({ id }) => id)),
        ({ group_id }) => group_id,
      );
      return { total, resources: rows.map((group) => show(group, members.get(group.id) ?? [])) };
    },
    async get(id: string) {
      const { group, members } = await find(id);
      return show(group, members);
    },
    async create(given: unknown, requestId: string) {
      const now = clock.now();
      const blank = { id: random.uuid(), name: '', external_id: null, created_at: now, updated_at: now };
      return save(blank, readDocument(GROUP, given), [], requestId, 'group_created');
    },
    async replace(id: string, given: unknown, requestId: string) {
      const { group, members } = await find(id);
      return save(group, readDocument(GROUP, given), idsOf(members), requestId, 'group_changed');
    },
    async patch(id: string, given: unknown, requestId: string) {
      const { group, members } = await find(id);
      const before: Complex = {
        displayName: group.name,
        ...(group.external_id === null ? {} : { externalId: group.external_id }),
        members: members.map(({ user_id }) => ({ value: user_id })),
      };
      const document = applyPatch(GROUP, before, given);
      return save(group, document, idsOf(members), requestId, 'group_changed');
    },
    async remove(id: string, requestId: string): Promise<void> {
      const { group, members } = await find(id);
      await shutOutEarly([group], idsOf(members));
      await directory.deleteGroup(group);
      await tell([group], { joined: [], left: idsOf(members), stayed: [] }, requestId);
      await trail('group_removed', null, requestId, group.name);
    },
  };
}

const namesOf = (groups: readonly DirectoryGroup[]): string[] =>
  groups.flatMap(({ name, external_id }) => [name, external_id ?? name]);

const idsOf = (members: readonly DirectoryMember[]): string[] => members.map(({ user_id }) => user_id);
