// Counts audit rows by person, hour, integration, tool, caller and cause. reference: Usage; decision: 040
import { agentKeyActorId, isAgentKey, serviceKeyIdOf } from '../../kit/actor.ts';
import { ERASURE_TOOL } from '../../ports/audit-segments.ts';
import { EVERYONE } from '../../ports/store.ts';
import type { UsageCount, UsageGroup, UsageLevel, UsagePlace, UsageRow } from '../../ports/usage.ts';
import { causeOf, hasRun } from './causes.ts';
import { noDurations, rangeOf } from './durations.ts';

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/** The name of everything that has no place of its own. */
export const OTHER = '*';

/** Stands for every named key among the calls of all people, whose keys are theirs alone. */
export const ANY_AGENT_KEY = agentKeyActorId('');

const TOTAL: UsageGroup = { integration: '', tool: '', actor: '' };

export interface Counts {
  add(count: UsageCount): void;
  list(): UsageCount[];
}

/** Adds up counts of the same place, group and cause. */
export function createCounts(): Counts {
  const counts = new Map<string, UsageCount & { durations: number[] }>();
  return {
    add(count) {
      const { user_id, level, start, integration, tool, actor, cause } = count;
      const key = JSON.stringify([user_id, level, start, integration, tool, actor, cause]);
      const known = counts.get(key);
      if (known === undefined) {
        counts.set(key, { ...count, durations: [...count.durations] });
        return;
      }
      known.calls += count.calls;
      for (const [range, calls] of count.durations.entries())
        known.durations[range] = (known.durations[range] ?? 0) + calls;
    },
    list: () => [...counts.values()],
  };
}

/** What `userId` sees as the group of a row. Callers choose the paths of raw requests, so all people together have none. */
export function groupOf(
  userId: string,
  row: Pick<UsageRow, 'integration' | 'tool' | 'action' | 'actor'>,
): UsageGroup {
  const { integration, tool, action } = row;
  const actor = row.actor ?? '';
  if (userId !== EVERYONE) return { integration, tool, actor };
  return {
    integration,
    tool: action === 'CURL' ? (tool.split(' ')[0] ?? '') : tool,
    actor: isAgentKey({ id: actor }) ? ANY_AGENT_KEY : actor,
  };
}

/** A decision, the repeat of a call that has run, a change by a directory and the note of a deletion are no calls. */
export const isCall = ({ action, tool }: Pick<UsageRow, 'action' | 'tool'>): boolean =>
  !NO_CALLS.includes(action) && tool !== ERASURE_TOOL;

const NO_CALLS: readonly string[] = ['DECIDE', 'REPLAY', 'DIRECTORY'];

/** Times before `oldest` are not counted: the next sweep would delete them. */
export function countRows(rows: readonly UsageRow[], oldest: { hours: number; days: number }): UsageCount[] {
  const counts = createCounts();
  for (const row of rows.filter(isCall)) {
    const keyId = serviceKeyIdOf({ id: row.actor ?? '' });
    const today = floorTo(row.created_at, DAY_SECONDS);
    // All actors of a service key are counted together, with one row a day.
    if (keyId !== null && today >= oldest.days)
      counts.add(countOf(row, { user_id: keyId, level: 'day', start: today }, TOTAL));
    for (const user_id of [row.user_id, EVERYONE]) {
      const group = groupOf(user_id, row);
      const hour = floorTo(row.created_at, HOUR_SECONDS);
      if (hour >= oldest.hours) {
        counts.add(countOf(row, { user_id, level: 'total', start: hour }, TOTAL));
        counts.add(countOf(row, { user_id, level: 'hour', start: hour }, group));
      }
      if (today >= oldest.days) counts.add(countOf(row, { user_id, level: 'day', start: today }, group));
    }
  }
  return counts.list();
}

function countOf(row: UsageRow, place: UsagePlace, group: UsageGroup): UsageCount {
  const cause = causeOf(row);
  return {
    ...place,
    ...group,
    cause,
    calls: 1,
    durations: place.level === 'day' ? [] : durationsOf(row, cause),
  };
}

/** Only calls that ran have a duration that says something. */
export function durationsOf({ duration_ms }: Pick<UsageRow, 'duration_ms'>, cause: string): number[] {
  const durations = noDurations();
  if (hasRun(cause)) durations[rangeOf(duration_ms)] = 1;
  return durations;
}

export const floorTo = (time: number, seconds: number): number => Math.floor(time / seconds) * seconds;

/** The groups that a place has at most, beside the one for the rest. */
export const MAX_GROUPS: Readonly<Record<Exclude<UsageLevel, 'total'>, number>> = { hour: 60, day: 200 };
