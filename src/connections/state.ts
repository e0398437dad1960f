// Describes a stored connection to the portal. reference: Connections
import type { Integration } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import { grantedScopes } from './granted-scopes.ts';
import { type Health, healthOf } from './health.ts';
import type { ConnectionState } from './operations.ts';
import { accountIn } from './standing.ts';
import type { Vault } from './vault.ts';
import { wayOf } from './ways.ts';

type Described = Omit<ConnectionState, 'name' | 'connected' | 'siblings'>;

export async function describeConnection(
  integration: Integration,
  row: Connection,
  deps: Pick<Ports, 'clock'> & { vault: Vault },
): Promise<Described> {
  const { health, expiresAt } = await healthOf(integration, row, deps);
  const way = wayOf(row, integration);
  return {
    health,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...statusOf(integration, row, health),
    ...(row.since === null ? {} : { since: row.since }),
    ...(row.checked_at === null ? {} : { checkedAt: row.checked_at }),
    connectedAt: row.created_at,
    ...accountIn(row),
    ...(way === 'none' ? {} : { way }),
    ...grantedScopes(row, integration),
  };
}

/** A credential that has expired or cannot be opened needs no provider to refuse it. */
function statusOf(
  { displayName }: Integration,
  { status, cause }: Connection,
  health: Health,
): Pick<Described, 'status' | 'cause'> {
  if (health === 'needs_reconnect' && status !== 'reconnect')
    return {
      status: 'reconnect',
      cause: `The stored credential of ${displayName} has expired or can no longer be opened.`,
    };
  return { status: status ?? 'unverified', ...(cause === null ? {} : { cause }) };
}
