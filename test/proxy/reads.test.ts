// Counts what a raw request reads and writes in the store. reference: Curl proxy
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import type { GatewayPorts } from '../../src/deps.ts';
import { type Actor, clientActorId, PERSONAL_KEY, type Rule } from '../../src/kit/actor.ts';
import { type FakeProvider, startProvider } from '../support/fake-provider.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { bearer } from '../support/proxy-stage.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

type Store = GatewayPorts['store'];

let provider: FakeProvider;
/** The database lies here. */
let base: TestApp;
/** The gateway over the same database whose statements are counted. */
let app: TestApp;
let ana: TestUser;
let used: string[];

/** Notes the name of each method of the store that is called. */
function noteCalls(store: Store): Store {
  return new Proxy(store, {
    get(whole, room: keyof Store) {
      if (room === 'close') return async () => {};
      return new Proxy(whole[room], {
        get(methods, name: string) {
          const method: unknown = Reflect.get(methods, name);
          if (typeof method !== 'function') return method;
          return (...args: unknown[]) => {
            used.push(`${room}.${name}`);
            return Reflect.apply(method, methods, args);
          };
        },
      });
    },
  });
}

beforeEach(async () => {
  used = [];
  provider = await startProvider();
  const env = {
    VAULTED_CLIENT_ID: 'id',
    VAULTED_CLIENT_SECRET: 'secret',
    UPSTREAM_MAP: `https://vaulted.example=${provider.url}`,
    // Details are written after the answer. What is counted here is what a call waits for.
    CALL_DETAILS: 'off',
  };
  base = await createTestApp({ env });
  ana = await base.user();
  app = await createTestApp({ env, ports: { store: noteCalls(base.deps.store) } });
  const { access, refresh } = provider.current;
  const expiresAt = base.clock.now() + 3_000;
  await base.deps.vault.save(ana.id, 'vaulted', { accessToken: access, refreshToken: refresh, expiresAt });
});
afterEach(async () => {
  await app.close();
  await base.close();
  await provider.close();
});

/** Nobody waits for these: the audit row, that the credential works, and that the key or client was used. */
const NOTES = new Set(['audit.append', 'connections.mark', 'agentKeys.noteUse', 'policies.noteUse']);

/** What one call uses before it is answered. */
async function uses(actor: Actor): Promise<string[]> {
  const proxy = createCurlProxy(app.deps);
  const server = await serve(app.fetch, { ...NO_HANDLERS, proxy }, 0);
  const token = await app.deps.curlTokens.issue({ userId: ana.id, actor, integrations: ['vaulted'] }, 900);
  // Every process reads for everybody together, once in a second, whose credentials are over.
  await app.deps.endings.isOver(ana.id, 0);
  used.length = 0;
  const response = await fetch(`http://127.0.0.1:${server.port}/c/vaulted/open`, { headers: bearer(token) });
  expect(response.status).toBe(200);
  await server.stop();
  await proxy.close();
  await app.deps.audit.flush();
  return used.filter((name) => !NOTES.has(name));
}

it('reads its connection and one row of rules', async () => {
  expect(await uses(PERSONAL_KEY)).toEqual(['policies.read', 'connections.of']);
});

it('reads no more for an OAuth client, or when there are rules that allow it', async () => {
  const rules: Rule[] = [{ access: 'destroy', decision: 'block' }];
  const record = { owner: ana.id, rules: JSON.stringify(rules), revision: 'r', updated_at: 1 };
  await base.deps.store.policies.putRules(record);
  const client = {
    id: clientActorId('c1'),
    name: null,
    clientId: 'c1',
    limits: [{ access: 'read' as const }],
  };
  for (const actor of [PERSONAL_KEY, client])
    expect(await uses(actor)).toEqual(['policies.read', 'connections.of']);
});

it('also reads the named key that its token comes from', async () => {
  const wanted = { name: 'bot', limits: {}, expiresAt: null };
  const minted = await base.deps.agentKeys.mint(ana.id, wanted);
  const identity = await base.deps.agentKeys.verify(minted?.key ?? '');
  if (identity === null) throw new Error('the key does not work');
  expect(await uses(identity.actor)).toEqual(['agentKeys.get', 'policies.read', 'connections.of']);
});
