// Describes the routes of usage, and declares their queries and their answer. reference: Usage
import * as z from 'zod';
import { failure, type Operations, reply } from '../../http/operation.ts';
import { HAS_NO_CONTROL } from '../../kit/shown-text.ts';
import { USAGE_LIST_MOST } from '../model/limits.ts';
import { CAUSES } from './causes.ts';

const MAX_NAME_CHARACTERS = 1_000;
const MAX_OFFSET_MINUTES = 14 * 60;

const name = (about: string) =>
  z
    .string()
    .min(1)
    .max(MAX_NAME_CHARACTERS)
    .regex(HAS_NO_CONTROL, { error: 'must have no control characters' })
    .describe(about)
    .optional();

const range = () => z.enum(['24h', '7d', '30d']);
export type Range = z.infer<ReturnType<typeof range>>;

const common = () => ({
  range: range().describe('The time until now. Absent is `24h`').optional(),
  offset: z
    .string()
    .regex(/^-?\d{1,3}$/, 'must be a number of minutes')
    .transform(Number)
    .refine((minutes) => Math.abs(minutes) <= MAX_OFFSET_MINUTES, 'must be at most 14 hours')
    .describe('The minutes that your clock is ahead of UTC, so that days begin at your midnight')
    .optional(),
});

export const UsageQuery = z.object({
  ...common(),
  integration: name('Counts only calls of this integration'),
  tool: name('Counts only calls of this tool'),
  actor: name('Counts only calls of this caller: the `actor` of an audit row'),
  limit: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number from 1 to 50')
    .transform(Number)
    .refine((most) => most >= 1 && most <= USAGE_LIST_MOST, `must be a number from 1 to ${USAGE_LIST_MOST}`)
    .describe('The rows of each list. Absent is 10')
    .optional(),
});

export const EverybodysUsageQuery = z.object({
  ...common(),
  person: name('The id of a person. Absent counts the calls of everybody'),
});

const calls = () => ({
  ok: z.int(),
  failed: z.int(),
  refused: z.int().describe('Blocked, denied, or waiting for an approval'),
});

const latency = () =>
  z
    .object({ p50: z.int(), p95: z.int(), p99: z.int() })
    .nullable()
    .describe('Milliseconds, estimated from ranges; null when no call ran');

const usage = () =>
  z.object({
    range: range(),
    from: z.int().describe('Unix seconds, like each time here'),
    until: z.int(),
    bucketSeconds: z.int(),
    series: z.array(
      z.object({ at: z.int().describe('When the bucket begins'), ...calls(), latency: latency() }),
    ),
    totals: z.object(calls()),
    before: z.object(calls()).describe('The totals of the same time before `from`'),
    latency: latency(),
    integrations: z.array(z.object({ integration: z.string().describe('`*` is the rest'), ...calls() })),
    tools: z.array(z.object({ integration: z.string(), tool: z.string(), ...calls() })),
    agents: z.array(
      z.object({
        actor: z.string().describe('As in audit rows; empty in rows of version 0.1'),
        kind: z.enum(['session', 'key', 'agent-key', 'client', 'other']),
        name: z.string().nullable().describe('The name of a named key or of a client'),
        ...calls(),
      }),
    ),
    causes: z.array(z.object({ cause: z.enum(CAUSES), calls: z.int() })).describe('Most frequent first'),
    isBehind: z.boolean().describe('Older calls are still being counted'),
  });
export type UsageAnswer = z.infer<ReturnType<typeof usage>>;

const agentsUsage = () =>
  z.object({
    from: z.int().describe('When the first hour begins, in Unix seconds'),
    agents: z.array(
      z.object({
        actor: z.string().describe('As in audit rows'),
        ...calls(),
        hours: z.array(z.int()).describe('The calls of each of 24 hours, the newest last'),
      }),
    ),
    problems: z
      .array(
        z.object({
          integration: z.string(),
          tool: z.string(),
          cause: z.enum(CAUSES),
          calls: z.int().describe('How many calls of the last seven days failed so'),
          of: z.int().describe('All calls of the tool in this time'),
        }),
      )
      .describe('What fails often or needs the person, most frequent first'),
  });
export type AgentsUsage = z.infer<ReturnType<typeof agentsUsage>>;

const DESCRIPTION =
  'Calls by time, integration, tool and caller. Each list has at most 10 rows, the busiest first.';

export const usageOperations: Operations = () => ({
  'GET /api/usage': {
    id: 'getUsage',
    tag: 'Activity',
    summary: 'Count your own calls',
    description: DESCRIPTION,
    access: 'read',
    caller: 'portal',
    query: UsageQuery,
    replies: { 200: reply('The counts', usage()), 400: failure('A bad parameter') },
  },
  'GET /api/usage/agents': {
    id: 'getAgentsUsage',
    tag: 'Activity',
    summary: 'Count what each of your agents did today, and what fails',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The counts', agentsUsage()) },
  },
  'GET /api/admin/usage': {
    id: 'getEverybodysUsage',
    tag: 'Administration',
    summary: 'Count the calls of everybody, or of one person',
    description: DESCRIPTION,
    access: 'read',
    caller: 'portal',
    query: EverybodysUsageQuery,
    replies: {
      200: reply('The counts', usage()),
      400: failure('A bad parameter'),
      403: failure('The caller is not an administrator'),
      404: failure('The user is gone'),
    },
  },
});
