// Brings together what the routes and the maintenance of imports need.
import type { Connected } from '../connections/model/connected.ts';
import type { Disconnects } from '../connections/model/disconnects.ts';
import type { Seal } from '../crypto/seal.ts';
import type { Integration } from '../kit/integration.ts';
import type { Notify } from '../kit/notice.ts';
import type { Registries } from '../kit/registries.ts';
import type { Lease } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import { EVERYONE } from '../ports/store.ts';
import { type AddImport, createAddImport } from './add-import.ts';
import { createAsk } from './ask.ts';
import { type ChangeImport, createChangeImport } from './change-import.ts';
import { createImportChecks, type ImportChecks } from './checks.ts';
import type { FindSource, Wanted } from './find-source.ts';
import type { McpClients } from './mcp/client.ts';
import { createImportSettings } from './model/settings.ts';
import type { Found } from './model/source-description.ts';
import { createHasSpace } from './model/space.ts';
import { createStoredImports, type StoredImport } from './model/stored-imports.ts';
import { createLookBeside } from './look-beside.ts';
import { keepOperatorServers } from './operator-servers.ts';
import { createPages } from './pages.ts';
import { createPin } from './pin.ts';
import type { PinnedTools } from './pinned/pin.ts';
import type { Sources } from './sources.ts';

export interface Imports extends ChangeImport {
  preview(wanted: Wanted, lease: Lease): Promise<PinnedTools & { found: Found }>;
  add: AddImport;
  /** Those of everyone, then the person's own. */
  list(userId: string): Promise<StoredImport[]>;
  find(userId: string, name: string): Promise<StoredImport | null>;
  /** What a person should know before accepting what waits. */
  warningsOf(stored: StoredImport): string[];
  /** Asks the source again, with the credential of the person. */
  check: ImportChecks['now'];
  checkDue: ImportChecks['due'];
  /** A connection was stored. */
  saved: (userId: string, integration: string) => Promise<void>;
  /** Brings the imports up to date with the operator's file. It runs once at each start, until `stop` at the latest. */
  start(stop: AbortSignal): Promise<void>;
  /** An account of the person was disconnected; without an account, all of them. */
  disconnected: (userId: string, integration: Integration, account?: string) => Promise<void>;
}

const MAX_IMPORT_NAME = 32;

type Needs = Pick<Ports, 'clock' | 'digest' | 'localServers' | 'log' | 'random' | 'store'> & {
  connected: Connected;
  disconnects: Disconnects;
  mcp: McpClients;
  notify: Notify;
  registries: Registries;
  seal: Seal;
  sources: Sources;
};

export function createImports(deps: Needs): Imports {
  const { mcp, registries, sources } = deps;

  /** A built-in integration keeps its name. */
  const findSource: FindSource = async (wanted, lease) => {
    const found = await sources.find(wanted, lease);
    if (registries.builtIn.integration(found.name) === null) return found;
    const { nameEnd } = sources.of(found, found.tools[0]);
    return { ...found, name: `${found.name.slice(0, MAX_IMPORT_NAME - nameEnd.length)}${nameEnd}` };
  };

  const settings = createImportSettings(deps);
  const lookBeside = createLookBeside(deps);
  const pin = createPin({ ...deps, builtIn: registries.builtIn });
  const hasSpace = createHasSpace(deps);
  const pages = createPages(deps);
  const storedImports = createStoredImports({ ...deps, settings });
  const checks = createImportChecks({
    ...deps,
    ask: createAsk(deps),
    hasSpace,
    lookBeside,
    pages,
    pin,
    storedImports,
  });

  return {
    ...createChangeImport({ ...deps, storedImports }),
    add: createAddImport({ ...deps, findSource, hasSpace, lookBeside, pages, pin, settings }),
    find: storedImports.find,
    warningsOf: ({ rows }) => pin.judgeWaiting(rows),
    check: checks.whenFree,
    checkDue: checks.due,
    start: (stop) =>
      keepOperatorServers({ ...deps, builtIn: registries.builtIn, checks, settings, storedImports }, stop),

    async saved(userId, name) {
      if (registries.builtIn.integration(name) !== null) return;
      await checks.connected(userId, name);
    },

    async preview(wanted, lease) {
      const found = await findSource(wanted, lease);
      const tools = await pin.tools(found.name, found.tools, found.address ?? '');
      const ofSource = pin.judge(found);
      return {
        found,
        pinned: tools.pinned,
        warnings: [...found.warnings, ...ofSource, ...tools.warnings],
        suspicions: [...ofSource, ...tools.suspicions],
      };
    },

    async list(userId) {
      const lists = await Promise.all([EVERYONE, userId].map((owner) => storedImports.list(owner)));
      return lists.flat();
    },

    async disconnected(userId, { imported }, account) {
      if (imported === undefined) return;
      const ended = account === undefined ? '' : `${account} `;
      // Anybody may have a session with the account of the team.
      await mcp.end(userId === EVERYONE ? `${imported.id} ` : `${imported.id} ${userId} ${ended}`);
    },
  };
}
