// Tells owners in the portal what the log of the start tells the operator. reference: Administration of people
import type { Config } from '../config/config.ts';
import { findOpenProviders } from '../login/admission.ts';

export const noticesFor = (config: Config): string[] =>
  findOpenProviders(config).map(
    ({ issuer, admits, cure }) =>
      `You have not said who may sign in, so ${issuer} can bring in ${admits}. To change that, ${cure}.`,
  );
