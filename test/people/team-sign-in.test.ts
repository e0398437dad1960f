// Tests that an administrator signs in at a provider for the team: only an administrator, from the start to the end, and
// that the grant is renewed, checked, sealed again and ended like that of a person. reference: Team connections; decision: 029
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireHexKey } from '../../src/config/config.ts';
import { createSeal } from '../../src/crypto/seal.ts';
import { checkConnections } from '../../src/connections/checking/check-connections.ts';
import { rotateKeys } from '../../src/maintenance/rotate-keys.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { TEAM_ACCOUNT } from '../../src/ports/team.ts';
import { call, rpc } from '../support/mcp.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';
import type { TestUser } from '../support/test-app.ts';

const PATH = '/api/admin/team-connections/probed';

type Headers = Record<string, string>;

let stand: ProbedStand;
let root: TestUser;

async function open(env: Headers = {}): Promise<void> {
  stand = await openProbedStand({ env: { ...PROVIDER, ...env } });
  root = await userWithRole(stand.app, 'root@example.com', 'administrator');
}

async function api(headers: Headers, method: string, path: string, body?: unknown) {
  const init: RequestInit = { method, headers: { ...headers, 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await stand.app.request(path, init);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const begin = async () => {
  const { body } = await api(root.sessionHeader, 'GET', '/api/auth/probed?for=team');
  return new URL(body.url);
};
/** Consents at the provider and comes back, with a session or as a browser that nobody knows. */
function comeBack(url: URL, headers: Headers = root.sessionHeader) {
  stand.provider.expect('code-1', url.searchParams.get('code_challenge') ?? '');
  const query = new URLSearchParams({ code: 'code-1', state: url.searchParams.get('state') ?? '' });
  return api(headers, 'GET', `/api/auth/plugin/probed/callback?${query}`);
}
async function connectTeam(): Promise<void> {
  expect((await comeBack(await begin())).status).toBe(302);
  const change = { who: 'everyone', access: 'destroy' };
  expect((await api(root.sessionHeader, 'PATCH', PATH, change)).status).toBe(200);
}
async function teamRow() {
  const row = await stand.app.deps.store.connections.get(EVERYONE, 'probed', TEAM_ACCOUNT);
  if (row === null) throw new Error('the team is not connected');
  return row;
}
const tokens = () => stand.provider.seen.filter((line) => line === 'POST /token').length;
const demote = () => stand.app.deps.store.people.setRole(root.id, 'member');

describe('a sign-in for the team', () => {
  beforeEach(() => open());
  afterEach(() => stand.close());

  it('connects everyone with the account of the administrator', async () => {
    await connectTeam();
    expect(await stand.use()).toMatchObject({ account: 'team', result: { status: 200 } });
    const { body } = await api(root.sessionHeader, 'GET', PATH);
    expect(body).toMatchObject({ status: 'ok', way: 'oauth2', account: { label: 'octocat' } });
    expect(await stand.app.deps.store.connections.list(root.id)).toEqual([]);
    // The config of the flow has not become that of the connection.
    expect((await teamRow()).config).not.toContain('team');
  });

  it('is refused to somebody who is no administrator when it ends, and the code is not used', async () => {
    const url = await begin();
    await demote();
    const ended = await comeBack(url);
    expect(ended.status).toBe(400);
    expect(JSON.stringify(ended.body)).toContain('Only an administrator');
    expect(tokens()).toBe(0);
    expect(await stand.app.deps.store.connections.list(EVERYONE)).toEqual([]);
  });

  it('is refused to somebody who is disabled meanwhile', async () => {
    const url = await begin();
    const ending = { person: 'x', before: 1, expires_at: 2 };
    await stand.app.deps.store.people.disable(root.id, ending);
    expect((await comeBack(url, {})).status).toBe(400);
    expect(await stand.app.deps.store.connections.list(EVERYONE)).toEqual([]);
  });

  it('says in its question that it is for the team, and asks again who answers', async () => {
    await stand.close();
    await open({ CONNECT_CONFIRM: 'unbound', CONNECT_VIA: 'provider' });
    for (const isDemoted of [false, true]) {
      const url = await begin();
      stand.provider.expect('code-1', url.searchParams.get('code_challenge') ?? '');
      const query = new URLSearchParams({ code: 'code-1', state: url.searchParams.get('state') ?? '' });
      const question = await stand.app.request(`/api/auth/plugin/probed/callback?${query}`);
      expect(question.status).toBe(200);
      const page = await question.text();
      expect(page).toContain('the whole team');
      const id = /name="confirm" value="([^"]+)"/.exec(page)?.[1] ?? '';
      if (isDemoted) await demote();
      const answer = await stand.app.request('/api/auth/plugin/probed/confirm', {
        method: 'POST',
        headers: { cookie: (question.headers.get('set-cookie') ?? '').split(';')[0] ?? '' },
        body: new URLSearchParams({ confirm: id }),
      });
      expect(answer.status).toBe(isDemoted ? 400 : 302);
      expect(await stand.app.deps.store.connections.list(EVERYONE)).toHaveLength(isDemoted ? 0 : 1);
      if (!isDemoted) await api(root.sessionHeader, 'DELETE', PATH);
    }
  });

  it('never comes from an agent: connect is for the person', async () => {
    const { url } = await call(stand.app, root.keyHeader, 'connect', { integration: 'probed' });
    expect((await comeBack(new URL(url))).status).toBe(302);
    expect(await stand.app.deps.store.connections.list(EVERYONE)).toEqual([]);
    const { body } = await rpc(stand.app, root.keyHeader, 'tools/call', {
      name: 'connect',
      arguments: { integration: 'probed', for: 'team' },
    });
    expect(body.error?.message).toContain('for');
  });

  it('is checked every day, and sealed again with a new key', async () => {
    await connectTeam();
    const before = await teamRow();
    stand.app.clock.advance(24 * 3_600 + 1);
    await checkConnections(stand.app.deps);
    const checked = await teamRow();
    expect(checked.checked_at).toBe(stand.app.clock.now());
    expect(checked.access_token).not.toBe(before.access_token);
    const { config, random } = stand.app.deps;
    const seal = await createSeal(['f'.repeat(64), requireHexKey(config.ENCRYPTION_KEY)], random);
    await rotateKeys({ ...stand.app.deps, seal }, () => {});
    const rotated = await teamRow();
    expect(rotated.access_token).not.toBe(checked.access_token);
    const place = [EVERYONE, `probed ${TEAM_ACCOUNT}`, 'access_token'] as const;
    const [grant] = stand.provider.grants;
    expect(await seal.open(rotated.access_token ?? '', [...place])).toBe(grant?.access);
  });

  it('ends at the provider with the team connection', async () => {
    await connectTeam();
    const ended = await api(root.sessionHeader, 'DELETE', `${PATH}?revoke=true`);
    expect(ended.body).toEqual({ success: true, revoked: 'done' });
    expect(stand.provider.grants).toEqual([]);
    expect(await stand.use()).toMatchObject({ error: 'NOT_CONNECTED' });
  });

  it('is not ended at the provider while the administrator has the same grant, or the other way round', async () => {
    const own = new URL((await api(root.sessionHeader, 'GET', '/api/auth/probed')).body.url);
    expect((await comeBack(own)).status).toBe(302);
    await connectTeam();
    const mine = await api(root.sessionHeader, 'DELETE', '/api/connections/probed?revoke=true');
    expect(mine.body).toMatchObject({ revoked: 'not-offered' });
    expect(
      (await comeBack(new URL((await api(root.sessionHeader, 'GET', '/api/auth/probed')).body.url))).status,
    ).toBe(302);
    const ended = await api(root.sessionHeader, 'DELETE', `${PATH}?revoke=true`);
    expect(ended.body).toMatchObject({ revoked: 'not-offered' });
    expect(stand.provider.revocations).toEqual([]);
  });
});
