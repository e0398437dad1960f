// Team connections: an administrator connects once for everyone. reference: Team connections; decision: 029
import type { IsAdministrator } from '../../auth/administrators.ts';
import { HttpError } from '../../http/errors.ts';
import type { Access } from '../../kit/access.ts';
import { type Identity, SESSION } from '../../kit/actor.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Connection, type ConnectionKey, type TeamUse } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';
import { TEAM_ACCOUNT } from '../../ports/team.ts';

/** What people call the account. No account of a person gets this label. */
export const TEAM_LABEL = 'team';

/** The value of `for` in a request that connects for the team. */
export const FOR_TEAM = 'team';

export const isTeamConnection = ({ user_id, account }: Pick<ConnectionKey, 'user_id' | 'account'>): boolean =>
  user_id === EVERYONE && account === TEAM_ACCOUNT;

/** The key of the connection that a call of the person uses. `account` is the name of the account. */
export const keyOfAccount = (userId: string, integration: string, account: string): ConnectionKey => ({
  user_id: account === TEAM_ACCOUNT ? EVERYONE : userId,
  integration,
  account,
});

/** Whether calls without an account use the team connection, because the person has chosen that. */
export function prefersTeam(rows: readonly Pick<Connection, 'team_use'>[], access: Access): boolean {
  const use: TeamUse = access === 'read' ? 'reads' : 'writes';
  return rows.some(({ team_use }) => team_use === 'all' || team_use === use);
}

const CEILINGS = {
  read: 'may only be used to read',
  write: 'may be used to read and to write, and not to delete',
  destroy: 'may be used for everything',
} as const satisfies Record<Access, string>;

/** The text beside BLOCKED for a call above what the rule of the team connection allows. */
export const howFarTeamGoes = ({ displayName }: Pick<Integration, 'displayName'>, ceiling: Access): string =>
  `The team connection of ${displayName} ${CEILINGS[ceiling]}: that is the rule that an administrator of this gateway has set for it. Do not try it another way. The person may connect an account of their own.`;

/** Says whether somebody may connect for the team at this moment. A sign-in may end long after it began. */
export type MayConnectForTeam = (userId: string) => Promise<boolean>;

export function createMayConnectForTeam({
  store,
  isAdministrator,
}: Pick<Ports, 'store'> & { isAdministrator: IsAdministrator }): MayConnectForTeam {
  return async function mayConnectForTeam(userId) {
    const user = await store.users.byId(userId);
    return user !== null && user.disabled_at === null && user.deleted_at === null && isAdministrator(user);
  };
}

export const TEAM_REFUSED =
  'Only an administrator of this gateway who is signed in to the portal may connect for the team';

/** Reads `for` of a request. Answers 403 to everybody but an administrator in the portal. */
export function createRequireOwner(mayConnectForTeam: MayConnectForTeam) {
  /** Returns the owner of what the request connects: the person, or everyone. */
  return async function requireOwner(
    { userId, actor }: Identity,
    integration: Integration,
    { for: meant, account }: { for?: string | undefined; account?: string | undefined },
  ): Promise<string> {
    if (meant === undefined) return userId;
    if (meant !== FOR_TEAM) throw new HttpError(400, { error: `"for" can only be "${FOR_TEAM}"` });
    if (actor.id !== SESSION.id || !(await mayConnectForTeam(userId)))
      throw new HttpError(403, { error: TEAM_REFUSED });
    if (integration.imported?.for === 'me')
      throw new HttpError(400, {
        error: `${integration.displayName} is your own import, which nobody else has. Import it for everyone first.`,
      });
    if (integration.auth.type === 'none')
      throw new HttpError(400, { error: `${integration.displayName} needs no sign-in` });
    if (account !== undefined)
      throw new HttpError(400, {
        error: `The team has one account, called "${TEAM_LABEL}". Leave "account" out`,
      });
    return EVERYONE;
  };
}
