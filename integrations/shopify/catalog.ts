// Products, and how many of them are where.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { toHtml } from '../html/from-markdown.ts';
import { ERRORS, PAGE, page, PRODUCT_ID, reverse, row, search, some, tags, text } from './api.ts';

const PRICES = 'priceRangeV2{minVariantPrice{amount currencyCode} maxVariantPrice{amount currencyCode}}';
const PRODUCT = `id title handle status vendor productType tags totalInventory ${PRICES}` as const;
const VARIANT = 'id title sku barcode price inventoryQuantity inventoryItem{id tracked}';
const LEVELS =
  'inventoryLevels(first:20){nodes{location{id name} quantities(names:["available","on_hand","incoming"]){name quantity}}}';
const about = () => ({
  // The API takes HTML.
  descriptionHtml: some
    .transform((markdown) => (markdown === undefined ? undefined : toHtml(markdown)))
    .describe('Text that customers see, in Markdown'),
  vendor: some.describe('Who makes it'),
  productType: some.describe('Kind of product, such as Shirts'),
  tags,
});
const status = z.enum(['ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED']);

export const catalog: readonly Tool[] = [
  row(
    'shopify_list_products',
    `query($first:Int!,$after:String,$query:String,$sortKey:ProductSortKeys,$reverse:Boolean){products(first:$first,after:$after,query:$query,sortKey:$sortKey,reverse:$reverse){nodes{${PRODUCT}} ${PAGE}}}`,
    'List or search products',
    () => ({
      ...page(),
      query: search('title:shirt status:active, or inventory_total:<5'),
      sortKey: z
        .enum(['CREATED_AT', 'UPDATED_AT', 'TITLE', 'INVENTORY_TOTAL', 'VENDOR', 'RELEVANCE'])
        .default('UPDATED_AT')
        .describe('What the products are sorted by'),
      reverse,
    }),
  ),
  row(
    'shopify_get_product',
    `query($id:ID!){product(id:$id){${PRODUCT} description onlineStoreUrl variants(first:100){nodes{${VARIANT}} ${PAGE}}}}`,
    'Get a product with its text and its variants',
    () => ({ id: text.describe(PRODUCT_ID) }),
  ),
  row(
    'shopify_create_product',
    `mutation($input:ProductCreateInput!){productCreate(product:$input){product{${PRODUCT} variants(first:1){nodes{${VARIANT}}}} ${ERRORS}}}`,
    'Create a product, as a draft unless you say otherwise; shopify_update_variants sets its price',
    () => ({
      title: text.describe('Name that customers see'),
      ...about(),
      status: status.default('DRAFT').describe('ACTIVE sells it'),
    }),
  ),
  row(
    'shopify_update_product',
    `mutation($input:ProductUpdateInput!){productUpdate(product:$input){product{${PRODUCT}} ${ERRORS}}}`,
    'Change the name, the text, the tags or the status of a product',
    () => ({
      id: text.describe(PRODUCT_ID),
      title: some.describe('New name'),
      ...about(),
      status: status.optional().describe('ACTIVE sells it, ARCHIVED takes it off the shelf'),
    }),
  ),
  row(
    'shopify_update_variants',
    `mutation($productId:ID!,$variants:[ProductVariantsBulkInput!]!){productVariantsBulkUpdate(productId:$productId,variants:$variants){productVariants{${VARIANT}} ${ERRORS}}}`,
    'Change the prices or the barcodes of the variants of a product',
    () => ({
      productId: text.describe(PRODUCT_ID),
      variants: z
        .array(
          z.strictObject({
            id: text.describe('Variant id such as gid://shopify/ProductVariant/1, from shopify_get_product'),
            price: some.describe('New price in the currency of the shop, such as 19.90'),
            compareAtPrice: some.describe('Former price, which is shown crossed out'),
            barcode: some.describe('New barcode, such as an EAN'),
          }),
        )
        .min(1)
        .max(100)
        .describe('Variants that change; the others stay'),
    }),
  ),
  row(
    'shopify_list_inventory',
    `query($first:Int!,$after:String,$query:String){productVariants(first:$first,after:$after,query:$query){nodes{id displayName sku inventoryItem{id tracked ${LEVELS}}} ${PAGE}}}`,
    'List how many of each product variant are at which location',
    () => ({ ...page(), query: search('sku:TS-1, or product_id:123') }),
  ),
  row(
    'shopify_list_locations',
    `query($first:Int!,$after:String){locations(first:$first,after:$after){nodes{id name isActive fulfillsOnlineOrders address{city countryCode}} ${PAGE}}}`,
    'List the shops and warehouses',
    page,
  ),
  row(
    'shopify_adjust_inventory',
    `mutation($input:InventoryAdjustQuantitiesInput!,$key:String!){inventoryAdjustQuantities(input:$input)@idempotent(key:$key){inventoryAdjustmentGroup{createdAt reason changes{name delta quantityAfterChange}} ${ERRORS}}}`,
    'Raise or lower how many of a product are at a location',
    () => ({
      key: text.min(1).describe('New random text for each change; a repeated one changes nothing again'),
      name: z.enum(['available', 'on_hand']).default('available').describe('Which number changes'),
      reason: text
        .default('correction')
        .describe('Why, such as correction, received, damaged, shrinkage or cycle_count_available'),
      changes: z
        .array(
          z.strictObject({
            inventoryItemId: text.describe('inventoryItem.id, from shopify_list_inventory'),
            locationId: text.describe('Location id, from shopify_list_inventory'),
            delta: z.int().describe('How many more; negative for fewer'),
            changeFromQuantity: z
              .int()
              .nullable()
              .default(null)
              .describe('Refuses the change if this is not the number before it; null does not compare'),
          }),
        )
        .min(1)
        .max(50)
        .describe('Changes, each of one product at one location'),
    }),
  ),
];
