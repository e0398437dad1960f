// Lists words that people use for Google Calendar and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'google calendar agenda event',
  aliases: {
    'google calendar': 'gcalendar',
    gcal: 'gcalendar',
  },
  called: {
    event: 'calendar',
  },
  tools: {
    gcalendar_list_events: 'clocktime agenda meetings appointments upcoming next schedule',
    gcalendar_create_event: 'invite schedule add: meeting appointment people reminder block',
    gcalendar_quick_add_event: 'meeting appointment',
    gcalendar_update_event:
      'reschedule invite move: meeting appointment postpone people attendee guest time earlier later',
    gcalendar_delete_event: 'cancel decline: meeting appointment',
    gcalendar_query_free_busy: 'clocktime time free available availability slot when meet',
    gcalendar_list_event_instances: 'recurring series occurrences dates repeat meeting',
  },
};
