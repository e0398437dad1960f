// Tests what the portal sends about the tools that a person chose.
import { describe, expect, it } from 'vitest';
import type { ImportEntry } from '../../portal/api/imports.ts';
import { choosableOf, patchOf } from '../../portal/pages/imports/imported-selection.ts';
import {
  type Choosable,
  choose,
  groupByTag,
  listChosen,
  NOTHING_CHANGED,
  setAccess,
} from '../../portal/pages/imports/selection.ts';

const tool = (name: string, change: Partial<Choosable> = {}): Choosable => ({
  name,
  description: '',
  access: 'read',
  ready: true,
  ...change,
});
const [a, b, c] = [tool('a'), tool('b'), tool('c')] as const;
const old = tool('old', { ready: false });

describe('Tools of a new import', () => {
  it('names nothing when the person changed nothing', () => {
    expect(listChosen([a, b, old], NOTHING_CHANGED)).toEqual({});
  });

  it('names what was dropped, so that later tools are offered for review', () => {
    expect(listChosen([a, b, c], choose(NOTHING_CHANGED, [b], false))).toEqual({ exclude: ['b'] });
  });

  it('names what was chosen when it is less than half', () => {
    expect(listChosen([a, b, c], choose(NOTHING_CHANGED, [b, c], false))).toEqual({ include: ['a'] });
  });

  it('names every chosen tool when one of them is usually left out', () => {
    expect(listChosen([a, b, old], choose(NOTHING_CHANGED, [old], true))).toEqual({
      include: ['a', 'b', 'old'],
    });
  });

  it('forgets a change that the person takes back', () => {
    const dropped = choose(NOTHING_CHANGED, [a], false);
    expect(choose(dropped, [a], true)).toEqual(NOTHING_CHANGED);
    expect(setAccess(setAccess(NOTHING_CHANGED, a, 'write'), a, 'read')).toEqual(NOTHING_CHANGED);
  });

  it('groups by the first tag, and puts tools without a tag last', () => {
    const tagged = [tool('x'), tool('y', { tags: ['Two', 'One'] }), tool('z', { tags: ['One'] })];
    expect(groupByTag(tagged).map(({ tag, tools }) => [tag, tools.map(({ name }) => name)])).toEqual([
      ['Two', ['y']],
      ['One', ['z']],
      ['', ['x']],
    ]);
  });
});

describe('Tools of an import that exists', () => {
  const entry = (change: Partial<ImportEntry>): ImportEntry => ({
    name: 'docs',
    kind: 'mcp',
    displayName: 'Docs',
    description: '',
    address: 'https://docs.example.com/mcp',
    for: 'me',
    editable: true,
    auth: { type: 'none' },
    include: null,
    exclude: [],
    access: {},
    version: '1',
    createdAt: 1,
    checkedAt: 1,
    checkError: null,
    tools: (['docs_a', 'docs_b', 'docs_c'] as const).map((name) => ({
      name,
      description: '',
      access: 'read',
      state: 'granted',
      blocked: false,
      included: name !== 'docs_c',
    })),
    ...change,
  });

  it('names the tools that are left out, and takes back what is chosen again', () => {
    const one = entry({ exclude: ['c'] });
    const tools = choosableOf(one);
    const dropped = choose(NOTHING_CHANGED, tools.slice(0, 1), false);
    expect(patchOf(one, tools, dropped)).toEqual({ exclude: ['docs_a', 'docs_c'] });
    expect(patchOf(one, tools, choose(NOTHING_CHANGED, tools, true))).toEqual({ exclude: [] });
  });

  it('names the only tools where somebody has chosen the only ones', () => {
    const one = entry({ include: ['Pages', 'b'] });
    const tools = choosableOf(one);
    const dropped = choose(NOTHING_CHANGED, tools.slice(0, 1), false);
    expect(patchOf(one, tools, dropped)).toEqual({ include: ['docs_b'], exclude: [] });
  });

  it('offers no tool that is gone', () => {
    const [first, ...rest] = entry({}).tools;
    if (first === undefined) throw new Error('there is no tool');
    const one = entry({ tools: [{ ...first, state: 'gone' }, ...rest] });
    expect(choosableOf(one).map(({ name }) => name)).toEqual(['docs_b', 'docs_c']);
  });

  it('keeps the overrides of other tools', () => {
    const one = entry({ access: { docs_b: 'destroy' } });
    const tools = choosableOf(one);
    const [first] = tools;
    if (first === undefined) throw new Error('there is no tool');
    expect(patchOf(one, tools, setAccess(NOTHING_CHANGED, first, 'write'))).toMatchObject({
      access: { docs_a: 'write', docs_b: 'destroy' },
    });
  });
});
