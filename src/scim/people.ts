// What a directory does to people: it brings them in, keeps them out, and says what they are called. reference: SCIM; decision: 071
import { EmailAddress, inLowerCase } from '../auth/email.ts';
import { parseJson } from '../json/json.ts';
import type { DirectoryPerson, DirectoryUser, PeopleFilter } from '../ports/directory.ts';
import type { Changed } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';
import { applyPatch, valuesIn } from './patch.ts';
import { type Complex, readDocument } from './document.ts';
import { readFilter } from './filter.ts';
import { USER } from './schemas.ts';
import { badValue, missing, ScimError, taken } from './scim-error.ts';
import type { Trail } from './trail.ts';

export type PeopleNeeds = Pick<Ports, 'clock' | 'random' | 'store'> & {
  access: {
    disable(userId: string): Promise<Changed>;
    enable(userId: string): Promise<boolean>;
  };
};

interface Place {
  offset: number;
  limit: number;
}

const ONE = { offset: 0, limit: 1 };

export function createScimPeople({ access, clock, random, store }: PeopleNeeds, base: string, trail: Trail) {
  const { directory } = store;

  async function find(id: string): Promise<DirectoryUser> {
    const [found] = (await directory.people({ id }, ONE)).rows;
    if (found === undefined) throw missing('user');
    return found;
  }

  async function requireFree(userName: string, owner?: string): Promise<void> {
    const { rows } = await directory.people({ userName }, ONE);
    if (rows.some(({ user }) => user.id !== owner)) throw taken('Another user has this userName');
  }

  /** Somebody whom an administrator has disabled stays disabled: the directory lets in only whom it has kept out. */
  async function setActive(
    { user, told }: DirectoryUser,
    active: boolean,
    requestId: string,
  ): Promise<number | null> {
    const since = told?.inactive_since ?? null;
    if (!active && user.disabled_at === null) {
      if ((await access.disable(user.id)) === 'last-owner')
        throw new ScimError(403, 'This person is the last owner of the gateway, and stays');
      await trail('user_deactivated', user.id, requestId);
      return clock.now();
    }
    if (active && since !== null) {
      await access.enable(user.id);
      await trail('user_activated', user.id, requestId);
      return null;
    }
    return since;
  }

  async function save(
    known: DirectoryUser,
    document: Complex,
    requestId: string,
    news: 'user_created' | 'user_changed',
  ): Promise<void> {
    const { active, externalId, ...profile } = document;
    const { user, told } = known;
    const inactive_since = await setActive(known, active !== false, requestId);
    const now = clock.now();
    const person: DirectoryPerson = {
      user_id: user.id,
      user_name: inLowerCase(textIn(document, 'userName')),
      external_id: typeof externalId === 'string' ? externalId : null,
      profile: JSON.stringify(profile),
      inactive_since,
      created_at: told?.created_at ?? now,
      updated_at: now,
      removed_at: null,
    };
    if (!(await directory.putPerson(person))) throw taken('Another user has this userName');
    const isSame =
      told !== null &&
      told.profile === person.profile &&
      told.external_id === person.external_id &&
      told.user_name === person.user_name;
    if (news === 'user_created' || !isSame) await trail(news, user.id, requestId);
  }

  async function change(known: DirectoryUser, document: Complex, requestId: string) {
    await requireFree(inLowerCase(requireUserName(document)), known.user.id);
    readAddress(document);
    await save(known, document, requestId, 'user_changed');
    return show(await find(known.user.id));
  }

  function show({ user, told, groups }: DirectoryUser) {
    const profile = profileOf({ user, told, groups });
    const { external_id = null, created_at = user.created_at, updated_at = user.created_at } = told ?? {};
    return {
      schemas: [USER.id],
      id: user.id,
      ...(external_id === null ? {} : { externalId: external_id }),
      ...profile,
      active: user.disabled_at === null,
      ...(groups.length === 0
        ? {}
        : {
            groups: groups.map(({ id, name }) => ({
              value: id,
              $ref: `${base}/Groups/${id}`,
              display: name,
            })),
          }),
      meta: {
        resourceType: 'User',
        created: toDate(created_at),
        lastModified: toDate(updated_at),
        location: `${base}/Users/${user.id}`,
      },
    };
  }

  return {
    async list(filter: string | undefined, place: Place) {
      const read = readFilter<PeopleFilter>(filter, {
        userName: (userName) => ({ userName: inLowerCase(userName) }),
        externalId: (externalId) => ({ externalId }),
        id: (id) => ({ id }),
      });
      const { total, rows } = await directory.people(read, place);
      return { total, resources: rows.map(show) };
    },
    get: async (id: string) => show(await find(id)),
    /** Opens a new account, one that a sign-in has made, or one that the directory had removed. */
    async create(given: unknown, requestId: string) {
      const document = readDocument(USER, given);
      const email = readAddress(document);
      const before = await store.users.byEmail(email);
      const told = before === null ? null : await directory.told(before.id);
      if (told !== null && told.removed_at === null) throw taken('Another user has this e-mail address');
      if (before !== null && before.deleted_at !== null)
        throw taken('This person is being deleted. Try again later');
      if (before !== null && before.unverified_since !== null)
        throw taken('Nobody has verified the e-mail address of this account, so it may be of somebody else');
      await requireFree(inLowerCase(requireUserName(document)), before?.id);
      const user = await store.people.invite({ id: random.uuid(), email, created_at: clock.now() });
      await save({ user, told, groups: [] }, document, requestId, 'user_created');
      return show(await find(user.id));
    },
    async replace(id: string, given: unknown, requestId: string) {
      const known = await find(id);
      const document = readDocument(USER, given);
      // A PUT without `active` leaves the access as it is.
      const active = document['active'] ?? known.user.disabled_at === null;
      return change(known, { ...document, active }, requestId);
    },
    async patch(id: string, given: unknown, requestId: string) {
      const known = await find(id);
      const { external_id = null } = known.told ?? {};
      const before: Complex = {
        ...profileOf(known),
        active: known.user.disabled_at === null,
        ...(external_id === null ? {} : { externalId: external_id }),
      };
      return change(known, applyPatch(USER, before, given), requestId);
    },
    /** The person loses access, and what they own stays: an administrator deletes that. */
    async remove(id: string, requestId: string): Promise<void> {
      const known = await find(id);
      const inactive_since = await setActive(known, false, requestId);
      const now = clock.now();
      const { user, told } = known;
      const { user_name = user.email, external_id = null, profile = '{}', created_at = now } = told ?? {};
      const times = { inactive_since, created_at, updated_at: now, removed_at: now };
      await directory.putPerson({ user_id: id, user_name, external_id, profile, ...times });
      await trail('user_removed', id, requestId);
    },
  };
}

export const toDate = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Somebody whom no directory has pushed is called by their address. */
function profileOf({ user: { email }, told }: DirectoryUser): Complex {
  const fallback = { userName: email, emails: [{ value: email, primary: true }] };
  // The gateway wrote the text from a document that it had read.
  return told === null ? fallback : { ...fallback, ...(parseJson(told.profile) as Complex) };
}

function requireUserName(document: Complex): string {
  const userName = textIn(document, 'userName');
  if (userName === '') throw badValue('userName is required');
  return userName;
}

const textIn = (document: Complex, name: string): string => {
  const value = document[name];
  return typeof value === 'string' ? value : '';
};

/** The primary address, or the first one, or a user name that is one. */
function readAddress(document: Complex): string {
  const emails = valuesIn(document, 'emails');
  const chosen = emails.find(({ primary }) => primary === true) ?? emails[0];
  const address = chosen === undefined ? document['userName'] : chosen['value'];
  const read = EmailAddress.safeParse(address);
  if (!read.success) throw badValue('A user needs an e-mail address: in emails, or as userName');
  return read.data;
}
