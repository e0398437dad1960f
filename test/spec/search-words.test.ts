// Checks the words that integrations add to the search: each names something that exists, and only integrations name themselves.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitName, stem } from '../../src/search/stems.ts';
import { SHIPPED, shipped, vocabulary } from '../support/shipped-search.ts';

const SEARCH = join(import.meta.dirname, '../../src/search');
const toolNames = new Set(SHIPPED.map(({ name }) => name));
const worded = shipped.integrations.flatMap(({ name, words }) =>
  words === undefined ? [] : [{ name, words }],
);

/** Every text and every key of the code. Comments may give examples. */
const spoken = readdirSync(SEARCH)
  .filter((name) => name.endsWith('.ts'))
  .map((file) => readFileSync(join(SEARCH, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''))
  .join('\n');

describe('the words of an integration', () => {
  it('are given by most integrations', () => {
    expect(worded.length).toBeGreaterThanOrEqual(54);
    expect(worded.flatMap(({ words }) => Object.keys(words.tools ?? {})).length).toBeGreaterThanOrEqual(362);
  });

  it.each(worded)('name only tools of their own integration: $name', ({ name, words }) => {
    const own = SHIPPED.filter(({ integration }) => integration === name).map((tool) => tool.name);
    expect(Object.keys(words.tools ?? {}).filter((tool) => !own.includes(tool))).toEqual([]);
  });

  it.each(worded)('rename only what the names of its tools contain: $name', ({ name, words }) => {
    const own = SHIPPED.filter(({ integration }) => integration === name);
    const terms = vocabulary().termsOf(own.flatMap((tool) => splitName(tool.name)));
    expect(Object.keys(words.called ?? {}).filter((word) => !terms.has(stem(word)))).toEqual([]);
  });
});

describe('the search itself', () => {
  it('names no tool', () => {
    expect([...spoken.matchAll(/\w+/g)].map(([word]) => word).filter((word) => toolNames.has(word))).toEqual(
      [],
    );
  });

  it.each(shipped.integrations.filter(({ words }) => words?.isCommon !== true).map(({ name }) => name))(
    'does not name the integration %s',
    (name) => {
      expect(spoken).not.toMatch(new RegExp(`\\b${name}\\b`, 'i'));
    },
  );
});
