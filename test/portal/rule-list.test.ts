// Tests how the portal reads and changes lists of rules.
import { describe, expect, it } from 'vitest';
import type { Decision, Rule } from '../../portal/api/policy.ts';
import { showExceptions } from '../../portal/pages/rules/exception-list.ts';
import {
  decide,
  DECISIONS,
  LEVELS,
  levelsOf,
  PRESET_NAMES,
  presetOf,
  PRESETS,
  withLevels,
  withRule,
  withTool,
} from '../../portal/pages/rules/rule-list.ts';
import { decideTools } from '../../portal/pages/rules/tool-decisions.ts';
import { compileRules } from '../../src/policy/model/rules.ts';

const optional = <T>(values: readonly T[]): (T | undefined)[] => [undefined, ...values];

/** Every rule about one integration, one of its tools and every level. */
const RULES: Rule[] = optional(['time']).flatMap((integration) =>
  optional(['time_now']).flatMap((tool) =>
    optional(LEVELS).flatMap((access) =>
      DECISIONS.map((decision) => ({
        ...(integration === undefined ? {} : { integration }),
        ...(tool === undefined ? {} : { tool }),
        ...(access === undefined ? {} : { access }),
        decision,
      })),
    ),
  ),
);

const SUBJECTS = ['time', 'web'].flatMap((integration) =>
  ['time_now', 'web_fetch', null].flatMap((tool) => LEVELS.map((access) => ({ integration, tool, access }))),
);

describe('Rules in the portal', () => {
  it('keeps rules for groups, whatever changes beside them', () => {
    const grouped: Rule[] = [
      { tool: 'time_now', integration: 'time', groups: ['x'], decision: 'allow' },
      { integration: 'time', groups: ['x'], decision: 'ask' },
      { groups: ['x'], perMinute: 2, decision: 'allow' },
    ];
    const subject = { integration: 'time', tool: 'time_now', access: 'read' as const };
    for (const changed of [
      withTool(grouped, subject, 'block'),
      withRule(grouped, { integration: 'time' }, null),
      withLevels(grouped, PRESETS[PRESET_NAMES[0] ?? 'everything']),
    ])
      expect(changed).toEqual(expect.arrayContaining(grouped));
  });

  it('decides like the gateway about every pair of rules', () => {
    for (const one of RULES)
      for (const other of RULES) {
        const { decide: decideAsGateway } = compileRules([one, other]);
        for (const subject of SUBJECTS)
          if (decide([one, other], subject) !== decideAsGateway(subject))
            expect.fail(JSON.stringify([one, other, subject]));
      }
  });

  it.each(PRESET_NAMES)('reads the preset %s back from the rules that it makes', (name) => {
    const rules = withLevels([], PRESETS[name]);
    expect(presetOf(levelsOf(rules))).toBe(name);
  });

  it('keeps the rules for integrations and tools when a preset is chosen', () => {
    const exceptions: Rule[] = [
      { integration: 'github', decision: 'block' },
      { tool: 'time_now', decision: 'ask' },
      { integration: 'jira', access: 'destroy', decision: 'ask' },
    ];
    const before: Rule[] = [{ access: 'read', decision: 'ask' }, ...exceptions, { decision: 'block' }];
    expect(withLevels(before, PRESETS.deletions)).toEqual([
      { access: 'destroy', decision: 'ask' },
      ...exceptions,
    ]);
    expect(withLevels(before, PRESETS.everything)).toEqual(exceptions);
  });

  it('recognises a preset that somebody wrote in another way', () => {
    const rules: Rule[] = [{ decision: 'ask' }, { access: 'read', decision: 'allow' }];
    expect(presetOf(levelsOf(rules))).toBe('changes');
    expect(presetOf(levelsOf([{ decision: 'ask' }]))).toBeNull();
  });

  it('replaces the rule of an integration and leaves the others', () => {
    const ofKind: Rule = { integration: 'github', access: 'destroy', decision: 'ask' };
    const rules = withRule(
      [{ integration: 'github', decision: 'ask' }, ofKind],
      { integration: 'github' },
      'block',
    );
    expect(rules).toEqual([{ integration: 'github', decision: 'block' }, ofKind]);
    expect(withRule(rules, { integration: 'github' }, 'block')).toEqual(rules);
    expect(withRule(rules, { integration: 'github' }, null)).toEqual([ofKind]);
  });

  it('replaces every rule that names the tool', () => {
    const subject = { integration: 'time', tool: 'time_now', access: 'read' } as const;
    const other: Rule = { tool: 'time_convert', decision: 'ask' };
    const rules: Rule[] = [
      { tool: 'time_now', access: 'read', decision: 'block' },
      other,
      { ...subject, decision: 'ask' },
    ];
    expect(withTool(rules, subject, 'allow')).toEqual([
      { integration: 'time', tool: 'time_now', decision: 'allow' },
      other,
    ]);
    expect(withTool(rules, subject, null)).toEqual([other]);
  });

  it('lists one exception for each target, with its strictest decision', () => {
    const rules: Rule[] = [
      { integration: 'time', decision: 'block' },
      { integration: 'time', decision: 'allow' },
      { tool: 'time_now', decision: 'ask' },
      { integration: 'gone', decision: 'ask' },
      { access: 'write', decision: 'ask' },
    ];
    const shown = showExceptions(
      rules,
      [{ name: 'time', displayName: 'Time' }],
      [{ name: 'time_now', integration: 'time' }],
    );
    expect(shown.map(({ subject, detail, decision }) => [subject, detail, decision])).toEqual([
      ['gone', 'All tools · No longer on this gateway', 'ask'],
      ['Time', 'All tools', 'block'],
      ['time_now', 'Time', 'ask'],
    ]);
  });
});

describe('The decision about a tool', () => {
  const now = { name: 'time_now', access: 'read' } as const;

  it('names the tool, the person’s rules or everyone’s as its source', () => {
    const rules: Rule[] = [
      { access: 'destroy', decision: 'ask' },
      { tool: 'time_now', decision: 'ask' },
    ];
    const blocked = [{ name: 'time_set', decision: 'block', decidedBy: 'everyone' } as const];
    const of = decideTools('time', rules, blocked);
    expect(of(now)).toMatchObject({ decision: 'ask', by: 'tool', own: 'ask', otherwise: 'allow' });
    expect(of({ name: 'time_drop', access: 'destroy' })).toMatchObject({
      decision: 'ask',
      by: 'rules',
      own: null,
    });
    expect(of({ name: 'time_set', access: 'write' })).toMatchObject({ decision: 'block', by: 'everyone' });
  });

  it('names the decision about the whole integration, which most of its tools follow', () => {
    const rules: Rule[] = [{ integration: 'time', decision: 'ask' }];
    expect(decideTools('time', rules, [])(now)).toMatchObject({ decision: 'ask', by: 'rules', usual: 'ask' });
    expect(decideTools('web', rules, [])(now)).toMatchObject({ usual: 'allow' });
  });

  it('says what holds after content from outside, and what is taken out of results', () => {
    const answers = [{ name: 'time_now', afterOutside: 'ask', redact: ['secrets'] } as const];
    const of = decideTools(
      'time',
      [],
      answers.map((each) => ({ ...each, redact: [...each.redact] })),
    );
    expect(of(now)).toMatchObject({ decision: 'allow', after: 'ask', redact: ['secrets'] });
    expect(of({ name: 'time_set', access: 'write' })).toMatchObject({ after: null, redact: [] });
  });

  it('cannot be looser than the rules for everyone', () => {
    const asked = [{ name: 'time_now', decision: 'ask', decidedBy: 'everyone' } as const];
    const decisionWith = (decision: Decision) =>
      decideTools('time', [{ tool: 'time_now', decision }], asked)(now).decision;
    expect(DECISIONS.map(decisionWith)).toEqual(['ask', 'ask', 'block']);
  });

  it('depends on the request for a tool that sends any request', () => {
    const raw = { name: 'jira_request', access: 'destroy' } as const;
    expect(decideTools('jira', withLevels([], PRESETS.reading), [])(raw).decision).toBe('depends');
    expect(decideTools('jira', [{ decision: 'ask' }], [])(raw).decision).toBe('ask');
    expect(decideTools('jira', [{ tool: 'jira_delete_issue', decision: 'block' }], [])(raw).decision).toBe(
      'depends',
    );
    expect(decideTools('jira', [{ tool: 'jira_request', decision: 'block' }], [])(raw).decision).toBe(
      'block',
    );
    expect(decideTools('jira', [], [])(raw).decision).toBe('allow');
  });
});
