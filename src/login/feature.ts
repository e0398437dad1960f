// How people sign in to the portal: with the providers of the operator.
import { createIsAdministrator } from '../auth/administrators.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../kit/feature.ts';
import { createSignInInstrument } from './instrument.ts';
import { createLogin } from './login.ts';
import { createMembership } from './membership.ts';
import { loginOperations } from './operations.ts';
import { enabledProviders } from './providers.ts';
import { createLoginRoutes } from './routes.ts';

export const loginFeature = {
  name: 'login',
  parts: {
    // Without a provider, the owner of the machine is the only person.
    isAdministrator: ({ config }: { config: Config }) =>
      createIsAdministrator(enabledProviders(config).length > 0),
    login: createLogin,
    membership: createMembership,
  },
  routes: { open: [createLoginRoutes] },
  operations: [loginOperations],
  instruments: createSignInInstrument,
} satisfies Feature;
