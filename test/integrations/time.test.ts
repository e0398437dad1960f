// Tests the built-in clock.
import { describe, expect, it } from 'vitest';
import { time } from '../../integrations/time/manifest.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const nowhere = () => Promise.reject(new Error('none'));
// 2026-11-20T10:00:00Z, a Friday
const clock = createFakeClock(1_795_168_800);

async function run(name: string, args: object): Promise<unknown> {
  const tool = time.tools.find((each) => each.name === name);
  const parsed = tool?.parse(args);
  if (tool === undefined || parsed === undefined) throw new Error(`no ${name}`);
  return parsed.ok
    ? tool.run(parsed.value, {
        userId: 'u',
        clock,
        files: createMemoryFiles(),
        upstream: nowhere,
        fetch: nowhere,
      })
    : parsed.message;
}

describe('time_now', () => {
  it.each([
    [undefined, '2026-11-20T10:00:00+00:00', 'Friday'],
    ['Europe/Berlin', '2026-11-20T11:00:00+01:00', 'Friday'],
    ['Asia/Kathmandu', '2026-11-20T15:45:00+05:45', 'Friday'],
    ['America/St_Johns', '2026-11-20T06:30:00-03:30', 'Friday'],
    ['Pacific/Kiritimati', '2026-11-21T00:00:00+14:00', 'Saturday'],
  ])('returns for %s the time %s', async (timeZone, iso, weekday) => {
    const args = timeZone === undefined ? {} : { timeZone };
    expect(await run('time_now', args)).toMatchObject({
      iso,
      weekday,
      unix: 1_795_168_800,
      timeZone: timeZone ?? 'UTC',
    });
  });

  it.each(['Mars/Olympus', '', 'x'.repeat(1000)])(
    'refuses the zone "%s" with a sentence',
    async (timeZone) => {
      expect(await run('time_now', { timeZone })).toMatch(/IANA time zone/);
    },
  );
});

describe('time_convert', () => {
  const iso = async (args: object) => {
    const result = await run('time_convert', args);
    return typeof result === 'string' ? result : (result as { iso: string }).iso;
  };

  it.each([
    ['2026-07-01T12:00', 'UTC', 'Europe/Berlin', '2026-07-01T14:00:00+02:00'],
    ['2026-12-31T23:30', 'America/New_York', 'Asia/Tokyo', '2027-01-01T13:30:00+09:00'],
    ['2026-07-01T12:00:00+03:00', 'Asia/Tokyo', 'UTC', '2026-07-01T09:00:00+00:00'],
    ['2026-07-01T12:00:00Z', 'Asia/Tokyo', 'UTC', '2026-07-01T12:00:00+00:00'],
    ['0050-01-01T00:00', 'Europe/Berlin', 'UTC', '0049-12-31T23:06:32+00:00'],
    // Times on both sides of a clock change.
    ['2026-03-29T01:59', 'Europe/Berlin', 'UTC', '2026-03-29T00:59:00+00:00'],
    ['2026-03-29T03:00', 'Europe/Berlin', 'UTC', '2026-03-29T01:00:00+00:00'],
    ['2026-10-25T03:00', 'Europe/Berlin', 'UTC', '2026-10-25T02:00:00+00:00'],
    ['2026-03-08T01:59', 'America/New_York', 'UTC', '2026-03-08T06:59:00+00:00'],
    ['2026-03-08T03:00', 'America/New_York', 'UTC', '2026-03-08T07:00:00+00:00'],
  ])('%s from %s to %s is %s', async (text, from, to, expected) => {
    expect(await iso({ time: text, from, to })).toBe(expected);
  });

  it.each(['yesterday', '2026-13-01T00:00', '2026-02-30T00:00', '25:00', ''])(
    'refuses the time "%s"',
    async (text) => {
      expect(await iso({ time: text, from: 'UTC', to: 'UTC' })).toMatch(/^time: /);
    },
  );
});
