// Lays the imports of everyone and of each person over the built-in integrations. decision: 041
import type { Registries, SavedTools } from '../kit/registries.ts';
import { createLayer, type RegisteredTool, type Registry, stackRegistries } from '../kit/registry.ts';
import { createLru } from '../memory/lru.ts';
import { createSharePerTick } from '../memory/share-per-tick.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { type AgedImport, type BuiltImport, createGiveWay, namesOf } from './give-way.ts';
import { listRecords } from './model/stored-imports.ts';

// Bounds the definitions of all layers together, in characters.
const MAX_CACHED_CHARACTERS = 64 * 1024 * 1024;
// An edge runtime has several gateways in one isolate, and little memory.
const MAX_CACHED_CHARACTERS_ISOLATED = 4 * 1024 * 1024;
// What a tool and an integration take beside their definitions.
const TOOL_CHARACTERS = 500;

export type BuildImport = (record: ImportRecord, tools: readonly ImportToolRecord[]) => Promise<BuiltImport>;

interface Layer {
  revision: string;
  registry: Registry;
  /** What the registry is made of. */
  imports: readonly AgedImport[];
}

interface Build {
  /** Null where it is read when the build begins. */
  revision: string | null;
  layer: Promise<Layer>;
  /** The build that begins after this one. Everybody who comes meanwhile waits for it. */
  next?: Promise<Layer>;
}

type Revision = NonNullable<Awaited<ReturnType<Ports['store']['imports']['revision']>>>;

const EMPTY: Layer = { revision: '', registry: createLayer([], []), imports: [] };
const nothing = (): void => {};

type Needs = Pick<Ports, 'clock' | 'digest' | 'store'> & {
  builtIn: Registry;
  buildImport: BuildImport;
  isIsolated?: boolean | undefined;
  savedTools: SavedTools;
};

export function createRegistries({
  builtIn,
  buildImport,
  clock,
  digest,
  isIsolated = false,
  savedTools,
  store,
}: Needs): Registries {
  const giveWay = createGiveWay({ digest });
  const layers = createLru<Layer>(isIsolated ? MAX_CACHED_CHARACTERS_ISOLATED : MAX_CACHED_CHARACTERS);
  // The stacks of a person's registry. They go when their layer leaves the cache.
  const stacks = new WeakMap<Layer, { everyone: Layer; registry: Registry }>();
  /** The same for the tools that people have saved. */
  const saves = new WeakMap<Registry, { below: Registry; registry: Registry }>();
  /** The build that runs for each owner. */
  const builds = new Map<string, Build>();
  // Calls of one turn of the event loop share a read.
  const revisions = createSharePerTick(clock, (userId: string) => store.imports.revision(userId));

  async function load(owner: string, revision: string): Promise<Layer> {
    const listed = await listRecords(store, owner);
    const built: AgedImport[] = [];
    for (const { record, rows } of listed) {
      built.push({ ...(await buildImport(record, rows)), record });
      // Many tools take a while, and others are served meanwhile.
      await clock.turn();
    }
    const imports = giveWay(built);
    const layer = { revision, imports, registry: registryOf(imports) };
    const tools = imports.reduce(
      (sum, { integration: { imported, tools: granted }, hidden }) =>
        sum + granted.length + hidden.length + (imported?.unlisted?.length ?? 0),
      1,
    );
    const texts = imports.reduce((sum, { characters }) => sum + characters, 0);
    layers.set(owner, layer, texts + tools * TOOL_CHARACTERS);
    return layer;
  }

  function layerOf(owner: string, revision: string | null): Layer | Promise<Layer> {
    if (revision === null) return EMPTY;
    const known = layers.get(owner);
    if (known?.revision === revision) return known;
    // There, a request must not wait for the work of another.
    if (isIsolated) return load(owner, revision);
    const running = builds.get(owner);
    if (running === undefined) return begin(owner, revision, load(owner, revision));
    if (running.revision === revision) return running.layer;
    // A build that begins later reads whatever this revision has.
    running.next ??= running.layer.then(nothing, nothing).then(() => begin(owner, null, loadNewest(owner)));
    return running.next;
  }

  function begin(owner: string, revision: string | null, layer: Promise<Layer>): Promise<Layer> {
    const build: Build = { revision, layer };
    builds.set(owner, build);
    const end = () => {
      if (build.next === undefined) builds.delete(owner);
    };
    layer.then(end, end);
    return layer;
  }

  async function loadNewest(owner: string): Promise<Layer> {
    const revision = await revisions.read(owner);
    const newest = owner === EVERYONE ? revision?.everyone : revision?.own;
    if (newest === undefined || newest === null) return EMPTY;
    const known = layers.get(owner);
    return known?.revision === newest ? known : load(owner, newest);
  }

  async function of(userId: string): Promise<Registry> {
    const revision = await revisions.read(userId);
    if (revision === null) return builtIn;
    const imported = await withImports(userId, revision);
    return revision.scripts === null
      ? imported
      : withSaved(imported, await savedTools(userId, revision.scripts));
  }

  /** What is below keeps its names. */
  function withSaved(below: Registry, saved: Registry): Registry {
    const known = saves.get(saved);
    if (known?.below === below) return known.registry;
    const tools = saved.tools.filter(({ tool }) => below.tool(tool.name) === null);
    const registry = tools.length === 0 ? below : stackRegistries([below, createLayer([], tools)]);
    saves.set(saved, { below, registry });
    return registry;
  }

  async function withImports(userId: string, revision: Revision): Promise<Registry> {
    const everyone = await layerOf(EVERYONE, revision.everyone);
    const own = userId === EVERYONE ? EMPTY : await layerOf(userId, revision.own);
    const top = own === EMPTY ? everyone : own;
    const known = stacks.get(top);
    if (known?.everyone === everyone) return known.registry;
    const registry = stack(everyone, own);
    if (top !== EMPTY) stacks.set(top, { everyone, registry });
    return registry;
  }

  function stack(everyone: Layer, own: Layer): Registry {
    let parts = [everyone.registry, own.registry];
    // An import of everyone hides a personal one with its name.
    const seen = own.imports.filter(
      ({ integration: { name } }) => everyone.registry.integration(name) === null,
    );
    if (seen.some((built) => namesOf(built).some((name) => everyone.registry.tool(name) !== null))) {
      const all = giveWay([...everyone.imports, ...seen]);
      const ids = new Set(everyone.imports.map(({ record }) => record.id));
      const { shared = [], personal = [] } = Object.groupBy(all, ({ record }) =>
        ids.has(record.id) ? 'shared' : 'personal',
      );
      parts = [registryOf(shared), registryOf(personal)];
    }
    const below: Registry[] = [builtIn];
    for (const part of parts) if (part.integrations.length > 0) below.push(withoutNames(part, below));
    return stackRegistries(below);
  }

  return {
    builtIn,
    of,
    integration: (userId, name) =>
      builtIn.integration(name) ?? of(userId).then((registry) => registry.integration(name)),
    tool: async (userId, name) => builtIn.tool(name) ?? (await of(userId)).tool(name),
    toolsOf: async (userId, integration) =>
      (integration.imported === undefined && integration.isPersonal !== true
        ? builtIn
        : await of(userId)
      ).toolsOf(integration),
  };
}

function registryOf(imports: readonly AgedImport[]): Registry {
  const shown: RegisteredTool[] = [];
  const waiting: RegisteredTool[] = [];
  for (const { hidden, integration } of imports) {
    for (const tool of integration.tools) shown.push({ tool, integration });
    for (const tool of hidden) waiting.push({ tool, integration });
  }
  return createLayer(
    imports.map(({ integration }) => integration),
    shown,
    waiting,
  );
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
