// Tests what the kit does for integrations: forms, nested names in a query, and answers without what says nothing.
import { describe, expect, it } from 'vitest';
import { nestedFields } from '../../src/kit/nested-fields.ts';
import { createRows } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

describe('the fields of a nested value', () => {
  it.each([
    ['a text', 'x', [['a', 'x']]],
    ['a number', 0, [['a', '0']]],
    ['null, which removes', null, [['a', '']]],
    ['nothing', undefined, []],
    ['an object', { b: { c: 1 }, d: undefined }, [['a[b][c]', '1']]],
    [
      'a list',
      [{ b: 1 }, 'x'],
      [
        ['a[0][b]', '1'],
        ['a[1]', 'x'],
      ],
    ],
  ])('of %s', (_, value, fields) => {
    expect([...nestedFields('a', value)]).toEqual(fields);
  });
});

describe('an API that takes forms', () => {
  const { toCall } = createRows({ names: 'snake_case', bodies: 'form' });

  it('gets a form in the body, with the names of the API', () => {
    expect(toCall('POST /v1/things/{id}', { id: 'a/b', dueDate: 5, metadata: { camelCase: 'ü &' } })).toEqual(
      {
        method: 'POST',
        path: '/v1/things/a%2Fb',
        query: new URLSearchParams(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'due_date=5&metadata%5BcamelCase%5D=%C3%BC+%26',
      },
    );
  });

  it('gets nested names in a query', () => {
    const { query } = toCall('GET /v1/things', { created: { gte: 1 }, ids: ['a', 'b'] });
    expect(decodeURIComponent(String(query))).toBe('created[gte]=1&ids=a&ids=b');
  });
});

it('an answer loses what says nothing, but no number, no false, and no item of a list', () => {
  const value = { a: null, b: '', c: [], d: {}, e: 0, f: false, g: [null, { h: null }], i: { j: { k: '' } } };
  expect(withoutEmpty(value)).toEqual({ e: 0, f: false, g: [null, {}] });
  expect(withoutEmpty('')).toBe('');
});
