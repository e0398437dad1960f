// The shop, its orders and their fulfilment, and its customers.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { ERRORS, MONEY, ORDER_ID, PAGE, page, reverse, row, search, some, tags, text } from './api.ts';

const ORDER =
  `id name createdAt displayFinancialStatus displayFulfillmentStatus cancelledAt tags currentTotalPriceSet${MONEY} customer{id displayName}` as const;
const ADDRESS = '{name company address1 address2 zip city provinceCode countryCodeV2 phone}';
const MORE =
  `email phone note statusPageUrl cancelReason totalRefundedSet${MONEY} currentSubtotalPriceSet${MONEY} currentTotalTaxSet${MONEY} totalShippingPriceSet${MONEY} shippingAddress${ADDRESS} lineItems(first:50){nodes{id title variantTitle sku quantity unfulfilledQuantity originalUnitPriceSet${MONEY}} ${PAGE}} fulfillments(first:20){id status trackingInfo{company number url}} fulfillmentOrders(first:20){nodes{id status assignedLocation{name} lineItems(first:50){nodes{id sku remainingQuantity}}}}` as const;
const CUSTOMER =
  'id displayName defaultEmailAddress{emailAddress} defaultPhoneNumber{phoneNumber} numberOfOrders amountSpent{amount currencyCode} tags note createdAt';

export const orders: readonly Tool[] = [
  row(
    'shopify_whoami',
    'query{shop{id name email myshopifyDomain currencyCode ianaTimezone}}',
    'Show which shop is connected',
    () => ({}),
  ),
  row(
    'shopify_list_orders',
    `query($first:Int!,$after:String,$query:String,$sortKey:OrderSortKeys,$reverse:Boolean){orders(first:$first,after:$after,query:$query,sortKey:$sortKey,reverse:$reverse){nodes{${ORDER}} ${PAGE}}}`,
    'List or search orders, newest first; without the scope read_all_orders of the last 60 days',
    () => ({
      ...page(),
      query: search('financial_status:paid fulfillment_status:unfulfilled created_at:>2026-03-01'),
      sortKey: z
        .enum(['CREATED_AT', 'UPDATED_AT', 'PROCESSED_AT', 'TOTAL_PRICE', 'ORDER_NUMBER', 'RELEVANCE'])
        .default('CREATED_AT')
        .describe('What the orders are sorted by'),
      reverse,
    }),
  ),
  row(
    'shopify_get_order',
    `query($id:ID!){order(id:$id){${ORDER} ${MORE}}}`,
    'Get an order with its items, addresses and deliveries, and with the fulfilment orders that are still to send',
    () => ({ id: text.describe(ORDER_ID) }),
  ),
  row(
    'shopify_update_order',
    `mutation($input:OrderInput!){orderUpdate(input:$input){order{id name note tags email} ${ERRORS}}}`,
    'Change the note, the tags or the e-mail address of an order',
    () => ({
      id: text.describe(ORDER_ID),
      note: some.describe('Note that only the shop sees'),
      tags,
      email: some.describe('Address of the customer for this order'),
    }),
  ),
  row(
    'shopify_cancel_order',
    `mutation($orderId:ID!,$reason:OrderCancelReason!,$refund:OrderCancelRefundMethodInput!,$restock:Boolean!,$notifyCustomer:Boolean,$staffNote:String){orderCancel(orderId:$orderId,reason:$reason,refundMethod:$refund,restock:$restock,notifyCustomer:$notifyCustomer,staffNote:$staffNote){job{id done} orderCancelUserErrors{field message code}}}`,
    'Cancel an order for good',
    () => ({
      orderId: text.describe(ORDER_ID),
      reason: z
        .enum(['CUSTOMER', 'DECLINED', 'FRAUD', 'INVENTORY', 'STAFF', 'OTHER'])
        .describe('Why it is canceled'),
      refund: z
        .boolean()
        .transform((refunds) => ({ originalPaymentMethodsRefund: refunds }))
        .describe('true refunds the payment by the way it was paid'),
      restock: z.boolean().describe('true puts the items back into the inventory'),
      notifyCustomer: z.boolean().default(false).describe('true sends the customer a mail'),
      staffNote: some.describe('Note that only the shop sees'),
    }),
    { access: 'destroy' },
  ),
  row(
    'shopify_create_fulfillment',
    `mutation($input:FulfillmentInput!){fulfillmentCreate(fulfillment:$input){fulfillment{id status trackingInfo{company number url}} ${ERRORS}}}`,
    'Mark the items of an order as sent, whole or in part, with a tracking number',
    () => ({
      lineItemsByFulfillmentOrder: z
        .array(
          z.strictObject({
            fulfillmentOrderId: text.describe('Id of an open fulfilment order, from shopify_get_order'),
            fulfillmentOrderLineItems: z
              .array(
                z.strictObject({
                  id: text.describe('Id of the line item of the fulfilment order'),
                  quantity: z.int().min(1).describe('How many are sent'),
                }),
              )
              .optional()
              .describe('The items that are sent; all by default'),
          }),
        )
        .min(1)
        .describe('The fulfilment orders that are sent, all from one place'),
      trackingInfo: z
        .strictObject({
          company: some.describe('Carrier, such as DHL'),
          number: some.describe('Tracking number'),
          url: some.describe('Address to follow it at'),
        })
        .optional()
        .describe('How to follow the parcel'),
      notifyCustomer: z.boolean().default(false).describe('true sends the customer a mail'),
    }),
  ),
  row(
    'shopify_list_customers',
    `query($first:Int!,$after:String,$query:String){customers(first:$first,after:$after,query:$query){nodes{${CUSTOMER}} ${PAGE}}}`,
    'List or search customers',
    () => ({ ...page(), query: search('email:ana@example.com, or tag:vip orders_count:>3') }),
  ),
  row(
    'shopify_update_customer',
    `mutation($input:CustomerInput!){customerUpdate(input:$input){customer{${CUSTOMER}} ${ERRORS}}}`,
    'Change the name, the note, the tags or the contact of a customer',
    () => ({
      id: text.describe('Customer id such as gid://shopify/Customer/1, from shopify_list_customers'),
      firstName: some.describe('Given name of the person'),
      lastName: some.describe('Family name of the person'),
      email: some.describe('E-mail address of the person'),
      phone: some.describe('Telephone number, such as +491701234567'),
      note: some.describe('Note that only the shop sees'),
      tags,
    }),
  ),
];
