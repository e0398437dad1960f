// Tests what a ranked search adds to the words of the gateway: foreign catalogues, word vectors, several wishes, weak hits and the map.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFsAssets } from '../../drivers/assets/fs.ts';
import { searchTables } from '../../src/search/tables.ts';
import { createCarriedTexts } from '../../drivers/texts/carried.ts';
import { createNoAssets } from '../../drivers/assets/none.ts';
import { type Identity, PERSONAL_KEY } from '../../src/kit/actor.ts';
import type { Integration } from '../../src/kit/integration.ts';
import { createLayer, type Registry, stackRegistries } from '../../src/kit/registry.ts';
import type { Assets } from '../../src/ports/assets.ts';
import { mapOf } from '../../src/search/integration-map.ts';
import { createSearchCache } from '../../src/search/search-cache.ts';
import type { Search } from '../../src/search/search.ts';
import { createToolboxes } from '../../src/search/toolbox.ts';
import { readWordVectors } from '../../src/search/word-vectors.ts';
import { readCorpora } from '../eval/corpora.ts';
import { sentencesOf } from '../eval/own-imports.ts';
import { createRankers, type Rankers } from '../eval/rankers.ts';
import { importOf, searchIn, segmentOf, SHIPPED, shipped } from '../support/shipped-search.ts';

const PUBLIC = join(import.meta.dirname, '../../portal/public');
const corpora = readCorpora(join(import.meta.dirname, '../eval/corpora'));
const imported = corpora.find(({ name }) => name === 'imported');
const imports = imported?.imports ?? [];

let rankers: Rankers;
let search: Search;
beforeAll(async () => {
  rankers = await createRankers(imports);
  ({ search } = rankers);
});

const nothing = new Set<string>();
const find = (query: string, limit = 5) => search.find(query, { limit, connected: nothing });
const names = (query: string, limit = 5): string[] => find(query, limit).hits.map(({ tool }) => tool.name);

describe('a ranked search over imports', () => {
  it('finds tools by the words of their names, beside all built-in tools', () => {
    const queries = imports.flat().flatMap(sentencesOf);
    const found = queries.filter(({ query, right }) => names(query).some((name) => right.includes(name)));
    expect(found.length / queries.length).toBeGreaterThanOrEqual(0.98);
  });

  it('finds more than plain BM25 in sentences that were never tuned with', () => {
    const recallOf = (rank: (query: string) => readonly string[]): number => {
      const queries = imported?.queries ?? [];
      return (
        queries.filter(({ query, right }) => rank(query).some((name) => right.includes(name))).length /
        queries.length
      );
    };
    expect(recallOf(rankers.whole)).toBeGreaterThan(recallOf(rankers.bm25) + 0.08);
  });

  it('answers whatever shares a rare word with a tool', () => {
    expect(names('the thing with postage, you know which')).toContain('parcelwise_estimate_postage');
    expect(names('snapshot of everything that we have')).toContain('stackhost_take_snapshot');
  });

  it('corrects typing errors in the words of imports', () => {
    expect(names('estimate the postge for Norway')[0]).toBe('parcelwise_estimate_postage');
  });

  it('finds tools by the names of their arguments', () => {
    expect(names('something with a polygon')[0]).toBe('cartograph_measure_area');
    expect(names('celsius')).toContain('hearthhub_set_thermostat');
  });

  it('finds what is said in other words with the word vectors, and not without them', () => {
    const query = 'is it going to rain tomorrow in Oslo';
    expect(rankers.merged(query)).not.toContain('skycast_get_forecast');
    expect(rankers.whole(query)).toContain('skycast_get_forecast');
  });

  it('puts the connected one first between tools that do the same', () => {
    const twins = ['alpha', 'beta'].map((integration) =>
      importOf([{ name: `${integration}_brew_coffee`, description: 'Brew coffee.', integration }]),
    );
    const both = searchIn(segmentOf(SHIPPED), ...twins);
    for (const name of ['alpha', 'beta'])
      expect(both.ranked('brew coffee', { limit: 2, connected: new Set([name]) })[0]?.integration).toBe(name);
  });

  it('finds nothing for words that no tool and no vector knows', () => {
    expect(names('xyzzy qwrtz')).toEqual([]);
  });
});

describe('a sentence with several wishes', () => {
  it('gets a tool for each of them among five', () => {
    const found = names('translate the text into Finnish and schedule a pickup by the courier');
    expect(found).toContain('polyglot_translate_text');
    expect(found).toContain('parcelwise_schedule_pickup');
  });

  it('keeps the first three places of the whole', () => {
    const query = 'create a campaign and list the subscribers of an audience';
    expect(names(query, 5).slice(0, 3)).toEqual(names(query, 3));
  });
});

describe('weak hits and the map', () => {
  const listed = [
    ...shipped.integrations,
    ...imports.map((tools) => ({
      name: tools[0]?.integration ?? '',
      description: `${tools[0]?.description} `.repeat(20),
      imported: { id: '', kind: 'mcp', for: 'me' } as const,
    })),
  ];
  const mapFor = (query: string, connected = nothing) => mapOf(listed, find(query), connected, () => 7);

  it('marks hits that say little of the query', () => {
    expect(find('list the subscribers of the audience').hits[0]?.isWeak).toBe(false);
    expect(find('do I have to take an umbrella on Saturday').hits[0]?.isWeak ?? true).toBe(true);
  });

  it('show imports and connected integrations first, at most forty in two kilobytes', () => {
    const map = mapFor('do I have to take an umbrella on Saturday', new Set(['trello']));
    expect(map.length).toBeGreaterThan(imports.length);
    expect(map.length).toBeLessThanOrEqual(40);
    expect(Buffer.byteLength(JSON.stringify(map))).toBeLessThanOrEqual(2_000);
    const near = new Set(['trello', ...imports.map((tools) => tools[0]?.integration ?? '')]);
    expect(map.slice(0, near.size).every(({ name }) => near.has(name))).toBe(true);
  });

  it('are left out for a sure hit, and short for one that is not', () => {
    expect(mapFor('list the subscribers of the audience')).toEqual([]);
    const short = mapFor('open the ticket sale of Saturday');
    expect(short.length).toBeLessThanOrEqual(40);
  });

  it('are shown where tools of two integrations fit as well, although the words are all there', () => {
    const servers = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa'];
    const mapOver = (...twins: readonly string[]) => {
      const made = twins.map((integration) => [
        { name: `${integration}_brew_coffee`, description: 'Brew coffee.', integration },
      ]);
      const several = searchIn(segmentOf(SHIPPED), ...made.map(importOf));
      const found = several.find('brew coffee', { limit: 5, connected: nothing });
      const mine = twins.map((name) => ({
        name,
        description: '',
        imported: { id: '', kind: 'mcp', for: 'me' } as const,
      }));
      return mapOf([...shipped.integrations, ...mine], found, nothing, () => 1);
    };
    expect(mapOver('alpha')).toEqual([]);
    expect(
      mapOver(...servers)
        .slice(0, servers.length)
        .map(({ name }) => name),
    ).toEqual(servers);
  });
});

describe('the word vectors', () => {
  const person: Identity = { userId: 'ada', actor: PERSONAL_KEY };
  const openPermissions = { isOpen: true } as never; // Only this member is read.
  const toolboxesWith = (assets: Pick<Assets, 'get'>) =>
    createToolboxes({
      assets,
      clock: { turn: async () => {} },
      texts: createCarriedTexts(searchTables),
      gate: { permissionsOf: async () => openPermissions },
      registries: { builtIn: shipped, of: async () => shipped },
      searchCache: createSearchCache(),
    });

  it('are read by the first ranked search, once, and by nothing else', async () => {
    const files = createFsAssets(PUBLIC);
    const read: string[] = [];
    const toolboxOf = toolboxesWith({
      get: (path) => {
        read.push(path);
        return files.get(path);
      },
    });
    await toolboxOf(person);
    expect(read).toEqual([]);
    await toolboxOf(person, { words: true });
    await toolboxOf(person, { words: true });
    expect(read).toEqual(['search/words.bin']);
  });

  it('may be absent, or another file', async () => {
    const index = {
      body: new TextEncoder().encode('<!doctype html>'),
      contentType: 'text/html',
      immutable: false,
    };
    for (const assets of [createNoAssets(), { get: async () => index }]) {
      const { search: without } = await toolboxesWith(assets)(person, { words: true });
      expect(without.ranked('create a github issue', { limit: 1, connected: nothing })[0]?.name).toBe(
        'github_create_issue',
      );
    }
  });

  it('know that words are near', () => {
    const words = readWordVectors(new Uint8Array(readFileSync(join(PUBLIC, 'search/words.bin'))));
    const near = words
      .among(['weather', 'invoice', 'garden'])('rain', 0.3)
      .map(({ stem }) => stem);
    expect(near[0]).toBe('weather');
    expect(near).not.toContain('invoice');
  });
});

describe('the index of an import', () => {
  const person: Identity = { userId: 'ada', actor: PERSONAL_KEY };
  const [any] = shipped.tools;
  const layerOf = (...defined: [id: string, digest: string][]): Registry => {
    const made = defined.flatMap(([id, digest]) => {
      if (any === undefined) return [];
      const integration: Integration = {
        ...any.integration,
        name: id,
        imported: { id, kind: 'mcp', for: 'me' },
      };
      const { description, access, schema, parse, run } = any.tool;
      return [{ tool: { name: `${id}_ping`, description, access, schema, parse, run, digest }, integration }];
    });
    return createLayer(
      made.map(({ integration }) => integration),
      made,
    );
  };

  it('stays when another import changes, and is made again when a definition of its own does', async () => {
    let layer = layerOf(['one', 'd1'], ['two', 'd2']);
    const toolboxOf = createToolboxes({
      assets: createNoAssets(),
      clock: { turn: async () => {} },
      texts: createCarriedTexts(searchTables),
      gate: { permissionsOf: async () => ({ isOpen: true }) as never }, // Only this member is read.
      registries: { builtIn: shipped, of: async () => stackRegistries([shipped, layer]) },
      searchCache: createSearchCache(),
    });
    const segments = async () => (await toolboxOf(person)).search.segments;
    const [builtIn, one, two] = await segments();
    layer = layerOf(['one', 'd1'], ['two', 'changed']);
    const [builtInLater, oneLater, twoLater] = await segments();
    expect(builtInLater).toBe(builtIn);
    expect(oneLater).toBe(one);
    expect(twoLater).not.toBe(two);
  });
});
