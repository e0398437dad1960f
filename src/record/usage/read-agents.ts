// Answers what each caller of a person did in a day, and why the calls of a week failed. reference: Usage
import { USAGE_TAIL } from '../model/limits.ts';
import type { Ports } from '../../ports/ports.ts';
import type { UsageSum } from '../../ports/usage.ts';
import { CAUSES, causeOf, classOf } from './causes.ts';
import { floorTo, groupOf, HOUR_SECONDS, isCall } from './count.ts';
import type { AgentsUsage } from './operations.ts';
import { noCalls } from './read.ts';

const HOURS = 24;
const PROBLEM_HOURS = 7 * 24;
const MOST_AGENTS = 200;
const MOST_PROBLEMS = 50;
/** A cause is a problem from so many calls on, or where it is the cause of half of the calls of a tool. */
const MANY = 20;
const SOME = 5;

export type ReadAgentsUsage = (userId: string) => Promise<AgentsUsage>;

export function createReadAgentsUsage({ clock, store }: Pick<Ports, 'clock' | 'store'>): ReadAgentsUsage {
  const { usage } = store;

  return async function readAgentsUsage(user_id) {
    const hour = floorTo(clock.now(), HOUR_SECONDS);
    const from = hour - (HOURS - 1) * HOUR_SECONDS;
    const problemsFrom = hour - (PROBLEM_HOURS - 1) * HOUR_SECONDS;
    const counted = await usage.counted();
    const [hours, sums, rows] = await Promise.all([
      usage.hoursOfActors({ user_id, from }),
      usage.sums({ user_id, from: problemsFrom }),
      usage.newest(user_id, counted, USAGE_TAIL),
    ]);
    for (const row of rows.filter(isCall)) {
      const group = groupOf(user_id, row);
      const cause = causeOf(row);
      const start = floorTo(row.created_at, HOUR_SECONDS);
      if (start >= problemsFrom) sums.push({ ...group, cause, calls: 1 });
      if (start >= from) hours.push({ actor: group.actor, start, cause, calls: 1 });
    }
    const agents = new Map<string, AgentsUsage['agents'][number]>();
    for (const { actor, start, cause, calls } of hours) {
      const agent = agents.get(actor) ?? {
        actor,
        ...noCalls(),
        hours: Array.from({ length: HOURS }, () => 0),
      };
      const index = Math.min(HOURS - 1, (start - from) / HOUR_SECONDS);
      agent[classOf(cause)] += calls;
      agent.hours[index] = (agent.hours[index] ?? 0) + calls;
      agents.set(actor, agent);
    }
    return { from, agents: [...agents.values()].slice(0, MOST_AGENTS), problems: problemsIn(sums) };
  };
}

function problemsIn(sums: readonly UsageSum[]): AgentsUsage['problems'] {
  const all = new Map<string, number>();
  const found = new Map<string, AgentsUsage['problems'][number]>();
  for (const { integration, tool, cause: stored, calls } of sums) {
    const ofTool = JSON.stringify([integration, tool]);
    all.set(ofTool, (all.get(ofTool) ?? 0) + calls);
    const cause = CAUSES.find((each) => each === stored);
    if (cause === undefined || classOf(cause) !== 'failed') continue;
    const key = JSON.stringify([integration, tool, cause]);
    const problem = found.get(key) ?? { integration, tool, cause, calls: 0, of: 0 };
    problem.calls += calls;
    found.set(key, problem);
  }
  return [...found.values()]
    .map((each) => ({ ...each, of: all.get(JSON.stringify([each.integration, each.tool])) ?? each.calls }))
    .filter(({ cause, calls, of }) => isOwn(cause) || calls > MANY || (calls >= SOME && calls * 2 >= of))
    .toSorted((one, other) => other.calls - one.calls || (one.tool < other.tool ? -1 : 1))
    .slice(0, MOST_PROBLEMS);
}

/** These have an answer of their own, however few there are. */
const isOwn = (cause: string): boolean => cause === 'not-connected' || cause === 'rate-limit';
