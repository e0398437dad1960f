// Checks that the recipes of stored tools are parsed: whole, or not at all. decision: 046; decision: 046
import { describe, expect, it } from 'vitest';
import { isGraphql, readRecipe as readGraphqlRecipe } from '../../src/imports/graphql/recipe.ts';
import type { OperationRecipe } from '../../src/imports/openapi/operation.ts';
import { readRecipe, readRequest } from '../../src/imports/openapi/stored-recipe.ts';
import type { JsonSchema } from '../../src/kit/validation.ts';

const WHOLE: OperationRecipe = {
  method: 'POST',
  path: '/things/{id}',
  base: 'https://api.example.com/v2',
  parameters: [
    { argument: 'id', name: 'id', in: 'path', style: 'simple', explode: false },
    {
      argument: 'filter',
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      allowReserved: true,
      contentType: 'application/json',
    },
  ],
  body: {
    contentType: 'multipart/form-data',
    encoding: 'multipart',
    required: true,
    argument: 'body',
    members: [
      {
        argument: 'photo',
        name: 'photo',
        style: 'form',
        explode: false,
        allowReserved: true,
        contentType: 'image/png',
        isFile: true,
      },
    ],
  },
  accepts: ['application/json'],
};
const stored = (change: object = {}): JsonSchema => JSON.parse(JSON.stringify({ ...WHOLE, ...change }));

describe('the stored recipe of an OpenAPI tool', () => {
  it('is read whole, with every member that a recipe can have', () => {
    expect(readRecipe(stored())).toEqual(WHOLE);
  });

  it('may have members that this version does not know', () => {
    expect(readRecipe(stored({ later: true }))).toEqual(WHOLE);
  });

  it.each<[string, JsonSchema | undefined]>([
    ['is missing', undefined],
    ['has no path', stored({ path: undefined })],
    ['has a place that no request has', stored({ parameters: [{ ...WHOLE.parameters[0], in: 'body' }] })],
    ['has an unknown encoding', stored({ body: { ...WHOLE.body, encoding: 'xml' } })],
    ['is that of a GraphQL tool', { graphql: 'query', address: 'https://api.example.com/graphql' }],
  ])('is refused in a sentence when it %s', (_, recipe) => {
    expect(() => readRecipe(recipe)).toThrow(
      'This tool was stored in a form that cannot be read. Import it again',
    );
  });

  it('names the request for rules, and none where it has none', () => {
    const base = 'https://api.example.com/v2';
    expect(readRequest(stored())).toEqual({ method: 'POST', path: '/things/{id}', base });
    expect(readRequest(stored({ base: undefined }))).toEqual({ method: 'POST', path: '/things/{id}' });
    expect(readRequest(stored({ method: 1 }))).toBeUndefined();
    expect(readRequest(undefined)).toBeUndefined();
  });
});

describe('the stored recipe of a GraphQL tool', () => {
  const recipe = { graphql: 'mutation', address: 'https://api.example.com/graphql?v=1' };

  it('is read whole, and told from that of an OpenAPI tool', () => {
    expect(readGraphqlRecipe(recipe)).toEqual(recipe);
    expect([recipe, stored()].map(isGraphql)).toEqual([true, false]);
  });

  it.each([{ ...recipe, graphql: 'subscription' }, { graphql: 'query' }, stored()])(
    'is refused in a sentence when it is not one: %o',
    (wrong) => {
      expect(() => readGraphqlRecipe(wrong)).toThrow('stored in a form that cannot be read');
    },
  );
});
