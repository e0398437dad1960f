// Tests credentials that are entered at the same time, or while the connection changes. reference: Status of a connection
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { respond } from '../support/fake-probed.ts';
import { fixtures, probed } from '../support/fixtures.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';

const PROBE = { request: 'GET /whoami', id: '/user/id', label: '/user/name', anonymous: 0 };
const integrations = [
  probed,
  ...fixtures.map((each) => (each.name === 'jar' ? { ...each, probe: PROBE } : each)),
];
const WHOAMI = '/personal/whoami';
const JAR = '/jar/whoami';
const CHANGED = { status: 409, body: { error: 'The connection was changed meanwhile. Try again.' } };
/** The account that the fake provider names too. */
const ACCOUNT = { user: { id: 583231, name: 'slow' } };

let stand: ProbedStand;
beforeEach(async () => {
  stand = await openProbedStand({ ports: { integrations } });
  stand.provider.tokens.add('good-token').add('newer-token');
});
afterEach(() => stand.close());

const importSession = (value: string) =>
  stand.api('POST', '/api/integrations/jar/session/import', {
    session: [{ name: 'sid', value, domain: 'probed.example', path: '/' }],
    instanceUrl: 'https://probed.example/jar',
  });
/** Answers the next probe only after this was done. */
const during = (path: string, act: () => Promise<unknown>) =>
  stand.provider.script.push({
    path,
    answer: async (response) => {
      await act();
      respond(200, ACCOUNT)(response);
    },
  });

describe('a credential whose check ends late', () => {
  it('does not replace one that was stored meanwhile', async () => {
    during(WHOAMI, () => stand.enter('newer-token'));
    expect(await stand.enter('good-token')).toEqual(CHANGED);
    expect(await stand.state()).toMatchObject({ account: { label: 'octocat' } });
  });

  it('does not replace a newer one of a connection that was there before', async () => {
    await stand.enter('good-token');
    during(WHOAMI, () => stand.enter('newer-token'));
    expect(await stand.enter('good-token')).toEqual(CHANGED);
    expect(await stand.state()).toMatchObject({ account: { label: 'octocat' } });
  });

  it('does not bring back a connection that was ended meanwhile', async () => {
    await stand.enter('good-token');
    during(WHOAMI, () => stand.api('DELETE', '/api/connections/probed'));
    expect(await stand.enter('newer-token')).toEqual(CHANGED);
    expect(await stand.state()).toEqual({ name: 'probed', connected: false });
    expect((await stand.enter('newer-token')).status).toBe(200);
  });

  it('is not stored when it is a session, and another was imported meanwhile', async () => {
    during(JAR, async () => {
      stand.provider.script.push({
        path: JAR,
        answer: respond(200, { user: { ...ACCOUNT.user, name: 'newer' } }),
      });
      expect((await importSession('newer')).status).toBe(200);
    });
    expect(await importSession('slow')).toEqual(CHANGED);
    expect(await stand.state('jar')).toMatchObject({ account: { label: 'newer' } });
  });
});

describe('checks before storing', () => {
  const held: ServerResponse[] = [];
  const hold = (path: string) =>
    stand.provider.script.push({ path, answer: (response) => held.push(response) });
  /** Begins four checks of Ana, which wait for their provider. */
  async function fill() {
    held.length = 0;
    for (let n = 0; n < 4; n++) hold(WHOAMI);
    const entries = Array.from({ length: 4 }, () => stand.enter('good-token'));
    await expect.poll(() => held.length).toBe(4);
    return async () => {
      for (const response of held) respond(401)(response);
      expect((await Promise.all(entries)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    };
  }

  it('are four at a time for a person, of keys and sessions alike', async () => {
    const release = await fill();
    const asked = stand.provider.seen.length;
    const refused = await stand.app.request('/api/auth/apikey/probed', {
      method: 'POST',
      headers: { ...stand.ana.keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ values: { token: 'good-token', email: 'ana@corp.example' } }),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    const error = expect.stringMatching(/^4 of your credentials are being checked already/);
    expect(await refused.json()).toEqual({ error });
    expect(await importSession('one')).toEqual({ status: 429, body: { error } });
    expect(stand.provider.seen).toHaveLength(asked);
    await release();
    expect((await stand.enter('good-token')).status).toBe(200);
  });

  it('leave room for other people', async () => {
    const release = await fill();
    const { keyHeader } = await stand.app.user('ben@example.com');
    const entered = await stand.app.request('/api/auth/apikey/probed', {
      method: 'POST',
      headers: { ...keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ values: { token: 'good-token', email: 'ana@corp.example' } }),
    });
    expect(entered.status).toBe(200);
    await release();
  });

  it('never refuse a grant that the provider has just given', async () => {
    const release = await fill();
    expect(await stand.signIn()).toBe(302);
    expect(await stand.state()).toMatchObject({ status: 'unverified', way: 'oauth2' });
    await release();
  });

  it('read at most 128 KiB of an answer', async () => {
    const padded = (bytes: number) => ({ ...ACCOUNT, pad: 'x'.repeat(bytes) });
    stand.provider.script.push({ path: WHOAMI, answer: respond(200, padded(120 * 1024)) });
    expect((await stand.enter('good-token')).body).toMatchObject({ status: 'ok' });
    stand.provider.script.push({ path: WHOAMI, answer: respond(200, padded(128 * 1024)) });
    const values = { token: 'good-token', email: 'ana@corp.example' };
    const { body } = await stand.api('POST', '/api/auth/apikey/probed', { values, account: 'slow' });
    expect(body).toEqual({ success: true, status: 'unverified' });
  });
});
