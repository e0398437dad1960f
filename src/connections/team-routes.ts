// Serves the team connections to administrators: who may use them and for what, their status, and their end.
// reference: Team connections; decision: 029
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import type { Identify } from '../kit/actor.ts';
import { inLowerCase } from '../auth/email.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import { readJsonBody } from '../http/request-body.ts';
import { type ConnectionChanged, disconnection } from '../kit/connection-change.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { describeIssues } from '../kit/validation.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection, User } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import type { TeamRule } from '../ports/team.ts';
import type { Checks } from './model/checks.ts';
import { belongsTo } from './model/config.ts';
import { type Disconnects, outliveSecond } from './model/disconnects.ts';
import type { DisconnectAnswer } from './operations.ts';
import { requireIntegration } from './model/require-integration.ts';
import { showState } from './show-state.ts';
import { isTeamConnection } from './model/team.ts';
import { TeamChange, type TeamConnectionsAnswer, type TeamState } from './team-operations.ts';
import type { Vault } from './model/vault.ts';
import { wantsRevoke } from './revoke-query.ts';

type Needs = Pick<Ports, 'clock' | 'log' | 'store'> &
  AdministratorNeeds & {
    checks: Checks;
    disconnects: Disconnects;
    registries: Registries;
    vault: Vault;
    identify: Identify;
    /** Told after the connection has ended. */
    connectionChanged: ConnectionChanged;
  };

interface Listed {
  integration: Integration;
  row: Connection;
}

const ALL = '/api/admin/team-connections';
const ONE = '/api/admin/team-connections/:integration';

export function createTeamRoutes(deps: Needs): Hono<PortalEnv> {
  const { checks, clock, connectionChanged, disconnects, identify, log, registries, store, vault } = deps;
  const person = requirePortalUser(identify);
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const app = new Hono<PortalEnv>();

  /** Leaves out what is stored for an import that is gone. */
  async function listAll(): Promise<Listed[]> {
    const registry = await registries.of(EVERYONE);
    return (await store.connections.list(EVERYONE)).filter(isTeamConnection).flatMap((row) => {
      const integration = registry.integration(row.integration);
      return integration === null || !belongsTo(row, integration) ? [] : [{ integration, row }];
    });
  }

  async function describe(listed: readonly Listed[]): Promise<TeamState[]> {
    const rules = new Map((await store.team.rules()).map((rule) => [rule.integration, rule]));
    const people = Map.groupBy(await store.team.people(), ({ integration }) => integration);
    const groups = Map.groupBy(await store.team.groups(), ({ integration }) => integration);
    const emails = new Map<string, Promise<User | null>>();
    const show = async (id: string) => {
      const found = emails.get(id) ?? store.users.byId(id);
      emails.set(id, found);
      return { id, email: (await found)?.email ?? null };
    };
    return Promise.all(
      listed.map(async ({ integration, row }) => {
        const rule = rules.get(row.integration) ?? nobodysRule(row);
        const named = (people.get(row.integration) ?? []).map(({ user_id }) => show(user_id));
        return {
          ...(await showState(integration, row, { clock, vault })),
          integration: row.integration,
          who: rule.everyone ? ('everyone' as const) : (await Promise.all(named)).toSorted(byEmail),
          ...(groups.has(row.integration)
            ? { groups: (groups.get(row.integration) ?? []).map(({ name }) => name) }
            : {}),
          access: rule.access,
          connectedBy: rule.connected_by === null ? null : await show(rule.connected_by),
          connectedAt: rule.connected_at,
          ...(rule.last_used_at === null ? {} : { lastUsedAt: rule.last_used_at }),
        };
      }),
    );
  }

  async function requireOne(name: string): Promise<Listed> {
    const found = (await listAll()).find(({ row }) => row.integration === name);
    if (found === undefined) throw new HttpError(404, { error: 'The team has no such connection' });
    return found;
  }

  async function stateOf(name: string): Promise<TeamState> {
    const [state] = await describe([await requireOne(name)]);
    if (state === undefined) throw new HttpError(404, { error: 'The team has no such connection' });
    return state;
  }

  /** The ids of people who are named by id or address. */
  async function readPeople(names: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) {
      const user = name.includes('@')
        ? await store.users.byEmail(inLowerCase(name.trim()))
        : await store.users.byId(name);
      if (user === null)
        throw new HttpError(400, {
          error: `Nobody here is called ${JSON.stringify(name)}. Invite them first.`,
        });
      ids.push(user.id);
    }
    return ids;
  }

  app.get(ALL, person, administrator, async (c) =>
    c.json({ connections: await describe(await listAll()) } satisfies TeamConnectionsAnswer),
  );

  app.get(ONE, person, administrator, async (c) =>
    c.json((await stateOf(c.req.param('integration'))) satisfies TeamState),
  );

  app.patch(ONE, signedIn, administrator, async (c) => {
    const body = TeamChange.safeParse(await readJsonBody(c));
    if (!body.success) throw new HttpError(400, { error: describeIssues(body.error) });
    const name = c.req.param('integration');
    await requireOne(name);
    const { who, access, groups } = body.data;
    const change = {
      access,
      groups,
      who: who === undefined || who === 'everyone' ? who : await readPeople(who),
    };
    if (!(await store.team.change(name, change, clock.now())))
      throw new HttpError(404, { error: 'The team has no such connection' });
    log.write('info', 'a team connection was changed', { user: c.var.userId, integration: name });
    return c.json((await stateOf(name)) satisfies TeamState);
  });

  app.post(`${ONE}/check`, signedIn, administrator, async (c) => {
    const { integration, row } = await requireOne(c.req.param('integration'));
    await checks.now(row, integration);
    return c.json((await stateOf(row.integration)) satisfies TeamState);
  });

  app.delete(ONE, signedIn, administrator, async (c) => {
    const integration = await requireIntegration(registries, EVERYONE, c.req.param('integration'));
    const ends = wantsRevoke(c);
    const { name } = integration;
    const rows = (await store.connections.of(EVERYONE, name)).filter(isTeamConnection);
    let ended: Partial<DisconnectAnswer> = {};
    if (ends) ended = await disconnects.revoke(EVERYONE, integration);
    else {
      await outliveSecond(clock, rows);
      for (const row of rows) await store.connections.delete(row.user_id, name, row.account);
    }
    // Nobody can use it from here on, so a rule that stays behind for a moment allows nothing.
    await store.team.withdraw(name);
    await connectionChanged(disconnection(EVERYONE, integration));
    log.write('info', 'a team connection was disconnected', { user: c.var.userId, integration: name });
    return c.json({ success: true, ...ended } satisfies DisconnectAnswer);
  });

  return app;
}

/** A connection without a rule is used by nobody. */
const nobodysRule = ({ integration, created_at, updated_at }: Connection): TeamRule => ({
  integration,
  everyone: false,
  access: 'read',
  connected_by: null,
  connected_at: created_at,
  updated_at,
  last_used_at: null,
});

const byEmail = (one: { email: string | null }, other: { email: string | null }): number =>
  (one.email ?? '').localeCompare(other.email ?? '');
