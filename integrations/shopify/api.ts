// The spelling of Shopify's Admin API, and the arguments and selections that many of its tools share.
import * as z from 'zod';
import { createGraphqlRows } from '../../src/kit/graphql-rows.ts';

export const { row } = createGraphqlRows({ path: '/graphql.json' });

export const text = z.string();
export const some = text.optional();
export const texts = z.array(text).optional();

export const PAGE = 'pageInfo{hasNextPage endCursor}';
export const ERRORS = 'userErrors{field message}';
export const MONEY = '{shopMoney{amount currencyCode}}';

export const page = () => ({
  first: z.int().min(1).max(100).default(20).describe('Results per page'),
  after: some.describe('endCursor of the previous page'),
});
export const search = (example: string) =>
  some.describe(`Search query, such as ${example}; everything without it`);
export const reverse = z.boolean().default(true).describe('true returns the newest or largest first');
export const tags = texts.describe('All tags; they replace those that are there');
export const ORDER_ID = 'Order id such as gid://shopify/Order/1, from shopify_list_orders';
export const PRODUCT_ID = 'Product id such as gid://shopify/Product/1, from shopify_list_products';
