// Changes what an account of an integration is called and is used for. reference: Several accounts
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Identify } from '../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import { readJsonBody } from '../http/request-body.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { describeIssues } from '../kit/validation.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import { labelsOf, publicIdOf, requireLabel } from './model/accounts.ts';
import { belongsTo } from './model/config.ts';
import { unknownAccount } from './model/meant-accounts.ts';
import { AccountChange, type AccountState } from './operations.ts';
import { requireIntegration } from './model/require-integration.ts';
import { showAccounts, showTeam } from './show-accounts.ts';
import { TEAM_LABEL } from './model/team.ts';

type Needs = Pick<Ports, 'store'> & { registries: Registries; identify: Identify };

export function createAccountRoutes({ registries, store, identify }: Needs): Hono<PortalEnv> {
  const app = new Hono<PortalEnv>();
  const path = '/api/connections/:integration/accounts/:id';

  app.patch(path, requirePortalUser(identify, { only: 'sessions' }), async (c) => {
    const { userId } = c.var;
    const integration = await requireIntegration(registries, userId, c.req.param('integration'));
    const body = AccountChange.safeParse(await readJsonBody(c));
    if (!body.success) throw new HttpError(400, { error: describeIssues(body.error) });
    const rows = await store.connections.of(userId, integration.name);
    const row = rows.find((each) => publicIdOf(each, rows) === c.req.param('id'));
    if (row === undefined && c.req.param('id') === TEAM_LABEL)
      return c.json(await chooseTeam(userId, integration, rows, body.data));
    if (row === undefined) throw unknownAccount(integration, rows);
    return c.json(await changeAccount(store, integration, row, body.data));
  });

  /** Chooses for what the person uses the team connection. What it is called and may do is not theirs to change. */
  async function chooseTeam(
    userId: string,
    integration: Integration,
    rows: readonly Connection[],
    { label, default: reads, defaultForWrites: writes }: z.infer<typeof AccountChange>,
  ): Promise<AccountState> {
    const team = await store.team.usable(userId, integration.name);
    if (team === null || !belongsTo(team.connection, integration)) throw unknownAccount(integration, rows);
    if (label !== undefined)
      throw new HttpError(400, { error: 'The team connection keeps its name. Leave "label" out.' });
    const of = { user_id: userId, integration: integration.name };
    if (reads !== undefined) await store.connections.setTeamDefault(of, 'reads', reads);
    if (writes !== undefined) await store.connections.setTeamDefault(of, 'writes', writes);
    const now = await store.connections.of(userId, integration.name);
    const { access: _, ...state } = showTeam(team, now);
    return { id: TEAM_LABEL, label: TEAM_LABEL, ...state };
  }

  return app;
}

/** Changes what an account is called and is used for. Returns the account as it is then. */
export async function changeAccount(
  store: Pick<Ports['store'], 'approvals' | 'connections'>,
  integration: Integration,
  row: Connection,
  { label, default: reads, defaultForWrites: writes }: z.infer<typeof AccountChange>,
): Promise<AccountState> {
  const { connections } = store;
  const read = () => connections.of(row.user_id, row.integration);
  if (label !== undefined) await rename(store, integration, row, requireLabel(label), await read());
  if (reads !== undefined) await connections.setDefault(row, 'reads', reads);
  if (writes !== undefined) await connections.setDefault(row, 'writes', writes);
  const rows = await read();
  const changed = showAccounts(rows)[rows.findIndex(({ account }) => account === row.account)];
  if (changed === undefined) throw unknownAccount(integration, rows);
  return changed;
}

async function rename(
  { approvals, connections }: Pick<Ports['store'], 'approvals' | 'connections'>,
  integration: Integration,
  row: Connection,
  label: string,
  rows: readonly Connection[],
): Promise<void> {
  const labels = labelsOf(rows);
  const isTaken = rows.some((each, at) => each.account !== row.account && labels[at] === label);
  const outcome = isTaken ? 'taken' : await connections.rename(row, label);
  if (outcome === 'taken')
    throw new HttpError(409, {
      error: `Another account is called ${JSON.stringify(label)}. Choose another name.`,
    });
  if (outcome === 'gone') throw unknownAccount(integration, rows);
  const former = labels[rows.findIndex(({ account }) => account === row.account)];
  // The approvals of a person with one account do not name it.
  if (rows.length > 1 && former !== undefined)
    await approvals.renameAccount({ user_id: row.user_id, integration: row.integration }, former, label);
}
