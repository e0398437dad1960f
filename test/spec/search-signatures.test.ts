// Tests what a ranked hit of search_tools shows of a tool: its signature and the first sentence of its description.
import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../src/search/signature.ts';
import { summaryOf } from '../../src/search/summary.ts';

const signature = (properties: object, ...required: string[]): string =>
  signatureOf('f', { type: 'object', properties, required });

describe('a signature', () => {
  it('has required arguments first, and types only where they are no text', () => {
    expect(
      signature(
        {
          page: { type: 'integer' },
          owner: { type: 'string' },
          draft: { type: 'boolean' },
          id: { type: 'number' },
        },
        'owner',
        'id',
      ),
    ).toBe('f({owner, id: number, page?: number, draft?: boolean})');
    expect(signature({})).toBe('f()');
    expect(signatureOf('f', {})).toBe('f()');
    expect(signature({ 'per-page': { type: 'integer' } })).toBe('f({"per-page"?: number})');
  });

  it.each([
    [{ type: 'string', enum: ['open', 'closed', 'all'] }, 'open|closed|all'],
    [{ enum: [1, 2, null] }, '1|2'],
    [{ const: 'page' }, 'page'],
    [{ enum: Array.from({ length: 20 }, (_, at) => `v${at}`) }, 'v0|v1|v2|v3|v4|v5|v6|v7|…'],
    [{ enum: ['x'.repeat(99), 'y'.repeat(99)] }, `${'x'.repeat(40)}|…`],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '(a|b)[]'],
    [{ type: 'array' }, 'any[]'],
    [{ type: 'object', properties: { path: {}, content: {} }, required: ['path'] }, '{path, content?}'],
    [{ type: 'array', items: { type: 'object', properties: { id: {} } } }, '{id?}[]'],
    [{ type: 'object', properties: {} }, '{…}'],
    [
      { type: 'object', properties: Object.fromEntries('abcdefghi'.split('').map((key) => [key, {}])) },
      '{…}',
    ],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number'],
    [{ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 'string|boolean'],
    [{ type: ['integer', 'null'] }, 'number'],
    [{ type: ['string', 'array'], items: { type: 'string' } }, 'string|string[]'],
    [{ type: 'null' }, 'null'],
    [{ $ref: '#/definitions/x' }, 'any'],
    [true, 'any'],
  ])('writes %j as %s', (node, type) => {
    expect(signature({ x: node })).toBe(`f({x?: ${type}})`);
  });

  it('loses the types of optional arguments, then arguments, when it is long', () => {
    const many = (count: number): [string, object][] =>
      Array.from({ length: count }, (_, at) => [`argument${at}`, { type: 'number' }]);
    const named = signature(Object.fromEntries(many(20)), 'argument0');
    expect(named).toMatch(/^f\(\{argument0: number, argument1\?, .*, argument19\?\}\)$/);
    const cut = signature(Object.fromEntries(many(99)), 'argument98');
    expect(cut).toMatch(/^f\(\{argument98: number, argument0\?, .*, …\}\)$/);
    expect(cut.length).toBeLessThanOrEqual(320);
  });
});

describe('the description of a hit', () => {
  it('is the first sentence', () => {
    expect(summaryOf('List issues. Paged by cursor.')).toBe('List issues.');
    expect(summaryOf('Get v1.2 of it, e.g.this')).toBe('Get v1.2 of it, e.g.this');
  });

  it('is cut after a word, and never inside a character', () => {
    expect(summaryOf('word '.repeat(100))).toBe(`${'word '.repeat(39)}word…`);
    expect(summaryOf(`${'x'.repeat(199)}😀`)).toBe(`${'x'.repeat(199)}…`);
  });
});
