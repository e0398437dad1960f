// Shows events as people read them.
import * as z from 'zod';
import { readBody } from '../microsoft/html.ts';
import { Recipient, showRecipient } from '../microsoft/recipients.ts';

export const LISTED =
  'id,subject,start,end,isAllDay,isCancelled,location,organizer,attendees,responseStatus,showAs,type,seriesMasterId,onlineMeeting,hasAttachments,webLink';
export const WHOLE = `${LISTED},body,recurrence,categories,importance,sensitivity,reminderMinutesBeforeStart,isReminderOn`;

const text = z.string().nullish();
const Response = z.object({ response: text }).nullish();

const Event = z.lazy(() =>
  z.looseObject({
    isAllDay: z.boolean().nullish(),
    isCancelled: z.boolean().nullish(),
    location: z.object({ displayName: text }).nullish(),
    organizer: Recipient.nullish(),
    attendees: z.array(Recipient.extend({ type: text, status: Response })).nullish(),
    responseStatus: Response,
    onlineMeeting: z.object({ joinUrl: text }).nullish(),
    body: z.object({ contentType: text, content: text }).nullish(),
  }),
);

export function showEvent(payload: unknown): Record<string, unknown> {
  const { body, attendees, location, organizer, responseStatus, onlineMeeting, ...rest } =
    Event.parse(payload);
  const given = Object.entries(rest).filter(([name, value]) => value !== null && !name.startsWith('@odata'));
  return {
    ...Object.fromEntries(given),
    location: location?.displayName || undefined,
    organizer: showRecipient(organizer),
    attendees: attendees?.map((attendee) => ({
      attendee: showRecipient(attendee),
      type: attendee.type,
      response: attendee.status?.response,
    })),
    response: responseStatus?.response,
    joinUrl: onlineMeeting?.joinUrl,
    text: body === undefined || body === null ? undefined : readBody(body),
  };
}
