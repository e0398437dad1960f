// Serves /api/sets: people choose tools for one address. reference: Sets
import { Hono } from 'hono';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import type { Identify } from '../kit/actor.ts';
import type { Integration, Tool } from '../kit/integration.ts';
import { readForm } from '../kit/read-form.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool, Registry } from '../kit/registry.ts';
import { parseServers, writeServers } from '../kit/set-servers.ts';
import { setPath } from '../kit/set-address.ts';
import { parseTools, writeTools } from '../kit/set-tools.ts';
import type { Ports } from '../ports/ports.ts';
import type { SetRecord } from '../ports/sets.ts';
import { EVERYONE } from '../ports/store.ts';
import { SETS_PER_OWNER, SHOWN_USES } from './model/limits.ts';
import { defineTool } from './model/definition.ts';
import { NOBODY, type SetPrompts } from './model/set-prompts.ts';
import {
  type DetailedSet,
  SetForm,
  type SetList,
  SetPatch,
  type ShownSet,
  type ShownSetTool,
} from './operations.ts';
import { callerOf, type OwnSets } from './own-sets.ts';
import { tokensOf } from './model/size.ts';

interface Decided {
  ofTool(integration: Integration, tool: Tool): { decision: string };
}

type Needs = Pick<Ports, 'clock' | 'config' | 'random' | 'store' | 'texts'> & {
  connected: { all(userId: string, integrations: readonly Integration[]): Promise<ReadonlySet<string>> };
  identify: Identify;
  ownSets: OwnSets;
  permissionsOf: (caller: PortalEnv['Variables']) => Decided | Promise<Decided>;
  registries: Registries;
  setPrompts: SetPrompts;
};

/** How often a change is tried again when another one came first. */
const ATTEMPTS = 5;

export function createSetRoutes(deps: Needs): Hono<PortalEnv> {
  const {
    clock,
    config,
    connected,
    identify,
    ownSets,
    permissionsOf,
    random,
    registries,
    setPrompts,
    store,
    texts,
  } = deps;
  const { requireEditable, requireSet, requireTeamChoice } = ownSets;
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  /** A set keeps what its owner had once. */
  async function requireTools(
    owner: string,
    names: readonly string[],
    had: readonly string[] = [],
  ): Promise<void> {
    const registry = await registries.of(owner === EVERYONE ? NOBODY : owner);
    const unknown = names.find((name) => registry.tool(name) === null && !had.includes(name));
    if (unknown === undefined) return;
    const whose = owner === EVERYONE ? 'Everyone has' : 'You have';
    throw new HttpError(400, {
      error: `tools: ${whose} no tool ${JSON.stringify(unknown)}. GET /api/tools?q= finds names`,
    });
  }

  const show = ({
    name,
    title,
    description,
    owner,
    tools,
    servers,
    created_at,
    updated_at,
  }: SetRecord): ShownSet => ({
    name,
    title,
    description,
    for: owner === EVERYONE ? 'everyone' : 'me',
    url: `${config.SERVER_PUBLIC_URL}${setPath(name)}`,
    tools: [...parseTools(tools)],
    servers: parseServers(servers).map((each) => ({ ...each, prompts: each.prompts !== null })),
    createdAt: created_at,
    updatedAt: updated_at,
  });

  app.get('/api/sets', signedIn, async (c) => {
    const sets = await store.sets.list(c.var.userId);
    return c.json({ sets: sets.map(show) } satisfies SetList);
  });

  app.post('/api/sets', signedIn, async (c) => {
    const { id: userId } = await loadUser(c, deps);
    const {
      name,
      title = '',
      description = '',
      tools,
      servers = [],
      for: whose,
    } = await readForm(c, SetForm);
    if (whose === 'everyone') await requireTeamChoice(c);
    const owner = whose === 'everyone' ? EVERYONE : userId;
    await requireTools(owner, tools);
    const now = clock.now();
    const record: SetRecord = {
      id: random.uuid(),
      owner,
      name,
      title: title === '' ? name : title,
      description,
      tools: writeTools(tools),
      servers: writeServers(await setPrompts.choose(callerOf(c), owner, servers)),
      created_by: userId,
      created_at: now,
      updated_at: now,
      version: random.uuid(),
    };
    const created = await store.sets.create(record, SETS_PER_OWNER);
    switch (created) {
      case 'created':
        return c.json(show(record), 201);
      case 'taken':
        throw new HttpError(409, { error: `There is a set ${JSON.stringify(name)} already` });
      case 'full':
        throw new HttpError(409, { error: `There are ${SETS_PER_OWNER} sets. Delete one first` });
      case 'gone':
        throw new HttpError(404, { error: 'User not found' });
    }
  });

  app.get('/api/sets/:name', signedIn, async (c) => {
    const set = await requireSet(c);
    const { userId } = c.var;
    const [registry, permissions, uses] = await Promise.all([
      registries.of(userId),
      permissionsOf(c.var),
      store.sets.uses(set.id, userId, SHOWN_USES),
      texts.all(),
    ]);
    const names = parseTools(set.tools);
    const found = names.flatMap((name) => registry.tool(name) ?? []);
    const integrations = [...new Set(found.map(({ integration }) => integration))];
    const live = await connected.all(userId, integrations);
    const stateOf = ({ tool, integration }: RegisteredTool, has: Registry): ShownSetTool['state'] => {
      if (!has.toolsOf(integration).includes(tool)) return 'held';
      return permissions.ofTool(integration, tool).decision === 'block' ? 'blocked' : 'listed';
    };
    const listed = names.map((name): ShownSetTool => {
      const one = registry.tool(name);
      if (one === null) return { name, state: 'gone' };
      const { title, description, ...rest } = defineTool(one, config);
      const characters = JSON.stringify({ ...rest, title, description }).length;
      const { access } = one.tool;
      const integration = one.integration.name;
      const about = { integration, title, description, access, connected: live.has(integration) };
      return { name, state: stateOf(one, registry), ...about, characters };
    });
    const characters = listed.reduce(
      (sum, tool) => sum + (tool.state === 'listed' ? (tool.characters ?? 0) : 0),
      0,
    );
    return c.json({
      ...show(set),
      prompts: parseServers(set.servers).flatMap(({ import: from, prompts }) =>
        (prompts ?? []).map(({ source: _, ...prompt }) => ({ ...prompt, import: from })),
      ),
      listed,
      size: { characters, tokens: tokensOf(characters) },
      uses: uses.map(({ caller, caller_name, last_used_at }) => ({
        caller,
        name: caller_name,
        lastUsedAt: last_used_at,
      })),
    } satisfies DetailedSet);
  });

  app.patch('/api/sets/:name', signedIn, async (c) => {
    const { title, description, tools, servers } = await readForm(c, SetPatch);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const set = await requireEditable(c);
      if (tools !== undefined) await requireTools(set.owner, tools, parseTools(set.tools));
      const next: SetRecord = {
        ...set,
        title: title === undefined ? set.title : title || set.name,
        description: description ?? set.description,
        tools: tools === undefined ? set.tools : writeTools(tools),
        servers:
          servers === undefined
            ? set.servers
            : writeServers(
                await setPrompts.choose(callerOf(c), set.owner, servers, parseServers(set.servers)),
              ),
        updated_at: clock.now(),
        version: random.uuid(),
      };
      if (await store.sets.update(set.version, next)) return c.json(show(next));
    }
    throw new HttpError(409, { error: 'Somebody else is changing this set. Try again' });
  });

  app.delete('/api/sets/:name', signedIn, async (c) => {
    const { id } = await requireEditable(c);
    await store.sets.delete(id);
    return c.json({ success: true } satisfies Success);
  });

  return app;
}
