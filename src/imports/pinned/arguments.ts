// Checks arguments against the pinned schema of an imported tool, without making code. decision: 042
import type { Schema, validate as Validate } from '@cfworker/json-schema';
import { withRoundedIntegers } from '../../json/exact-integers.ts';
import { isObject } from '../../json/json.ts';
import { truncate } from '../../json/truncate.ts';
import type { Parsed } from '../../kit/integration.ts';
import { mendArguments } from '../../kit/mend-arguments.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { describeMistakes, typeName } from './argument-mistakes.ts';
import { keepSound, type Node } from './schema-soundness.ts';

export type CreateArguments = (schema: JsonSchema) => (args: unknown) => Parsed;

/**
 * A check visits each node of the schema for each value at most once. Arguments that could take longer go to the source
 * unchecked, which checks them anyway.
 */
const MAX_WORK = 2_000_000;
/** Long texts count as several values: their characters are counted for `maxLength`. */
const CHARACTERS_PER_VALUE = 64;
/** Up to here, all mistakes are named. Of more values, the check ends at the first. */
const ALL_MISTAKES = 2_000;
/** The library compares each item of a list with all others. */
const UNIQUE_ITEMS = 2_000;

/** The overlay waits for the library once, because `parse` of a tool is synchronous. */
export async function loadValidator(): Promise<CreateArguments> {
  const { validate } = await import('./validate.ts');
  return (schema) => {
    let checks: ((args: unknown) => Parsed) | undefined;
    return (args) => (checks ??= createCheck(validate, schema))(args);
  };
}

function createCheck(validate: typeof Validate, pinned: JsonSchema): (args: unknown) => Parsed {
  const schema = keepSound(pinned, withoutPatterns).schema;
  const loose = keepSound(schema, withoutUnique).schema;
  const nodes = weigh(schema);

  function check(args: unknown): Parsed {
    if (!isObject(args))
      return { ok: false, message: `Invalid input: expected object, received ${typeName(args)}` };
    const values = weigh(args);
    if (nodes * values > MAX_WORK) return { ok: true, value: args };
    const asked = values > UNIQUE_ITEMS ? loose : schema;
    const compared = withRoundedIntegers(args);
    try {
      // The schema has no references, so the library has none to look up.
      const { valid, errors } = validate(compared, asSchema(asked), '7', {}, values > ALL_MISTAKES);
      return valid
        ? { ok: true, value: args }
        : { ok: false, message: truncate(describeMistakes(errors, asked, compared)) };
    } catch {
      // The library cannot hold the mistakes, or cannot name a key that is half a character.
      return {
        ok: false,
        message: 'Invalid input: the arguments do not match the schema in too many places',
      };
    }
  }

  return (args) => {
    const checked = check(args);
    if (checked.ok) return checked;
    const mended = mendArguments(args, schema);
    return mended === args ? checked : check(mended);
  };
}

// A pinned schema has only keywords of the right form.
const asSchema = (node: Node): Schema => (typeof node === 'boolean' ? (node ? {} : { not: {} }) : node);

const NOT_CHECKED = new Set(['pattern', 'format']);

/**
 * A pattern of others could take for ever on a short text, and JavaScript cannot stop it. The source checks patterns.
 * Without them, any other key may be one that `patternProperties` allows.
 */
function withoutPatterns(node: JsonSchema): JsonSchema | null {
  if (
    node['pattern'] === undefined &&
    node['format'] === undefined &&
    node['patternProperties'] === undefined
  )
    return null;
  const { patternProperties, ...rest } = node;
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !NOT_CHECKED.has(key)));
  if (patternProperties === undefined) return kept;
  const { additionalProperties: _, unevaluatedProperties: __, ...open } = kept;
  return open;
}

function withoutUnique(node: JsonSchema): JsonSchema | null {
  if (node['uniqueItems'] !== true) return null;
  const { uniqueItems: _, ...rest } = node;
  return rest;
}

/** Counts the values within a value, without recursion: arguments are as deep as a caller likes. */
function weigh(value: unknown): number {
  const open = [value];
  let weight = 0;
  while (open.length > 0) {
    const next = open.pop();
    weight++;
    if (typeof next === 'string') weight += Math.floor(next.length / CHARACTERS_PER_VALUE);
    else if (typeof next === 'object' && next !== null)
      for (const part of Object.values(next)) open.push(part);
  }
  return weight;
}
