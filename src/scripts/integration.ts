// Defines the tools of the built-in integration. They make calls, so they are not in integrations/. reference: Scripts
import * as z from 'zod';
import { writeJson } from '../json/exact-integers.ts';
import { type CallsEnd, defineIntegration, type Integration, type Tool, tool } from '../kit/integration.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import { EVERYONE } from '../ports/store.ts';
import { CODE_CHARACTERS, INPUT_CHARACTERS, LISTED_RUNS, RUN_SECONDS } from './limits.ts';
import { logo } from './logo.ts';
import { SCRIPT_NAME, SCRIPT_NAME_RULE, SCRIPTS, toolNameOf } from './names.ts';
import type { RunScripts } from './run-scripts.ts';
import type { SavedScripts } from './saved-scripts.ts';

type Needs = Pick<Ports, 'store'> & {
  savedScripts: SavedScripts;
  runScripts: () => RunScripts | null;
  /** What a gateway says that runs no scripts itself. */
  away: string;
};

const name = () =>
  z.string().regex(SCRIPT_NAME, SCRIPT_NAME_RULE).describe('Its tool is scripts_<name>. a-z, 0-9 and _');
const code = () => z.string().min(1).max(CODE_CHARACTERS);

export function createScriptsIntegration({ away, runScripts, savedScripts, store }: Needs): Integration {
  const scriptRun = tool(
    'script_run',
    'Run JavaScript that calls tools, in place of many calls of your own: loops, filters and joins cost no words. Write the body of an async function: await tools.github_list_issues({…}), select(value, "JMESPath"), console.log, input; return what you need. Second argument of a tool: {account, key, select}. No network, files or imports; Date stands still. A failed call throws {code, message}. Rules and approvals hold for each call: after APPROVAL_REQUIRED send {resume} or the same call again, and what has run is not repeated.',
    () => ({
      code: code().optional().describe('The body of an async function, JavaScript or TypeScript'),
      input: z.unknown().optional().describe('Any JSON: `input` in the script'),
      timeoutSec: z.int().min(1).max(RUN_SECONDS).default(RUN_SECONDS),
      resume: z.string().optional().describe('The run to go on with, in place of code'),
    }),
    () => Promise.reject(new Error(away)),
  );
  const runArguments = z.object({
    code: z.string().optional(),
    input: z.unknown().optional(),
    timeoutSec: z.number(),
    resume: z.string().optional(),
  });

  async function run(value: unknown, caller: KnownCaller, begun?: string): Promise<CallsEnd> {
    const runs = runScripts();
    if (runs === null) return { kind: 'failed', message: away };
    const { code: sent, input, timeoutSec, resume = begun } = runArguments.parse(value);
    if (resume !== undefined) return runs.resume(caller, resume, sent);
    if (sent === undefined)
      return { kind: 'failed', message: 'code: is missing. Send the code of a script, or resume with a run' };
    const text = writeJson(input ?? null);
    if (text.length > INPUT_CHARACTERS)
      return { kind: 'failed', message: `input: is longer than ${INPUT_CHARACTERS} characters of JSON` };
    return runs.start(caller, { saved: null, code: sent, input: text, timeoutSec });
  }

  const asTool: Tool = {
    name: scriptRun.name,
    description: scriptRun.description,
    access: scriptRun.access,
    // A spread would build every schema at the start.
    get schema() {
      return scriptRun.schema;
    },
    parse: (args) => scriptRun.parse(args),
    run: (value, context) => scriptRun.run(value, context),
    runAs: run,
  };

  return defineIntegration({
    name: SCRIPTS,
    version: '1.0.0',
    displayName: 'Scripts',
    description: 'Run short programs that call tools, and save them as tools of your own',
    categories: ['built-in'],
    logo,
    auth: { type: 'none' },
    isPersonal: true,
    words: WORDS,
    tools: [
      asTool,
      tool(
        'script_save',
        'Save a script as a tool of your own, scripts_<name>, which is found and called like any other. The arguments of the tool are its input. A name that you have gets a new version.',
        () => ({
          name: name(),
          description: z.string().max(1_000).default('').describe('What it does, for the search'),
          code: code(),
          args: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('JSON Schema of its input: {type: "object", properties, required}'),
        }),
        async ({ name: script, description, code: body, args }, { userId }) => {
          const saved = await savedScripts.save(userId, { name: script, description, code: body, args });
          if (saved.kind === 'refused') throw new Error(saved.message);
          return { tool: toolNameOf(script), version: saved.script.version };
        },
        'write',
      ),
      tool(
        'script_list',
        'List your saved scripts and those of the team, and your runs of the last day. script_run {resume} goes on with one, or says how it ended.',
        () => ({}),
        async (_args, { userId, by }) => {
          const [scripts, runs] = await Promise.all([
            savedScripts.list(userId),
            store.scriptRuns.list(userId, LISTED_RUNS),
          ]);
          return {
            scripts: scripts.map(({ name: script, version, description, owner }) => ({
              tool: toolNameOf(script),
              version,
              description,
              for: owner === EVERYONE ? 'everyone' : 'me',
            })),
            runs: runs
              .filter(({ caller }) => caller === by?.id)
              .map(({ id, script, state, calls, created_at }) => ({
                run: id,
                script,
                state,
                calls,
                createdAt: created_at,
              })),
          };
        },
      ),
      tool(
        'script_delete',
        'Delete a saved script of yours with all its versions. Its tool is gone at once.',
        () => ({ name: name() }),
        async ({ name: script }, { userId }) => {
          if (!(await store.scripts.delete(userId, script)))
            throw new Error(`You have no script "${script}"`);
          return { deleted: true };
        },
        'destroy',
      ),
    ],
  });
}

const WORDS = {
  spoken: 'script code program',
  tools: {
    script_run:
      'execute batch loop: javascript typescript code program script workflow pipeline many tools together',
    script_save: 'create store keep: javascript code macro workflow reusable own tool',
    script_list: 'my saved scripts macros workflows runs',
    script_delete: 'remove: saved script macro workflow',
  },
};
