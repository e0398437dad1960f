// An integration with a tool of each access level, and callers that may use only a part of it.
import { UNSEEN } from '../../src/connections/model/state.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import type { Limits, Rule } from '../../src/kit/actor.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { smallWorld } from './fixtures.ts';
import { createTestApp, type TestApp, type TestUser } from './test-app.ts';

export type Headers = Record<string, string>;

const about = {
  version: '1.0.0',
  description: 'Keeps crates',
  categories: ['test'],
  logo: null,
  auth: {
    type: 'apikey',
    fields: [{ key: 'apiKey', label: 'API key', secret: true, required: true }],
  },
} as const;
const nothing = () => ({});

const depot = defineIntegration({
  ...about,
  name: 'depot',
  displayName: 'Depot',
  api: { base: 'https://depot.example', credential: { in: 'bearer' } },
  tools: [
    tool('depot_list_crates', 'List the crates of a depot', nothing, () => []),
    tool('depot_store_crate', 'Put a new crate into the depot', nothing, () => 'stored', 'write'),
    tool('depot_delete_crate', 'Delete a crate for good', nothing, () => 'gone', 'destroy'),
  ],
});
/** `depot_request` belongs to every integration with an API and a key. */
export const DEPOT_TOOLS = ['depot_list_crates', 'depot_store_crate', 'depot_delete_crate', 'depot_request'];

/** Every tool of it destroys. */
const shredder = defineIntegration({
  ...about,
  name: 'shredder',
  displayName: 'Shredder',
  tools: [tool('shredder_shred', 'Shred a paper', nothing, () => 'gone', 'destroy')],
});

/** Opens a gateway with both, for a person who has connected Depot. */
export async function openDepot(): Promise<{ app: TestApp; ana: TestUser }> {
  const app = await createTestApp({ ports: { integrations: [...smallWorld, depot, shredder] } });
  const ana = await app.user();
  await connectDepot(app, ana);
  return { app, ana };
}

async function connectDepot(app: TestApp, { id }: TestUser): Promise<void> {
  const now = app.clock.now();
  await app.deps.store.connections.put({
    refresh_token: null,
    expires_at: null,
    scopes: null,
    config: null,
    cookies: null,
    way: null,
    account: '',
    label: null,
    is_default: false,
    is_write_default: false,
    team_use: null,
    ...UNSEEN,
    access_token: 'sealed',
    user_id: id,
    integration: 'depot',
    created_at: now,
    updated_at: now,
  });
}

/** Makes a named key, and returns the header that presents it and the id of its actor. */
export async function limitedKey(app: TestApp, { id }: TestUser, limits: Limits = {}) {
  const minted = await app.deps.agentKeys.mint(id, { name: 'An agent', limits, expiresAt: null });
  if (minted === null) throw new Error('the person has too many keys');
  return { header: { 'x-service-api-key': minted.key }, actorId: `key:${minted.record.id}` };
}

/** Stores the rules of a person, or of everyone. */
export async function putRules(app: TestApp, rules: readonly Rule[], owner = EVERYONE): Promise<void> {
  const revision = app.deps.random.uuid();
  const record = { owner, rules: JSON.stringify(rules), revision, updated_at: app.clock.now() };
  await app.deps.store.policies.putRules(record);
}
