// Tests what a form with limits sends, and what the portal says about limits.
import { describe, expect, it } from 'vitest';
import { describeLimits, withCeiling } from '../../portal/pages/agents/describe-limits.ts';
import {
  draftOf,
  findProblems,
  type LimitsDraft,
  limitsOf,
  NEW_KEY,
} from '../../portal/pages/agents/limits-draft.ts';

describe('The limits of a key', () => {
  const NOW = 1_800_000_000;
  const draft = (change: Partial<LimitsDraft>): LimitsDraft => ({ ...NEW_KEY, end: 'never', ...change });

  it('begin with reading only, for 90 days', () => {
    expect(limitsOf(NEW_KEY, {}, NOW)).toEqual({ access: 'read', expiresAt: NOW + 90 * 86_400 });
  });

  it('are the same after they were shown in the form', () => {
    const limits = {
      access: 'write',
      integrations: ['time'],
      rules: [{ decision: 'ask' }],
      perMinute: 30,
      expiresAt: NOW + 5,
    } as const;
    expect(limitsOf(draftOf(limits), limits, NOW)).toEqual(limits);
    expect(limitsOf(draftOf({}), {}, NOW)).toEqual({});
  });

  it('last until the end of the chosen day', () => {
    const { expiresAt = 0 } = limitsOf(draft({ end: 'date', date: '2030-03-01' }), {}, NOW);
    expect(new Date(expiresAt * 1000)).toEqual(new Date(2030, 2, 1, 23, 59, 59));
  });

  it.each([
    [{ isAll: false }, 'integrations'],
    [{ end: 'date', date: '' }, 'date'],
    [{ end: 'date', date: '2001-01-01' }, 'date'],
    [{ rate: '0' }, 'rate'],
    [{ rate: '1.5' }, 'rate'],
    [{ rate: 'many' }, 'rate'],
    [{ rate: '1000001' }, 'rate'],
  ] as const)('are refused with %o', (change, field) => {
    expect(Object.keys(findProblems(draft(change), NOW))).toEqual([field]);
  });

  it('are said in words', () => {
    const nameOf = (name: string) => name.toUpperCase();
    const say = (limits: Parameters<typeof describeLimits>[0]) => describeLimits(limits, nameOf).join(' · ');
    const year = new Date().getFullYear() + 2;
    const expiresAt = Math.floor(new Date(year, 2, 3, 12).getTime() / 1000);
    expect(say({ access: 'read', integrations: ['a', 'b'], perMinute: 30, expiresAt })).toBe(
      `Only reads · A, B · 30 calls a minute · until 3 March ${year}`,
    );
    expect(say({})).toBe('May do everything that your rules allow');
    expect(say({ integrations: ['a', 'b', 'c', 'd'] })).toBe('Reads, writes and deletes · A, B, C, D');
    expect(say({ integrations: ['a', 'b', 'c', 'd', 'e'] })).toBe(
      'Reads, writes and deletes · A, B, C and 2 more',
    );
    expect(say(withCeiling({ access: 'write' }, 'read'))).toBe('Only reads');
    expect(say(withCeiling({ access: 'read' }, 'write'))).toBe('Only reads');
  });
});
