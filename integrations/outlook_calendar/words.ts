// Lists words that people use for Outlook Calendar and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'microsoft 365 office exchange calendar agenda',
  called: {
    event: 'calendar',
  },
  tools: {
    outlook_calendar_list_events: 'clocktime agenda meetings appointments upcoming next schedule',
    outlook_calendar_create_event: 'invite schedule add: meeting appointment people reminder block',
    outlook_calendar_update_event:
      'reschedule move: meeting appointment postpone attendee guest time earlier later',
    outlook_calendar_delete_event: 'cancel: meeting appointment',
    outlook_calendar_query_free_busy: 'clocktime time free available availability slot when meet',
    outlook_calendar_list_event_instances: 'recurring series occurrences dates repeat meeting',
  },
};
