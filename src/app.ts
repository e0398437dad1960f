// Builds the application: mounts every surface in the documented order of precedence, and nothing else.
import { Hono } from 'hono';
import { createCallRoutes } from './audit/details/routes.ts';
import { createAuditRoutes } from './audit/routes.ts';
import { createSealingRoutes } from './audit/sealing/routes.ts';
import { createIsAdministrator } from './auth/administrators.ts';
import { createIdentify } from './auth/caller.ts';
import type { PortalEnv } from './auth/portal-user.ts';
import { createAuthRoutes } from './auth/routes.ts';
import { endWithAccess } from './auth/under-way.ts';
import { createCatalogRoutes } from './catalog/routes.ts';
import { createClientRoutes } from './connections/client-routes.ts';
import { createConnectRoutes } from './connections/connect-routes.ts';
import { createCookieRoutes } from './connections/cookies/cookie-routes.ts';
import { createLinkRoutes } from './connections/link-routes.ts';
import { createAccountRoutes } from './connections/account-routes.ts';
import { createConnectionRoutes } from './connections/routes.ts';
import { createTeamRoutes } from './connections/team-routes.ts';
import { createSessionRoutes } from './connections/cookies/session-routes.ts';
import type { Deps } from './deps.ts';
import { createClientDocumentRoutes } from './imports/oauth/client-documents.ts';
import { createFileApiRoutes } from './files/api-routes.ts';
import { createFileRoutes } from './files/routes.ts';
import { createAddressLimits, limitUnknownKeys } from './http/address-limits.ts';
import { createImportRoutes } from './imports/routes.ts';
import { createErrorHandler, notFound } from './http/errors.ts';
import { mountListHeaders } from './http/list-headers.ts';
import { createJotApiRoutes } from './jots/api-routes.ts';
import { confineJotsOrigin, createJotRoutes, refuseTraversal } from './jots/routes.ts';
import { createLogin } from './login/login.ts';
import { enabledProviders } from './login/providers.ts';
import { createLoginRoutes } from './login/routes.ts';
import { createMetaTools } from './mcp/meta-tools/all.ts';
import { createInputRequired } from './mcp/input-required.ts';
import { createMethods } from './mcp/methods.ts';
import { createRender } from './mcp/render.ts';
import { createMcpRoutes } from './mcp/routes.ts';
import { createRequireTool } from './policy/require-tool.ts';
import { createHealthRoute } from './maintenance/health-route.ts';
import { createMetricsRoute } from './maintenance/metrics-route.ts';
import { createAgentRoutes } from './oauth/agent-routes.ts';
import { createClients } from './oauth/clients.ts';
import { createGrants } from './oauth/grants.ts';
import { createAccess } from './people/access.ts';
import { createOAuthRoutes } from './oauth/routes.ts';
import { createTickets } from './oauth/tickets.ts';
import { EVERYWHERE, observe, type RequestEnv } from './http/observe.ts';
import { createIsAllowedOrigin } from './http/origins.ts';
import { createPortalRoutes } from './http/portal.ts';
import { createRouter } from './http/router.ts';
import { createApprovalRoutes } from './policy/approval-routes.ts';
import { createKeyRoutes } from './policy/key-routes.ts';
import { createRulesRoutes } from './policy/rules-routes.ts';
import { createAdministrationRoutes } from './people/routes.ts';
import { createOpenApiRoutes } from './openapi/routes.ts';
import { createWaitForDecisions } from './policy/wait.ts';
import { createRestRoutes } from './rest/routes.ts';
import { createUsageRoutes } from './usage/routes.ts';
import { createExecute } from './calls/execute.ts';
import { createToolboxes } from './tools/toolbox.ts';

/** The surfaces with state of their own: an adapter builds them, or forwards them to a gateway that does. */
export interface Surfaces {
  liveView?: Hono<PortalEnv>;
}

interface Runtime {
  /** False where the platform compresses every answer. */
  compresses?: boolean;
}

export function createApp(
  deps: Deps,
  { liveView, compresses = false }: Surfaces & Runtime = {},
): Hono<RequestEnv> {
  const identify = createIdentify(deps);
  const execute = createExecute(deps);
  const toolboxOf = createToolboxes(deps);
  const requireTool = createRequireTool(deps);
  const render = createRender(deps);
  const methods = createMethods(createMetaTools({ ...deps, execute, toolboxOf }), render, deps.clock);
  const clients = createClients(deps);
  const grants = createGrants(deps);
  const limits = createAddressLimits(deps);
  const oauth = {
    ...deps,
    clients,
    grants,
    limits,
    login: createLogin({ ...deps, access: createAccess(deps) }),
    tickets: createTickets({ ...deps, clients, grants }),
  };
  const portal = { ...deps, identify: identify.portal, requireTool };
  const isAdministrator = createIsAdministrator(enabledProviders(deps.config).length > 0);
  const administration = { ...portal, isAdministrator };
  const machine = {
    ...deps,
    identify: identify.machine,
    isAllowedOrigin: createIsAllowedOrigin(deps.config),
    execute,
    methods,
    inputRequired: createInputRequired({ ...deps, waitForDecisions: createWaitForDecisions(deps) }),
    requireTool,
    toolboxOf,
  };

  const app = new Hono<RequestEnv>({ router: createRouter() });
  app.onError(createErrorHandler(deps));
  app.notFound(notFound);
  app.use(EVERYWHERE, observe(deps));
  if (!deps.config.loopback) app.use(EVERYWHERE, limitUnknownKeys(limits));
  app.use(EVERYWHERE, refuseTraversal);
  if (deps.config.JOTS_ORIGIN !== undefined) app.use(EVERYWHERE, confineJotsOrigin(deps.config));

  mountListHeaders(app, compresses);
  app.use('/api/*', endWithAccess(deps));

  app.route('/', createAuthRoutes(portal));
  app.route('/', createLoginRoutes(oauth));
  app.route('/', createCatalogRoutes({ ...portal, toolboxOf }));
  app.route('/', createClientRoutes(administration));
  app.route('/', createConnectionRoutes({ ...portal, onDisconnected: deps.imports.disconnected }));
  app.route('/', createAccountRoutes(portal));
  app.route('/', createTeamRoutes({ ...administration, onDisconnected: deps.imports.disconnected }));
  app.route('/', createImportRoutes({ ...administration, permissionsOf: deps.gate.permissionsOf }));
  app.route('/', createSessionRoutes(portal));
  app.route('/', createCookieRoutes(portal));
  app.route('/', createLinkRoutes(portal));
  app.route('/', createAgentRoutes({ ...portal, grants }));
  app.route('/', createKeyRoutes(portal));
  app.route('/', createRulesRoutes(administration));
  app.route('/', createApprovalRoutes(portal));
  app.route('/', createAdministrationRoutes(administration));
  app.route('/', createAuditRoutes(portal));
  app.route('/', createCallRoutes(administration));
  app.route('/', createSealingRoutes(administration));
  app.route('/', createUsageRoutes(administration));
  app.route('/', createJotApiRoutes(portal));
  app.route('/', createFileApiRoutes(portal));
  // Mounted after every fixed path below /api/auth.
  app.route('/', createConnectRoutes(portal));
  app.route('/', createOAuthRoutes(oauth));
  app.route('/', createClientDocumentRoutes(deps));
  app.route('/', createHealthRoute(deps));
  app.route('/', createMetricsRoute(deps));
  if (liveView !== undefined) app.route('/', liveView);
  app.route('/', createMcpRoutes(machine));
  app.route('/', createRestRoutes(machine));
  app.route('/', createOpenApiRoutes(machine));
  app.route('/', createJotRoutes(deps));
  app.route('/', createFileRoutes(machine));
  app.route('/', createPortalRoutes(deps.assets));
  return app;
}
