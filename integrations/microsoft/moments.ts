// Reads and writes moments as Microsoft 365 keeps them: a local time beside the name of its time zone.
import { some, text } from './graph.ts';

export const timeZone = () =>
  text
    .regex(/^[\w+\-/. ()]{1,60}$/, 'is no name of a time zone')
    .default('UTC')
    .describe('Time zone of the times, such as Europe/Berlin or Pacific Standard Time');

const LOCAL = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;
/** A day such as 2026-03-01, or a local time such as 2026-03-01T09:00. */
export const local = text.regex(LOCAL, 'is no local time such as 2026-03-01T09:00:00');

export const isDay = (moment: string): boolean => !moment.includes('T');

export const toMoment = (moment: string, zone: string) => ({
  dateTime: isDay(moment) ? `${moment}T00:00:00` : moment,
  timeZone: zone,
});

/** The time zone of an answer. `others` are preferences that the call has too. */
export const preferZone = (zone: string, ...others: string[]): { prefer: string } => ({
  prefer: [`outlook.timezone="${zone}"`, ...others].join(', '),
});

export const zoneOfAnswer = some
  .refine((zone) => zone === undefined || /^[\w+\-/. ()]{1,60}$/.test(zone), 'is no name of a time zone')
  .describe('Time zone of the answer, such as Europe/Berlin; UTC by default');

export const RECURRENCE =
  'Such as {"pattern":{"type":"weekly","interval":1,"daysOfWeek":["monday"]},"range":{"type":"noEnd","startDate":"2026-03-02"}}';
