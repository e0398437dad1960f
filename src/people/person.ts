// Shows a person to administrators. reference: Administration of people
import type { ReadRole } from '../auth/role.ts';
import type { PersonSummary } from '../ports/people.ts';
import type { Person } from './operations.ts';

type Times = Pick<PersonSummary, 'deleted_at' | 'disabled_at' | 'invited_at' | 'signed_in_at'>;

export function statusOf({ deleted_at, disabled_at, invited_at, signed_in_at }: Times): Person['status'] {
  if (deleted_at !== null) return 'deleting';
  if (disabled_at !== null) return 'disabled';
  return invited_at !== null && signed_in_at === null ? 'invited' : 'active';
}

export function showPerson(summary: PersonSummary, readRole: ReadRole): Person {
  const { id, email, created_at, signed_in_at, called_at, unverified_since } = summary;
  return {
    id,
    email,
    role: readRole(summary),
    status: statusOf(summary),
    createdAt: created_at,
    ...(signed_in_at === null ? {} : { signedInAt: signed_in_at }),
    ...(called_at === null ? {} : { calledAt: called_at }),
    ...(unverified_since === null ? {} : { unverified: true }),
    connections: summary.connections,
    agents: summary.agents,
    keys: summary.keys + (summary.has_key ? 1 : 0),
  };
}
