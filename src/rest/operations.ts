// Describes the routes of /rest, and declares what they answer. reference: REST
import * as z from 'zod';
import { EXECUTIONS } from '../calls/limits.ts';
import { KEY_CHARACTERS } from '../calls/once/limits.ts';
import type { KeyError } from '../calls/once/once.ts';
import { KEY_HEADER } from '../http/repeat-headers.ts';
import { type Operations, reply, type Reply } from '../http/operation.ts';
import { BatchedCall, CallBatch, SingleCall } from './body.ts';

const restList = () =>
  z.object({
    integrations: z.array(
      z.object({
        name: z.string(),
        displayName: z.string(),
        authType: z.enum(['none', 'cookie', 'oauth2', 'apikey']),
        connected: z.boolean(),
        toolCount: z.int(),
        url: z.string().describe('A path'),
      }),
    ),
  });
const restIntegration = () =>
  z.object({
    integration: z.string(),
    connected: z.boolean(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema, draft-07'),
        approval: z.literal('required').describe('A person has to approve each call').exactOptional(),
      }),
    ),
  });
export const approvalLink = () =>
  z
    .object({
      id: z.string(),
      url: z.string().describe('Where the person decides'),
      expiresAt: z.int().describe('Unix seconds'),
    })
    .describe('The question that a person has to answer');
const hint = () => z.string().describe('Why `select` found nothing').exactOptional();
const replayed = () => z.literal(true).describe('The call ran before, and not again').exactOptional();
const redacted = () =>
  z
    .record(z.string(), z.int())
    .readonly()
    .describe('What the rules have taken out of the result: how many of each kind')
    .exactOptional();
/** The success of one call. */
export const callAnswer = () =>
  z.object({
    integration: z.string(),
    tool: z.string().describe('The full name'),
    result: z.unknown(),
    hint: hint(),
    redacted: redacted(),
  });
const batchAnswer = () =>
  z.object({
    integration: z.string(),
    results: z.array(
      z.union([
        z.object({ result: z.unknown(), hint: hint(), replayed: replayed(), redacted: redacted() }),
        z.object({
          error: z.string(),
          integration: z.string().nullable(),
          message: z.string().exactOptional(),
          result: z.unknown().optional(),
          approval: approvalLink().exactOptional(),
          replayed: replayed(),
          redacted: redacted(),
        }),
      ]),
    ),
  });
export type RestList = z.infer<ReturnType<typeof restList>>;
export type RestIntegration = z.infer<ReturnType<typeof restIntegration>>;
export type CallAnswer = z.infer<ReturnType<typeof callAnswer>>;
export type BatchAnswer = z.infer<ReturnType<typeof batchAnswer>>;

/** `nearest` has at most three names that may have been meant. */
const notFound = () =>
  z.object({ error: z.string(), integration: z.string(), nearest: z.array(z.string()).optional() });

/** A tool that was in the set until now has no integration any more. */
const notInSet = () =>
  notFound().extend({ integration: z.string().nullable().optional(), set: z.string().optional() });

const unknownIntegration = (): Reply => reply('Unknown integration', notFound());

const blocked = (): Reply =>
  reply(
    'Your rules or limits allow nothing of this integration',
    z.object({ error: z.literal('BLOCKED'), integration: z.string(), message: z.string() }),
  );

const notConnected = () =>
  z.object({
    error: z.literal('NOT_CONNECTED'),
    integration: z.string(),
    tool: z.string(),
    message: z.string(),
  });
const approvalRequired = () =>
  z.object({
    error: z.literal('APPROVAL_REQUIRED'),
    integration: z.string(),
    tool: z.string(),
    message: z.string(),
    approval: approvalLink(),
  });

const notRepeated = (...errors: [KeyError, ...KeyError[]]) =>
  z.object({ error: z.enum(errors), integration: z.string(), tool: z.string(), message: z.string() });

/** The header of a single call. */
const repeatHeaders = () =>
  z.object({
    [KEY_HEADER]: z
      .string()
      .min(1)
      .max(KEY_CHARACTERS)
      .describe(
        'Names this call for a day: repeats with the same key and arguments run nothing, and answer what the first answered, with `Idempotent-Replayed: true`. Calls that only read ignore it',
      )
      .optional(),
  });

/**
 * How a call that was not a success is answered. The names are those of shared replies of an integration's description.
 * `isConnected` is true for an integration that needs no connection.
 */
export const callFailures = ({ isConnected = false } = {}) => ({
  BadCall: {
    status: 400,
    reply: reply(
      'The body is no JSON object, the arguments are refused, or `select` does not fit: then the tool ran, and `message` says so',
      z.object({
        error: z.string(),
        integration: z.string().optional(),
        tool: z.string().optional(),
        message: z.string().optional(),
        result: z.unknown().optional(),
      }),
    ),
  },
  UnknownTool: {
    status: 404,
    reply: reply('Unknown integration or tool', notFound()),
  },
  NotAllowed: {
    status: 403,
    reply: reply(
      'The rules or the limits of the caller block the tool, or the person has said no to this call',
      z.object({
        error: z.enum(['BLOCKED', 'DENIED']),
        integration: z.string(),
        tool: z.string(),
        message: z.string(),
      }),
    ),
  },
  NotYet: {
    status: 409,
    reply: isConnected
      ? reply(
          'A person has to approve the call, or the call of this key is under way or may have run; `message` says how to go on',
          z.union([approvalRequired(), notRepeated('IN_PROGRESS', 'UNKNOWN_OUTCOME')]),
        )
      : reply(
          'The integration is not connected, a person has to approve the call, or the call of this key is under way or may have run; `message` says how to go on',
          z.union([notConnected(), approvalRequired(), notRepeated('IN_PROGRESS', 'UNKNOWN_OUTCOME')]),
        ),
  },
  NotKept: {
    status: 410,
    reply: reply('The call of this key has ended, and its result is not kept', notRepeated('RESULT_GONE')),
  },
  KeyReused: {
    status: 422,
    reply: reply('The key belongs to a call with other arguments', notRepeated('KEY_REUSED')),
  },
  TooManyCalls: {
    status: 429,
    reply: reply(
      'The person has too many calls; `Retry-After` says when to try again',
      z.object({
        error: z.literal('TOO_MANY_CALLS'),
        integration: z.string(),
        tool: z.string(),
        message: z.string(),
      }),
    ),
  },
  ToolFailed: {
    status: 502,
    reply: reply(
      'The tool or its upstream failed',
      z.object({
        error: z.string(),
        integration: z.string(),
        tool: z.string(),
        message: z.string().describe('How to reconnect').optional(),
      }),
    ),
  },
});

export const restOperations: Operations = () => {
  const failures = Object.fromEntries(Object.values(callFailures()).map((one) => [one.status, one.reply]));
  return {
    'GET /rest': {
      id: 'listRestIntegrations',
      tag: 'REST',
      summary: 'List the integrations, and whether you have connected them',
      access: 'read',
      caller: 'machine',
      replies: { 200: reply('All integrations', restList()) },
    },
    'GET /rest/:integration': {
      id: 'describeRestIntegration',
      tag: 'REST',
      summary: 'List the tools of an integration with their arguments',
      access: 'read',
      caller: 'machine',
      replies: {
        200: reply('The integration', restIntegration()),
        403: blocked(),
        404: unknownIntegration(),
      },
    },
    'POST /rest/:integration': {
      id: 'executeTools',
      tag: 'REST',
      summary: 'Run one tool or a batch',
      description:
        'One call is `{tool, args}`, or `{tool, …}` with the arguments beside `tool`. A batch is `{executions}` and answers 200 with a result or an error for each.',
      access: 'destroy',
      caller: 'machine',
      headers: repeatHeaders(),
      body: {
        schema: z.union([
          SingleCall.loose(),
          CallBatch.extend({ executions: z.array(BatchedCall).max(EXECUTIONS) }),
        ]),
        example: { tool: 'time_now', args: { timeZone: 'Europe/Berlin' } },
      },
      replies: {
        200: reply('The result, or the results of the batch', z.union([callAnswer(), batchAnswer()])),
        ...failures,
      },
    },
    'POST /rest/:integration/:tool': {
      id: 'executeTool',
      tag: 'REST',
      summary: 'Run one tool; the body is its arguments',
      description:
        'The tool is named in full or without the prefix of its integration. The description of an integration, at `/rest/{integration}/openapi.json`, has this operation once for each tool, with its arguments.',
      access: 'destroy',
      caller: 'machine',
      query: z.object({ select: z.string().describe('A JMESPath expression').optional() }),
      headers: repeatHeaders(),
      body: {
        schema: z.record(z.string(), z.unknown()),
        optional: true,
        example: { timeZone: 'Europe/Berlin' },
      },
      replies: { 200: reply('The result', callAnswer()), ...failures },
    },
    'POST /sets/:name/tools/:tool': {
      id: 'executeSetTool',
      tag: 'REST',
      summary: 'Run one tool of a set; the body is its arguments',
      description:
        'The description of a set, at `/sets/{name}/openapi.json`, has this operation once for each tool.',
      access: 'destroy',
      caller: 'machine',
      query: z.object({
        select: z.string().describe('A JMESPath expression').optional(),
        account: z.string().describe('The label of the account to use').optional(),
      }),
      headers: repeatHeaders(),
      body: {
        schema: z.record(z.string(), z.unknown()),
        optional: true,
        example: { timeZone: 'Europe/Berlin' },
      },
      replies: {
        200: reply('The result', callAnswer()),
        ...failures,
        404: reply('You have no set of this name, or the tool is not in it', notInSet()),
      },
    },
  };
};
