// Tests service keys and their actors. reference: Actors of a key; decision: 074
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { howToReconnect } from '../../src/connections/model/connected.ts';
import { type ActorStand, openActorStand, RETURN_TO, runTool, type Tenant } from '../support/actors.ts';
import { entry } from '../contracts/store/records.ts';
import { call, rpc } from '../support/mcp.ts';

const PORTAL = 'https://portal.example';

let stand: ActorStand;
let acme: Tenant;

beforeEach(async () => {
  stand = await openActorStand({
    SERVICE_KEY_MAX_ACTORS: '5',
    SERVICE_KEY_MAX_CALLS: '2',
    PORTAL_URL: PORTAL,
  });
  acme = await stand.tenant({ integrations: ['vaulted', 'keyed', 'echo', 'time'] });
  await acme.actor('ann', 'Ann Lee');
});
afterEach(() => stand.close());

const now = (headers: Record<string, string>) =>
  stand.app.request('/rest/time', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'time_now', args: {} }),
  });

describe('a service key', () => {
  it('is shown once, and lists without its secret', async () => {
    expect(acme.key).toMatch(/^svk_[0-9a-f]{64}$/);
    const { body } = await stand.admin('GET', '/api/service-keys');
    expect(body.serviceKeys).toEqual([
      {
        id: acme.id,
        name: 'Acme',
        returnTo: [RETURN_TO],
        integrations: ['vaulted', 'keyed', 'echo', 'time'],
        notifies: false,
        revoked: false,
        actors: 1,
        maxActors: 5,
        createdAt: expect.any(Number),
        lastUsedAt: expect.any(Number),
        calls: { last30Days: 0, last400Days: 0 },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(acme.key);
  });

  it('is made, changed and deleted by administrators in a portal session only', async () => {
    const one = `/api/service-keys/${acme.id}`;
    const form = { name: 'B', returnTo: [RETURN_TO] };
    const { ana, boss } = stand;
    const everybody = [ana.sessionHeader, ana.keyHeader, boss.keyHeader, acme.header, acme.for('ann')];
    for (const headers of everybody) {
      for (const [method, path, body] of [
        ['GET', '/api/service-keys'],
        ['POST', '/api/service-keys', form],
        ['GET', one],
        ['PATCH', one, { name: 'Mine' }],
        ['POST', `${one}/key`],
        ['DELETE', one],
        ['GET', `${one}/actors`],
        ['GET', `${one}/links`],
        ['DELETE', `${one}/actors/ann`],
      ] as const)
        expect([401, 403]).toContain((await stand.api(method, path, body, headers)).status);
    }
    expect((await stand.admin('GET', one)).body.name).toBe('Acme');
  });

  it('opens the actors API and nothing else without an actor', async () => {
    expect((await acme.api('GET', '/api/actors')).status).toBe(200);
    expect((await now(acme.header)).status).toBe(403);
    for (const path of [
      '/api/me',
      '/api/connections',
      '/api/integrations',
      '/api/audit',
      '/api/policy',
      '/api/imports',
    ])
      expect((await stand.api('GET', path, undefined, acme.header)).status).toBe(401);
  });

  it('keeps actors out of everything that people have', async () => {
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['GET', '/api/agent-keys'],
      ['POST', '/api/agent-keys'],
      ['PUT', '/api/policy'],
      ['POST', '/api/imports'],
      ['GET', '/api/jots'],
      ['GET', '/api/approvals'],
      ['GET', '/api/admin/people'],
      ['GET', '/api/auth/vaulted'],
      ['POST', '/api/auth/apikey/keyed'],
      ['GET', '/api/me/export'],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      expect([path, (await stand.api(method, path, body, acme.for('ann'))).status]).toEqual([path, 401]);
    }
  });

  it('is refused when it names no actor of its own, and when somebody else names one', async () => {
    expect((await now(acme.for('ann'))).status).toBe(200);
    expect((await now(acme.for('bob'))).status).toBe(404);
    expect((await now(acme.for('ann bob'))).status).toBe(404);
    expect((await now({ ...stand.ana.keyHeader, 'x-service-actor': 'ann' })).status).toBe(400);
    expect((await now({ ...stand.ana.sessionHeader, 'x-service-actor': 'ann' })).status).toBe(400);
    const unknown = { 'x-service-api-key': `svk_${'0'.repeat(64)}`, 'x-service-actor': 'ann' };
    expect((await now(unknown)).status).toBe(401);
    expect((await now({ authorization: `Bearer ${acme.key}`, 'x-service-actor': 'ann' })).status).toBe(200);
  });

  it('stops at once when it is revoked, with the tokens that came of it, and goes on with a new key', async () => {
    await stand.connect(acme, 'ann');
    const { token } = await call(stand.app, acme.for('ann'), 'curl_session', { integrations: ['vaulted'] });
    const { curlTokens } = stand.app.deps;
    expect(await curlTokens.verify(token)).toMatchObject({ actor: { id: `service:${acme.id}` } });
    expect((await stand.admin('DELETE', `/api/service-keys/${acme.id}`)).status).toBe(200);
    expect((await now(acme.for('ann'))).status).toBe(401);
    expect((await acme.api('GET', '/api/actors')).status).toBe(401);
    expect(await curlTokens.verify(token)).toBeNull();
    const shown = (await stand.admin('GET', `/api/service-keys/${acme.id}`)).body;
    expect(shown).toMatchObject({ revoked: true, actors: 1 });
    const { body } = await stand.admin('POST', `/api/service-keys/${acme.id}/key`);
    const headers = { 'x-service-api-key': body.key, 'x-service-actor': 'ann' };
    expect((await now(headers)).status).toBe(200);
    expect(await stand.row(acme, 'ann')).not.toBeNull();
  });

  it('goes at once without actors, and takes its actors along when it is told to', async () => {
    const empty = await stand.tenant({ name: 'Empty' });
    await stand.admin('DELETE', `/api/service-keys/${empty.id}`);
    expect((await stand.admin('GET', `/api/service-keys/${empty.id}`)).status).toBe(404);
    await stand.connect(acme, 'ann');
    const found = await stand.app.deps.store.serviceActors.get(acme.id, 'ann');
    await stand.admin('DELETE', `/api/service-keys/${acme.id}?erase=true`);
    expect((await stand.admin('GET', `/api/service-keys/${acme.id}`)).status).toBe(404);
    await stand.app.deps.erasures.goOn();
    stand.app.clock.advance(200);
    await stand.app.deps.erasures.goOn();
    const { store } = stand.app.deps;
    for (const id of [found?.id ?? '', acme.id]) expect(await store.users.byId(id)).toBeNull();
    expect(await store.connections.list(found?.id ?? '')).toEqual([]);
  });
});

describe('the calls of a product', () => {
  it('are counted for all its actors together, at once, by month and in all', async () => {
    const { audit, rollUsage, store } = stand.app.deps;
    const other = await stand.tenant({ integrations: ['time'] });
    await acme.actor('bob');
    await other.actor('ann');
    const calls = async () => {
      await audit.flush();
      const { serviceKeys } = (await stand.admin('GET', '/api/service-keys')).body;
      return new Map(serviceKeys.map((key: { id: string; calls: object }) => [key.id, key.calls]));
    };
    expect(await calls()).toEqual(
      new Map([acme, other].map(({ id }) => [id, { last30Days: 0, last400Days: 0 }])),
    );
    const actors = await Promise.all(['ann', 'bob'].map((name) => store.serviceActors.get(acme.id, name)));
    for (const ago of [200, 31, 29]) {
      const created_at = stand.app.clock.now() - ago * 86_400;
      const called = { actor: `service:${acme.id}`, created_at, integration: 'time', tool: 'time_now' };
      await store.audit.append(actors.map((actor) => entry({ ...called, user_id: actor?.id ?? '' })));
      await rollUsage.round();
    }
    // No round has counted the newest calls.
    for (const name of ['ann', 'bob']) await now(acme.for(name));
    await now(other.for('ann'));
    const expected = new Map([
      [acme.id, { last30Days: 4, last400Days: 8 }],
      [other.id, { last30Days: 1, last400Days: 1 }],
    ]);
    expect(await calls()).toEqual(expected);
    await rollUsage.round();
    expect(await calls()).toEqual(expected);
    // They stay when an actor is erased, and go with the key.
    await acme.api('DELETE', '/api/actors/ann');
    stand.app.clock.advance(200);
    await stand.app.deps.erasures.goOn();
    expect(await calls()).toEqual(expected);
    await stand.admin('DELETE', `/api/service-keys/${acme.id}?erase=true`);
    stand.app.clock.advance(200);
    await stand.app.deps.erasures.goOn();
    const asked = { user_id: acme.id, from: 0 };
    expect(await store.usage.sums(asked)).toEqual([]);
  });
});

describe('an actor', () => {
  it('is made once, whatever is sent how often', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, () => acme.api('POST', '/api/actors', { externalId: 'bob' })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(made.filter(({ status }) => status === 200)).toHaveLength(9);
    expect((await stand.admin('GET', `/api/service-keys/${acme.id}`)).body.actors).toBe(2);
    await acme.api('POST', '/api/actors', { externalId: 'bob', name: 'Bob' });
    expect((await acme.api('GET', '/api/actors/bob')).body).toMatchObject({ externalId: 'bob', name: 'Bob' });
  });

  it('is one of as many as the key may have, also when 20 are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => acme.api('POST', '/api/actors', { externalId: `user-${n}` })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(made.find(({ status }) => status === 409)?.body.error).toContain('5 actors');
    await acme.api('DELETE', '/api/actors/ann');
    expect((await acme.api('POST', '/api/actors', { externalId: 'next' })).status).toBe(201);
  });

  it.each(['', '..', 'a b', 'a/b', 'ü', 'a\n', 'x'.repeat(256)])('is never called %j', async (externalId) => {
    expect((await acme.api('POST', '/api/actors', { externalId })).status).toBe(400);
  });

  it('is listed in pages, by id', async () => {
    for (const name of ['d', 'b', 'c']) await acme.actor(name);
    const first = (await acme.api('GET', '/api/actors?limit=3')).body;
    expect(first.actors.map((each: { externalId: string }) => each.externalId)).toEqual(['ann', 'b', 'c']);
    const second = (await acme.api('GET', `/api/actors?limit=3&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ actors: [{ externalId: 'd' }] });
    expect(second.nextCursor).toBeUndefined();
  });

  it('is found by a part of its id, in upper or lower case, in pages', async () => {
    for (const name of ['user-1', 'USER-12', 'user-123', 'bob']) await acme.actor(name);
    const ids = async (query: string) => {
      const { body } = await acme.api('GET', `/api/actors?${query}`);
      return [body.actors.map((each: { externalId: string }) => each.externalId), body.nextCursor];
    };
    expect(await ids('query=ser-12')).toEqual([['USER-12', 'user-123'], undefined]);
    const [first, cursor] = await ids('query=ser-12&limit=1');
    expect([first, await ids(`query=ser-12&cursor=${cursor}`)]).toEqual([
      ['USER-12'],
      [['user-123'], undefined],
    ]);
    const ofAdmin = await stand.admin('GET', `/api/service-keys/${acme.id}/actors?query=OB`);
    expect(ofAdmin.body.actors).toMatchObject([{ externalId: 'bob' }]);
    expect((await acme.api('GET', '/api/actors?query=')).status).toBe(400);
  });

  it('is erased as a person is, at once out of reach, and its id is free again', async () => {
    await stand.connect(acme, 'ann');
    const { store, erasures } = stand.app.deps;
    const former = await store.serviceActors.get(acme.id, 'ann');
    expect((await acme.api('DELETE', '/api/actors/ann')).status).toBe(202);
    expect((await acme.api('GET', '/api/actors/ann')).status).toBe(404);
    expect((await now(acme.for('ann'))).status).toBe(404);
    await acme.actor('ann');
    expect(await stand.row(acme, 'ann')).toBeNull();
    await erasures.goOn();
    stand.app.clock.advance(200);
    await erasures.goOn();
    expect(await store.users.byId(former?.id ?? '')).toBeNull();
    expect(await store.connections.list(former?.id ?? '')).toEqual([]);
    expect((await acme.api('GET', '/api/actors/ann')).status).toBe(200);
  });

  it('hears where its product makes a link for what is not connected, and nothing of the portal', async () => {
    const said = (await runTool(stand, acme.for('ann'), 'vaulted_get', { path: '/x' })).message;
    const post = (path: string, headers: Record<string, string>, body: object) =>
      stand.api('POST', path, body, headers);
    const byRest = await post('/rest/vaulted', acme.for('ann'), { tool: 'get', args: { path: '/x' } });
    expect([byRest.status, byRest.body.error]).toEqual([409, 'NOT_CONNECTED']);
    const session = await call(stand.app, acme.for('ann'), 'curl_session', { integrations: ['vaulted'] });
    for (const text of [said, byRest.body.message, JSON.stringify(session)]) {
      expect(text).toContain('Call connect with integration');
      expect(text).toContain('createActorLink');
      expect(text).not.toContain(PORTAL);
    }
    const [, path = '', form = ''] = /POST https:\/\/gate\.example(\S+) (\{[^}]+\})/.exec(said) ?? [];
    const link = await acme.api('POST', path.replace('{externalId}', 'ann'), {
      ...JSON.parse(form),
      returnTo: RETURN_TO,
    });
    expect(link.status).toBe(201);
    expect(JSON.stringify((await stand.api('GET', '/openapi.json')).body)).toContain('"createActorLink"');
  });

  it('hears the same when its account is refused, and that a cookie cannot be connected', async () => {
    const { config, registry } = stand.app.deps;
    const vaulted = registry.integration('vaulted');
    if (vaulted === null) throw new Error('no integration');
    const refused = howToReconnect(vaulted, config, { id: `service:${acme.id}` });
    expect(refused).toContain('createActorLink');
    expect(refused).not.toContain(PORTAL);
    const site = await stand.tenant({ integrations: ['jar'] });
    await site.actor('ann');
    const { message } = await runTool(stand, site.for('ann'), 'jar_get', { path: '/x' });
    expect(message).toContain('The users of a product cannot connect it');
  });

  it('is disconnected at the provider too', async () => {
    await stand.connect(acme, 'ann');
    expect((await acme.api('DELETE', '/api/actors/ann/connections/vaulted')).status).toBe(200);
    expect((await acme.api('GET', '/api/actors/ann/connections')).body).toEqual({ connections: [] });
  });

  it('has rows in the audit log, and counts of its own', async () => {
    await now(acme.for('ann'));
    const { audit, store } = stand.app.deps;
    await audit.flush();
    const found = await store.serviceActors.get(acme.id, 'ann');
    const rows = await store.audit.list({ user_id: found?.id ?? '', limit: 10 });
    expect(rows).toMatchObject([{ actor: `service:${acme.id}`, tool: 'time_now' }]);
  });

  it('is counted at once, and once, whether or not a round has counted the calls yet', async () => {
    await acme.actor('bob');
    const { audit, rollUsage } = stand.app.deps;
    const usageOf = async (name: string) => (await acme.api('GET', `/api/actors/${name}/usage`)).body;
    const one = `/api/service-keys/${acme.id}/actors/ann/usage`;
    for (let calls = 1; calls <= 3; calls++) {
      await now(acme.for('ann'));
      await audit.flush();
      const expected = { calls, failed: 0, integrations: [{ name: 'time', calls, failed: 0 }] };
      expect(await usageOf('ann')).toEqual(expected);
      expect((await stand.admin('GET', one)).body).toEqual(expected);
      await rollUsage.round();
      expect(await usageOf('ann')).toEqual(expected);
    }
    await runTool(stand, acme.for('ann'), 'vaulted_get', { path: '/x' });
    await audit.flush();
    expect(await usageOf('ann')).toMatchObject({ calls: 4, failed: 1 });
    expect(await usageOf('bob')).toEqual({ calls: 0, failed: 0, integrations: [] });
  });

  it('is bound by the limits and the rules of its key, and nobody is asked', async () => {
    const narrow = await stand.tenant({
      integrations: ['echo', 'time'],
      access: 'read',
      rules: [{ tool: 'time_now', decision: 'ask' }],
    });
    await narrow.actor('ann');
    const blocked = await runTool(stand, narrow.for('ann'), 'time_now');
    expect(blocked).toMatchObject({ error: 'BLOCKED' });
    expect(blocked.message).toContain('The product that you act for');
    expect(await runTool(stand, narrow.for('ann'), 'vaulted_get', { path: '/x' })).toMatchObject({
      error: 'BLOCKED',
    });
    await stand.app.deps.store.policies.putRules({
      owner: '',
      rules: JSON.stringify([{ decision: 'ask' }]),
      revision: 'r1',
      updated_at: 1,
    });
    expect(await runTool(stand, acme.for('ann'), 'time_now')).toMatchObject({ error: 'BLOCKED' });
  });

  it('shares its calls a minute with the other actors of its key', async () => {
    const slow = await stand.tenant({ integrations: ['time'], perMinute: 2 });
    for (const name of ['a', 'b', 'c']) await slow.actor(name);
    expect((await now(slow.for('a'))).status).toBe(200);
    expect((await now(slow.for('b'))).status).toBe(200);
    expect((await now(slow.for('c'))).status).toBe(429);
    expect((await now(acme.for('ann'))).status).toBe(200);
  });

  it('reaches nothing of the gateway’s own unless its key names it', async () => {
    const usual = await stand.tenant();
    await usual.actor('ann');
    const { integrations } = await call(stand.app, usual.for('ann'), 'list_integrations');
    const names = integrations.map(({ name }: { name: string }) => name);
    expect(names).toContain('vaulted');
    expect(names).toContain('github');
    for (const own of ['jots', 'files', 'events', 'scripts', 'time', 'jar', 'mediawiki'])
      expect(names).not.toContain(own);
  });

  it('never uses the connection of the team', async () => {
    const { store } = stand.app.deps;
    await stand.app.deps.vault.saveForTeam(stand.boss.id, 'vaulted', {
      accessToken: 'TEAM',
      way: 'token',
      config: { instanceUrl: 'https://vaulted.example' },
    });
    await store.team.change('vaulted', { access: 'destroy', who: 'everyone' }, 1);
    expect(await store.team.usable(stand.ana.id, 'vaulted')).not.toBeNull();
    expect(await runTool(stand, acme.for('ann'), 'vaulted_get', { path: '/x' })).toMatchObject({
      error: 'NOT_CONNECTED',
    });
    const found = await store.serviceActors.get(acme.id, 'ann');
    await store.team.change('vaulted', { who: [found?.id ?? '', acme.id] }, 2);
    expect(await store.team.people()).toEqual([]);
  });

  it('speaks MCP', async () => {
    const { body } = await rpc(stand.app, acme.for('ann'), 'tools/list');
    expect(body.result?.['tools']).toHaveLength(9);
  });
});

describe('actors among people', () => {
  it('are in no list of them, and cannot be made one', async () => {
    const { store } = stand.app.deps;
    const found = await store.serviceActors.get(acme.id, 'ann');
    const ids = [found?.id ?? '', acme.id];
    const { body } = await stand.admin('GET', '/api/admin/people');
    const people = body.people.map(({ id }: { id: string }) => id);
    expect(people).toContain(stand.ana.id);
    for (const id of ids) {
      expect(people).not.toContain(id);
      expect((await stand.admin('GET', `/api/admin/people/${id}`)).status).toBe(404);
      expect((await stand.admin('PATCH', `/api/admin/people/${id}`, { role: 'administrator' })).status).toBe(
        404,
      );
      expect((await stand.admin('DELETE', `/api/admin/people/${id}`)).status).toBe(404);
      expect((await stand.admin('GET', `/api/admin/people/${id}/export`)).status).toBe(404);
      expect(await store.people.setRole(id, 'owner')).not.toBe('done');
      expect(await store.users.byId(id)).toMatchObject({ is_admin: false, is_owner: false });
    }
  });

  it('are never the first person, who becomes the owner', async () => {
    const { store } = stand.app.deps;
    const alone = await stand.tenant({ name: 'Alone' });
    await alone.actor('ann');
    const rows = await store.people.page({ limit: 1000 }, 1);
    expect(rows.every(({ email }) => email.includes('@'))).toBe(true);
    const actor = await store.serviceActors.get(alone.id, 'ann');
    expect((await store.users.byId(actor?.id ?? ''))?.unverified_since).not.toBeNull();
  });
});
