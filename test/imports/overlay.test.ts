// Checks how imports lie over the built-in integrations: what is read, what wins, and what is rebuilt.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRegistries } from '../../src/imports/overlay.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { defineIntegration, type Integration, tool } from '../../src/kit/integration.ts';
import type { ImportRecord } from '../../src/ports/records.ts';
import { EVERYONE, type Imports } from '../../src/ports/store.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { call, rpc } from '../support/mcp.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const make = (name: string, tools: readonly string[], said = name): Integration =>
  defineIntegration({
    name,
    version: '1.0.0',
    displayName: name,
    description: '',
    categories: [],
    logo: null,
    auth: { type: 'none' },
    tools: tools.map((each) =>
      tool(
        each,
        said,
        () => ({}),
        () => said,
      ),
    ),
  });

const record = (owner: string, name: string): ImportRecord => ({
  id: `${owner}-${name}`,
  owner,
  name,
  kind: 'mcp',
  display_name: name,
  description: '',
  address: null,
  settings: '',
  created_by: owner,
  created_at: 0,
  updated_at: 0,
  checked_at: 0,
  check_error: null,
  version: '1',
});

/** Imports of one tool each, whose reads are counted. */
function createStore(records: ImportRecord[]) {
  const reads: string[] = [];
  let version = 1;
  const imports: Pick<Imports, 'revision' | 'list' | 'tools'> = {
    async revision(userId) {
      reads.push('revision');
      const of = (owner: string) =>
        records.some((each) => each.owner === owner) ? `${owner}${version}` : null;
      return records.length === 0 ? null : { everyone: of(EVERYONE), own: of(userId), scripts: null };
    },
    async list(owner) {
      reads.push(`list ${owner}`);
      return records.filter((each) => each.owner === owner);
    },
    tools: async () => [],
  };
  return { imports, reads, records, change: () => (version += 1) };
}

function open(records: ImportRecord[], builtIn: readonly Integration[] = [make('core', ['core_get'])]) {
  const store = createStore(records);
  const registries = createRegistries({
    builtIn: createRegistry(builtIn),
    // The other parts of the store are not used.
    store: store as never,
    savedTools: async () => createRegistry([]),
    clock: createFakeClock(),
    digest: createNodeDigest(),
    buildImport: async ({ name, owner }) => ({
      integration: {
        ...make(name, [`${name}_get`], owner === EVERYONE ? 'everyone' : owner),
        imported: { id: name, kind: 'mcp', for: owner === EVERYONE ? 'everyone' : 'me' },
      },
      hidden: make(name, [`${name}_new`]).tools,
      characters: 0,
    }),
  });
  return { ...store, registries };
}

const namesFor = async ({ registries }: ReturnType<typeof open>, userId: string) =>
  (await registries.of(userId)).integrations.map(({ name }) => name);

describe('the registry of a person', () => {
  it('is the built-in one while nobody has imports', async () => {
    const opened = open([]);
    expect(await opened.registries.of('ana')).toBe(opened.registries.builtIn);
    expect(opened.reads).toEqual(['revision']);
  });

  it('has the imports of everyone and the own ones, and those of nobody else', async () => {
    const opened = open([record(EVERYONE, 'shared'), record('ana', 'anas'), record('ben', 'bens')]);
    expect(await namesFor(opened, 'ana')).toEqual(['core', 'shared', 'anas']);
    expect(await namesFor(opened, 'ben')).toEqual(['core', 'shared', 'bens']);
    expect(await namesFor(opened, 'eve')).toEqual(['core', 'shared']);
    expect(await opened.registries.tool('ben', 'anas_get')).toBeNull();
  });

  it('is kept until a revision changes', async () => {
    const opened = open([record(EVERYONE, 'shared'), record('ana', 'anas')]);
    const first = await opened.registries.of('ana');
    expect(await opened.registries.of('ana')).toBe(first);
    expect(opened.reads.filter((read) => read !== 'revision')).toEqual(['list ', 'list ana']);
    opened.records.push(record('ana', 'another'));
    opened.change();
    await Promise.resolve();
    await new Promise(setImmediate);
    expect(await namesFor(opened, 'ana')).toEqual(['core', 'shared', 'anas', 'another']);
  });

  it('is built once at a time, and not for each of many changes that come meanwhile', async () => {
    const opened = open([record('ana', 'anas')]);
    let running = 0;
    let most = 0;
    const { list } = opened.imports;
    opened.imports.list = async (owner) => {
      most = Math.max(most, ++running);
      const listed = await list(owner);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      running--;
      return listed;
    };
    const asked: Promise<string[]>[] = [];
    for (let change = 0; change < 8; change++) {
      opened.records.push(record('ana', `more${change}`));
      opened.change();
      asked.push(namesFor(opened, 'ana'));
      await new Promise(setImmediate);
    }
    for (const [change, names] of (await Promise.all(asked)).entries())
      expect(names).toContain(`more${change}`);
    expect(most).toBe(1);
    expect(opened.reads.filter((read) => read === 'list ana').length).toBeLessThanOrEqual(3);
    await new Promise(setImmediate);
    expect(await namesFor(opened, 'ana')).toHaveLength(10);
  });

  it('is built by those who come later when a build fails', async () => {
    const opened = open([record('ana', 'anas')]);
    const { list } = opened.imports;
    opened.imports.list = async () => {
      await new Promise(setImmediate);
      throw new Error('away');
    };
    const failed = opened.registries.of('ana');
    await new Promise(setImmediate);
    opened.imports.list = list;
    opened.change();
    const later = namesFor(opened, 'ana');
    await expect(failed).rejects.toThrow('away');
    expect(await later).toEqual(['core', 'anas']);
  });

  it('lists the tools of an integration, and reads nothing for a built-in one', async () => {
    const opened = open([record('ana', 'anas')]);
    const namesOf = async (integration: Integration) =>
      (await opened.registries.toolsOf('ana', integration)).map(({ name }) => name);
    const [core] = opened.registries.builtIn.integrations;
    if (core === undefined) throw new Error('there is no built-in integration');
    expect(await namesOf(core)).toEqual(['core_get']);
    expect(opened.reads).toEqual([]);
    const anas = await opened.registries.integration('ana', 'anas');
    if (anas === null) throw new Error('there is no import');
    expect(await namesOf(anas)).toEqual(['anas_get']);
  });

  it('lists no hidden tool, and finds it by its name', async () => {
    const opened = open([record('ana', 'anas')]);
    const registry = await opened.registries.of('ana');
    expect(registry.tools.map((each) => each.tool.name)).toEqual(['core_get', 'anas_get']);
    expect((await opened.registries.tool('ana', 'anas_new'))?.integration.name).toBe('anas');
  });

  it('keeps the built-in integration where an import has its name or the name of its tool', async () => {
    const builtIn = [make('core', ['core_get', 'anas_get'], 'built in')];
    const opened = open([record('ana', 'core'), record('ana', 'anas')], builtIn);
    const registry = await opened.registries.of('ana');
    expect(registry.integrations.map(({ name }) => name)).toEqual(['core', 'anas']);
    expect(registry.tools.map((each) => each.tool.description)).toEqual(['built in', 'built in']);
    expect(registry.tool('anas_get')?.tool.description).toBe('built in');
  });

  /** Imports that all have a tool of the same name. */
  const openSame = (records: ImportRecord[]) =>
    createRegistries({
      builtIn: createRegistry([]),
      store: open(records) as never,
      savedTools: async () => createRegistry([]),
      clock: createFakeClock(),
      digest: createNodeDigest(),
      buildImport: async ({ id, name }) => ({
        integration: {
          ...make(name, ['a_b_c'], name),
          imported: { id, kind: 'mcp', for: 'me', unlisted: [] },
        },
        hidden: [],
        characters: 0,
      }),
    });
  const toolsOf = async (records: ImportRecord[]) =>
    (await openSame(records).of('ana')).tools.map(({ tool: { name }, integration }) => [
      integration.name,
      name,
      integration.tools.map((each) => each.name).join(),
    ]);

  it('keeps the name of the older import where two have a tool of the same name, and shows both', async () => {
    const named = expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/);
    const records = [record('ana', 'a'), { ...record('ana', 'a_b'), created_at: -1 }];
    const tools = await toolsOf(records);
    expect(tools).toEqual([
      ['a_b', 'a_b_c', 'a_b_c'],
      ['a', named, named],
    ]);
    expect(await toolsOf(records.toReversed())).toEqual(tools);
  });

  it.each([
    ['everyone', -1, 'shared'],
    ['the person', 1, 'own'],
  ])('keeps the name of the older import of %s', async (_whose, created_at, kept) => {
    const records = [{ ...record(EVERYONE, 'shared'), created_at }, record('ana', 'own')];
    const tools = await toolsOf(records);
    expect(tools.find(([, name]) => name === 'a_b_c')?.[0]).toBe(kept);
    expect(new Set(tools.map(([, name]) => name)).size).toBe(2);
    // A person without such an import sees the plain name.
    expect((await openSame(records).of('ben')).tools.map(({ tool }) => tool.name)).toEqual(['a_b_c']);
  });

  it('keeps the import of everyone where a person has one of the same name', async () => {
    const opened = open([record(EVERYONE, 'acme'), record('ana', 'acme')]);
    const registry = await opened.registries.of('ana');
    expect(registry.integrations.map(({ name }) => name)).toEqual(['core', 'acme']);
    expect(registry.tool('acme_get')?.tool.description).toBe('everyone');
  });
});

describe('an import with many tools', () => {
  const TOOLS = 1_000;
  let app: TestApp;
  let ana: ImportUser;
  let userId: string;
  beforeEach(async () => {
    app = await createTestApp();
    const user = await app.user('owner@localhost');
    userId = user.id;
    ana = createImportUser(app, user);
    const operation = { responses: { 200: { description: 'OK' } } };
    const paths = Object.fromEntries(
      Array.from({ length: TOOLS }, (_, at) => [`/p${at}`, { get: operation }]),
    );
    await ana.add({
      document: JSON.stringify({ openapi: '3.1.0', info: { title: 'Many' }, paths }),
      base: 'https://many.example',
    });
  });
  afterEach(() => app.close());

  /** How often the work lets others have a turn. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    const { turn } = app.clock;
    let turns = 0;
    app.clock.turn = () => {
      turns++;
      return turn();
    };
    await work();
    app.clock.turn = turn;
    return turns;
  }

  it.each([
    ['its tools are listed', () => ana.get()],
    ['all imports are listed', () => ana.send('GET', '/api/imports')],
    ['it is changed', () => ana.change({ displayName: 'Others' })],
    ['its registry is built', () => app.deps.registries.of(userId)],
  ])('gives others a turn every 50 tools when %s', async (_, work) => {
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(TOOLS / 50);
  });
});

describe('a request for something built in', () => {
  let app: TestApp;
  const reads: string[] = [];
  beforeEach(async () => {
    app = await createTestApp();
    const { imports } = app.deps.store;
    for (const name of ['revision', 'list', 'tools', 'get'] as const) {
      const read: (...args: never[]) => unknown = imports[name];
      Object.assign(imports, {
        [name]: (...args: never[]) => {
          reads.push(name);
          return read(...args);
        },
      });
    }
    reads.length = 0;
  });
  afterEach(() => app.close());

  it('reads nothing of imports when it executes, describes or proxies', async () => {
    const ana = await app.user();
    const executions = [{ tool: 'time_now', args: {} }];
    await call(app, ana.keyHeader, 'execute_tools', { executions });
    await call(app, ana.keyHeader, 'get_tool_schema', { tool: 'github_get_issue' });
    await rpc(app, ana.keyHeader, 'tools/list');
    await app.request('/rest/time', { method: 'POST', headers: ana.keyHeader, body: '{"tool":"time_now"}' });
    await app.request('/c/github/user', { headers: ana.keyHeader });
    for (const path of ['/rest/github', '/rest/github/openapi.json', '/api/integrations/github'])
      expect((await app.request(path, { headers: ana.keyHeader })).status).toBe(200);
    expect(reads).toEqual([]);
    await call(app, ana.keyHeader, 'list_integrations');
    expect(reads).toEqual(['revision']);
  });
});
