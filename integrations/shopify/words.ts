// Lists words that people use for Shopify and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'shop store ecommerce',
  tools: {
    shopify_list_orders: 'find: purchases sales unfulfilled newest shop store',
    shopify_get_order: 'purchase tracking shipping items status shop store',
    shopify_cancel_order: 'refund stop: purchase shop store',
    shopify_create_fulfillment: 'ship send: order parcel tracking delivery',
    shopify_list_products: 'find: catalog goods articles shop store',
    shopify_update_variants: 'change set: price product discount sale',
    shopify_list_inventory: 'stock quantity left warehouse',
    shopify_adjust_inventory: 'stock change set: quantity warehouse',
    shopify_list_customers: 'find: buyers shop store',
  },
};
