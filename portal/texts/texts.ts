// Collects every text of the portal. Each part of the portal has a file of its own.
import { activityTexts } from './activity.ts';
import { agentsTexts } from './agents.ts';
import { clientsTexts } from './clients.ts';
import { connectTexts } from './connect.ts';
import { connectionTexts } from './connection.ts';
import { firstStepsTexts } from './first-steps.ts';
import { integrationsTexts } from './integrations.ts';
import { jotsTexts } from './jots.ts';
import { live } from './live.ts';
import { shellTexts } from './shell.ts';
import { signInTexts } from './sign-in.ts';
import { toolsTexts } from './tools.ts';

export const texts = {
  ...shellTexts,
  ...signInTexts,
  ...integrationsTexts,
  ...firstStepsTexts,
  ...connectTexts,
  ...connectionTexts,
  live,
  ...clientsTexts,
  ...toolsTexts,
  ...agentsTexts,
  ...activityTexts,
  ...jotsTexts,
};
