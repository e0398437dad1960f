// Puts the routes of people and their administration together. reference: Administration of people
import { Hono } from 'hono';
import type { AdministratorNeeds } from '../auth/administrators.ts';
import type { Identify } from '../auth/caller.ts';
import type { PortalEnv } from '../auth/portal-user.ts';
import { createReadRole } from '../auth/role.ts';
import { enabledProviders } from '../login/providers.ts';
import type { Ports } from '../ports/ports.ts';
import { type AccessNeeds, createAccess } from './access.ts';
import { createPeopleChanges } from './changes.ts';
import type { ExportNeeds } from './export.ts';
import { createLeavingRoutes } from './leaving-routes.ts';
import { createLimitsOf, type LimitsNeeds } from './limits.ts';
import { createMeRoutes, type MeNeeds } from './me-routes.ts';
import { createOverviewRoutes } from './overview-routes.ts';
import { createPeopleRoutes } from './people-routes.ts';

type Needs = Pick<Ports, 'log' | 'random'> &
  AccessNeeds &
  AdministratorNeeds &
  ExportNeeds &
  LimitsNeeds &
  MeNeeds & { identify: Identify };

export function createAdministrationRoutes(deps: Needs): Hono<PortalEnv> {
  const hasSignInProvider = enabledProviders(deps.config).length > 0;
  const readRole = createReadRole(hasSignInProvider);
  const parts = {
    ...deps,
    hasSignInProvider,
    readRole,
    access: createAccess(deps),
    limitsOf: createLimitsOf(deps),
  };
  const changes = createPeopleChanges(parts);
  const app = new Hono<PortalEnv>();
  app.route('/', createMeRoutes(parts));
  app.route('/', createPeopleRoutes({ ...parts, changes }));
  app.route('/', createLeavingRoutes({ ...parts, changes }));
  app.route('/', createOverviewRoutes(parts));
  return app;
}
