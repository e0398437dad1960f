// Declares what features say of a person: the use of limits, and what administrators see. reference: Administration of people
import { Unavailable } from '../ports/unavailable.ts';

/** In the order in which people see them. */
export const LIMIT_NAMES = [
  'calls',
  'callsPerMinute',
  'pending',
  'results',
  'files',
  'fileBytes',
  'jots',
  'jotBytes',
  'keys',
  'sets',
  'scripts',
  'scriptRuns',
  'events',
  'subscriptions',
  'questions',
  'questionBytes',
  'channels',
  'deliveries',
] as const;

export interface LimitUse {
  name: (typeof LIMIT_NAMES)[number];
  /** Null where the process that answers cannot know. */
  used: number | null;
  /** Null where nothing is limited. */
  limit: number | null;
}

export const CONNECTION_STATUSES = ['ok', 'reconnect', 'unreachable', 'unverified'] as const;

export interface ShownToAdministrators {
  accounts: {
    integration: string;
    /** Set where the person has several accounts. */
    label?: string;
    status: (typeof CONNECTION_STATUSES)[number];
  }[];
  clients: { id: string; name: string | null }[];
  /** The groups of the person. Absent where nobody has told them. */
  groups?: string[];
  /** `lastUsedAt` is in Unix seconds, to the minute. */
  namedKeys: { name: string; lastUsedAt?: number }[];
}

/** People can read about themselves while Redis or the blob store is away. */
export async function unlessAway<T>(count: Promise<T>): Promise<T | null> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}
