// Declares the recipe of a GraphQL tool. It is stored where an OpenAPI tool has the recipe of its operation.
import type { OperationRecipe } from './operation.ts';

export interface GraphqlRecipe {
  graphql: 'query' | 'mutation' | 'schema';
  /** Where the endpoint is. It may have a query. */
  address: string;
}

export type ServiceRecipe = OperationRecipe | GraphqlRecipe;

export const isGraphql = (recipe: ServiceRecipe): recipe is GraphqlRecipe => 'graphql' in recipe;
