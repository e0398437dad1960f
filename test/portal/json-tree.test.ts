// Tests how the explorer opens, pages and searches a JSON result, and when it shows a list as a table.
import { describe, expect, it } from 'vitest';
import { describeResult, readResult } from '../../portal/pages/tools/describe-result.ts';
import { cellText, tableIn } from '../../portal/pages/tools/json/list-in.ts';
import {
  findNodes,
  openLevels,
  revealMatch,
  rootOf,
  type Row,
  rowsOf,
  toggle,
} from '../../portal/pages/tools/json/tree.ts';

const nameOf = (row: Row) => (row.kind === 'node' ? row.node.name : `${row.hidden} hidden`);

describe('the tree', () => {
  it('opens level by level, as far as the rows fit', () => {
    const root = rootOf({ a: { b: { c: 1 } }, many: Array.from({ length: 30 }, () => 0), d: 2 });
    expect(rowsOf(root, openLevels(root, 10)).map(nameOf)).toEqual([null, 'a', 'b', 'c', 'many', 'd']);
    expect(rowsOf(root, openLevels(root, 0)).map(nameOf)).toEqual([null, 'a', 'many', 'd']);
  });

  it('shows a page of a long list, and the page of a match alone', () => {
    const root = rootOf(Array.from({ length: 1000 }, (_, index) => `item ${index}`));
    const first = openLevels(root, 200);
    expect(rowsOf(root, first)).toHaveLength(102);
    const [match] = findNodes(root, 'item 567').found;
    if (match === undefined) throw new TypeError('nothing was found');
    const names = rowsOf(root, revealMatch(toggle(first, root), match)).map(nameOf);
    expect([names.slice(0, 3), names.slice(-2)]).toEqual([
      [null, '500 hidden', 500],
      [599, '400 hidden'],
    ]);
  });

  it('finds names and values in the order of the document, and counts no further than needed', () => {
    const root = rootOf({ Label: 'x', other: [{ text: 'a LABEL' }, 12, null], end: true });
    expect(findNodes(root, 'label').found.map(({ name }) => name)).toEqual(['Label', 'text']);
    expect(findNodes(root, '12').found.map(({ name }) => name)).toEqual([1]);
    expect(findNodes(root, 'null').found.map(({ name }) => name)).toEqual([2]);
    const many = findNodes(rootOf(Array.from({ length: 5000 }, () => 'same')), 'same');
    expect([many.found.length, many.isCut]).toEqual([1000, true]);
  });

  it('walks a deep and a wide result', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(findNodes(rootOf(deep), 'bottom').found[0]?.depth).toBe(5000);
    const wide = Array.from({ length: 300_000 }, (_, index) => index);
    expect(findNodes(rootOf(wide), '299999').found).toHaveLength(1);
  });
});

describe('a table', () => {
  it('has the columns of like objects, in the order in which they first appear', () => {
    const items = [
      { id: 1, name: 'one' },
      { id: 2, size: 3, name: 'two' },
    ];
    expect(tableIn(items)?.columns).toEqual(['id', 'name', 'size']);
    expect(tableIn({ total: 2, items })?.items).toBe(items);
  });

  it('bounds the columns, and says how many are left', () => {
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`c${index}`, index]));
    expect(tableIn([wide, wide])).toMatchObject({ left: 18, columns: { length: 12 } });
  });

  it.each([
    ['one item', [{ id: 1 }]],
    ['texts', ['a', 'b']],
    [
      'objects of different kinds',
      [
        { a: 1, b: 1 },
        { c: 1, d: 1 },
        { e: 1, f: 1 },
      ],
    ],
    ['objects among other values', [{ a: 1 }, 2]],
    ['two lists', { one: [{ a: 1 }, { a: 2 }], two: [{ a: 1 }, { a: 2 }] }],
    ['empty objects', [{}, {}]],
    ['nothing', null],
  ])('is not made of %s', (_, result) => {
    expect(tableIn(result)).toBeNull();
  });

  it.each([
    [undefined, ''],
    [null, ''],
    [false, 'false'],
    [['a', 'b'], 'a, b'],
    [{ id: 7, login: 'ana' }, 'ana'],
    [[{ name: 'bug' }, { name: 'ci' }], 'bug, ci'],
    [{ deep: { a: 1 } }, '{"deep":{"a":1}}'],
    ['x'.repeat(500), `${'x'.repeat(160)}…`],
  ])('shows %j in a cell as %j', (value, text) => {
    expect(cellText(value)).toBe(text);
  });
});

describe('what a result has', () => {
  it.each([
    [{ items: [1, 2, 3], total: 3 }, '3 items.'],
    [[], 'The list is empty.'],
    ['', 'The result is empty.'],
    ['four', '4 characters.'],
    [{}, 'The result is empty.'],
    [{ id: 1 }, ''],
    [7, ''],
  ])('tells %j as %j', (value, sentence) => {
    expect(describeResult(value)).toBe(sentence);
  });

  it('is read out of a success, and a failure stays whole', () => {
    const body = { integration: 'time', tool: 'time_now', result: [1], hint: 'Nothing matched.' };
    expect(readResult({ status: 200, text: JSON.stringify(body) })).toEqual({
      value: [1],
      hint: 'Nothing matched.',
    });
    const failure = { error: 'BLOCKED', message: 'No.' };
    expect(readResult({ status: 403, text: JSON.stringify(failure) }).value).toEqual(failure);
    expect(readResult({ status: 502, text: '<h1>Bad</h1>' }).value).toBe('<h1>Bad</h1>');
  });
});
