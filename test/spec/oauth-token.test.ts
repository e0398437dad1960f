// spec: /token, Authorization code, Refresh token record, Agent; design: O3, O4, O5
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rpc } from '../support/mcp.ts';
import { CALLBACK, connected, issueCode, refresh, registered, token } from '../support/oauth-client.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const DAY = 86_400;

let app: TestApp;
type Person = Pick<TestUser, 'id' | 'sessionHeader'>;
let ana: Person;
let client: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ana = await person();
  client = await registered(app);
});

// Without a key, whose hash takes its time.
async function person(): Promise<Person> {
  const { store, sessions } = app.deps;
  const email = `${crypto.randomUUID()}@example.com`;
  const user = await store.users.create({ id: crypto.randomUUID(), email, created_at: app.clock.now() });
  return { id: user.id, sessionHeader: { authorization: `Bearer ${await sessions.issue(user)}` } };
}

const redeem = (fields: Record<string, string>) =>
  token(app, { grant_type: 'authorization_code', ...fields });
const agents = async (user = ana) =>
  (await (await app.request('/api/agents', { headers: user.sessionHeader })).json()).agents;
const revoke = async (clientId: string, user = ana) =>
  (
    await app.request(`/api/agents/${encodeURIComponent(clientId)}`, {
      method: 'DELETE',
      headers: user.sessionHeader,
    })
  ).json();

describe('the request', () => {
  const raw = (body: string, type = 'application/x-www-form-urlencoded') =>
    app.request('/token', { method: 'POST', headers: { 'content-type': type }, body });

  it.each([
    ['JSON', '{"grant_type":"refresh_token"}', 'application/json'],
    ['no type', 'grant_type=refresh_token', 'text/plain'],
    ['a parameter twice', 'grant_type=refresh_token&refresh_token=a&refresh_token=b', undefined],
    [
      'a resource elsewhere',
      'grant_type=refresh_token&refresh_token=a&resource=https://evil.example',
      undefined,
    ],
  ])('%s is 400 invalid_request', async (_, body, type) => {
    const response = await raw(body, type);
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
    });
  });

  it('is a form by its type: another one is 400 and leaves the code alone', async () => {
    const fields = { grant_type: 'authorization_code', ...(await issueCode(app, ana, client)) };
    const form = String(new URLSearchParams(fields));
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded-not',
      'text/application/x-www-form-urlencoded',
    ])
      expect([type, (await raw(form, type)).status]).toEqual([type, 400]);
    expect(app.lines).toContainEqual({ level: 'warn', event: 'token refused', reason: 'malformed' });
    expect((await raw(form, 'Application/X-WWW-Form-URLEncoded; charset=UTF-8')).status).toBe(200);
  });

  it.each(['password', 'client_credentials', 'implicit', 'x', ''])(
    'grant_type "%s" is 400',
    async (grant_type) => {
      const { status, body } = await token(app, { grant_type, client_id: client });
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
    },
  );

  it.each([
    ['', 'unsupported_grant_type'],
    ['client_id=x', 'unsupported_grant_type'],
    ['grant_type=authorization_code&client_id=x', 'invalid_grant'],
    ['grant_type=authorization_code&code=', 'invalid_grant'],
    ['grant_type=refresh_token&client_id=x', 'invalid_grant'],
  ])('the form "%s" is 400 %s', async (form, error) => {
    const response = await raw(form);
    expect([response.status, (await response.json()).error]).toEqual([400, error]);
  });

  it('of more than 64 KiB is 413', async () => {
    const start = 'grant_type=';
    expect((await raw(start.padEnd(64 * 1024, 'x'))).status).toBe(400);
    expect((await raw(start.padEnd(64 * 1024 + 1, 'x'))).status).toBe(413);
  });
});

describe('a code', () => {
  it('becomes an access token that opens /mcp, and a refresh token', async () => {
    const { status, headers, body } = await redeem({ ...(await issueCode(app, ana, client)) });
    expect(status).toBe(200);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'mcp',
    });
    const { status: opened } = await rpc(app, { authorization: `Bearer ${body.access_token}` }, 'tools/list');
    expect(opened).toBe(200);
    const [, payload = ''] = body.access_token.split('.');
    expect(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))).toEqual({
      sub: ana.id,
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000/mcp',
      scope: 'mcp',
      client_id: client,
      token_type: 'oauth',
      iat: app.clock.now(),
      exp: app.clock.now() + 3600,
    });
  });

  it.each([
    ['another client', { client_id: 'other' }],
    ['another redirect_uri', { redirect_uri: `${CALLBACK}/` }],
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['an empty verifier', { code_verifier: '' }],
  ])('with %s is 400 invalid_grant, and burned', async (_, changes) => {
    const code = await issueCode(app, ana, client);
    const first = await redeem({ ...code, ...changes });
    expect([first.status, first.body.error]).toEqual([400, 'invalid_grant']);
    expect((await redeem({ ...code })).body.error).toBe('invalid_grant');
    expect(await agents()).toEqual([]);
  });

  it.each(['client_id', 'redirect_uri', 'code_verifier'])('without %s is 400, and burned', async (name) => {
    const code: Record<string, string> = { ...(await issueCode(app, ana, client)) };
    const { [name]: _, ...rest } = code;
    expect((await redeem(rest)).status).toBe(400);
    expect((await redeem(code)).body.error).toBe('invalid_grant');
  });

  // RFC 6749 §3.2: a parameter without a value counts as omitted.
  it('needs a verifier, also where its challenge is the hash of nothing', async () => {
    const { code_verifier: _, ...without } = await issueCode(app, ana, client, '');
    expect((await redeem(without)).body.error).toBe('invalid_grant');
    const empty = await issueCode(app, ana, client, '');
    expect((await redeem({ ...empty })).body.error).toBe('invalid_grant');
    expect(await agents()).toEqual([]);
  });

  // RFC 6749 §2.3.1: a client with a secret may name itself in a header. Here none has one.
  it('is refused to a client that names itself in Authorization only, with the true reason', async () => {
    const { client_id: _, ...code } = { ...(await issueCode(app, ana, client)) };
    const body = new URLSearchParams({ grant_type: 'authorization_code', ...code });
    const headers = { authorization: `Basic ${btoa(`${client}:`)}` };
    const response = await app.request('/token', { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'invalid_grant',
      error_description:
        'The body must name its client_id: clients have no secret here, and Authorization is not read.',
    });
  });

  it('lives 60 seconds', async () => {
    const [young, old] = [await issueCode(app, ana, client), await issueCode(app, ana, client)];
    app.clock.advance(59);
    expect((await redeem({ ...young })).status).toBe(200);
    app.clock.advance(1);
    expect((await redeem({ ...old })).body.error).toBe('invalid_grant');
  });

  it('takes our own resource, in any spelling of this origin', async () => {
    for (const resource of [
      'http://localhost:3000/mcp',
      'http://localhost:3000',
      'http://LOCALHOST:3000/mcp/',
    ]) {
      expect((await redeem({ ...(await issueCode(app, ana, client)), resource })).status).toBe(200);
    }
  });
});

describe('who is told to register again', () => {
  const unknown = 'f'.repeat(32);

  it.each([
    ['authorization_code', { code: 'x' }],
    ['refresh_token', { refresh_token: 'x' }],
  ])('%s: an unknown client with something unknown, by 401', async (grant_type, fields) => {
    const { status, body } = await token(app, { grant_type, ...fields, client_id: unknown });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it.each([
    ['authorization_code', { code: 'x' }],
    ['refresh_token', { refresh_token: 'x' }],
  ])('%s: not a known client', async (grant_type, fields) => {
    const { status, body } = await token(app, { grant_type, ...fields, client_id: client });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  it('not an unknown client with a live code or token: both are burned', async () => {
    const code = await issueCode(app, ana, client);
    expect((await redeem({ ...code, client_id: unknown })).body.error).toBe('invalid_grant');
    const { refresh_token } = await connected(app, ana, client);
    expect((await refresh(app, unknown, refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
    expect(await agents()).toEqual([]);
  });

  it('a client that was deleted, with its codes and tokens', async () => {
    const code = await issueCode(app, ana, client);
    const { refresh_token } = await connected(app, ana, client);
    await app.deps.store.clients.delete(client);
    expect((await redeem({ ...code })).status).toBe(401);
    expect((await refresh(app, client, refresh_token)).status).toBe(401);
  });
});

describe('a refresh token', () => {
  it('is replaced at each use, its scope and beginning stay, its 30 days begin again', async () => {
    const first = await connected(app, ana, client);
    const since = app.clock.now();
    app.clock.advance(DAY);
    const { status, body } = await refresh(app, client, first.refresh_token);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(first).toSorted());
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await agents()).toMatchObject([
      { connected_since: since, expires_at: since + 31 * DAY, scopes: ['mcp'] },
    ]);
  });

  it('lives 30 days', async () => {
    const { refresh_token } = await connected(app, ana, client);
    app.clock.advance(30 * DAY);
    expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
  });

  it('used again within 60 seconds fails, and its successor lives', async () => {
    const first = await connected(app, ana, client);
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(60);
    expect((await refresh(app, client, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, second.refresh_token)).status).toBe(200);
  });

  it('used again later revokes the whole family, and no other', async () => {
    const [first, other] = [await connected(app, ana, client), await connected(app, ana, client)];
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(61);
    expect((await refresh(app, client, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, second.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, other.refresh_token)).status).toBe(200);
  });

  it('used again long after revokes the family, also right after its successor was used', async () => {
    const first = await connected(app, ana, client);
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(3_600);
    const third = (await refresh(app, client, second.refresh_token)).body;
    expect((await refresh(app, client, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, third.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('used again while others of its family follow each other quickly fails, and the last one lives', async () => {
    const first = await connected(app, ana, client);
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(30);
    const third = (await refresh(app, client, second.refresh_token)).body;
    app.clock.advance(30);
    for (const { refresh_token } of [first, second])
      expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, third.refresh_token)).status).toBe(200);
  });

  it('used again long after revokes the family, however quickly a thief has gone on with it', async () => {
    const stolen = await connected(app, ana, client);
    let last = stolen.refresh_token;
    for (let rotation = 0; rotation < 10; rotation++) {
      app.clock.advance(20);
      last = (await refresh(app, client, last)).body.refresh_token;
    }
    expect((await refresh(app, client, stolen.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, last)).body.error).toBe('invalid_grant');
  });

  it('keeps the half that is its family’s, and no other has it', async () => {
    const [first, other] = [await connected(app, ana, client), await connected(app, ana, client)];
    const second = (await refresh(app, client, first.refresh_token)).body;
    const halves = [first, second, other].map(({ refresh_token }) => [
      refresh_token.slice(0, 32),
      refresh_token.slice(32),
    ]);
    expect(halves[1]?.[0]).toBe(halves[0]?.[0]);
    expect(new Set(halves.flat()).size).toBe(5);
  });

  it('is not stored, and neither token is in a log line', async () => {
    const { access_token, refresh_token } = await connected(app, ana, client);
    await refresh(app, client, refresh_token);
    await refresh(app, client, refresh_token);
    expect(JSON.stringify(await app.deps.store.refreshTokens.list(ana.id, 0))).not.toContain(refresh_token);
    for (const secret of [access_token, refresh_token])
      expect(JSON.stringify(app.lines)).not.toContain(secret);
  });
});

describe('of a person who has been deleted', () => {
  const remove = (user: Person) => {
    const database = new DatabaseSync(join(app.folder, 'service.db'));
    database.prepare('delete from users where id = ?').run(user.id);
    database.close();
  };
  const refused = { status: 400, body: { error: 'invalid_grant' } };

  it('a refresh token is worth nothing, and is gone', async () => {
    const { refresh_token } = await connected(app, ana, client);
    remove(ana);
    expect(await refresh(app, client, refresh_token)).toMatchObject(refused);
    expect(await app.deps.store.refreshTokens.list(ana.id, app.clock.now())).toEqual([]);
  });

  it('so is a code', async () => {
    const code = await issueCode(app, ana, client);
    remove(ana);
    expect(await redeem({ ...code })).toMatchObject(refused);
    expect(await app.deps.store.refreshTokens.list(ana.id, app.clock.now())).toEqual([]);
  });
});

describe('/api/agents', () => {
  it('lists clients with live tokens, one row each', async () => {
    expect(await agents()).toEqual([]);
    await connected(app, ana, client);
    const since = app.clock.now();
    app.clock.advance(10);
    await connected(app, ana, client);
    const unnamed = (
      await (
        await app.request('/register', {
          method: 'POST',
          body: JSON.stringify({ redirect_uris: [CALLBACK] }),
        })
      ).json()
    ).client_id;
    await connected(app, ana, unnamed);
    expect(await agents()).toEqual([
      {
        client_id: client,
        client_name: 'A client',
        scopes: ['mcp'],
        connected_since: since,
        expires_at: since + 10 + 30 * DAY,
      },
      { client_id: unnamed, scopes: ['mcp'], connected_since: since + 10, expires_at: since + 10 + 30 * DAY },
    ]);
  });

  it('revoking counts the tokens, takes the codes, and is idempotent', async () => {
    const { refresh_token } = await connected(app, ana, client);
    await connected(app, ana, client);
    const code = await issueCode(app, ana, client);
    expect(await revoke(client)).toEqual({ revoked: 2 });
    expect(await revoke(client)).toEqual({ revoked: 0 });
    expect(await revoke('never was')).toEqual({ revoked: 0 });
    expect((await redeem({ ...code })).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
    expect(await agents()).toEqual([]);
  });

  it("touches nobody else's", async () => {
    const bea = await person();
    const { refresh_token } = await connected(app, bea, client);
    expect(await revoke(client)).toEqual({ revoked: 0 });
    expect(await agents(bea)).toHaveLength(1);
    expect((await refresh(app, client, refresh_token)).status).toBe(200);
  });

  it('takes a client id that is an address', async () => {
    const id = 'https://client.example/a/b?c=d';
    await app.deps.store.refreshTokens.put({
      token_hash: crypto.randomUUID(),
      family: 'f',
      client_id: id,
      user_id: ana.id,
      scope: 'mcp',
      created_at: 1,
      expires_at: app.clock.now() + 1,
    });
    expect(await agents()).toMatchObject([{ client_id: id }]);
    expect(await revoke(id)).toEqual({ revoked: 1 });
  });

  it('needs a session or an API key; an access token is 401', async () => {
    const { access_token } = await connected(app, ana, client);
    const status = async (headers: Record<string, string>) =>
      (await app.request('/api/agents', { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${access_token}` })).toBe(401);
    expect(await status((await app.user()).keyHeader)).toBe(200);
  });

  it('revoking while tokens rotate never leaves a live one', async () => {
    for (let round = 0; round < 10; round++) {
      const { refresh_token } = await connected(app, ana, client);
      await Promise.all([
        refresh(app, client, refresh_token),
        revoke(client),
        refresh(app, client, refresh_token),
      ]);
      expect(await agents()).toEqual([]);
    }
  });
});
