// The shapes of rules and limits: what people send, and what is stored. reference: Rules
import * as z from 'zod';
import { LIMITED_INTEGRATIONS, RULES_PER_LIST } from './shape-limits.ts';
import { ACCESS_LEVELS } from './access.ts';
import type { Limits, Rule } from './actor.ts';
import { GroupNames } from './group-names.ts';
import { SET_NAME, SET_NAME_RULE } from './set-address.ts';

const Name = z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be a name of a-z, 0-9 and _');
const Access = z.enum(ACCESS_LEVELS);
const PerMinute = z.int().min(1).max(1_000_000);
const Decision = z.enum(['allow', 'ask', 'block']);

export const RuleShape = z
  .strictObject({
    integration: Name.optional(),
    tool: Name.optional().describe('The full name of a tool'),
    access: Access.optional(),
    groups: GroupNames.min(1)
      .readonly()
      .optional()
      .describe('Only for people in one of these groups. Only rules for everyone have groups'),
    after: z.literal('outside').optional().describe('Only for calls that follow content from outside'),
    redact: z
      .enum(['secrets', 'personal'])
      .optional()
      .describe('What is taken out of results. Such a rule decides nothing, so its decision is allow'),
    perMinute: PerMinute.optional().describe(
      'Calls that each person may begin in a minute, beside groups alone, with the decision allow',
    ),
    decision: Decision,
  })
  .refine(
    ({ perMinute, decision, groups: _, ...others }) =>
      perMinute === undefined ||
      (decision === 'allow' && Object.values(others).every((value) => value === undefined)),
    { path: ['perMinute'], error: 'stands beside groups only, with the decision allow' },
  )
  .refine(({ redact, decision }) => redact === undefined || decision === 'allow', {
    path: ['decision'],
    error: 'must be allow in a rule with redact',
  })
  .refine(({ redact, after }) => redact === undefined || after === undefined, {
    path: ['redact'],
    error: 'cannot stand in a rule with after',
  });
export const RulesShape = z.array(RuleShape).max(RULES_PER_LIST);

export const LimitsShape = z.strictObject({
  integrations: z.array(Name).min(1).max(LIMITED_INTEGRATIONS).optional(),
  access: Access.optional().describe('The highest level'),
  rules: RulesShape.optional(),
  set: z
    .string()
    .regex(SET_NAME, SET_NAME_RULE)
    .optional()
    .describe('A set of tools: nothing else is allowed'),
  perMinute: PerMinute.optional().describe('Calls that may begin in a minute'),
});

/** Throws for a text that the gateway has not written: nothing may be allowed by mistake. */
export const parseRules = (text: string): readonly Rule[] => RulesShape.parse(JSON.parse(text));
export const parseLimits = (text: string): Limits => LimitsShape.parse(JSON.parse(text));
