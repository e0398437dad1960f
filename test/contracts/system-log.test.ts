// Tests that the line log writes one line of JSON per event, in few writes, for any value.
import { describe, expect, it } from 'vitest';
import { createLineLog } from '../../drivers/system/log.ts';
import type { LogLevel } from '../../src/ports/log.ts';

const open = (lowest?: LogLevel) => {
  const chunks: string[] = [];
  const scheduled: (() => void)[] = [];
  let milliseconds = 0;
  const log = createLineLog(
    (chunk) => chunks.push(chunk),
    () => 1_800_000_000_000 + milliseconds,
    (flush) => scheduled.push(flush),
    lowest,
  );
  const lines = (): unknown[] => {
    log.flush();
    const text = chunks.join('');
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  return { log, chunks, scheduled, lines, pass: (more: number) => (milliseconds += more) };
};

describe('line log', () => {
  it('writes the time, level, event and fields', () => {
    const { log, lines } = open();
    log.write('info', 'started');
    log.write('warn', 'slow', { ms: 12, route: '/mcp', none: null });
    expect(lines()).toEqual([
      { time: '2027-01-15T08:00:00.000Z', level: 'info', event: 'started' },
      { time: '2027-01-15T08:00:00.000Z', level: 'warn', event: 'slow', ms: 12, route: '/mcp', none: null },
    ]);
  });

  it('writes times to the millisecond', () => {
    const { log, lines, pass } = open();
    for (const more of [0, 7, 90, 902, 1]) {
      pass(more);
      log.write('info', 'now');
    }
    expect(lines()).toMatchObject(
      ['00.000', '00.007', '00.097', '00.999', '01.000'].map((time) => ({
        time: `2027-01-15T08:00:${time}Z`,
      })),
    );
  });

  it('leaves out what is less important than the lowest level, but no audit row', () => {
    const { log, lines } = open('warn');
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log.write(level, level);
    log.write('info', 'audit', { tool: 'shout' });
    expect(lines()).toMatchObject([{ event: 'warn' }, { event: 'error' }, { event: 'audit', tool: 'shout' }]);
    expect([log.shows('debug'), log.shows('info'), log.shows('warn')]).toEqual([false, false, true]);
  });

  it('keeps an event on one line whatever its texts contain', () => {
    const { log, lines } = open();
    log.write('info', 'a\nb', { text: 'c\r\nd\u2028' });
    expect(lines()).toMatchObject([{ event: 'a\nb', text: 'c\r\nd\u2028' }]);
  });

  it('writes once per turn', () => {
    const { log, chunks, scheduled } = open();
    for (let n = 0; n < 5; n++) log.write('info', `event ${n}`);
    expect([chunks.length, scheduled.length]).toEqual([0, 1]);
    scheduled[0]?.();
    log.write('info', 'later');
    expect([chunks.length, scheduled.length]).toEqual([1, 2]);
    scheduled[1]?.();
    expect(chunks).toHaveLength(2);
  });

  it('buffers at most about 64 KiB', () => {
    const { log, chunks } = open();
    for (let n = 0; n < 100; n++) log.write('info', 'large', { text: 'x'.repeat(2_000) });
    expect(chunks.length).toBeGreaterThan(1);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(68_000);
  });

  it('writes the buffered lines on a flush, and nothing when the buffer is empty', () => {
    const { log, chunks, scheduled } = open();
    log.write('info', 'last');
    log.flush();
    log.flush();
    scheduled[0]?.();
    expect(chunks).toHaveLength(1);
  });

  it('writes an error with its stack and its causes', () => {
    const { log, lines } = open();
    const error = new Error('outer', { cause: new TypeError('inner') });
    log.write('error', 'failed', { error });
    expect(lines()).toMatchObject([
      { error: expect.stringMatching(/^Error: outer\n[^]*caused by TypeError: inner\n/) },
    ]);
  });

  it('never throws on cycles, big integers, self-caused errors or hostile objects', () => {
    const { log, lines } = open();
    const cyclic: Record<string, unknown> = { shared: [1n] };
    cyclic['self'] = { cyclic, again: cyclic['shared'] };
    const selfish = new Error('selfish');
    selfish.cause = selfish;
    const hostile = {
      toJSON() {
        throw new Error('no');
      },
    };
    log.write('info', 'cyclic', { cyclic });
    log.write('info', 'big', { count: 12n });
    log.write('info', 'selfish', { selfish, deep: { selfish } });
    log.write('info', 'hostile', { hostile });
    log.write('info', 'odd', { none: undefined, fn: () => 1, symbol: Symbol('s'), nan: Number.NaN });
    expect(lines()).toMatchObject([
      { cyclic: { shared: ['1'], self: { cyclic: '[Circular]', again: ['1'] } } },
      { count: '12' },
      { selfish: expect.stringContaining('selfish'), deep: { selfish: expect.stringContaining('selfish') } },
      { event: 'hostile', unwritable: 'Error: no' },
      { event: 'odd', nan: null },
    ]);
  });
});
