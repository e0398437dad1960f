// Describes the routes of scripts, and declares their bodies and answers. reference: Scripts
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { CODE_CHARACTERS } from './limits.ts';
import { SCRIPT_NAME, SCRIPT_NAME_RULE } from './names.ts';

const MAX_DESCRIPTION = 1_000;

export const ScriptForm = z.strictObject({
  name: z.string().regex(SCRIPT_NAME, SCRIPT_NAME_RULE).describe('Its tool is `scripts_<name>`'),
  description: z.string().max(MAX_DESCRIPTION).default('').describe('What agents read about it'),
  code: z.string().min(1).max(CODE_CHARACTERS),
  args: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The JSON Schema of its arguments. Without one it takes any object'),
});
export type ScriptForm = z.input<typeof ScriptForm>;

/** Chooses between a person's own script and one of the team with the same name. */
export const ScriptQuery = z.object({
  for: z.enum(['me', 'everyone']).optional().describe('Absent means your own before that of the team'),
});

export const ReviewForm = z.strictObject({
  accept: z.boolean().describe('`true`: the team has it as a tool from now on'),
});

const shared = () => z.enum(['pending', 'reviewed']).nullable();
const script = () =>
  z.object({
    name: z.string(),
    tool: z.string().describe('Calls it, as any tool is called'),
    description: z.string(),
    version: z.int().describe('The newest'),
    for: z.enum(['me', 'everyone']),
    shared: shared().describe(
      'Of the newest version: whether it waits for an administrator, or the team has it',
    ),
    createdAt: z.int().describe('When this version was saved, in Unix seconds'),
  });
const scriptVersion = () =>
  z.object({ version: z.int(), createdAt: z.int(), shared: shared(), code: z.string() });
const args = () => z.record(z.string(), z.unknown()).nullable().describe('The JSON Schema of its arguments');
const detailedScript = () =>
  script().extend({
    code: z.string(),
    args: args(),
    versions: z.array(scriptVersion()).describe('Those that are kept, the newest first'),
  });
const review = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    version: z.int(),
    description: z.string(),
    code: z.string(),
    args: args(),
    author: z.string().nullable().describe('The e-mail address'),
    createdAt: z.int(),
  });
const scriptList = () =>
  z.object({
    scripts: z.array(script()).describe('Yours and those of the team, by name'),
    reviews: z
      .array(review())
      .optional()
      .describe('What waits for an administrator. Only for one who is signed in to the portal'),
  });

const RUN_STATES = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const;
const run = () =>
  z.object({
    id: z.string(),
    script: z.string().nullable().describe('The saved script; null for code that was sent'),
    version: z.int().nullable(),
    state: z
      .enum(RUN_STATES)
      .describe('`waiting`: for a person, or for another process after its own was lost'),
    caller: z.string().describe('The id of the actor'),
    calls: z.int().describe('How many calls have ended'),
    createdAt: z.int().describe('Unix seconds'),
    updatedAt: z.int(),
    expiresAt: z.int(),
  });
const runCall = () =>
  z.object({
    index: z.int().describe('Counts the calls from 0'),
    tool: z.string(),
    integration: z.string().nullable(),
    state: z.enum(['ok', 'error', 'waiting']),
    error: z.string().nullable().describe('The code or the sentence that the script was thrown'),
    line: z.int().nullable().describe('The line of the script, from 1'),
    startedAt: z.int().describe('Milliseconds since the run began, without the time in which it waited'),
    endedAt: z.int().nullable(),
    approval: z
      .object({ id: z.string(), url: z.string(), expiresAt: z.int() })
      .nullable()
      .describe('The question that it waits for'),
  });
const detailedRun = () =>
  run().extend({
    code: z.string(),
    input: z.unknown(),
    callerName: z.string().nullable(),
    log: z.string(),
    result: z.unknown().optional().describe('What the code returned. Absent where it is too long to be kept'),
    error: z.string().nullable().describe('Why the run failed'),
    timeline: z.array(runCall()).describe('The calls in the order in which the script made them'),
  });
const runList = () => z.object({ runs: z.array(run()).describe('The newest first') });
const ran = () =>
  z.looseObject({
    result: z.unknown().optional(),
    error: z.string().optional(),
    message: z.string().optional(),
    script: z.object({ run: z.string(), log: z.string().optional() }).optional(),
  });

export type ShownScript = z.infer<ReturnType<typeof script>>;
export type DetailedScript = z.infer<ReturnType<typeof detailedScript>>;
export type ScriptList = z.infer<ReturnType<typeof scriptList>>;
export type ShownReview = z.infer<ReturnType<typeof review>>;
export type ShownRun = z.infer<ReturnType<typeof run>>;
export type ShownRunCall = z.infer<ReturnType<typeof runCall>>;
export type DetailedRun = z.infer<ReturnType<typeof detailedRun>>;
export type RunList = z.infer<ReturnType<typeof runList>>;
export type Ran = z.infer<ReturnType<typeof ran>>;

const UNKNOWN = failure('You have no such script, and the team has none');
const NO_SUCH_RUN = failure('You have no such run. Runs are kept for a day');
const REFUSED = failure('Your rules or the limits of this key do not allow it');
const ADMINISTRATORS = failure('Only an administrator in the portal decides what the team has');

export const scriptOperations: Operations = () => ({
  'GET /api/scripts': {
    id: 'listScripts',
    tag: 'Scripts',
    summary: 'List your scripts and those of the team',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The scripts', scriptList()), 403: REFUSED },
  },
  'POST /api/scripts': {
    id: 'saveScript',
    tag: 'Scripts',
    summary: 'Save a script as a tool of your own. A name that you have gets a new version',
    access: 'write',
    caller: 'portal',
    body: {
      schema: ScriptForm,
      example: { name: 'open_bugs', description: 'Counts open bugs', code: 'return input.bugs.length' },
    },
    replies: {
      201: reply('The script', script()),
      400: failure('The name or the schema of the arguments cannot be used'),
      403: REFUSED,
      409: failure('You have too many scripts, or another tool has this name'),
    },
  },
  'GET /api/scripts/:name': {
    id: 'getScript',
    tag: 'Scripts',
    summary: 'Show a script with its code and its versions',
    access: 'read',
    caller: 'portal',
    query: ScriptQuery,
    replies: {
      200: reply('The script', detailedScript()),
      400: failure('`for` is wrong'),
      403: REFUSED,
      404: UNKNOWN,
    },
  },
  'DELETE /api/scripts/:name': {
    id: 'deleteScript',
    tag: 'Scripts',
    summary: 'Delete a script with all its versions',
    access: 'destroy',
    caller: 'portal',
    query: ScriptQuery,
    replies: {
      200: succeeded('The tool is gone'),
      400: failure('`for` is wrong'),
      403: ADMINISTRATORS,
      404: UNKNOWN,
    },
  },
  'POST /api/scripts/:name/share': {
    id: 'shareScript',
    tag: 'Scripts',
    summary: 'Offer the newest version of your own script to the team',
    description: 'The team has it as a tool when an administrator has read it. It runs as whoever calls it.',
    access: 'write',
    caller: 'portal',
    replies: { 200: reply('The script', script()), 403: REFUSED, 404: failure('You have no such script') },
  },
  'POST /api/script-reviews/:id': {
    id: 'reviewScript',
    tag: 'Scripts',
    summary: 'Accept or refuse a script that is offered to the team',
    access: 'write',
    caller: 'session',
    body: { schema: ReviewForm, example: { accept: true } },
    replies: {
      200: succeeded('It was decided'),
      400: failure('The body is wrong'),
      403: ADMINISTRATORS,
      404: failure('Nothing of this id waits'),
      409: failure('The team has too many scripts'),
    },
  },
  'GET /api/script-runs': {
    id: 'listScriptRuns',
    tag: 'Scripts',
    summary: 'List your runs of the last day, of all callers',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The runs', runList()), 403: REFUSED },
  },
  'GET /api/script-runs/:id': {
    id: 'getScriptRun',
    tag: 'Scripts',
    summary: 'Show a run: its code, and each call on a time line',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The run', detailedRun()), 403: REFUSED, 404: NO_SUCH_RUN },
  },
  'POST /api/script-runs/:id/again': {
    id: 'runScriptAgain',
    tag: 'Scripts',
    summary: 'Run the same code with the same input from its start, as yourself',
    access: 'write',
    caller: 'session',
    replies: {
      200: reply('As `execute_tools` answers', ran()),
      403: REFUSED,
      404: NO_SUCH_RUN,
    },
  },
});
