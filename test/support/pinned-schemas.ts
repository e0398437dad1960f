// Checks pinned schemas with another validator.
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'vitest';
import { type Normalised, normaliseSchema as normaliseInSteps } from '../../src/imports/pinned/schema.ts';
import type { JsonSchema } from '../../src/kit/validation.ts';

/** A schema that comes out may be large, and each is compiled once. */
export const ajv = new Ajv2019({ strict: false, logger: false, validateFormats: false });

/** Normalises a schema without turns for others. */
export function normaliseSchema(...asked: Parameters<typeof normaliseInSteps>): Normalised | null {
  const steps = normaliseInSteps(...asked);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export function normalise(raw: unknown): JsonSchema {
  const made = normaliseSchema(raw, 'input', new Map());
  if (made === null) throw new Error('the schema is too large');
  return made.schema;
}

/** Compiles the schema, so that every reference in it must lead somewhere within it, and finds that there is none. */
export function expectSelfContained(schema: JsonSchema): void {
  expect(schema).toMatchObject({
    type: 'object',
    properties: expect.any(Object),
    required: expect.any(Array),
  });
  expect(referencesIn(schema)).toEqual([]);
  expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
  ajv.compile(schema);
  ajv.removeSchema(schema);
}

const VALUES = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired']);
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies']);
const REFERENCE = /^\$|^definitions$|^id$/;

function referencesIn(node: unknown, isMap = false): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((item) => referencesIn(item));
  return Object.entries(node).flatMap(([key, value]) => {
    if (isMap) return referencesIn(value);
    if (REFERENCE.test(key)) return [key];
    return VALUES.has(key) ? [] : referencesIn(value, MAPS.has(key));
  });
}
