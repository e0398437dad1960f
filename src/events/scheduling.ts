// Says when a schedule is due. Missed times are told, and not made up for. reference: Schedules
import * as z from 'zod';

const MAX_CRON = 200;

export const ScheduleArguments = z.strictObject({
  cron: z.string().min(1).max(MAX_CRON).describe('Minute, hour, day, month and weekday, such as 0 8 * * 1-5'),
  timeZone: z.string().max(100).default('UTC').describe('Such as Europe/Berlin'),
  text: z.string().max(4_000).optional().describe('What the reader of the event should do'),
});
export type ScheduleArguments = z.output<typeof ScheduleArguments>;

/** What is wrong with a schedule. */
export class ScheduleError extends Error {}

/** The times that are counted at most when a schedule was not run for long. */
const COUNTED = 10_000;

export interface Schedule {
  /** The first time after this one, in Unix seconds. Null when there is none. */
  after(time: number): number | null;
  /** The times from `from` to `to`, both included: how many, and the last one. */
  between(from: number, to: number): { count: number; last: number };
}

/** Loaded at its first use, because most gateways never schedule. */
export async function readSchedule({ cron, timeZone }: ScheduleArguments): Promise<Schedule> {
  const { Cron } = await import('croner');
  if (cron.trim().split(/\s+/).length !== 5 && !cron.startsWith('@'))
    throw new ScheduleError('cron: five fields are wanted: minute, hour, day of month, month, day of week');
  let job: InstanceType<typeof Cron>;
  try {
    job = new Cron(cron, { timezone: timeZone, paused: true });
    job.nextRun();
  } catch (error) {
    throw new ScheduleError(`cron: ${error instanceof Error ? error.message : String(error)}`);
  }
  const after = (time: number): number | null => {
    const next = job.nextRun(new Date(time * 1000));
    return next === null ? null : Math.floor(next.getTime() / 1000);
  };
  return {
    after,
    between(from, to) {
      let [count, last] = [1, from];
      for (let next = after(from); next !== null && next <= to && count < COUNTED; next = after(next)) {
        count++;
        last = next;
      }
      return { count, last };
    },
  };
}
