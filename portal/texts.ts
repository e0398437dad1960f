// Every word the portal says: a file for each part of it, all of them here.
import { activityTexts } from './texts/activity.ts';
import { agentsTexts } from './texts/agents.ts';
import { clientsTexts } from './texts/clients.ts';
import { connectTexts } from './texts/connect.ts';
import { firstStepsTexts } from './texts/first-steps.ts';
import { integrationsTexts } from './texts/integrations.ts';
import { jotsTexts } from './texts/jots.ts';
import { live } from './texts/live.ts';
import { shellTexts } from './texts/shell.ts';
import { signInTexts } from './texts/sign-in.ts';
import { toolsTexts } from './texts/tools.ts';

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
