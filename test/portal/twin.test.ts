// Tests which tool shows a person what a call is about to change, and what of its answer.
import { describe, expect, it } from 'vitest';
import { factsOf, findTwin } from '../../portal/pages/approvals/twin.ts';

const tool = (name: string, required: readonly string[]) => ({
  name,
  description: '',
  inputSchema: { type: 'object', required },
});
const TOOLS = [
  tool('acme_delete_order', ['id']),
  tool('acme_get_order', ['id']),
  tool('acme_list_orders', []),
  tool('acme_update_order', ['id', 'status']),
  tool('acme_delete_customer', ['id']),
  tool('acme_get_customer', ['email']),
  tool('acme_deleteInvoice', ['id']),
  tool('acme_getInvoice', ['id']),
  tool('delete_jot', ['name']),
  tool('get_jot', ['name']),
];
const READING = new Set([
  'acme_get_order',
  'acme_list_orders',
  'acme_get_customer',
  'acme_getInvoice',
  'get_jot',
]);
const twinOf = (name: string, args: Record<string, unknown> | null, reading = READING) =>
  findTwin({ tool: name, args, access: 'destroy', integration: 'acme' }, TOOLS, reading);

describe('the twin of a tool', () => {
  it('reads the same thing by what both require', () => {
    const twin = { tool: 'acme_get_order', args: { id: 'o18' } };
    expect(twinOf('acme_delete_order', { id: 'o18', force: true })).toEqual(twin);
    expect(twinOf('acme_update_order', { id: 'o18', status: 'paid' })).toEqual(twin);
    expect(twinOf('acme_deleteInvoice', { id: 7 })).toEqual({ tool: 'acme_getInvoice', args: { id: 7 } });
  });

  it('is found where the names of tools have no prefix', () => {
    const twin = { tool: 'get_jot', args: { name: 'site' } };
    expect(twinOf('delete_jot', { name: 'site' })).toEqual(twin);
  });

  it('is none that requires something else, changes something, or belongs to another thing', () => {
    expect(twinOf('acme_delete_customer', { id: 'c1' })).toBeNull();
    expect(twinOf('acme_delete_order', { id: { deep: true } })).toBeNull();
    expect(twinOf('acme_delete_order', null)).toBeNull();
    expect(twinOf('acme_delete_order', { id: 'o18' }, new Set())).toBeNull();
    expect(twinOf('acme_list_orders', {})).toBeNull();
    expect(twinOf('acme_unknown', { id: 1 })).toBeNull();
  });
});

it('shows a few plain facts of what was read', () => {
  const order = { id: 'o18', total: 12.4, paid: true, note: '', gone: null, items: [1], who: { name: 'G' } };
  const facts = [
    { name: 'id', value: 'o18' },
    { name: 'total', value: 12.4 },
    { name: 'paid', value: true },
  ];
  expect(factsOf(order)).toEqual({ facts, left: 0 });
  expect(factsOf({ order: { data: order } })).toEqual({ facts, left: 0 });
  expect(factsOf([order])).toEqual({ facts: [], left: 0 });
  expect(factsOf('text')).toEqual({ facts: [], left: 0 });
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, 'x'.repeat(500)]));
  const cut = factsOf(many);
  expect([cut.facts.length, cut.left, String(cut.facts[0]?.value).length]).toEqual([6, 3, 120]);
});
