// Tests which rule decides about a call. reference: Rules
import { describe, expect, it } from 'vitest';
import type { Decision, Rule } from '../../src/kit/actor.ts';
import { compileRules } from '../../src/policy/model/rules.ts';

const subject = { integration: 'github', tool: 'github_delete_file', access: 'destroy' } as const;

describe('a list of rules', () => {
  it.each<[string, Rule[], Decision]>([
    ['allows without a rule', [], 'allow'],
    ['takes a rule for everything', [{ decision: 'ask' }], 'ask'],
    [
      'prefers an access level to everything',
      [{ decision: 'block' }, { access: 'destroy', decision: 'ask' }],
      'ask',
    ],
    [
      'prefers an integration to an access level',
      [
        { access: 'destroy', decision: 'block' },
        { integration: 'github', decision: 'ask' },
      ],
      'ask',
    ],
    [
      'prefers an integration with an access level to the integration',
      [
        { integration: 'github', decision: 'block' },
        { integration: 'github', access: 'destroy', decision: 'ask' },
      ],
      'ask',
    ],
    [
      'prefers a tool to everything else',
      [
        { integration: 'github', access: 'destroy', decision: 'block' },
        { tool: 'github_delete_file', decision: 'allow' },
      ],
      'allow',
    ],
    [
      'takes the strictest of equally specific rules',
      [
        { tool: 'github_delete_file', decision: 'ask' },
        { tool: 'github_delete_file', access: 'destroy', decision: 'block' },
      ],
      'block',
    ],
    [
      'leaves out rules for others',
      [
        { integration: 'gitlab', decision: 'block' },
        { tool: 'github_get_file', decision: 'block' },
        { integration: 'github', access: 'read', decision: 'block' },
      ],
      'allow',
    ],
  ])('%s', (_name, rules, decision) => {
    expect(compileRules(rules).decide(subject)).toBe(decision);
  });
});
