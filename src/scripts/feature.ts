// Scripts: programs that call tools, their runs, and the tools that people make of them. decision: 059
import type { Config } from '../config/config.ts';
import type { Feature } from '../kit/feature.ts';
import type { Registries, SavedTools } from '../kit/registries.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import { createCallTool } from './call-tool.ts';
import { createScriptsIntegration } from './integration.ts';
import { MOST_RUNS, MOST_SCRIPTS } from './limits.ts';
import { SCRIPTS } from './names.ts';
import { scriptOperations } from './operations.ts';
import { createScriptRoutes } from './routes.ts';
import { createRunScripts, type RunScripts } from './run-scripts.ts';
import { createSavedScripts, type SavedScripts } from './saved-scripts.ts';
import { sealedCalls, sealedRuns } from './sealed-runs.ts';
import { createSit } from './sit.ts';

type Stored = Pick<Ports, 'store'>;
type RunNeeds = Omit<Parameters<typeof createRunScripts>[0], 'sit'> &
  Omit<Parameters<typeof createSit>[0], 'callTool' | 'scriptRunner'> &
  Parameters<typeof createCallTool>[0] &
  Pick<Ports, 'scriptRunner'>;
/** Calls of tools need the integration of scripts, so it looks for them when it is used. */
type Late = { registries: Registries; registry: Registry; runScripts: RunScripts | null };
type SavedNeeds = Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> & Pick<Presence, 'config'> & Late;

interface Presence extends Pick<Ports, 'scriptRunner'> {
  config: Pick<Config, 'SCRIPTS' | 'NODE_ORIGIN'>;
  /** True on an edge runtime: the Node gateway behind it runs the scripts. */
  isIsolated?: boolean;
}

const isPresent = ({ config, isIsolated = false, scriptRunner }: Presence): boolean =>
  config.SCRIPTS && (scriptRunner !== undefined || isIsolated);

const awayText = ({ NODE_ORIGIN }: Presence['config']): string =>
  NODE_ORIGIN === undefined
    ? 'Scripts need a Node gateway. This one runs at the edge, and NODE_ORIGIN is not set. Call the tools one by one'
    : 'Scripts run on the Node gateway behind this one, which takes calls of at most 1 MiB over MCP. Send a longer one to /rest/scripts';

export const scriptsFeature = {
  name: 'scripts',
  parts: {
    runScripts: (deps: RunNeeds): RunScripts | null => {
      const { clock, digest, gate, log, random, registries, scriptRunner, seal, store, texts } = deps;
      if (scriptRunner === undefined) return null;
      const callTool = createCallTool(deps);
      const sit = createSit({ callTool, clock, digest, log, random, scriptRunner, seal, store });
      return createRunScripts({ clock, digest, gate, random, registries, seal, sit, store, texts });
    },
    savedScripts: (deps: SavedNeeds): SavedScripts => {
      const { clock, digest, random, store } = deps;
      return createSavedScripts({
        away: awayText(deps.config),
        clock,
        digest,
        random,
        store,
        registries: { tool: (userId, name) => deps.registries.tool(userId, name) },
        integration: () => deps.registry.integration(SCRIPTS),
        runScripts: () => deps.runScripts,
      });
    },
    savedTools:
      ({ savedScripts }: { savedScripts: SavedScripts }): SavedTools =>
      (userId, revision) =>
        savedScripts.toolsOf(userId, revision),
  },
  integrations: [
    (deps: Stored & Presence & { savedScripts: SavedScripts } & Pick<Late, 'runScripts'>) =>
      isPresent(deps)
        ? createScriptsIntegration({
            away: awayText(deps.config),
            runScripts: () => deps.runScripts,
            savedScripts: deps.savedScripts,
            store: deps.store,
          })
        : null,
  ],
  routes: { portal: [createScriptRoutes] },
  operations: [scriptOperations],
  sealed: [sealedRuns, sealedCalls],
  personal: {
    export:
      ({ store }: Stored) =>
      ({ id }) => ({
        scripts: async () =>
          (await store.scripts.list(id)).map(({ owner: _, reviewed_by: __, ...script }) => script),
        async scriptRuns() {
          const runs = await store.scriptRuns.list(id, MOST_RUNS.runs);
          return runs.map(({ user_id: _, sealed: __, slot: ___, version: ____, ...run }) => run);
        },
      }),
  },
  limits:
    ({ store }: Stored) =>
    async (userId) => {
      const [scripts, { runs }] = await Promise.all([
        store.scripts.list(userId),
        store.scriptRuns.used(userId),
      ]);
      return [
        { name: 'scripts', used: scripts.length, limit: MOST_SCRIPTS.scripts },
        { name: 'scriptRuns', used: runs, limit: MOST_RUNS.runs },
      ];
    },
} satisfies Feature;
