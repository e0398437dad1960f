// Stripe's objects as a model reads them: the members that matter, and times as dates.
import * as z from 'zod';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

const SHARED = ['id', 'metadata', 'created', 'description', 'currency', 'customer', 'status'];
const CARD = ['type', 'card', 'brand', 'last4', 'exp_month', 'exp_year'];

/** The members of each kind of object, beside those that all share. Another kind of object stays whole. */
const MEMBERS: Record<string, readonly string[]> = {
  customer: ['name', 'email', 'phone', 'address', 'balance', 'delinquent', 'deleted'],
  payment_intent: [
    'amount',
    'amount_received',
    'receipt_email',
    'latest_charge',
    'last_payment_error',
    'cancellation_reason',
    'next_action',
  ],
  charge: [
    'amount',
    'amount_refunded',
    'refunded',
    'disputed',
    'failure_message',
    'receipt_url',
    'payment_intent',
    'payment_method_details',
    'billing_details',
  ],
  invoice: [
    'number',
    'customer_name',
    'customer_email',
    'total',
    'amount_due',
    'amount_paid',
    'amount_remaining',
    'due_date',
    'collection_method',
    'hosted_invoice_url',
    'invoice_pdf',
    'parent',
    'lines',
    'deleted',
  ],
  line_item: ['amount', 'quantity', 'period', 'pricing'],
  invoiceitem: ['amount', 'quantity', 'invoice', 'pricing'],
  subscription: [
    'items',
    'cancel_at',
    'cancel_at_period_end',
    'canceled_at',
    'ended_at',
    'start_date',
    'trial_end',
    'collection_method',
    'latest_invoice',
    'pause_collection',
  ],
  subscription_item: ['price', 'quantity', 'current_period_start', 'current_period_end'],
  product: ['name', 'active', 'default_price', 'url', 'unit_label', 'deleted'],
  price: [
    'product',
    'nickname',
    'active',
    'unit_amount',
    'unit_amount_decimal',
    'type',
    'recurring',
    'lookup_key',
  ],
  refund: ['amount', 'reason', 'payment_intent', 'charge', 'failure_reason'],
  payment_link: ['url', 'active'],
};
const DETAILS = new Set(['payment_method_details', 'payment_method']);
const TIME =
  /^(?:created|due_date|cancel_at|canceled_at|ended_at|start_date|trial_end|current_period_start|current_period_end|start|end)$/;

export function show(value: unknown): unknown {
  return withoutEmpty(pick(value));
}

function pick(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pick);
  if (typeof value !== 'object' || value === null) return value;
  const kind: unknown = Reflect.get(value, 'object');
  // The lists inside of objects are shown without their addresses.
  if (kind === 'list') return pick(Reflect.get(value, 'data'));
  const members = typeof kind === 'string' ? MEMBERS[kind] : undefined;
  const isShown = (name: string) => members === undefined || members.includes(name) || SHARED.includes(name);
  const shown = Object.entries(value).filter(([name]) => name !== 'object' && isShown(name));
  return Object.fromEntries(shown.map(([name, member]) => [name, pickMember(name, member)]));
}

function pickMember(name: string, member: unknown): unknown {
  if (TIME.test(name) && typeof member === 'number') return new Date(member * 1000).toISOString();
  if (DETAILS.has(name)) return pickCard(member);
  return pick(member);
}

/** The details of a payment method have dozens of members. */
function pickCard(details: unknown): unknown {
  if (typeof details !== 'object' || details === null) return details;
  const shown = Object.entries(details).filter(([name]) => CARD.includes(name));
  return Object.fromEntries(
    shown.map(([name, member]) => [name, name === 'card' ? pickCard(member) : member]),
  );
}

const List = z.lazy(() =>
  z.object({
    data: z.array(z.unknown()),
    has_more: z.boolean().default(false),
    next_page: z.string().nullish(),
  }),
);

/** Shows a page of a list. A search names its next page; a list continues after its last object. */
export function showList(payload: unknown): object {
  const { data, has_more, next_page } = List.parse(payload);
  const last = z.object({ id: z.string() }).safeParse(data.at(-1)).data;
  return {
    results: data.map(show),
    ...(typeof next_page === 'string' ? { page: next_page } : {}),
    ...(has_more && typeof next_page !== 'string' && last !== undefined ? { startingAfter: last.id } : {}),
  };
}
