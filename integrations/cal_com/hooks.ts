// How Cal.com sends webhooks. https://cal.com/docs/developing/guides/automation/webhooks
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    BOOKING_CREATED: 'Somebody booked',
    BOOKING_RESCHEDULED: 'A booking was moved',
    BOOKING_CANCELLED: 'A booking was cancelled',
    MEETING_ENDED: 'A meeting ended',
  },
  // The body has the time at which it was made, and nothing else names a delivery.
  check: { kind: 'hmac', header: 'x-cal-signature-256', encoding: 'hex' },
  type: [{ at: '/triggerEvent' }],
  secret: 'ours',
  setUp:
    'In Cal.com open Settings, then Developer and Webhooks, and choose New. Enter the address as Subscriber URL and the secret, and choose the events.',
};
