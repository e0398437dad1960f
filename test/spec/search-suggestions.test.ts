// Tests `suggestions` of `search_tools`: what is found when nothing matches literally, and when nothing is
// suggested.
import { describe, expect, it } from 'vitest';
import { createSpelling, createWordList } from '../../src/search/spelling.ts';
import { splitWords, stem } from '../../src/search/stems.ts';
import { searchIn, segmentOf, SHIPPED } from '../support/shipped-search.ts';
import { NONSENSE, QUERIES, WISHES, type QueryRow } from './search-queries.ts';

const search = searchIn(segmentOf(SHIPPED));
const suggest = (query: string, ...connected: string[]): string[] =>
  search.suggest(query, new Set(connected)).map((tool) => tool.name);

const answers = ([, right]: QueryRow): string[] => right.split(' ');
const place = (row: QueryRow): number => suggest(row[0]).findIndex((name) => answers(row).includes(name));

describe('suggestions for everyday queries', () => {
  it('are tested fairly: no query matches literally, and every expected tool exists', () => {
    const known = new Set(SHIPPED.map((tool) => tool.name));
    const rows = [...QUERIES, ...WISHES];
    expect(rows.filter(([query]) => search.literal(query).length > 0)).toEqual([]);
    expect(rows.flatMap(answers).filter((name) => !known.has(name))).toEqual([]);
  });

  it('include a right tool among the first three for nine queries in ten', () => {
    const rows = [...QUERIES, ...WISHES];
    const found = rows.map(place).filter((at) => at >= 0 && at < 3);
    expect(found.length / rows.length).toBeGreaterThanOrEqual(0.9);
  });

  it.each(QUERIES.map((row) => [row[0], row] as const))('include a right tool for: %s', (_query, row) => {
    expect(place(row)).toBeGreaterThanOrEqual(0);
  });
});

describe('queries without suggestions', () => {
  it.each(NONSENSE)('include %s', (query) => {
    expect(suggest(query)).toEqual([]);
  });

  it('include the empty query, and any query over an empty registry', () => {
    expect(suggest('')).toEqual([]);
    expect(searchIn().suggest('open a pull request', new Set())).toEqual([]);
  });
});

describe('the order of suggestions', () => {
  it('has at most eight entries', () => {
    expect(suggest('crete issue')).toHaveLength(8);
    expect(suggest('shwo all my isues')).toHaveLength(8);
    for (const [query] of QUERIES) expect(suggest(query).length).toBeLessThanOrEqual(8);
  });

  it('is the same for any casing', () => {
    for (const [query] of QUERIES) {
      expect(suggest(query.toUpperCase())).toEqual(suggest(query));
      expect(suggest(query.toLowerCase())).toEqual(suggest(query));
    }
  });

  it('ignores accents, width and ligatures', () => {
    expect(suggest('ópén ａ púll réquest')).toEqual(suggest('open a pull request'));
    expect(suggest('ﬁgma coments')).toEqual(suggest('figma coments'));
  });

  it('puts a connected integration first among equals', () => {
    for (const name of ['jira', 'linear'])
      expect(suggest('crete issue', name)[0]).toBe(`${name}_create_issue`);
    expect(suggest('crete issue', 'jira').toSorted()).toEqual(suggest('crete issue').toSorted());
  });

  it('does not put a connected integration before a better match', () => {
    expect(suggest('merge MR', 'github', 'bitbucket')[0]).toBe('gitlab_merge_merge_request');
    expect(suggest('new jira ticket', 'linear', 'github')[0]).toBe('jira_create_issue');
  });

  it('puts the raw request tool below designed tools, and finds it when it is meant', () => {
    const description = 'Call the Acme API to ship parcels.';
    const acme = searchIn(
      segmentOf([
        { name: 'acme_request', description, integration: 'acme' },
        { name: 'acme_hello', description, integration: 'acme' },
      ]),
    );
    const found = acme.ranked('shipping of a parcel with acme', { limit: 5, connected: new Set() });
    expect(found.map((tool) => tool.name)).toEqual(['acme_hello', 'acme_request']);
    expect(suggest('call any jira endpoint')[0]).toBe('jira_request');
  });

  it('treats a designed tool that ends in request as designed', () => {
    const forge = searchIn(
      segmentOf([
        { name: 'forge_change_pull_request', description: 'Change one.', integration: 'forge' },
        { name: 'forge_change_pr', description: 'Change one.', integration: 'forge' },
      ]),
    );
    expect(forge.suggest('modify merge request', new Set())[0]?.name).toBe('forge_change_pull_request');
  });

  it('splits camelCase names of foreign tools', () => {
    const acme = searchIn(
      segmentOf([
        { name: 'acme_listHTTPChecks', description: 'Lists them.', integration: 'acme' },
        { name: 'acme_voidInvoice', description: 'Voids one.', integration: 'acme' },
      ]),
    );
    expect(acme.suggest('void an invoice', new Set()).map((tool) => tool.name)).toEqual(['acme_voidInvoice']);
    expect(acme.suggest('show http checks', new Set()).map((tool) => tool.name)).toEqual([
      'acme_listHTTPChecks',
    ]);
  });
});

describe('hostile queries', () => {
  it('are truncated, and the rest does not count', () => {
    const noise = 'open a pull request ' + '\u0000\u001b\ud800\n'.repeat(2_500);
    expect(suggest(noise)).toEqual(suggest('open a pull request'));
    expect(suggest('x'.repeat(10_000))).toEqual([]);
    expect(suggest('list calender events '.repeat(500)).length).toBeLessThanOrEqual(8);
  });

  it('may contain the names of object properties', () => {
    expect(suggest('__defineGetter__ constructor toString')).toEqual([]);
    const odd = searchIn(
      segmentOf([{ name: 'constructor_valueOf', description: 'toString', integration: 'constructor' }]),
    );
    expect(odd.suggest('constructor value of it', new Set())).toHaveLength(1);
  });
});

describe('the reading of a query', () => {
  it('joins words that were written apart', () => {
    expect(suggest('git hub forks')[0]).toBe('github_fork_repository');
  });

  it("reads a word as an integration's name only where it rarely means anything else", () => {
    expect(suggest('log my time on ticket')[0]).not.toBe('time_now');
    expect(suggest('what time is it in tokyo')[0]).toBe('time_now');
  });

  it('stops after 32 words and 2,000 characters', () => {
    const query = 'merge pull requets';
    const found = suggest(query);
    expect(found).not.toEqual([]);
    expect(suggest('the '.repeat(29) + query)).toEqual(found);
    expect(suggest('the '.repeat(32) + query)).toEqual([]);
    expect(suggest(' '.repeat(2_000 - query.length) + query)).toEqual(found);
    expect(suggest(' '.repeat(2_000) + query)).toEqual([]);
  });
});

describe('a mistyped word', () => {
  const long = 'x'.repeat(33);
  const words = {
    issue: 1,
    pipeline: 1,
    pipelines: 9,
    branch: 2,
    brunch: 7,
    trunk: 7,
    trank: 2,
    run: 9,
    [long]: 1,
  };
  const list = createWordList();
  for (const [word, uses] of Object.entries(words)) list.add(word, uses);
  const { correct } = createSpelling([list]);

  it.each([
    ['isue', 'issue'],
    ['isssue', 'issue'],
    ['issoe', 'issue'],
    ['isuse', 'issue'],
    ['sisue', 'issue'],
    ['pipelnie', 'pipeline'],
  ])('is understood with one slip: %s', (word, meant) => {
    expect(correct(word)).toEqual({ word: meant, slips: 1 });
  });

  it('is understood with two slips when it is long', () => {
    expect(correct('pieplnie')).toEqual({ word: 'pipeline', slips: 2 });
    expect(correct('iseu')).toBeUndefined();
  });

  it.each(['assue', 'ussie', 'runn', 'isu', 'x'.repeat(32), 'x'.repeat(34)])(
    'is not guessed at: %s',
    (word) => {
      expect(correct(word)).toBeUndefined();
    },
  );

  it('means the word with the fewest slips, and of those the most frequent', () => {
    expect(correct('pipelime')).toEqual({ word: 'pipeline', slips: 1 });
    expect(correct('bronch')).toEqual({ word: 'brunch', slips: 1 });
    expect(correct('tronk')).toEqual({ word: 'trunk', slips: 1 });
  });
});

describe('a word of a query', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['ﬁle', 'FILE'],
    ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
    ['re\u0301sume\u0301', 'RÉSUMÉ'],
    ["person's", 'person'],
  ])('is the same in every casing and spelling: %s, %s', (one, other) => {
    expect(splitWords(one)).toEqual(splitWords(other));
    expect(splitWords(one)).toHaveLength(1);
  });

  it('is read up to its fortieth letter', () => {
    expect(splitWords(`${'x'.repeat(41)} y`)).toEqual(['x'.repeat(40), 'y']);
  });

  it('has the stem of its other forms', () => {
    for (const [one, other] of [
      ['queries', 'query'],
      ['issues', 'issue'],
      ['merging', 'merged'],
      ['stopped', 'stop'],
      ['deployment', 'deploy'],
    ] as const)
      expect(stem(one)).toBe(stem(other));
    for (const word of ['news', 'bus', 'red']) expect(stem(word)).toBe(word);
  });
});
