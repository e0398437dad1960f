// Puts the routes of people and their administration together. reference: Administration of people
import { Hono } from 'hono';
import type { PortalEnv } from '../auth/portal-user.ts';
import { createReadRole } from '../auth/role.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../kit/feature.ts';
import type { Notify } from '../kit/notice.ts';
import { enabledProviders } from '../login/providers.ts';
import { type ChangeNeeds, createPeopleChanges } from './changes.ts';
import { createDescribePerson } from './describe-person.ts';
import { createExportPerson } from './export.ts';
import { createLeavingRoutes, type LeavingNeeds } from './leaving-routes.ts';
import { createLimitsOf } from './used-limits.ts';
import { createMeRoutes, type MeNeeds } from './me-routes.ts';
import { createOverviewRoutes } from './overview-routes.ts';
import { createPeopleRoutes } from './people-routes.ts';

type Needs<Deps> = Deps &
  Omit<LeavingNeeds & MeNeeds & ChangeNeeds, 'changes' | 'exportPerson' | MadeHere> & {
    config: Config;
    notify: Notify;
    features: readonly Pick<Feature<Deps>, 'name' | 'limits' | 'personal'>[];
  };
type MadeHere = 'hasSignInProvider' | 'limitsOf' | 'readRole';

export function createAdministrationRoutes<Deps>(deps: Needs<Deps>): Hono<PortalEnv> {
  const hasSignInProvider = enabledProviders(deps.config).length > 0;
  const readRole = createReadRole(hasSignInProvider);
  const limitsOf = createLimitsOf(deps);
  const parts = { ...deps, hasSignInProvider, readRole, limitsOf };
  const changes = createPeopleChanges(parts);
  const describePerson = createDescribePerson(parts);
  const exportPerson = createExportPerson(deps);
  const app = new Hono<PortalEnv>();
  app.route('/', createMeRoutes(parts));
  app.route('/', createPeopleRoutes({ ...parts, changes, describePerson }));
  app.route('/', createLeavingRoutes({ ...parts, changes, exportPerson }));
  app.route('/', createOverviewRoutes(parts));
  return app;
}
