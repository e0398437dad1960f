// Calls operations of real OpenAPI descriptions, and lets an independent validator judge the requests. decision: 046
import { describe, expect, it } from 'vitest';
import { callOperation } from '../../src/imports/openapi/call-operation.ts';
import type { OperationRecipe } from '../../src/imports/openapi/operation.ts';
import { readOpenApi } from '../../src/imports/openapi/read.ts';
import { readRecipe } from '../../src/imports/openapi/stored-recipe.ts';
import { loadValidator } from '../../src/imports/pinned/arguments.ts';
import type { SourceTool } from '../../src/imports/model/source-description.ts';
import { isObject } from '../../src/json/json.ts';
import { type Chance, chanceOf } from '../fuzz/chance.ts';
import { makeValue } from '../support/generated-arguments.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { findReal, REAL, readReal } from '../support/openapi-corpus.ts';
import { createJudge, type Seen } from '../support/openapi-judge.ts';

const BASE = 'https://api.example.com/base';
const PER_DESCRIPTION = 16;
const TRIES = 20;

const files = createMemoryFiles();

async function request(recipe: OperationRecipe, args: Record<string, unknown>): Promise<Seen> {
  const seen: Seen[] = [];
  await callOperation(recipe, args, {
    base: BASE,
    files,
    async send(url, { method, headers, body = null }) {
      const bytes = new Uint8Array(await new Response(body).arrayBuffer());
      const { base = BASE } = recipe;
      seen.push({
        method,
        path: url.href.slice(base.length).split('?', 1)[0] ?? '',
        search: url.search,
        headers,
        body: bytes,
      });
      return new Response(null, { status: 204 });
    },
  });
  const [only] = seen;
  if (only === undefined) throw new Error('nothing was sent');
  return only;
}

/** Returns null when no arguments are found that fit the schema. */
function makeArguments(
  { inputSchema }: SourceTool,
  recipe: OperationRecipe,
  parse: (args: unknown) => { ok: boolean },
  chance: Chance,
  optional: number,
): Record<string, unknown> | null {
  const inHeaders = new Set(
    recipe.parameters.flatMap((parameter) => (parameter.in === 'header' ? [parameter.argument] : [])),
  );
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const wish = { optional: attempt < TRIES / 2 ? optional : 0, plain: false };
    const made = makeValue(inputSchema, chance, wish);
    if (!isObject(made)) return null;
    const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
    const args = Object.fromEntries(
      Object.entries(made).map(([name, value]) => [
        name,
        inHeaders.has(name) ? makeValue(properties[name], chance, { ...wish, plain: true }) : value,
      ]),
    );
    if (parse(args).ok && !hasEmptyPath(args, recipe)) return args;
  }
  return null;
}

/** The path has no place for an empty object. */
function hasEmptyPath(args: Record<string, unknown>, { parameters }: OperationRecipe): boolean {
  return parameters.some(
    (parameter) => parameter.in === 'path' && JSON.stringify(args[parameter.argument]) === '{}',
  );
}

function sample<T>(all: readonly T[], chance: Chance): T[] {
  const left = [...all];
  const taken: T[] = [];
  while (left.length > 0 && taken.length < PER_DESCRIPTION)
    taken.push(...left.splice(chance.below(left.length), 1));
  return taken;
}

/** The tool says less than the description: its flat arguments cannot ask for any one of them. */
const LOOSE = new Set(['POST /v1/files/{file_key}/variables']);

describe('requests of generated calls', () => {
  const judged = new Set<string>();

  for (const [index, real] of REAL.entries()) {
    const path = findReal(real);
    it.skipIf(path === null)(
      `are what the description of ${real.name} asks for`,
      async () => {
        const chance = chanceOf(index + 1);
        const text = readReal(path ?? '');
        const { tools } = await readOpenApi(text, { address: `${BASE}/openapi.json`, base: BASE });
        const judge = createJudge(text);
        const createArguments = await loadValidator();
        const wrong: string[] = [];
        for (const tool of sample(tools, chance)) {
          const recipe = readRecipe(tool.operation ?? {});
          const name = `${recipe.method} ${recipe.path}`;
          for (const optional of [0, 40, 100]) {
            const args = makeArguments(tool, recipe, createArguments(tool.inputSchema), chance, optional);
            if (args === null) continue;
            const problems = await judge.judge(recipe, await request(recipe, args));
            if (problems !== null) {
              judged.add(`${real.name} ${name}`);
              if (problems.length > 0 && !LOOSE.has(name))
                wrong.push(`${name} ${JSON.stringify(args)}: ${problems.join('; ')}`);
            }
          }
        }
        expect(wrong).toEqual([]);
      },
      120_000,
    );
  }

  it.skipIf(REAL.some((real) => findReal(real) === null))('are of more than 200 operations', () => {
    expect(judged.size).toBeGreaterThan(200);
  });
});
