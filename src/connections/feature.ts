// Stored credentials: how people connect integrations, and how calls use what is connected.
import type { Config } from '../config/config.ts';
import type { Feature, Round } from '../kit/feature.ts';
import { taking } from '../kit/parts.ts';
import { unlessAway } from '../kit/personal.ts';
import type { Ports } from '../ports/ports.ts';
import { createAccountRoutes } from './account-routes.ts';
import { createChecks } from './checking/checks.ts';
import { createDisconnects } from './ending/disconnects.ts';
import { createSendProbe } from './checking/probe.ts';
import { createRoutes } from './calls/route.ts';
import { createUpstream } from './calls/upstream.ts';
import { checkConnections } from './checking/check-connections.ts';
import { clientOperations } from './client-operations.ts';
import { createClientRoutes } from './client-routes.ts';
import { createConnectRoutes } from './connect-routes.ts';
import { createConnected } from './model/connected.ts';
import { GivenCookie } from './cookies/cookie-import.ts';
import { createCookieLogins } from './cookies/cookie-login.ts';
import { createCookieRoutes } from './cookies/cookie-routes.ts';
import { cookieOperations } from './cookies/operations.ts';
import { createSessionRoutes } from './cookies/session-routes.ts';
import { createKeyForms } from './keys/key-forms.ts';
import type { Disconnects } from './model/disconnects.ts';
import { createLinkRoutes } from './link-routes.ts';
import { createConnectLinks } from './model/links.ts';
import { createClientTokens } from './oauth/client-tokens.ts';
import { createConfirmations } from './oauth/confirmations.ts';
import { createOAuthFlows } from './oauth/oauth-flows.ts';
import { createRegisteredClients } from './oauth/registered-clients.ts';
import { sealedClients } from './oauth/sealed-clients.ts';
import { createTokenSource } from './oauth/tokens.ts';
import { createCredentialCache } from './model/open-credential.ts';
import { connectionOperations, connectionState } from './operations.ts';
import { keyFields } from './model/schemas.ts';
import { personalConnections } from './personal.ts';
import { createConnectionRoutes } from './routes.ts';
import { sealedConnections } from './sealed-connections.ts';
import { createStateUpdates } from './model/state-updates.ts';
import { teamOperations, teamState } from './team-operations.ts';
import { createTeamRoutes } from './team-routes.ts';
import { createMayConnectForTeam } from './model/team.ts';
import { createVault } from './sealed-vault.ts';

type ChoreNeeds = Parameters<typeof checkConnections>[0] &
  Pick<Ports, 'pending'> & { disconnects: Pick<Disconnects, 'retry'> };

export const connectionsFeature = {
  name: 'connections',
  shared: {
    openedCredentials: createCredentialCache,
    routes: ({ clock }) => createRoutes(clock),
    teamUses: () => new Map<string, number>(),
  },
  parts: {
    checks: createChecks,
    clientTokens: createClientTokens,
    confirmations: createConfirmations,
    connected: createConnected,
    cookieLogins: taking(createCookieLogins, [
      'browser',
      'checks',
      'clock',
      'config',
      'egress',
      'log',
      'runningWork',
      'sessionKeys',
      'store',
      'vault',
    ]),
    disconnects: taking(createDisconnects, [
      'browser',
      'checks',
      'clock',
      'config',
      'dynamicProviders',
      'egress',
      'log',
      'random',
      'registeredClients',
      'registries',
      'seal',
      'sendProbe',
      'store',
      'vault',
    ]),
    keyForms: createKeyForms,
    links: createConnectLinks,
    mayConnectForTeam: createMayConnectForTeam,
    oauthFlows: createOAuthFlows,
    openUpstream: createUpstream,
    registeredClients: createRegisteredClients,
    sendProbe: createSendProbe,
    stateUpdates: createStateUpdates,
    tokens: createTokenSource,
    vault: createVault,
  },
  routes: {
    portal: [
      createClientRoutes,
      createConnectionRoutes,
      createAccountRoutes,
      createTeamRoutes,
      createSessionRoutes,
      createCookieRoutes,
      createLinkRoutes,
      createConnectRoutes,
    ],
  },
  operations: [connectionOperations, cookieOperations, clientOperations, teamOperations],
  schemas: () => [
    { name: 'Connection', schema: connectionState(), io: 'output' },
    { name: 'Cookie', schema: GivenCookie, io: 'input' },
    { name: 'KeyFields', schema: keyFields(), io: 'output' },
    { name: 'TeamConnection', schema: teamState(), io: 'output' },
  ],
  chores: (deps: ChoreNeeds, { repeat, stop }: Round) => ({
    'pending entries': () => repeat(() => deps.pending.sweep()),
    revocations: () => repeat(() => deps.disconnects.retry()),
    'connection checks': () => checkConnections(deps, stop),
  }),
  sealed: [sealedConnections, sealedClients],
  personal: personalConnections,
  limits:
    ({ config, pending }: Pick<Ports, 'pending'> & { config: Config }) =>
    async (userId) => {
      const waiting = await unlessAway(pending.count(userId));
      return [{ name: 'pending', used: waiting, limit: config.PERSON_MAX_PENDING }];
    },
} satisfies Feature;
