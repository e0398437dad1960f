// Loads groups of failed calls, and joins those of older calls with them.
import type { FailureGroup, FailuresPage } from '../../api/audit.ts';

export interface Failures extends FailuresPage {
  /** Set once the groups count older calls than a refresh loads. */
  extended?: true;
}

const keyOf = ({ integration, tool, outcome, error }: FailureGroup): string =>
  JSON.stringify([integration, tool, outcome, error]);

/** An older call may belong to a group that is there already. */
export function joinFailures(newer: Failures, { groups: older, isCut, ...rest }: FailuresPage): Failures {
  const joined = new Map(newer.groups.map((group) => [keyOf(group), group]));
  for (const group of older) {
    const known = joined.get(keyOf(group));
    joined.set(
      keyOf(group),
      known === undefined ? group : { ...known, calls: known.calls + group.calls, first: group.first },
    );
  }
  return { ...rest, groups: [...joined.values()], isCut: newer.isCut || isCut, extended: true };
}
