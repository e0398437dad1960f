// Tests /c with a service key, which needs no curl session, and the calls that all actors of a key have together.
// reference: Actors of a key; decision: 074
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administratorOf } from '../support/machines.ts';
import { send } from '../support/policy.ts';
import { openStage, type Stage } from '../support/proxy-stage.ts';

let stage: Stage;
let keys: Record<'acme' | 'blue', { id: string; key: string }>;

beforeAll(async () => {
  stage = await openStage({ env: { SERVICE_KEY_MAX_CALLS: '2' } });
  const { app } = stage;
  const boss = await administratorOf(app);
  const make = async (form: object) => {
    const path = '/api/service-keys';
    const all = { name: 'Acme', returnTo: ['https://acme.example/'], integrations: ['vaulted'] };
    return (await send(app, boss.sessionHeader, 'POST', path, { ...all, ...form })).body;
  };
  keys = { acme: await make({}), blue: await make({ name: 'Blue', access: 'read' }) };
  for (const { id, key } of Object.values(keys))
    for (const externalId of ['ann', 'bob', 'eve']) {
      await send(app, { 'x-service-api-key': key }, 'POST', '/api/actors', { externalId });
      const found = await app.deps.store.serviceActors.get(id, externalId);
      if (found === null) throw new Error('no actor');
      await app.deps.vault.save(found.id, 'vaulted', { accessToken: `token-of-${externalId}-${id}` });
    }
});
afterAll(() => stage.close());

const as = (whose: 'acme' | 'blue', actor: string) => ({
  'x-service-api-key': keys[whose].key,
  'x-service-actor': actor,
});
/** The stage has a curl session in each request unless another header is given. */
const get = (path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(new URL(path, stage.base), { method, headers });

describe('a raw request with a service key', () => {
  it('goes out with the credential of the actor, and with no header of the gateway', async () => {
    stage.answer((_, outgoing) => outgoing.end('ok'));
    for (const actor of ['ann', 'bob']) {
      expect((await get('/c/vaulted/repos', as('acme', actor))).status).toBe(200);
      const sent = stage.seen.at(-1)?.headers ?? {};
      expect(sent.authorization).toBe(`Bearer token-of-${actor}-${keys.acme.id}`);
      expect(Object.keys(sent).filter((name) => name.startsWith('x-service'))).toEqual([]);
    }
  });

  it('is refused without an actor, for an actor that the key does not have, and for an unknown key', async () => {
    const { 'x-service-actor': _, ...alone } = as('acme', 'ann');
    expect((await get('/c/vaulted/x', alone)).status).toBe(403);
    expect((await get('/c/vaulted/x', as('acme', 'nobody'))).status).toBe(404);
    const unknown = { ...as('acme', 'ann'), 'x-service-api-key': `svk_${'0'.repeat(64)}` };
    expect((await get('/c/vaulted/x', unknown)).status).toBe(401);
    expect((await get('/c/vaulted/x', { ...as('acme', 'ann'), authorization: 'Bearer x' })).status).toBe(401);
  });

  it('does no more than the key may', async () => {
    expect((await get('/c/vaulted/x', as('blue', 'ann'))).status).toBe(200);
    expect((await get('/c/vaulted/x', as('blue', 'ann'), 'DELETE')).status).toBe(403);
    expect((await get('/c/keyed/x', as('acme', 'ann'))).status).toBe(403);
  });
});

it('counts the calls of all actors of a key together, and leaves room for another key', async () => {
  const waiting: ServerResponse[] = [];
  const both = Promise.withResolvers<void>();
  stage.answer((_, outgoing) => {
    if (waiting.push(outgoing) === 2) both.resolve();
  });
  const running = [get('/c/vaulted/1', as('acme', 'ann')), get('/c/vaulted/2', as('acme', 'bob'))];
  await both.promise;
  const refused = await get('/c/vaulted/3', as('acme', 'eve'));
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      error: 'TOO_MANY_CALLS',
      integration: 'vaulted',
      message: expect.stringContaining('2 calls for the actors of this service key'),
    },
  ]);
  stage.answer((_, outgoing) => outgoing.end('ok'));
  expect((await get('/c/vaulted/4', as('blue', 'ann'))).status).toBe(200);
  for (const outgoing of waiting) outgoing.end('late');
  for (const response of await Promise.all(running)) expect(await response.text()).toBe('late');
  expect((await get('/c/vaulted/5', as('acme', 'eve'))).status).toBe(200);
});
