// Tests the search over layers of tools: shared indexes, imported tools that are found, and imported texts that are hostile.
import { beforeAll, describe, expect, it } from 'vitest';
import { searchTables } from '../../src/search/tables.ts';
import { createCarriedTexts } from '../../drivers/texts/carried.ts';
import { createNoAssets } from '../../drivers/assets/none.ts';
import { type Identity, PERSONAL_KEY } from '../../src/kit/actor.ts';
import { createLayer, stackRegistries } from '../../src/kit/registry.ts';
import { createClientUses } from '../../src/policy/model/client-uses.ts';
import { createPermissions } from '../../src/policy/model/permissions.ts';
import { createNearest } from '../../src/search/nearest.ts';
import { NOUNS, VERBS } from '../../src/search/dictionary.ts';
import type { Searchable } from '../../src/search/document.ts';
import type { Segment } from '../../src/search/segment.ts';
import { createSearchCache } from '../../src/search/search-cache.ts';
import { createToolboxes } from '../../src/search/toolbox.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { restOperations, serverTools, stuffedTools } from '../support/imported-tools.ts';
import { importOf, searchIn, segmentOf, SHIPPED, shipped } from '../support/shipped-search.ts';
import { IMPORTED } from './search-imported-sentences.ts';
import { NONSENSE, QUERIES, type QueryRow, WISHES } from './search-queries.ts';
import { HELD_OUT, TUNED } from './search-sentences.ts';

const builtIn = segmentOf(SHIPPED);

const rank = (segments: readonly Segment[]) => {
  const search = searchIn(...segments);
  return (query: string): string[] =>
    search.ranked(query, { limit: 5, connected: new Set() }).map((tool) => tool.name);
};
const person = (userId: string): Identity => ({ userId, actor: PERSONAL_KEY });
const withoutRules = createPermissions({
  clientUses: createClientUses(),
  clock: createFakeClock(),
  log: { shows: () => false, write: () => {} },
  // The other parts of the store are not used.
  store: { policies: { read: async () => ({ everyone: null, own: null, grant: null }) } } as never,
});
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

let servers: readonly Searchable[];
const operations = restOperations();
beforeAll(async () => {
  servers = await serverTools();
});

/** Counts in percent how often a right tool is first, and among five. */
function qualityOf(segments: readonly Segment[], rows: readonly QueryRow[]): { first: number; five: number } {
  const ranked = rank(segments);
  const places = rows.map(([query, right]) =>
    ranked(query).findIndex((name) => right.split(' ').includes(name)),
  );
  const percent = (count: number): number => (100 * count) / rows.length;
  return {
    first: percent(places.filter((place) => place === 0).length),
    five: percent(places.filter((place) => place >= 0).length),
  };
}

describe('segments of our own tools', () => {
  it('rank and suggest exactly what one segment of all of them does', () => {
    const third = Math.ceil(SHIPPED.length / 3);
    const parts = [0, 1, 2].map((part) => segmentOf(SHIPPED.slice(part * third, (part + 1) * third)));
    const [whole, split] = [searchIn(builtIn), searchIn(...parts)];
    const connected = new Set(['jira', 'gitlab']);
    for (const query of [...[...HELD_OUT, ...QUERIES, ...WISHES].map(([asked]) => asked), ...NONSENSE]) {
      expect(split.ranked(query, { limit: 50, connected })).toEqual(
        whole.ranked(query, { limit: 50, connected }),
      );
      expect(split.suggest(query, connected, 'github')).toEqual(whole.suggest(query, connected, 'github'));
    }
  });

  it('list literal hits in the order of the segments', () => {
    const names = searchIn(segmentOf(SHIPPED.slice(100)), segmentOf(SHIPPED.slice(0, 100)))
      .literal('')
      .map((tool) => tool.name);
    expect(names).toEqual([...SHIPPED.slice(100), ...SHIPPED.slice(0, 100)].map((tool) => tool.name));
  });
});

describe('the index of a segment', () => {
  it('is built in slices, once for all searches that share the segment', async () => {
    const shared = importOf(operations);
    let turns = 0;
    const clock = {
      turn: () => {
        turns++;
        return turn();
      },
    };
    const [one, other] = [searchIn(builtIn, shared), searchIn(shared)];
    await builtIn.ready({ turn });
    await Promise.all([one.ready(clock), other.ready(clock)]);
    expect(turns).toBeGreaterThanOrEqual(operations.length / 25);
    const needed = turns;
    await searchIn(shared).ready(clock);
    expect(turns).toBe(needed);
  });

  it('is finished at once by a search that does not wait', async () => {
    const hurried = importOf(operations);
    const waiting = hurried.ready({ turn });
    const found = rank([builtIn, hurried])('start my codespace');
    await waiting;
    expect(rank([builtIn, importOf(operations)])('start my codespace')).toEqual(found);
    expect(found).not.toEqual([]);
  });

  it('is shared by the toolboxes of all people who see the layer', async () => {
    const [any] = shipped.tools;
    const layer = (name: string) =>
      createLayer(
        [],
        any === undefined
          ? []
          : [{ tool: { ...any.tool, name: `${name}_ping` }, integration: { ...any.integration, name } }],
      );
    const everyone = layer('shared');
    const toolboxOf = createToolboxes({
      assets: createNoAssets(),
      searchCache: createSearchCache(),
      clock: { turn },
      texts: createCarriedTexts(searchTables),
      gate: { permissionsOf: withoutRules },
      registries: {
        builtIn: shipped,
        of: (userId) => Promise.resolve(stackRegistries([shipped, everyone, layer(userId)])),
      },
    });
    const [ada, bob] = [await toolboxOf(person('ada')), await toolboxOf(person('bob'))];
    expect(ada.search.segments.slice(0, 2)).toEqual(bob.search.segments.slice(0, 2));
    expect(ada.search.segments.map(({ isImported }) => isImported)).toEqual([false, true, true]);
    expect(ada.search.literal('_ping').map((tool) => tool.name)).toEqual(['shared_ping', 'ada_ping']);
    expect(bob.search.literal('_ping').map((tool) => tool.name)).toEqual(['shared_ping', 'bob_ping']);
  });

  it('keeps few words of a description that has only different ones', () => {
    const words = Array.from({ length: 200 }, (_, at) => `w${at}`).join(' ');
    const wide = importOf([{ name: 'wide_one', description: words, integration: 'wide' }]);
    expect(wide.index().postings.size).toBeLessThan(100);
  });
});

describe('imported tools', () => {
  it('are found for what people ask: a right one is among the first five for 85 of 100 sentences', () => {
    const known = new Set([...servers, ...operations].map(({ name }) => name));
    expect(IMPORTED.flatMap(([, right]) => right.split(' ')).filter((name) => !known.has(name))).toEqual([]);
    const found = qualityOf([builtIn, importOf(servers), importOf(operations)], IMPORTED);
    console.info(`imported tools, ${IMPORTED.length} sentences: ${JSON.stringify(found)}`);
    expect(found.five).toBeGreaterThanOrEqual(85);
  });

  it('are found by a word of their own language, although ours have another word for it', () => {
    const acme = importOf([
      {
        name: 'acme_termin_buchen',
        description: 'Termin in der Werkstatt',
        integration: 'acme',
      },
    ]);
    expect(rank([builtIn, acme])('einen Termin in der Werkstatt')).toContain('acme_termin_buchen');
  });

  it.each([
    ['create a planet', 'galaxy_create_planet', 'Create a planet.', 1],
    ['list check suites', 'hub_checks_list_suites_for_ref', 'List check suites for a Git reference.', 5],
    ['invitations of a repository', 'hub_repos_list_invitations', 'List repository invitations.', 1],
    ['add two numbers', 'everything_get_sum', 'Returns the sum of two numbers', 1],
  ])('are found by words of their names that ours read otherwise: %s', (query, name, description, within) => {
    const [integration = ''] = name.split('_');
    const small = importOf([
      { name, description, integration },
      { name: `${integration}_ping`, description: 'Says hello.', integration },
    ]);
    expect(rank([builtIn, small])(query).slice(0, within)).toContain(name);
  });

  it('are found so beside all operations of a large service', () => {
    const found = rank([builtIn, importOf(servers), importOf(operations)]);
    expect(found('list check suites')).toContain('octo_checks_list_suites_for_ref');
    expect(found('invitations of a repository')[0]).toBe('octo_repos_list_invitations');
    expect(found('add two numbers')[0]).toBe('everything_get_sum');
  });

  it('are found by mistyped words of their names', () => {
    expect(rank([builtIn, importOf(servers)])('read the knowlege grapf')).toContain('memory_read_graph');
  });

  it('come after ours among equals, unless only they are connected', () => {
    const copies = SHIPPED.filter(({ integration }) => integration === 'linear').map(
      ({ words: _, ...tool }) => ({
        ...tool,
        name: tool.name.replace('linear', 'straight'),
        integration: 'straight',
      }),
    );
    const ours = segmentOf(SHIPPED.filter(({ integration }) => integration === 'linear'));
    const search = searchIn(importOf(copies), ours);
    const first = (...connected: string[]) =>
      search.ranked('archive the cycle', { limit: 1, connected: new Set(connected) })[0]?.integration;
    expect(first()).toBe('linear');
    expect(first('linear', 'straight')).toBe('linear');
    expect(first('straight')).toBe('straight');
  });

  it('do not inherit the words of one of ours that has the same name', () => {
    const fake = importOf([{ name: 'web_fetch', description: 'Nothing.', integration: 'web' }]);
    expect(rank([fake])('read an article from its URL')).toEqual([]);
  });
});

describe('imported texts', () => {
  it.each([
    ['every sentence', [...TUNED, ...HELD_OUT]],
    ['the sentences that the ranking was not tuned with', HELD_OUT],
  ])('cost ours at most one percentage point, 1,000 tools with 20 stuffed ones: %s', (_of, rows) => {
    const stuffed = stuffedTools();
    const honest = [...servers, ...operations].slice(0, 1_000 - stuffed.length);
    const alone = qualityOf([builtIn], rows);
    const beside = qualityOf([builtIn, importOf(honest), importOf(stuffed)], rows);
    console.info(
      `${rows.length} sentences: ${JSON.stringify(alone)} alone, ${JSON.stringify(beside)} beside imports`,
    );
    expect(alone.first - beside.first).toBeLessThanOrEqual(1);
    expect(alone.five - beside.five).toBeLessThanOrEqual(1);
  });

  it('cost ours at most one percentage point when tools are named after each word of the dictionary', () => {
    const rows = [...TUNED, ...HELD_OUT];
    const foreign = new Set(
      [...VERBS, ...NOUNS].flatMap(([, german, french]) => `${german} ${french}`.split(' ')),
    );
    const hostile = [...foreign].map((word) => ({
      name: `boost_${word}`,
      description: 'Anything.',
      integration: 'boost',
    }));
    const [alone, beside] = [qualityOf([builtIn], rows), qualityOf([builtIn, importOf(hostile)], rows)];
    expect(alone.first - beside.first).toBeLessThanOrEqual(1);
    expect(alone.five - beside.five).toBeLessThanOrEqual(1);
  });

  it.each([
    ['the name of an import', 'email', 'email_use', 'Anything.', 'send an email to Bob'],
    ['a wrong spelling', 'acme', 'acme_use', 'List calender evnets.', 'list calender evnets'],
    ['a word of another language', 'acme', 'acme_use', 'Kalender, löschen.', 'Termin im Kalender löschen'],
    ['two words written as one', 'acme', 'acme_sendemail', 'createissue sendemail', 'send email to Bob'],
  ])('do not change the first hit for an everyday sentence: %s', (_by, integration, name, text, query) => {
    const hostile = Array.from({ length: 2_000 }, (_, at) => ({
      name: `${name}_${at}`,
      description: text,
      integration,
    }));
    const [first] = rank([builtIn])(query);
    expect(first).toBeDefined();
    expect(rank([builtIn, importOf(hostile)])(query)[0]).toBe(first);
  });
});

describe('names near an unknown one', () => {
  it('come from every layer, the nearest first', () => {
    const acme = importOf([{ name: 'github_list_isues', description: 'x', integration: 'github_fork' }]);
    const nearest = createNearest(shipped, searchIn(builtIn, acme));
    expect(nearest.tools('github_list_isues')[0]).toBe('github_list_isues');
    expect(nearest.tools('github_list_isue').slice(0, 2)).toEqual([
      'github_list_isues',
      'github_list_issues',
    ]);
    expect(nearest.tools('github_list_isue', shipped.integration('github'))[0]).toBe('github_list_issues');
  });
});
