// Describes the routes of rules, and declares their bodies and answers. reference: Rules
import * as z from 'zod';
import { failure, type Operations, reply } from '../http/operation.ts';
import { RulesShape } from '../kit/limits.ts';

export const RulesForm = z.strictObject({ rules: RulesShape });

const rules = () => z.object({ rules: RulesShape.readonly() });
const ownRules = () =>
  rules().extend({
    everyone: RulesShape.readonly()
      .describe('The rules for everyone, which hold as well. Absent without any')
      .exactOptional(),
    groups: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe(
        'Your groups, where a rule for everyone names groups. Null where nobody has told them: then rules with groups that ask or block hold for you',
      )
      .exactOptional(),
  });
const rulesForEveryone = () =>
  rules().extend({
    groups: z
      .array(z.string())
      .readonly()
      .describe(
        'The groups that sign-ins and the directory have named, which a rule can name: the first 500. Absent without any',
      )
      .exactOptional(),
  });
export type RulesForEveryoneAnswer = z.infer<ReturnType<typeof rulesForEveryone>>;
export type RulesAnswer = z.infer<ReturnType<typeof rules>>;
export type OwnRulesAnswer = z.infer<ReturnType<typeof ownRules>>;

const shown = () => reply('The rules', rules());
const BAD = failure('A bad rule, or one with a tool of another integration');
const GONE = failure('The user is gone');
const MEMBER = failure('The caller is not an administrator');
const CHANGED =
  'Replaces the whole list, and ends approvals that have not run. The same list changes nothing.';
const EXAMPLE = {
  rules: [
    { access: 'destroy', decision: 'ask' },
    { integration: 'slack', decision: 'block' },
  ],
};

export const rulesOperations: Operations = () => ({
  'GET /api/policy': {
    id: 'getRules',
    tag: 'Permissions',
    summary: 'Show your rules, and those for everyone',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The rules', ownRules()) },
  },
  'PUT /api/policy': {
    id: 'setRules',
    tag: 'Permissions',
    summary: 'Set your rules',
    description: CHANGED,
    access: 'write',
    caller: 'session',
    body: { schema: RulesForm, example: EXAMPLE },
    replies: { 200: shown(), 400: BAD, 404: GONE },
  },
  'GET /api/admin/policy': {
    id: 'getRulesForEveryone',
    tag: 'Administration',
    summary: 'Show the rules for everyone',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The rules', rulesForEveryone()), 403: MEMBER, 404: GONE },
  },
  'PUT /api/admin/policy': {
    id: 'setRulesForEveryone',
    tag: 'Administration',
    summary: 'Set the rules for everyone',
    description: CHANGED,
    access: 'write',
    caller: 'session',
    body: { schema: RulesForm, example: EXAMPLE },
    replies: { 200: shown(), 400: BAD, 403: MEMBER, 404: GONE },
  },
});
