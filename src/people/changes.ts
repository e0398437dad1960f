// Invites people and changes their role and access. It knows who may do what to whom. reference: Administration of people
import { isLocalOwner, type ReadRole } from '../auth/role.ts';
import type { Changed, PersonSummary, Role } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import type { Access } from './access.ts';
import { statusOf } from './person.ts';
import { PersonRefused } from './person-refused.ts';

/** An administrator asks, or the operator at the machine, who may do everything that leaves the gateway an owner. */
export type Asker = Pick<User, 'id' | 'email' | 'is_admin' | 'is_owner'> | 'operator';

export interface Invitation {
  email: string;
  role?: Role | undefined;
}

export interface PersonChange {
  role?: Role | undefined;
  disabled?: boolean | undefined;
}

/** Each change returns the person afterwards. Each function throws a PersonRefused where it cannot do what is asked. */
export interface PeopleChanges {
  invite(asker: Asker, invitation: Invitation): Promise<PersonSummary>;
  change(asker: Asker, id: string, change: PersonChange): Promise<PersonSummary>;
  /** Begins to delete somebody else. */
  remove(asker: Asker, id: string): Promise<void>;
  /** Begins to delete the person who asks. */
  leave(person: Pick<User, 'id'>): Promise<void>;
}

export type ChangeNeeds = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> & {
  access: Access;
  hasSignInProvider: boolean;
  readRole: ReadRole;
};

export function createPeopleChanges(deps: ChangeNeeds): PeopleChanges {
  const { access, clock, hasSignInProvider, log, random, readRole, store } = deps;

  async function find(id: string): Promise<PersonSummary> {
    const found = await store.people.get(id, clock.now());
    if (found === null) throw missing();
    return found;
  }

  const mayTouchOwners = (asker: Asker): boolean => asker === 'operator' || readRole(asker) === 'owner';

  function requireMayMake(asker: Asker, role: Role | undefined): void {
    if (role === 'owner' && !mayTouchOwners(asker))
      throw new PersonRefused('not-allowed', 'Only an owner may make somebody an owner.');
  }

  function requireMayChange(asker: Asker, person: PersonSummary, { role, disabled }: PersonChange): void {
    requireMayMake(asker, role);
    if (readRole(person) === 'owner' && !mayTouchOwners(asker))
      throw new PersonRefused('not-allowed', 'Only an owner may change an owner.');
    if (person.deleted_at !== null) throw conflict('This person is being deleted and cannot be changed.');
    if (disabled === true && asker !== 'operator' && asker.id === person.id)
      throw conflict('You cannot disable yourself. Ask another administrator.');
    if (role !== undefined && role !== 'member' && person.unverified_since !== null) throw unverified();
    const losesRole = role !== undefined && role !== 'owner';
    if ((losesRole || disabled === true) && isLocalOwner(person, hasSignInProvider))
      throw conflict(`${person.email} stays the owner of a gateway without a sign-in provider.`);
  }

  function note(event: string, asker: Asker, person: string, more: Record<string, string> = {}): void {
    log.write('info', event, { user: asker === 'operator' ? asker : asker.id, person, ...more });
  }

  async function setRole(asker: Asker, { id }: PersonSummary, role: Role): Promise<void> {
    requireDone(await store.people.setRole(id, role));
    note('the role of a person was changed', asker, id, { role });
  }

  async function setDisabled(asker: Asker, { id }: PersonSummary, disabled: boolean): Promise<void> {
    if (disabled) requireDone(await access.disable(id));
    else if (!(await access.enable(id))) throw missing();
    note(disabled ? 'a person was disabled' : 'a person was enabled', asker, id);
  }

  async function beginDeletion(asker: Asker, person: PersonSummary): Promise<void> {
    if (isLocalOwner(person, hasSignInProvider))
      throw conflict(`${person.email} is the owner of a gateway without a sign-in provider, and stays.`);
    // A deletion that is asked for again goes on.
    requireDone(await access.beginDeletion(person.id));
    note('the deletion of a person was begun', asker, person.id);
  }

  return {
    async remove(asker, id) {
      const person = await find(id);
      if (readRole(person) === 'owner' && !mayTouchOwners(asker))
        throw new PersonRefused('not-allowed', 'Only an owner may delete an owner.');
      if (asker !== 'operator' && asker.id === id)
        throw conflict('You cannot delete yourself here. Delete yourself on the page of your account.');
      await beginDeletion(asker, person);
    },

    async leave({ id }) {
      const person = await find(id);
      await beginDeletion(person, person);
    },

    async invite(asker, { email, role }) {
      requireMayMake(asker, role);
      const before = await store.users.byEmail(email);
      // Inviting an address that nobody verified lets its rightful holder in. A role would go to whoever uses it now.
      if (before !== null && (before.unverified_since === null || before.invited_at !== null))
        throw isHere(before, readRole);
      if (before !== null && role !== undefined && role !== 'member') throw unverified();
      const next = { id: random.uuid(), email, created_at: clock.now() };
      const user = await store.people.invite(next);
      const { id } = user;
      // Somebody else has invited the same address, or the person has signed in meanwhile.
      if (id !== (before?.id ?? next.id)) throw isHere(user, readRole);
      note('a person was invited', asker, id);
      const invited = await find(id);
      if (role !== undefined && role !== readRole(invited)) await setRole(asker, invited, role);
      return find(id);
    },

    async change(asker, id, change) {
      const person = await find(id);
      requireMayChange(asker, person, change);
      const { role, disabled } = change;
      if (role !== undefined && role !== readRole(person)) await setRole(asker, person, role);
      // A person who is disabled already is disabled again: something may have been left over.
      if (disabled === true || (disabled === false && person.disabled_at !== null))
        await setDisabled(asker, person, disabled);
      return find(id);
    },
  };
}

const missing = (): PersonRefused => new PersonRefused('missing', 'There is no such person.');
const conflict = (message: string): PersonRefused => new PersonRefused('conflict', message);
const unverified = (): PersonRefused =>
  conflict(
    'Nobody has verified this e-mail address, so somebody else may use the account. Give it a role after the person has signed in with a verified address.',
  );

function requireDone(changed: Changed): void {
  if (changed === 'gone') throw missing();
  if (changed === 'last-owner')
    throw conflict('This person is the last owner. Make somebody else an owner first.');
}

const STANDS = {
  active: 'and may sign in',
  invited: 'and has been invited',
  disabled: 'and is disabled: enable the account instead',
  deleting: 'and is being deleted: invite the person again afterwards',
} as const;

function isHere(user: User, readRole: ReadRole): PersonRefused {
  const role = readRole(user);
  return conflict(
    `${user.email} is ${role === 'member' ? 'a' : 'an'} ${role} here already, ${STANDS[statusOf(user)]}.`,
  );
}
