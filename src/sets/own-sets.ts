// Finds the set that a request of the portal means, and who may change it.
import type { Context } from 'hono';
import type { IsAdministrator } from '../auth/administrators.ts';
import { loadUser, type PortalEnv } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import { SESSION } from '../kit/actor.ts';
import type { KnownCaller } from '../kit/integration.ts';
import { NO_SET, SET_NAME } from '../kit/set-address.ts';
import { describeIssues } from '../kit/validation.ts';
import type { Ports } from '../ports/ports.ts';
import type { SetRecord } from '../ports/sets.ts';
import { EVERYONE } from '../ports/store.ts';
import { SetQuery } from './operations.ts';

export interface OwnSets {
  requireSet: (c: Context<PortalEnv>) => Promise<SetRecord>;
  requireEditable: (c: Context<PortalEnv>) => Promise<SetRecord>;
  /** What everyone has is decided by an administrator in the portal. */
  requireTeamChoice: (c: Context<PortalEnv>) => Promise<void>;
}

type Needs = Pick<Ports, 'store'> & { isAdministrator: IsAdministrator };

export function createOwnSets(deps: Needs): OwnSets {
  const { isAdministrator, store } = deps;

  async function requireSet(c: Context<PortalEnv>): Promise<SetRecord> {
    const name = c.req.param('name') ?? '';
    const query = SetQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const { for: whose } = query.data;
    const { userId } = c.var;
    const find = () =>
      whose === undefined
        ? store.sets.find(userId, name)
        : store.sets.get(whose === 'me' ? userId : EVERYONE, name);
    const set = SET_NAME.test(name) ? await find() : null;
    if (set === null) throw new HttpError(404, { error: NO_SET });
    return set;
  }

  async function requireTeamChoice(c: Context<PortalEnv>): Promise<void> {
    if (c.var.actor.id === SESSION.id && isAdministrator(await loadUser(c, deps))) return;
    throw new HttpError(403, {
      error: 'Only an administrator who is signed in to the portal changes a set of the team',
    });
  }

  return {
    requireSet,
    requireTeamChoice,
    async requireEditable(c) {
      const set = await requireSet(c);
      if (set.owner === EVERYONE) await requireTeamChoice(c);
      return set;
    },
  };
}

/** The prompts of a server are read with the account of the person who chooses them. */
export const callerOf = (c: Context<PortalEnv>): KnownCaller => ({ ...c.var, signal: c.req.raw.signal });
