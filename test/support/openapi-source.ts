// Checks what every import of an OpenAPI description must hold.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { readRecipe } from '../../src/imports/openapi/stored-recipe.ts';
import type { SourceDescription } from '../../src/imports/model/source-description.ts';

// Checks schemas against the one for schemas, which says the form of each keyword.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const MAX_SCHEMA_CHARACTERS = 64_000;

/** Checks names, schemas and recipes of all tools, and that they are plain JSON. */
export function expectSoundSource(source: SourceDescription): void {
  const names = source.tools.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const tool of source.tools) {
    const { inputSchema, name, operation } = tool;
    expect(name, name).toMatch(/^[a-z0-9_]{1,64}$/);
    expect(tool.description, name).not.toBe('');
    const text = JSON.stringify(inputSchema);
    expect(text.length, name).toBeLessThan(MAX_SCHEMA_CHARACTERS);
    expect(findKeyword(inputSchema, '$ref'), name).toBe(false);
    expect(ajv.validateSchema(JSON.parse(text)), `${name}: ${ajv.errorsText()}`).toBe(true);
    if (operation === undefined) throw new Error(`${name} has no recipe`);
    const recipe = readRecipe(operation);
    // The recipe is read back whole, as it was stored.
    expect(recipe, name).toEqual(JSON.parse(JSON.stringify(operation)));
    const carried = [
      ...recipe.parameters.map(({ argument }) => argument),
      ...(recipe.body?.argument === undefined ? [] : [recipe.body.argument]),
      ...(recipe.body?.members ?? []).flatMap(({ argument }) => argument ?? []),
    ];
    const properties = inputSchema['properties'] as Record<string, unknown>;
    expect(carried.toSorted(), name).toEqual(Object.keys(properties).toSorted());
    expect(Object.keys(properties), name).toEqual(
      expect.arrayContaining(inputSchema['required'] as string[]),
    );
    const inPath = [...recipe.path.matchAll(/\{([^{}]+)\}/g)].map(([, parameter]) => parameter);
    const given = recipe.parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name);
    expect(new Set(inPath), name).toEqual(new Set(given));
  }
}

/** A property may have the name of a keyword, so only texts count. */
function findKeyword(node: unknown, keyword: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(
    ([name, value]) => (name === keyword && typeof value === 'string') || findKeyword(value, keyword),
  );
}
