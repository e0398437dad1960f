// Declares the recipe of a GraphQL tool. It is stored where an OpenAPI tool has the recipe of its operation.
import * as z from 'zod';
import type { JsonSchema } from '../../kit/validation.ts';
import { parseRecipe } from '../model/stored-recipe.ts';

const Recipe = z.object({
  graphql: z.enum(['query', 'mutation', 'schema']),
  /** Where the endpoint is. It may have a query. */
  address: z.string(),
});
export type GraphqlRecipe = z.infer<typeof Recipe>;

/** Whether the operation of a stored tool is that of a GraphQL endpoint. */
export const isGraphql = (operation: JsonSchema): boolean => 'graphql' in operation;

/** Reads the recipe of a stored tool. */
export const readRecipe = (stored: JsonSchema | undefined): GraphqlRecipe => parseRecipe(Recipe, stored);
