// Tests what a form with limits sends, and what the portal says about limits.
import { describe, expect, it } from 'vitest';
import { describeLimits, withCeiling } from '../../portal/pages/agents/describe-limits.ts';
import {
  allowsTool,
  draftOf,
  findProblems,
  type LimitsDraft,
  limitsOf,
  NEW_KEY,
} from '../../portal/pages/agents/limits-draft.ts';
import { allowOnly } from '../../portal/pages/agents/only-tools.ts';
import { compileRules } from '../../src/policy/model/rules.ts';

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

  it('block every tool but the chosen ones', () => {
    const chosen = draft({ access: 'destroy', toolChoice: 'some', tools: ['time_now', 'list_jots'] });
    expect(limitsOf(chosen, {}, NOW)).toEqual({
      rules: [
        { decision: 'block' },
        { tool: 'time_now', decision: 'allow' },
        { tool: 'list_jots', decision: 'allow' },
      ],
    });
    expect(limitsOf({ ...chosen, toolChoice: 'all' }, {}, NOW)).toEqual({});
  });

  it('are decided by the gateway as the form says', () => {
    const { decide } = compileRules(allowOnly(['time_now']));
    const read = (integration: string, tool: string | null) => decide({ integration, tool, access: 'read' });
    expect(read('time', 'time_now')).toBe('allow');
    expect(read('jots', 'list_jots')).toBe('block');
    // A raw request has no tool.
    expect(read('time', null)).toBe('block');
  });

  it('show the chosen tools again, in whatever order their rules are', () => {
    const rules = [
      { tool: 'time_now', decision: 'allow' },
      { decision: 'block' },
      { tool: 'list_jots', decision: 'allow' },
      { tool: 'time_now', decision: 'allow' },
    ] as const;
    const shown = draftOf({ rules });
    expect(shown).toMatchObject({ toolChoice: 'some', tools: ['time_now', 'list_jots'] });
    expect(draftOf(limitsOf(shown, { rules }, NOW))).toEqual(shown);
  });

  it.each([
    [[{ decision: 'block' }]],
    [[{ tool: 'time_now', decision: 'allow' }]],
    [[{ decision: 'block' }, { tool: 'time_now', decision: 'ask' }]],
    [[{ decision: 'ask' }, { tool: 'time_now', decision: 'allow' }]],
    [
      [
        { decision: 'block' },
        { tool: 'time_now', decision: 'allow' },
        { tool: 'list_jots', decision: 'block' },
      ],
    ],
    [[{ decision: 'block' }, { tool: 'time_now', access: 'read', decision: 'allow' }]],
    [[{ decision: 'block' }, { tool: 'time_now', integration: 'jots', decision: 'allow' }]],
    [
      [
        { access: 'write', decision: 'block' },
        { tool: 'time_now', decision: 'allow' },
      ],
    ],
  ] as const)('keep rules that the form cannot show: %j', (rules) => {
    const shown = draftOf({ rules });
    expect(shown).toMatchObject({ toolChoice: 'kept', tools: [] });
    expect(limitsOf({ ...shown, access: 'read' }, { rules }, NOW)).toEqual({ access: 'read', rules });
    expect(describeLimits({ rules }, String).join(' · ')).toMatch(/rules? of its own$/);
  });

  it('allow a tool whose integration and access are allowed', () => {
    const jots = { name: 'list_jots', integration: 'jots', access: 'read' } as const;
    expect(allowsTool(draft({ access: 'read' }), jots)).toBe(true);
    expect(allowsTool(draft({ isAll: false, integrations: ['jots'] }), jots)).toBe(true);
    expect(allowsTool(draft({ isAll: false, integrations: ['time'] }), jots)).toBe(false);
    expect(allowsTool(draft({ access: 'read' }), { ...jots, access: 'write' })).toBe(false);
    expect(allowsTool(draft({ access: 'write' }), { ...jots, access: 'destroy' })).toBe(false);
    // It can also send a GET.
    expect(allowsTool(draft({ access: 'read' }), { ...jots, name: 'jots_request', access: 'destroy' })).toBe(
      true,
    );
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
    [{ toolChoice: 'some' }, 'tools'],
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
    expect(say({ integrations: ['a', 'b', 'c', 'd'] })).toBe('Reads, changes and deletes · A, B, C, D');
    expect(say({ integrations: ['a', 'b', 'c', 'd', 'e'] })).toBe(
      'Reads, changes and deletes · A, B, C and 2 more',
    );
    const only = (...tools: string[]) => [
      { decision: 'block' as const },
      ...tools.map((tool) => ({ tool, decision: 'allow' as const })),
    ];
    expect(say({ rules: only('todoist_add_task') })).toBe('Only todoist_add_task');
    expect(say({ access: 'read', integrations: ['a'], rules: only('b', 'c') })).toBe(
      'Only reads · A · Only b, c',
    );
    expect(say({ rules: only('a', 'b', 'c', 'd', 'e') })).toBe('Only a, b, c and 2 more');
    expect(say({ rules: [{ decision: 'ask' }] })).toBe('Reads, changes and deletes · 1 rule of its own');
    expect(say(withCeiling({ access: 'write' }, 'read'))).toBe('Only reads');
    expect(say(withCeiling({ access: 'read' }, 'write'))).toBe('Only reads');
  });
});
