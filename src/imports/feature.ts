// Integrations that people add: MCP servers, OpenAPI descriptions and GraphQL schemas.
import type { RunningWork } from '../auth/running-work.ts';
import type { ConnectionChange } from '../kit/connection-change.ts';
import type { Feature, Round } from '../kit/feature.ts';
import { taking } from '../kit/parts.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import { createImports, type Imports } from './imports.ts';
import { createBuildImport } from './integration.ts';
import { createMcpClients } from './mcp/clients.ts';
import { createClientDocumentRoutes } from './oauth/client-documents.ts';
import { createDynamicProviders } from './oauth/dynamic-providers.ts';
import { checked, importEntry, importOperations, shownAuth } from './operations.ts';
import { createRegistries } from './overlay.ts';
import { createImportRoutes } from './routes.ts';
import { sealedSettings } from './sealed-settings.ts';
import { createSources } from './sources.ts';

type McpNeeds = Omit<Parameters<typeof createMcpClients>[0], 'hold'> & { runningWork: RunningWork };
type RegistriesNeeds = Omit<Parameters<typeof createRegistries>[0], 'builtIn'> & { registry: Registry };

export const importsFeature = {
  name: 'imports',
  parts: {
    buildImport: createBuildImport,
    dynamicProviders: taking(createDynamicProviders, [
      'clock',
      'config',
      'egress',
      'random',
      'seal',
      'store',
    ]),
    imports: taking(createImports, [
      'clock',
      'connected',
      'digest',
      'disconnects',
      'localServers',
      'log',
      'mcp',
      'random',
      'registries',
      'seal',
      'sources',
      'store',
    ]),
    mcp: ({ clock, isIsolated = false, localServers, log, runningWork: { hold } }: McpNeeds) =>
      createMcpClients({ clock, hold, isIsolated, localServers, log }),
    registries: ({
      buildImport,
      clock,
      digest,
      isIsolated = false,
      registry: builtIn,
      savedTools,
      store,
    }: RegistriesNeeds) =>
      createRegistries({ builtIn, buildImport, clock, digest, isIsolated, savedTools, store }),
    sources: taking(createSources, [
      'clock',
      'config',
      'digest',
      'egress',
      'heavyTurn',
      'isIsolated',
      'mcp',
      'memoryBudget',
      'openUpstream',
      'random',
      'store',
      'tokens',
    ]),
  },
  routes: { portal: [createImportRoutes], open: [createClientDocumentRoutes] },
  operations: [importOperations],
  schemas: () => [
    { name: 'Import', schema: importEntry(), io: 'output' },
    { name: 'ImportAuth', schema: shownAuth(), io: 'output' },
    { name: 'ImportChanges', schema: checked(), io: 'output' },
  ],
  chores: (
    { imports, store }: Pick<Ports, 'store'> & { imports: Pick<Imports, 'checkDue'> },
    { stop }: Round,
  ) => ({
    'import checks': () => imports.checkDue(stop),
    'pages of deleted imports': () => store.importPages.sweep(),
  }),
  sealed: [sealedSettings],
  personal: {
    export:
      ({ store }: Pick<Ports, 'store'>) =>
      ({ id }) => ({
        async imports() {
          const records = await store.imports.list(id);
          return records.map(({ settings: _, owner: __, created_by: ___, ...record }) => record);
        },
      }),
    erase:
      ({ imports }: { imports: Pick<Imports, 'list' | 'remove'> }) =>
      async (userId) => {
        for (const stored of await imports.list(userId))
          if (stored.record.owner === userId) await imports.remove(userId, stored);
      },
  },
  connectionChanged:
    ({ imports }: { imports: Pick<Imports, 'disconnected' | 'saved'> }) =>
    async ({ kind, userId, integration, ended }: ConnectionChange) => {
      if (kind === 'saved') await imports.saved(userId, integration);
      if (ended !== undefined) await imports.disconnected(userId, ended.integration, ended.account);
    },
} satisfies Feature;
