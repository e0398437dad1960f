// Tests that one product reaches nothing of another: every route of actors, with the key of each against the actors of the
// other. reference: Actors of a key; decision: 074
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOperations } from '../../src/actors/operations.ts';
import { type ActorStand, GATE, openActorStand, RETURN_TO, runTool, type Tenant } from '../support/actors.ts';
import { call } from '../support/mcp.ts';

let stand: ActorStand;
let tenants: { acme: Tenant; blue: Tenant };

/** Actors that only the one has, that both have, and that neither has. */
const numbered = (letter: string) => Array.from({ length: 14 }, (_, at) => `${letter}${at + 1}`);
const OWN = { acme: ['ann', ...numbered('a')], blue: ['bea', ...numbered('b')] };
/** These have connected an account. */
const CONNECTED = ['ann', 'a1', 'a2', 'bea', 'b1', 'b2', 'user-1', 'user-2'];
const BOTH = ['user-1', 'user-2'];
const GUESSED = [
  '1',
  'admin',
  'root',
  '0',
  'user-3',
  'service',
  '..',
  '%2e%2e',
  'owner@localhost',
  '*',
  '%',
  '_',
];
const NAMES = ['acme', 'blue'] as const;
const other = (name: 'acme' | 'blue') => (name === 'acme' ? 'blue' : 'acme');

beforeAll(async () => {
  stand = await openActorStand();
  const integrations = ['vaulted', 'keyed', 'time'];
  tenants = {
    acme: await stand.tenant({ name: 'Acme', integrations }),
    blue: await stand.tenant({ name: 'Blue', integrations }),
  };
  for (const name of NAMES)
    for (const actor of [...OWN[name], ...BOTH]) {
      await tenants[name].actor(actor, `${actor} at ${name}`);
      if (CONNECTED.includes(actor)) await stand.connect(tenants[name], actor);
    }
});
afterAll(() => stand.close());

/** The routes that name an actor, with a body where they take one. */
const ROUTES = Object.entries(actorOperations())
  .filter(([, { caller }]) => caller === 'service')
  .flatMap(([route]) => {
    const [method = '', path = ''] = route.split(' ');
    return path.includes(':externalId') ? [{ method, path: path.replace(':integration', 'vaulted') }] : [];
  });
const FORM = { integration: 'vaulted', returnTo: RETURN_TO };
const bodyOf = (method: string) => (method === 'POST' ? FORM : undefined);

const CHECKS = NAMES.flatMap((name) =>
  ROUTES.flatMap(({ method, path }) =>
    // An address has no place for dots alone.
    [...OWN[other(name)], ...GUESSED.filter((actor) => actor !== '..')].map((actor) => ({
      name,
      method,
      path,
      actor,
    })),
  ),
);

/** The access token that the API gets in a call for the actor. */
async function tokenOf(tenant: Tenant, actor: string): Promise<string | undefined> {
  const path = `/of-${tenant.id}-${actor}`;
  await runTool(stand, tenant.for(actor), 'vaulted_get', { path });
  const sent = stand.provider.calls.findLast((made) => made.path.endsWith(path));
  expect(sent?.headers.authorization).toMatch(/^Bearer access-/);
  return sent?.headers.authorization;
}

it('finds the routes that it asks', () => {
  expect(ROUTES.length).toBeGreaterThanOrEqual(6);
  // The ids that are guessed come on top.
  const foreign = CHECKS.filter(({ name, actor }) => OWN[other(name)].includes(actor));
  expect(foreign.length + 2 * OWN.acme.length + 2 * OWN.blue.length).toBeGreaterThanOrEqual(200);
});

describe('a service key at the actors of another', () => {
  it.each(CHECKS)('$name: $method $path of $actor', async ({ name, method, path, actor }) => {
    const { status, body } = await tenants[name].api(
      method,
      path.replace(':externalId', encodeURIComponent(actor)),
      bodyOf(method),
    );
    expect([status, body]).toEqual([404, { error: 'There is no such actor' }]);
  });

  const DOORS = NAMES.flatMap((name) => [...OWN[other(name)], ...GUESSED].map((actor) => ({ name, actor })));
  it.each(DOORS)('$name: REST and MCP for $actor', async ({ name, actor }) => {
    const headers = { ...tenants[name].for(actor), 'content-type': 'application/json' };
    const rest = await stand.app.request('/rest/vaulted', {
      method: 'POST',
      headers,
      body: JSON.stringify({ tool: 'vaulted_get', args: { path: '/x' } }),
    });
    expect([rest.status, await rest.json()]).toEqual([404, { error: 'There is no such actor' }]);
    const mcp = await stand.app.request('/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(mcp.status).toBe(404);
  });
});

describe('the actors of both', () => {
  it('are all there after the checks, with what they have connected', async () => {
    for (const name of NAMES)
      for (const actor of OWN[name]) {
        const { status, body } = await tenants[name].api('GET', `/api/actors/${actor}`);
        expect([status, body.connections]).toEqual([200, CONNECTED.includes(actor) ? 1 : 0]);
      }
  });

  it('are found by no search of the other', async () => {
    for (const name of NAMES)
      for (const actor of OWN[other(name)])
        expect((await tenants[name].api('GET', `/api/actors?query=${actor}`)).body.actors).toEqual([]);
  });
});

describe('two products that call their users alike', () => {
  it.each(BOTH)('have each their own %s', async (actor) => {
    const [one, two] = [tenants.acme, tenants.blue];
    const former = await tokenOf(one, actor);
    expect((await one.api('GET', `/api/actors/${actor}`)).body.name).toBe(`${actor} at acme`);
    expect((await two.api('GET', `/api/actors/${actor}`)).body.name).toBe(`${actor} at blue`);
    const { store } = stand.app.deps;
    const ids = await Promise.all([one, two].map(({ id }) => store.serviceActors.get(id, actor)));
    expect(new Set(ids.map((found) => found?.id)).size).toBe(2);
    await one.api('DELETE', `/api/actors/${actor}`);
    expect((await one.api('GET', `/api/actors/${actor}`)).status).toBe(404);
    expect((await two.api('GET', `/api/actors/${actor}/connections`)).body.connections).toHaveLength(1);
    expect(await tokenOf(two, actor)).not.toBe(former);
  });

  it('list their own only', async () => {
    for (const name of NAMES) {
      const { actors } = (await tenants[name].api('GET', '/api/actors')).body;
      const names = actors.map((each: { externalId: string }) => each.externalId);
      for (const foreign of OWN[other(name)]) expect(names).not.toContain(foreign);
    }
  });

  it('cannot go on with a place in the list of the other', async () => {
    const { nextCursor } = (await tenants.acme.api('GET', '/api/actors?limit=1')).body;
    const { body } = await tenants.blue.api('GET', `/api/actors?cursor=${nextCursor}`);
    expect(JSON.stringify(body)).not.toContain('acme');
  });
});

describe('what one actor holds', () => {
  it('is of no use to another of the same product, or to one of the other', async () => {
    const { acme, blue } = tenants;
    const { connectionId } = await call(stand.app, acme.for('ann'), 'connect', { integration: 'keyed' });
    const wait = { connectionId, timeoutSec: 1 };
    for (const headers of [acme.for('a1'), blue.for('bea'), stand.ana.keyHeader])
      expect(await call(stand.app, headers, 'wait_for_connection', wait)).toEqual({
        error: 'Unknown connectionId',
      });
    const tokens = await Promise.all([
      tokenOf(acme, 'ann'),
      tokenOf(acme, 'a1'),
      tokenOf(blue, 'bea'),
      tokenOf(blue, 'b1'),
    ]);
    expect(new Set(tokens).size).toBe(4);
  });

  it('cannot be connected with the link of another product', async () => {
    const { url } = await tenants.acme.link('ann');
    const page = await stand.browse().open(url);
    expect(page.url.origin).toBe(GATE);
    expect(page.text).toContain('Acme');
    expect(page.text).not.toContain('Blue');
  });

  it('is not opened by a token that was made for another', async () => {
    const { curlTokens, store } = stand.app.deps;
    const { token } = await call(stand.app, tenants.acme.for('ann'), 'curl_session', {
      integrations: ['vaulted'],
    });
    const ann = await store.serviceActors.get(tenants.acme.id, 'ann');
    expect(await curlTokens.verify(token)).toMatchObject({ userId: ann?.id });
  });
});
