// The clock and the world's time zones, built in.
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { instantOf, isTimeZone, moment } from './zones.ts';
import { words } from './words.ts';

const zone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin, or UTC');

export const time = defineIntegration({
  name: 'time',
  version: '1.0.0',
  displayName: 'Time',
  description: 'The current time, and times between zones',
  categories: ['built-in'],
  logo,
  auth: { type: 'none' },
  isClosed: true,
  words,
  tools: [
    tool(
      'time_now',
      'Get the current date and time in a time zone',
      () => ({ timeZone: zone.default('UTC').describe('IANA time zone, e.g. Europe/Berlin') }),
      (args, { clock }) => moment(clock.now(), args.timeZone),
    ),
    tool(
      'time_convert',
      'Convert a date and time from one time zone to another',
      () => ({
        time: z.iso
          .datetime({ local: true, offset: true })
          .describe('ISO 8601, e.g. 2026-03-01T09:30; an offset such as +02:00 counts instead of `from`'),
        from: zone.describe('IANA time zone of `time`, e.g. Asia/Tokyo'),
        to: zone.describe('IANA time zone to convert to, e.g. Europe/Berlin or UTC'),
      }),
      ({ time: text, from, to }) => moment(instantOf(text, from), to),
    ),
  ],
});
