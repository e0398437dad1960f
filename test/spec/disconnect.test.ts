// Tests that a disconnect ends the grant at its provider, and is not done before. reference: Disconnecting
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { Integration } from '../../src/kit/integration.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import type { Browser } from '../../src/ports/browser.ts';
import { limitedKey } from '../support/depot.ts';
import { respond } from '../support/fake-probed.ts';
import { fixtures, probed } from '../support/fixtures.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';

const sibling: Integration = { ...probed, name: 'probedfiles', displayName: 'Probed Files' };
const CLIENT = { PROBEDFILES_CLIENT_ID: 'probed-id', PROBEDFILES_CLIENT_SECRET: 'probed-secret' };
const REMOVE_AT = 'https://probed.example/settings/apps';
const forgotten: unknown[] = [];
const browser: Browser = {
  status: () => 'off',
  current: () => null,
  open: () => Promise.reject(new Error('not here')),
  forget: async (...args) => void forgotten.push(args),
  remove: async (...args) => void forgotten.push(args),
  reset: async () => {},
  close: async () => {},
};

let stand: ProbedStand;
beforeEach(async () => {
  forgotten.length = 0;
  stand = await openProbedStand({
    env: CLIENT,
    ports: { integrations: [probed, sibling, ...fixtures], browser },
  });
});
afterEach(() => stand.close());

const revoke = async (name = 'probed') =>
  (await stand.api('DELETE', `/api/connections/${name}?revoke=true`)).body;
const stored = () => stand.app.deps.store.connections.get(stand.ana.id, 'probed', '');
const pending = () => stand.app.deps.store.revocations.list(stand.ana.id, 'probed');
const round = () => maintainOnce(stand.app.deps);

describe('DELETE /api/connections/:integration?revoke=true', () => {
  it('ends the grant with the client of the gateway, and finds it ended', async () => {
    await stand.signIn();
    const refresh = stand.provider.grants[0]?.refresh;
    expect(await revoke()).toEqual({ success: true, revoked: 'done' });
    expect(stand.provider.revocations).toEqual([
      { token: refresh, client_id: 'probed-id', basic: 'probed-id:probed-secret' },
    ]);
    expect(stand.provider.seen.slice(-2)).toEqual(['POST /revoke', 'GET /api/whoami']);
    expect([await stored(), await pending()]).toEqual([null, []]);
    expect(await revoke()).toEqual({ success: true, revoked: 'done' });
  });

  it('is refused with another word than true or false, and ends nothing', async () => {
    await stand.signIn();
    expect(await stand.api('DELETE', '/api/connections/probed?revoke=junk')).toMatchObject({
      status: 400,
      body: { error: 'revoke must be true or false' },
    });
    expect(await stored()).not.toBeNull();
  });

  it('takes a grant that has gone already as ended', async () => {
    await stand.signIn();
    stand.provider.grants = [];
    expect(await revoke()).toMatchObject({ revoked: 'done' });
  });

  it('revokes nothing without the parameter', async () => {
    await stand.signIn();
    expect((await stand.api('DELETE', '/api/connections/probed')).body).toEqual({ success: true });
    expect([stand.provider.revocations, await stored(), await pending()]).toEqual([[], null, []]);
  });

  it('names the page where a person removes a token that they made', async () => {
    stand.provider.tokens.add('good-token');
    await stand.enter('good-token');
    const removeAt = 'https://probed.example/settings/tokens';
    expect(await revoke()).toEqual({ success: true, revoked: 'not-offered', removeAt });
    expect([await stored(), stand.provider.revocations]).toEqual([null, []]);
  });

  it('deletes the cookies of a session from the browser too', async () => {
    const cookies = JSON.stringify({ v: 1, cookies: [], capturedAt: 1 });
    const config = { instanceUrl: 'https://wiki.corp.example/w' };
    await stand.app.deps.vault.save(stand.ana.id, 'jar', { cookies, config });
    expect(await revoke('jar')).toEqual({ success: true, revoked: 'not-offered' });
    expect(forgotten).toEqual([[stand.ana.id, ['wiki.corp.example']]]);
    expect(await stand.state('jar')).toEqual({ name: 'jar', connected: false });
  });
});

describe('a grant that has not ended yet', () => {
  it.each([
    ['the provider is in trouble', '/revoke', 503],
    ['the provider asks to wait', '/revoke', 429],
    ['the provider cannot be asked whether it has ended', '/api/whoami', 502],
  ])('is out of reach of calls and ended within a minute when %s', async (_, path, status) => {
    await stand.signIn();
    stand.provider.script.push({ path, answer: respond(status) });
    expect(await revoke()).toEqual({ success: true, revoked: 'pending', removeAt: REMOVE_AT });
    expect(await stand.use()).toMatchObject({ error: 'NOT_CONNECTED' });
    expect(JSON.stringify(await pending())).not.toMatch(/access-|refresh-/);
    await round();
    expect(await pending()).toHaveLength(1);
    stand.app.clock.advance(60);
    await round();
    expect([await pending(), stand.provider.grants]).toEqual([[], []]);
  });

  it('stays pending while the provider still accepts it, with longer and longer pauses, for a day', async () => {
    stand.provider.revokes = false;
    stand.provider.expiresIn = 100 * 86_400;
    await stand.signIn();
    expect(await revoke()).toMatchObject({ revoked: 'pending' });
    expect(await revoke()).toMatchObject({ revoked: 'pending' });
    for (let minute = 0; minute < 25 * 60; minute++) {
      stand.app.clock.advance(60);
      await stand.app.deps.disconnects.retry();
    }
    expect(await pending()).toEqual([]);
    // One attempt at once, one each after 1, 2, 4, 8, 16 and 32 minutes, and then one an hour.
    expect(stand.provider.revocations.length).toBeLessThan(35);
    expect(stand.app.lines).toContainEqual(
      expect.objectContaining({ level: 'error', event: expect.stringContaining('not revoked within a day') }),
    );
  });

  it('is ended once by two gateways at a time', async () => {
    await stand.signIn();
    stand.provider.script.push({ path: '/revoke', answer: respond(503) });
    await revoke();
    stand.app.clock.advance(60);
    await Promise.all([stand.app.deps.disconnects.retry(), stand.app.deps.disconnects.retry()]);
    expect(stand.provider.revocations).toHaveLength(1);
  });

  it('is left alone when the person has connected again', async () => {
    await stand.signIn();
    stand.provider.script.push({ path: '/revoke', answer: respond(503) });
    await revoke();
    await stand.signIn();
    stand.app.clock.advance(60);
    await round();
    expect([await pending(), stand.provider.revocations]).toEqual([[], []]);
    expect(await stand.state()).toMatchObject({ connected: true, status: 'ok' });
  });

  it('goes on when the person has connected another account', async () => {
    await stand.signIn();
    stand.provider.script.push({ path: '/revoke', answer: respond(503) });
    await revoke();
    const [former] = stand.provider.grants;
    stand.provider.script.push({
      path: '/api/whoami',
      answer: respond(200, { user: { id: 7, name: 'other' } }),
    });
    await stand.signIn();
    stand.app.clock.advance(60);
    await round();
    expect(await pending()).toEqual([]);
    expect(stand.provider.revocations).toMatchObject([{ token: former?.refresh }]);
  });

  it('is left alone when another integration of the provider has got the grant', async () => {
    await stand.signIn();
    stand.provider.script.push({ path: '/revoke', answer: respond(503) });
    await revoke();
    await stand.signIn();
    const row = await stored();
    if (row === null) throw new Error('not connected');
    const { connections } = stand.app.deps.store;
    await connections.put({ ...row, integration: 'probedfiles' });
    await connections.delete(stand.ana.id, 'probed', '');
    stand.app.clock.advance(60);
    await round();
    expect([await pending(), stand.provider.revocations]).toEqual([[], []]);
  });

  it.each([
    [403, '<html>Blocked</html>'],
    [200, '<html>Maintenance</html>'],
  ])('stays pending behind a firewall that answers %d to everything', async (status, page) => {
    await stand.signIn();
    for (const path of ['/revoke', '/api/whoami'])
      stand.provider.script.push({ path, answer: respond(status, page) });
    expect(await revoke()).toMatchObject({ revoked: 'pending' });
    expect(stand.provider.grants).toHaveLength(1);
    expect(await pending()).toHaveLength(1);
  });

  it('waits for a refresh that is under way, and ends the newer tokens', async () => {
    await stand.close();
    stand = await openProbedStand({
      ports: { integrations: [probed, ...fixtures], clock: createSystemClock(setImmediate) },
    });
    stand.provider.expiresIn = 1;
    await stand.signIn();
    const asked = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    const newer = { access: 'access-new', refresh: 'refresh-new' };
    stand.provider.script.push({
      path: '/token',
      answer: async (response) => {
        asked.resolve();
        await resume.promise;
        stand.provider.grants = [newer];
        const { access: access_token, refresh: refresh_token } = newer;
        respond(200, { access_token, refresh_token, token_type: 'bearer', expires_in: 3600 })(response);
      },
    });
    const calling = stand.use();
    await asked.promise;
    const revoking = revoke();
    resume.resolve();
    await calling;
    expect(await revoking).toMatchObject({ revoked: 'done' });
    expect(stand.provider.revocations).toMatchObject([{ token: 'refresh-new' }]);
  });
});

describe('connections that share a grant', () => {
  it('say at once that they have ended with it', async () => {
    await stand.signIn();
    const row = await stored();
    if (row === null) throw new Error('not connected');
    const { store, vault } = stand.app.deps;
    const place = { user_id: stand.ana.id, integration: 'probedfiles', account: '' };
    const access = (await vault.open(row, 'access_token')) ?? '';
    await store.connections.put({
      ...row,
      ...place,
      access_token: await vault.seal(access, place, 'access_token'),
      refresh_token: null,
    });
    expect(await revoke()).toMatchObject({ revoked: 'done' });
    expect(await stand.state('probedfiles')).toMatchObject({ status: 'reconnect' });
  });

  it('name each other while they have the same client and account', async () => {
    await stand.signIn();
    expect((await stand.state()).siblings).toBeUndefined();
    const row = await stored();
    if (row === null) throw new Error('not connected');
    const put = (changes: object) =>
      stand.app.deps.store.connections.put({ ...row, integration: 'probedfiles', ...changes });
    await put({});
    expect([(await stand.state()).siblings, (await stand.state('probedfiles')).siblings]).toEqual([
      ['probedfiles'],
      ['probed'],
    ]);
    // A key of one integration does not read which others the person has.
    const { header: headers } = await limitedKey(stand.app, stand.ana, { integrations: ['probed'] });
    const { connections } = await (await stand.app.request('/api/connections', { headers })).json();
    expect(connections).toEqual([expect.not.objectContaining({ siblings: expect.anything() })]);
    // Another integration may know the account by its address.
    await put({ account_id: '99', account_label: 'octocat' });
    expect((await stand.state()).siblings).toEqual(['probedfiles']);
    await put({ account_id: '99', account_label: 'somebody' });
    expect((await stand.state()).siblings).toBeUndefined();
    await put({ way: 'token', scopes: null });
    expect((await stand.state()).siblings).toBeUndefined();
  });
});
