// Prints people as a table for a terminal.
import { shownText } from '../../src/kit/shown-text.ts';
import type { Person } from '../../src/people/operations.ts';

const HEADS = ['EMAIL', 'ROLE', 'STATUS', 'SIGNED IN', 'LAST CALL', 'CONNECTIONS', 'AGENTS', 'KEYS'] as const;
const GAP = '  ';
const NEVER = '-';

export function tableOf(people: readonly Person[]): string {
  const rows = [HEADS, ...people.map(rowOf)];
  const widths = HEADS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function rowOf(person: Person): readonly string[] {
  const { email, role, status, signedInAt, calledAt, connections, agents, keys } = person;
  return [
    // An address comes from a sign-in provider, and could move the cursor of the terminal.
    shownText(email) ?? '',
    role,
    person.unverified === true ? `${status}, unverified` : status,
    showTime(signedInAt),
    showTime(calledAt),
    ...[connections, agents, keys].map(String),
  ];
}

/** Shows a time in UTC to the minute. */
const showTime = (seconds: number | undefined): string =>
  seconds === undefined ? NEVER : new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
