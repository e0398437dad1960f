// Tests sort() and sort_by() of select: their order, and the work that they may take. decision: 032
import { describe, expect, it } from 'vitest';
import { compileSelect } from '../../src/json/select.ts';

describe('sort and sort_by', () => {
  const sortOf = async (expression: string, value: unknown) => (await compileSelect(expression))(value).value;

  it('sort numbers by their value', async () => {
    expect(await sortOf('sort(@)', [10, 9, -1, 1e3, 0.5])).toEqual([-1, 0.5, 9, 10, 1_000]);
    expect(await sortOf('sort_by(@, &n)[].n', [{ n: 10 }, { n: 9 }])).toEqual([9, 10]);
  });

  it('sort texts by their code points, and a text before one that goes on', async () => {
    const texts = ['b', '\u{1f600}', 'ab', '\uff5e', 'é', 'a', '\ud7ff', ''];
    const sorted = ['', 'a', 'ab', 'b', 'é', '\ud7ff', '\uff5e', '\u{1f600}'];
    expect(await sortOf('sort(@)', texts)).toEqual(sorted);
    expect(await sortOf('sort_by(@, &@)', texts)).toEqual(sorted);
  });

  it('leave what is equal in its order', async () => {
    const rows = ['b', 'a', 'b', 'a'].map((key, id) => ({ id, key }));
    expect(await sortOf('sort_by(@, &key)[].id', rows)).toEqual([1, 3, 0, 2]);
    expect(await sortOf('sort(@)', [])).toEqual([]);
  });

  it.each([[[{ a: 'x' }, { a: 1 }]], [[{ a: null }]], [[{ a: 1 }, {}]]])(
    'refuse keys of several types: %j',
    async (rows) => {
      await expect(sortOf('sort_by(@, &a)', rows)).rejects.toThrow(
        /at character 1 .* keys that are all strings or all numbers/,
      );
    },
  );
});

describe('the work of sort and sort_by', () => {
  const files = Array.from({ length: 1_900 }, (_, index) => ({
    path: 'p'.repeat(1_000) + ((index * 7_919) % 1_900),
    size: index,
  }));

  it.each([
    ['sort_by', '[sort_by(@, &path)[0].size]'],
    ['sort', 'sort([*].path)'],
    ['sort_by that has sorted before', 'sort_by(sort_by(@, &size), &path)'],
  ])('is bounded for a %s of long texts that begin alike', async (_name, expression) => {
    const select = await compileSelect(expression);
    expect(() => select(files)).toThrow('select takes too much work');
  });

  it('is enough to sort tens of thousands of long texts that begin differently', async () => {
    const select = await compileSelect('sort_by(@, &text)[0].id');
    const texts = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      text: String(20_000 - id).padStart(5, '0') + '.'.repeat(700),
    }));
    expect(select(texts).value).toBe(19_999);
  });
});
