// Shows the state of a stored connection. `health` and `status` of every answer are decided here. reference: Connections
import type { Integration } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import type { TeamConnection } from '../ports/team.ts';
import { defaultOf } from './model/accounts.ts';
import { grantedScopes } from './model/granted-scopes.ts';
import { type Lifetime, readLifetime } from './model/lifetime.ts';
import type { ConnectionState } from './operations.ts';
import { showAccounts, showTeam } from './show-accounts.ts';
import { accountIn, statusOf } from './model/state.ts';
import type { Vault } from './model/vault.ts';
import { wayOf } from './model/ways.ts';

type Shown = Omit<ConnectionState, 'name' | 'connected' | 'siblings'>;
type Needs = Pick<Ports, 'clock'> & { vault: Pick<Vault, 'open'> };

/** What a person has of an integration. */
interface OwnConnections {
  rows: readonly Connection[];
  isConnected: boolean;
  /** The other connections of the person that have the same grant, by each connection. */
  siblings: ReadonlyMap<Connection, readonly Connection[]>;
  /** The team connection, where the person may use it. */
  team: TeamConnection | undefined;
}

/** An item of `GET /api/connections`. */
export async function showConnection(
  integration: Integration,
  { rows, isConnected, siblings, team }: OwnConnections,
  deps: Needs,
): Promise<ConnectionState> {
  // What needs the person comes first.
  const row = rows.find(({ status }) => status === 'reconnect') ?? defaultOf(rows);
  const shown = row === null ? {} : await showState(integration, row, deps);
  const shared = row === null ? [] : namesOf(siblings.get(row) ?? []);
  return {
    name: integration.name,
    connected: isConnected,
    ...shown,
    ...(shared.length === 0 ? {} : { siblings: shared }),
    ...(rows.length < 2 ? {} : { accounts: showAccounts(rows) }),
    ...(team === undefined ? {} : { team: showTeam(team, rows) }),
  };
}

export async function showState(integration: Integration, row: Connection, deps: Needs): Promise<Shown> {
  const lifetime = await readLifetime(integration, row, deps);
  const way = wayOf(row, integration);
  const shown = showStatus(integration, row, lifetime);
  return {
    // A refused credential needs its person, however long it would last.
    ...(shown.status === 'reconnect' ? { health: 'needs_reconnect' as const } : showHealth(lifetime)),
    ...shown,
    ...(row.since === null ? {} : { since: row.since }),
    ...(row.checked_at === null ? {} : { checkedAt: row.checked_at }),
    connectedAt: row.created_at,
    ...accountIn(row),
    ...(way === 'none' ? {} : { way }),
    ...grantedScopes(row, integration),
  };
}

/** Says how long the credential lasts. */
function showHealth(lifetime: Lifetime): Pick<Shown, 'health' | 'expiresAt'> {
  switch (lifetime.kind) {
    case 'lasting':
      return { health: 'ok' };
    case 'expiring':
      return { health: 'expiring', expiresAt: lifetime.at };
    case 'over':
      return { health: 'needs_reconnect' };
  }
}

/** A credential that has expired or cannot be opened needs no provider to refuse it. */
function showStatus(
  { displayName }: Integration,
  row: Connection,
  { kind }: Lifetime,
): Pick<Shown, 'status' | 'cause'> {
  if (kind === 'over' && row.status !== 'reconnect')
    return {
      status: 'reconnect',
      cause: `The stored credential of ${displayName} has expired or can no longer be opened.`,
    };
  return { status: statusOf(row), ...(row.cause === null ? {} : { cause: row.cause }) };
}

const namesOf = (rows: readonly Connection[]): string[] => [...new Set(rows.map((row) => row.integration))];
