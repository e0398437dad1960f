// Describes the routes of sets, and declares their bodies and answers. reference: Sets
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { ACCESS_LEVELS } from '../kit/access.ts';
import { SET_NAME, SET_NAME_RULE } from '../kit/set-address.ts';
import { shownText } from '../kit/shown-text.ts';
import { VENDORS } from './functions/functions.ts';
import { SERVERS_PER_SET, SETS_PER_OWNER, TOOLS_PER_SET } from './model/limits.ts';

const MAX_TITLE = 100;
const MAX_DESCRIPTION = 500;

const Text = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => shownText(text) ?? '');

const Tools = z
  .array(z.string().max(64))
  .max(TOOLS_PER_SET, `at most ${TOOLS_PER_SET} tools`)
  .refine((names) => new Set(names).size === names.length, 'each tool once')
  .describe('Full names of tools, in the order of the list');

const MAX_IMPORT = 64;

const Servers = z
  .array(
    z.strictObject({
      import: z.string().max(MAX_IMPORT).describe('The name of an import of an MCP server'),
      prompts: z.boolean().default(false),
      resources: z.boolean().default(false),
    }),
  )
  .max(SERVERS_PER_SET, `at most ${SERVERS_PER_SET} servers`)
  .refine((all) => new Set(all.map((each) => each.import)).size === all.length, 'each import once')
  .describe('Imported servers whose prompts or resources the set has, beside any tools');

export const SetForm = z.strictObject({
  name: z.string().regex(SET_NAME, SET_NAME_RULE).describe('Part of the address. It never changes'),
  title: Text(MAX_TITLE).optional(),
  description: Text(MAX_DESCRIPTION).optional().describe('What agents read about the set'),
  tools: Tools,
  servers: Servers.optional(),
  for: z.enum(['me', 'everyone']).default('me').describe('`everyone`: by an administrator in the portal'),
});
export type SetForm = z.input<typeof SetForm>;

export const SetPatch = z.strictObject({
  title: Text(MAX_TITLE).optional(),
  description: Text(MAX_DESCRIPTION).optional(),
  tools: Tools.optional(),
  servers: Servers.optional(),
});
export type SetPatch = z.input<typeof SetPatch>;

export const PromptCheck = z.strictObject({
  import: z.string().max(MAX_IMPORT),
  accept: z.string().max(64).optional().describe('The `digest` of what somebody has looked at'),
});
export type PromptCheck = z.input<typeof PromptCheck>;

/** Chooses between a person's own set and one of the team with the same name. */
export const SetQuery = z.object({
  for: z.enum(['me', 'everyone']).optional().describe('Absent means your own before that of the team'),
});

export const FunctionQuery = z.object({ for: z.enum(VENDORS).describe('Whose API the functions are for') });

const set = () =>
  z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    for: z.enum(['me', 'everyone']),
    url: z.string().describe('The address of its MCP server'),
    tools: z.array(z.string()).describe('The names as they were chosen'),
    servers: z.array(z.object({ import: z.string(), prompts: z.boolean(), resources: z.boolean() })),
    createdAt: z.int().describe('Unix seconds'),
    updatedAt: z.int(),
  });
const prompt = () =>
  z.object({
    name: z.string().describe('The name in the set'),
    title: z.string().optional(),
    description: z.string().optional(),
    arguments: z.array(
      z.object({
        name: z.string(),
        title: z.string().optional(),
        description: z.string().optional(),
        required: z.boolean().optional(),
      }),
    ),
  });
const promptCheck = () =>
  z.object({
    digest: z.string().describe('Of everything that the server lists now'),
    prompts: z.array(
      prompt().extend({
        state: z.enum(['accepted', 'new', 'changed', 'gone']),
        before: prompt().optional().describe('Of a changed one: what is accepted and goes on'),
      }),
    ),
  });
const setTool = () =>
  z.object({
    name: z.string(),
    state: z
      .enum(['listed', 'blocked', 'held', 'gone'])
      .describe(
        '`blocked`: your rules do not allow it. `held`: it waits until somebody has accepted it. `gone`: you have no such tool',
      ),
    integration: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    access: z.enum(ACCESS_LEVELS).optional(),
    connected: z.boolean().optional(),
    characters: z.int().optional().describe('Of its definition, as MCP lists it'),
  });
const setUse = () =>
  z.object({
    caller: z.string().describe('The id of the actor'),
    name: z.string().nullable(),
    lastUsedAt: z.int().describe('To the minute'),
  });
const detailedSet = () =>
  set().extend({
    listed: z.array(setTool()),
    size: z
      .object({ characters: z.int(), tokens: z.int() })
      .describe('Of the list as a model reads it. Tokens are estimated from the characters'),
    prompts: z.array(prompt().extend({ import: z.string() })).describe('Those that were accepted'),
    uses: z.array(setUse()).describe('Your own callers of the last 90 days, the latest first'),
  });
const setFunctions = () =>
  z.object({
    functions: z.array(z.looseObject({})).describe('As the API of the vendor takes them'),
    losses: z
      .array(
        z.object({
          tool: z.string(),
          path: z.string().describe('A JSON Pointer into the schema of the arguments'),
          why: z.string(),
        }),
      )
      .describe('What the form of the vendor cannot say. The gateway checks the arguments all the same'),
  });
const setList = () => z.object({ sets: z.array(set()) });

export type ShownSet = z.infer<ReturnType<typeof set>>;
export type ShownSetTool = z.infer<ReturnType<typeof setTool>>;
export type DetailedSet = z.infer<ReturnType<typeof detailedSet>>;
export type CheckedPrompts = z.infer<ReturnType<typeof promptCheck>>;
export type SetFunctions = z.infer<ReturnType<typeof setFunctions>>;
export type SetList = z.infer<ReturnType<typeof setList>>;

const UNKNOWN = failure('You have no such set, and the team has none');
const NOT_YOURS = failure('Only an administrator in the portal changes a set of the team');

export const setOperations: Operations = () => ({
  'GET /api/sets': {
    id: 'listSets',
    tag: 'Sets',
    summary: 'List your sets and those of the team',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('Ordered by name', setList()) },
  },
  'POST /api/sets': {
    id: 'createSet',
    tag: 'Sets',
    summary: 'Choose tools for one address',
    access: 'write',
    caller: 'portal',
    body: {
      schema: SetForm,
      example: { name: 'triage', title: 'Triage', tools: ['time_now'] },
    },
    replies: {
      201: reply('The new set', set()),
      400: failure('A bad name, or a tool that you do not have'),
      403: NOT_YOURS,
      404: failure('The user is gone'),
      409: failure(`The name is taken, or there are ${SETS_PER_OWNER} sets`),
    },
  },
  'GET /api/sets/:name': {
    id: 'getSet',
    tag: 'Sets',
    summary: 'A set with its tools as you have them',
    access: 'read',
    caller: 'portal',
    query: SetQuery,
    replies: { 200: reply('The set', detailedSet()), 404: UNKNOWN },
  },
  'GET /api/sets/:name/functions': {
    id: 'getSetFunctions',
    tag: 'Sets',
    summary: 'The tools of a set as functions for the API of a model',
    access: 'read',
    caller: 'machine',
    query: FunctionQuery,
    replies: {
      200: reply('What you may use of the set', setFunctions()),
      400: failure('`for` names no vendor'),
      404: UNKNOWN,
    },
  },
  'PATCH /api/sets/:name': {
    id: 'changeSet',
    tag: 'Sets',
    summary: 'Change a set',
    description: 'What is bound to the set follows with its next call.',
    access: 'write',
    caller: 'portal',
    query: SetQuery,
    body: { schema: SetPatch, example: { title: 'Triage of the morning' } },
    replies: {
      200: reply('The set', set()),
      400: failure('A tool that you do not have'),
      403: NOT_YOURS,
      404: UNKNOWN,
      409: failure('Somebody else is changing it'),
    },
  },
  'POST /api/sets/:name/prompts': {
    id: 'checkSetPrompts',
    tag: 'Sets',
    summary: 'Look at the prompts of a server again, and accept them',
    description:
      'A set goes on with the prompts that were accepted. With `accept` those of this digest take their place, if the server still lists them.',
    access: 'write',
    caller: 'portal',
    query: SetQuery,
    body: { schema: PromptCheck, example: { import: 'everything' } },
    replies: {
      200: reply('What the server lists now, beside what is accepted', promptCheck()),
      400: failure('The set takes no prompts of this import'),
      403: NOT_YOURS,
      404: UNKNOWN,
      409: failure('The server lists something else now, or cannot be asked'),
    },
  },
  'DELETE /api/sets/:name': {
    id: 'deleteSet',
    tag: 'Sets',
    summary: 'Delete a set',
    description: 'Keys and clients that are bound to it may do nothing any more.',
    access: 'destroy',
    caller: 'portal',
    query: SetQuery,
    replies: { 200: succeeded('The address does not exist any more'), 403: NOT_YOURS, 404: UNKNOWN },
  },
});
