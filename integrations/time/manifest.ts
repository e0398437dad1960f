// The clock and the world's time zones, built in.
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { instantOf, isTimeZone, moment } from './zones.ts';

const zone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin, or UTC');

export const time = defineIntegration({
  name: 'time',
  version: '1.0.0',
  displayName: 'Time',
  description: 'The current time, and times between zones',
  categories: ['built-in'],
  logo,
  auth: { type: 'none' },
  tools: [
    tool(
      'time_now',
      'Current date and time in a time zone',
      () => ({ timeZone: zone.default('UTC') }),
      (args, { clock }) => moment(clock.now(), args.timeZone),
    ),
    tool(
      'time_convert',
      'Convert a date and time from one time zone to another',
      () => ({
        time: z.iso
          .datetime({ local: true, offset: true })
          .describe('Such as 2026-03-01T09:30, or with an offset, which then counts instead of from'),
        from: zone,
        to: zone,
      }),
      ({ time: text, from, to }) => moment(instantOf(text, from), to),
    ),
  ],
});
