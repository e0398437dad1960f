// Lists the features of the gateway. A new feature is one line here: everything that knows all features loops over this list.
// Routes are mounted in this order, so a feature with a fixed path stands before one with a pattern that matches the path.
import { actorsFeature } from './actors/feature.ts';
import { authFeature } from './auth/feature.ts';
import { callsFeature } from './calls/feature.ts';
import { onceFeature } from './calls/once/feature.ts';
import { resultsFeature } from './calls/results/feature.ts';
import { connectionsFeature } from './connections/feature.ts';
import { eventsFeature } from './events/feature.ts';
import { filesFeature } from './files/feature.ts';
import { importsFeature } from './imports/feature.ts';
import { jotsFeature } from './jots/feature.ts';
import { liveViewFeature } from './live-view/feature.ts';
import { loginFeature } from './login/feature.ts';
import { maintenanceFeature } from './maintenance/feature.ts';
import { mcpFeature } from './mcp/feature.ts';
import { tasksFeature } from './mcp/tasks/feature.ts';
import { noticesFeature } from './notices/feature.ts';
import { oauthFeature } from './oauth/feature.ts';
import { peopleFeature } from './people/feature.ts';
import { policyFeature } from './policy/feature.ts';
import { rawFeature } from './raw/feature.ts';
import { recordFeature } from './record/feature.ts';
import { restFeature } from './rest/feature.ts';
import { openApiFeature } from './rest/openapi/feature.ts';
import { catalogFeature } from './search/catalog/feature.ts';
import { scimFeature } from './scim/feature.ts';
import { scriptsFeature } from './scripts/feature.ts';
import { searchFeature } from './search/feature.ts';
import { setsFeature } from './sets/feature.ts';

export const FEATURES = [
  maintenanceFeature,
  authFeature,
  loginFeature,
  restFeature,
  rawFeature,
  mcpFeature,
  tasksFeature,
  setsFeature,
  callsFeature,
  onceFeature,
  resultsFeature,
  searchFeature,
  catalogFeature,
  importsFeature,
  actorsFeature,
  connectionsFeature,
  oauthFeature,
  policyFeature,
  recordFeature,
  peopleFeature,
  scimFeature,
  jotsFeature,
  scriptsFeature,
  eventsFeature,
  filesFeature,
  noticesFeature,
  liveViewFeature,
  openApiFeature,
] as const;
