// Shows the accounts of an integration, and the connection of the team beside them. reference: Several accounts
import type { Connection } from '../ports/records.ts';
import type { TeamConnection } from '../ports/team.ts';
import { defaultOf, labelsOf, publicIdOf } from './model/accounts.ts';
import type { AccountState, ConnectionState } from './operations.ts';
import { statusOf } from './model/state.ts';
import { prefersTeam } from './model/team.ts';

/** The accounts as people see them, in the order of the rows. */
export function showAccounts(rows: readonly Connection[]): AccountState[] {
  const labels = labelsOf(rows);
  const first = defaultOf(rows);
  const isTeamFirst = prefersTeam(rows, 'read');
  return rows.map((row, at) => ({
    id: publicIdOf(row, rows),
    label: labels[at] ?? '',
    default: row === first && !isTeamFirst,
    defaultForWrites: row.is_write_default,
    status: statusOf(row),
  }));
}

/** The team connection as a person sees it who may use it. `rows` are their own accounts. */
export function showTeam(
  { access, connection }: TeamConnection,
  rows: readonly Connection[],
): NonNullable<ConnectionState['team']> {
  const isOnly = rows.length === 0;
  return {
    access,
    status: statusOf(connection),
    default: isOnly || prefersTeam(rows, 'read'),
    defaultForWrites: isOnly || prefersTeam(rows, 'write'),
  };
}
