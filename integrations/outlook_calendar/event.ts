// Turns the arguments of a tool into an event as the API takes it.
import * as z from 'zod';
import { flag, object, some, texts } from '../microsoft/graph.ts';
import { toBody } from '../microsoft/html.ts';
import { isDay, RECURRENCE, toMoment } from '../microsoft/moments.ts';
import { RECIPIENT, toRecipient } from '../microsoft/recipients.ts';

export const details = () => ({
  body: some.describe('Notes on the event, in Markdown'),
  location: some.describe('Place, as free text'),
  attendees: texts
    .optional()
    .describe(`People who should come, each an ${RECIPIENT}; they get an invitation`),
  optionalAttendees: texts.optional().describe(`People who may come, each an ${RECIPIENT}`),
  onlineMeeting: flag.describe('true adds a Teams meeting'),
  showAs: z
    .enum(['free', 'tentative', 'busy', 'oof', 'workingElsewhere'])
    .optional()
    .describe('How the time shows to others; oof is out of office'),
  reminderMinutes: z.int().min(0).optional().describe('Minutes before the start at which to remind'),
  recurrence: object.optional().describe(RECURRENCE),
  categories: texts.optional().describe('Categories of the event'),
  importance: z.enum(['low', 'normal', 'high']).optional().describe('How important it is'),
});

type Details = { [Name in keyof ReturnType<typeof details>]?: z.output<ReturnType<typeof details>[Name]> };

interface Times {
  start?: string | undefined;
  end?: string | undefined;
  timeZone: string;
}

export function toEvent({
  start,
  end,
  timeZone: zone,
  body,
  location,
  attendees,
  optionalAttendees,
  onlineMeeting,
  reminderMinutes,
  ...rest
}: Details & Times & { subject?: string | undefined }) {
  const times = [start, end].filter((each) => each !== undefined);
  const days = times.filter(isDay).length;
  if (days === 1 && times.length === 2) throw new Error('start and end are both days, or both times');
  const as = (type: string) => (each: string) => ({ type, ...toRecipient(each) });
  const people = [...(attendees ?? []).map(as('required')), ...(optionalAttendees ?? []).map(as('optional'))];
  const hasPeople = attendees !== undefined || optionalAttendees !== undefined;
  return {
    ...rest,
    start: start === undefined ? undefined : toMoment(start, zone),
    end: end === undefined ? undefined : toMoment(end, zone),
    isAllDay: times.length === 0 ? undefined : days > 0,
    body: body === undefined ? undefined : toBody(body),
    location: location === undefined ? undefined : { displayName: location },
    attendees: hasPeople ? people : undefined,
    isOnlineMeeting: onlineMeeting,
    ...(reminderMinutes === undefined
      ? {}
      : { isReminderOn: true, reminderMinutesBeforeStart: reminderMinutes }),
  };
}
