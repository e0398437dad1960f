// Changes single accounts of an integration, and says which there are. reference: Several accounts
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import { readJsonBody } from '../http/request-body.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { describeIssues } from '../kit/validation.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import { defaultOf, labelsOf, publicIdOf, requireLabel } from './accounts.ts';
import { AccountChange, type AccountState } from './operations.ts';
import { requireIntegration } from './require-integration.ts';

type Needs = Pick<Ports, 'store'> & { registries: Registries; identify: Identify };

export function createAccountRoutes({ registries, store, identify }: Needs): Hono<PortalEnv> {
  const app = new Hono<PortalEnv>();
  const path = '/api/connections/:integration/accounts/:id';

  app.patch(path, requirePortalUser(identify, { only: 'sessions' }), async (c) => {
    const { userId } = c.var;
    const integration = await requireIntegration(registries, userId, c.req.param('integration'));
    const body = AccountChange.safeParse(await readJsonBody(c));
    if (!body.success) throw new HttpError(400, { error: describeIssues(body.error) });
    const { connections } = store;
    const rows = await connections.of(userId, integration.name);
    const row = rows.find((each) => publicIdOf(each, rows) === c.req.param('id'));
    if (row === undefined) throw unknownAccount(integration, rows);
    const { label, default: reads, defaultForWrites: writes } = body.data;
    if (label !== undefined) await rename(row, requireLabel(label), rows);
    if (reads !== undefined) await connections.setDefault(row, 'reads', reads);
    if (writes !== undefined) await connections.setDefault(row, 'writes', writes);
    const now = await connections.of(userId, integration.name);
    const changed = describeAccounts(now).find((_, at) => now[at]?.account === row.account);
    if (changed === undefined) throw unknownAccount(integration, now);
    return c.json(changed);
  });

  async function rename(row: Connection, label: string, rows: readonly Connection[]): Promise<void> {
    const labels = labelsOf(rows);
    const isTaken = rows.some((each, at) => each.account !== row.account && labels[at] === label);
    const outcome = isTaken ? 'taken' : await store.connections.rename(row, label);
    if (outcome === 'taken')
      throw new HttpError(409, {
        error: `Another account is called ${JSON.stringify(label)}. Choose another name.`,
      });
  }

  return app;
}

/** The accounts as people see them, in the order of the rows. */
export function describeAccounts(rows: readonly Connection[]): AccountState[] {
  const labels = labelsOf(rows);
  const first = defaultOf(rows);
  return rows.map((row, at) => ({
    id: publicIdOf(row, rows),
    label: labels[at] ?? '',
    default: row === first,
    defaultForWrites: row.is_write_default,
    status: row.status ?? 'unverified',
  }));
}

/** The accounts that a request means: the one with the label, or all of them. */
export function meantAccounts(
  integration: Integration,
  rows: readonly Connection[],
  label: string | undefined,
): readonly Connection[] {
  if (label === undefined) return rows;
  const row = rows[labelsOf(rows).indexOf(label)];
  if (row === undefined) throw unknownAccount(integration, rows);
  return [row];
}

function unknownAccount({ displayName }: Integration, rows: readonly Connection[]): HttpError {
  const names = labelsOf(rows).map((label) => JSON.stringify(label));
  const known = names.length === 0 ? 'None is connected.' : `The accounts are ${names.join(', ')}.`;
  return new HttpError(404, { error: `${displayName} has no such account. ${known}` });
}
