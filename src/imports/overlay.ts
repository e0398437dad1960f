// Lays the imports of everyone and of each person over the built-in integrations. decision: 041
import type { Integration, Tool } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { createLayer, type RegisteredTool, type Registry, stackRegistries } from '../kit/registry.ts';
import { createLru } from '../memory/lru.ts';
import { createSharePerTick } from '../memory/share-per-tick.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { listRecords } from './model/stored-imports.ts';

// Bounds the definitions of all layers together, in characters.
const MAX_CACHED_CHARACTERS = 64 * 1024 * 1024;
// An edge runtime has several gateways in one isolate, and little memory.
const MAX_CACHED_CHARACTERS_ISOLATED = 4 * 1024 * 1024;
// What a tool and an integration take beside their definitions.
const TOOL_CHARACTERS = 500;

export interface BuiltImport {
  integration: Integration;
  /** The tools that wait for a person: calling one says so. */
  hidden: readonly Tool[];
  /** What the definitions take in memory. */
  characters: number;
}

export type BuildImport = (record: ImportRecord, tools: readonly ImportToolRecord[]) => Promise<BuiltImport>;

interface Layer {
  revision: string;
  registry: Registry;
}

interface Build {
  /** Null where it is read when the build begins. */
  revision: string | null;
  registry: Promise<Registry>;
  /** The build that begins after this one. Everybody who comes meanwhile waits for it. */
  next?: Promise<Registry>;
}

const EMPTY = createLayer([], []);
const nothing = (): void => {};

type Needs = Pick<Ports, 'clock' | 'store'> & {
  builtIn: Registry;
  buildImport: BuildImport;
  isIsolated?: boolean | undefined;
};

export function createRegistries({
  builtIn,
  buildImport,
  clock,
  isIsolated = false,
  store,
}: Needs): Registries {
  const layers = createLru<Layer>(isIsolated ? MAX_CACHED_CHARACTERS_ISOLATED : MAX_CACHED_CHARACTERS);
  // The stacks of a person's registry. They go when their layer leaves the cache.
  const stacks = new WeakMap<Registry, { everyone: Registry; registry: Registry }>();
  /** The build that runs for each owner. */
  const builds = new Map<string, Build>();
  // Calls of one turn of the event loop share a read.
  const revisions = createSharePerTick(clock, (userId: string) => store.imports.revision(userId));

  async function load(owner: string, revision: string): Promise<Registry> {
    const listed = await listRecords(store, owner);
    // An older import keeps the names of its tools.
    const byAge = listed.toSorted(
      ({ record: one }, { record: other }) =>
        one.created_at - other.created_at || (one.id < other.id ? -1 : 1),
    );
    const built: BuiltImport[] = [];
    for (const { record, rows } of byAge) {
      built.push(await buildImport(record, rows));
      // Many tools take a while, and others are served meanwhile.
      await clock.turn();
    }
    const taken = new Set<string>();
    const shown: RegisteredTool[] = [];
    const waiting: RegisteredTool[] = [];
    for (const each of built) {
      const isFree = ({ name }: Tool): boolean => !taken.has(name);
      const { integration } = each;
      shown.push(...integration.tools.filter(isFree).map((tool) => ({ tool, integration })));
      waiting.push(...each.hidden.filter(isFree).map((tool) => ({ tool, integration })));
      for (const { name } of [...integration.tools, ...each.hidden]) taken.add(name);
    }
    const integrations = built.map(({ integration }) => integration);
    const registry = createLayer(integrations, shown, waiting);
    const tools = built.reduce(
      (sum, { integration: { imported, tools: granted }, hidden }) =>
        sum + granted.length + hidden.length + (imported?.unlisted?.length ?? 0),
      1,
    );
    const texts = built.reduce((sum, { characters }) => sum + characters, 0);
    layers.set(owner, { revision, registry }, texts + tools * TOOL_CHARACTERS);
    return registry;
  }

  function layerOf(owner: string, revision: string | null): Registry | Promise<Registry> {
    if (revision === null) return EMPTY;
    const known = layers.get(owner);
    if (known?.revision === revision) return known.registry;
    // There, a request must not wait for the work of another.
    if (isIsolated) return load(owner, revision);
    const running = builds.get(owner);
    if (running === undefined) return begin(owner, revision, load(owner, revision));
    if (running.revision === revision) return running.registry;
    // A build that begins later reads whatever this revision has.
    running.next ??= running.registry
      .then(nothing, nothing)
      .then(() => begin(owner, null, loadNewest(owner)));
    return running.next;
  }

  function begin(owner: string, revision: string | null, registry: Promise<Registry>): Promise<Registry> {
    const build: Build = { revision, registry };
    builds.set(owner, build);
    const end = () => {
      if (build.next === undefined) builds.delete(owner);
    };
    registry.then(end, end);
    return registry;
  }

  async function loadNewest(owner: string): Promise<Registry> {
    const revision = await revisions.read(owner);
    const newest = owner === EVERYONE ? revision?.everyone : revision?.own;
    if (newest === undefined || newest === null) return EMPTY;
    const known = layers.get(owner);
    return known?.revision === newest ? known.registry : load(owner, newest);
  }

  async function of(userId: string): Promise<Registry> {
    const revision = await revisions.read(userId);
    if (revision === null) return builtIn;
    const everyone = await layerOf(EVERYONE, revision.everyone);
    const own = await layerOf(userId, revision.own);
    const top = own === EMPTY ? everyone : own;
    const known = stacks.get(top);
    if (known?.everyone === everyone) return known.registry;
    const below = [builtIn, ...(everyone === EMPTY ? [] : [withoutNames(everyone, [builtIn])])];
    const registry = stackRegistries(own === EMPTY ? below : [...below, withoutNames(own, below)]);
    if (top !== EMPTY) stacks.set(top, { everyone, registry });
    return registry;
  }

  return {
    builtIn,
    of,
    integration: async (userId, name) => builtIn.integration(name) ?? (await of(userId)).integration(name),
    tool: async (userId, name) => builtIn.tool(name) ?? (await of(userId)).tool(name),
    toolsOf: async (userId, integration) =>
      (integration.imported === undefined ? builtIn : await of(userId)).toolsOf(integration),
  };
}

/** Leaves out what a layer below has by the same name: a newer version of the gateway may bring an integration. */
function withoutNames(layer: Registry, below: readonly Registry[]): Registry {
  const isFree = ({ tool, integration }: RegisteredTool): boolean =>
    below.every((each) => each.tool(tool.name) === null && each.integration(integration.name) === null);
  const tools = layer.tools.filter(isFree);
  const integrations = layer.integrations.filter(({ name }) =>
    below.every((each) => each.integration(name) === null),
  );
  if (tools.length === layer.tools.length && integrations.length === layer.integrations.length) return layer;
  return createLayer(integrations, tools, layer.hidden.filter(isFree));
}
