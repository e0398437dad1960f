// Every word the portal says: a file for each part of it, all of them here.
import { activityTexts } from './activity.ts';
import { agentsTexts } from './agents.ts';
import { clientsTexts } from './clients.ts';
import { connectTexts } from './connect.ts';
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
  live,
  ...clientsTexts,
  ...toolsTexts,
  ...agentsTexts,
  ...activityTexts,
  ...jotsTexts,
};
