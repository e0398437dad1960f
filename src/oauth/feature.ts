// The authorization server: how MCP clients get in, and what a person's clients may do.
import { CLIENT_IDLE_SECONDS, CLIENT_UNUSED_SECONDS } from './limits.ts';
import type { Feature, Round } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';
import { agent, agentOperations } from './agent-operations.ts';
import { createAgentRoutes } from './agent-routes.ts';
import { createClients } from './clients.ts';
import { createGrants } from './grants.ts';
import { createMachineClientRoutes } from './machines/client-routes.ts';
import { createTrustedIssuerRoutes } from './machines/issuer-routes.ts';
import { boundKey, machineOperations, trustedIssuer } from './machines/operations.ts';
import { parseClaims } from './machines/rules.ts';
import { createTrustedTokens } from './machines/trusted-token.ts';
import { createRegistrations } from './registrations.ts';
import { createOAuthRoutes } from './routes.ts';
import { createTickets } from './tickets.ts';

type Needs = Pick<Ports, 'clock' | 'store'>;

export const oauthFeature = {
  name: 'oauth',
  shared: { registrations: ({ clock }) => createRegistrations(clock) },
  parts: {
    clients: createClients,
    grants: createGrants,
    tickets: createTickets,
    trustedTokens: createTrustedTokens,
  },
  routes: {
    portal: [createAgentRoutes, createMachineClientRoutes, createTrustedIssuerRoutes],
    open: [createOAuthRoutes],
  },
  operations: [agentOperations, machineOperations],
  schemas: () => [
    { name: 'Agent', schema: agent(), io: 'output' },
    { name: 'BoundKey', schema: boundKey(), io: 'output' },
    { name: 'TrustedIssuer', schema: trustedIssuer(), io: 'output' },
  ],
  chores: ({ store }: Needs, { now, purge, repeat }: Round) => ({
    'unused clients': () => {
      const old = { idle: now - CLIENT_IDLE_SECONDS, unused: now - CLIENT_UNUSED_SECONDS };
      return purge ? repeat(() => store.clients.purge(old, now)) : undefined;
    },
  }),
  personal: {
    show:
      ({ clock, store }: Needs) =>
      async (userId) => {
        const tokens = await store.refreshTokens.list(userId, clock.now());
        const ids = [...new Set(tokens.map(({ client_id }) => client_id))];
        const nameOf = async (id: string) => (await store.clients.get(id))?.client_name ?? null;
        return { clients: await Promise.all(ids.map(async (id) => ({ id, name: await nameOf(id) }))) };
      },
    export:
      ({ clock, store }: Needs) =>
      ({ id }) => ({
        async clients() {
          const tokens = await store.refreshTokens.list(id, clock.now());
          return tokens.map(({ client_id, scope, created_at }) => ({ client_id, scope, created_at }));
        },
        async machineClients() {
          const own = (await store.machines.clients()).filter(({ user_id }) => user_id === id);
          return own.map(({ secret_sha: _, user_id: __, ...client }) => client);
        },
        async trustedRules() {
          const all = await store.machines.issuers();
          return all.flatMap(({ issuer: { name, issuer, audience }, rules }) =>
            rules
              .filter(({ user_id }) => user_id === id)
              .map(({ key_id, sub, claims, created_at, last_used_at }) => {
                const rule = { key_id, sub, claims: parseClaims(claims), created_at, last_used_at };
                return { name, issuer, audience, ...rule };
              }),
          );
        },
      }),
  },
} satisfies Feature;
