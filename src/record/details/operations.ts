// Describes the route of a single call, and declares its answer. reference: Call details
import * as z from 'zod';
import { failure, type Operations, reply } from '../../http/operation.ts';
import { auditEntry } from '../model/row-schemas.ts';

const copied = (of: string) =>
  z.object({
    value: z.unknown().describe(`${of}, without secrets`),
    isCut: z.boolean().describe('Whether an end is missing, marked with `…`'),
    withheld: z
      .array(z.string())
      .describe('JSON pointers to the members that were left out as secrets, at most 50'),
  });

const details = () =>
  z.discriminatedUnion('state', [
    z.object({
      state: z.literal('kept'),
      args: copied('The arguments; of raw HTTP the method, the path and the query'),
      result: copied('The result').nullable().describe('Null for a call without a result'),
      select: z.string().nullable().describe('The expression that chose a part of the result'),
      expiresAt: z.int().describe('Unix seconds'),
    }),
    z.object({
      state: z
        .enum(['none', 'off', 'disabled', 'private'])
        .describe(
          '`none`: they are not kept, or not any more. `off`: you keep none. `disabled`: the gateway keeps none. `private`: only the person sees them',
        ),
    }),
  ]);

const oneCall = () =>
  auditEntry().extend({
    user: z
      .object({ id: z.string(), email: z.string().nullable().describe('Null for a person who is gone') })
      .describe('Whose call it is, where it is not your own')
      .exactOptional(),
    details: details(),
  });
export type OneCall = z.infer<ReturnType<typeof oneCall>>;

export const callOperations: Operations = () => ({
  'GET /api/calls/:id': {
    id: 'getCall',
    tag: 'Activity',
    summary: 'Show one of your calls with its arguments and result',
    description:
      'The id is that of the audit row. Arguments and results are kept for a day. Administrators may open the calls of others, without arguments and results.',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply('The call', oneCall()),
      404: failure('The call does not exist, or you may not see it'),
    },
  },
});
