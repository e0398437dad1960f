// Finds the accounts that a request means, and answers 404 for a label that none of them has. reference: Several accounts
import { HttpError } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Connection } from '../../ports/records.ts';
import { labelsOf } from './accounts.ts';

/** The accounts that a request means: the one with the label, or all of them. */
export function meantAccounts(
  integration: Integration,
  rows: readonly Connection[],
  label: string | undefined,
): readonly Connection[] {
  return label === undefined ? rows : [meantAccount(integration, rows, label)];
}

export function meantAccount(
  integration: Integration,
  rows: readonly Connection[],
  label: string,
): Connection {
  const row = rows[labelsOf(rows).indexOf(label)];
  if (row === undefined) throw unknownAccount(integration, rows);
  return row;
}

export function unknownAccount({ displayName }: Integration, rows: readonly Connection[]): HttpError {
  const names = labelsOf(rows).map((label) => JSON.stringify(label));
  const known = names.length === 0 ? 'None is connected.' : `The accounts are ${names.join(', ')}.`;
  return new HttpError(404, { error: `${displayName} has no such account. ${known}` });
}
