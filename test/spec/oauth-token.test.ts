// Tests the token endpoint. reference: Token endpoint; Authorization codes; Refresh tokens; Agents; decision: 020, 022
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { putToken } from '../contracts/store/records.ts';
import { rpc } from '../support/mcp.ts';
import {
  CALLBACK,
  type Code,
  connected,
  issueCode,
  refresh,
  registered,
  token,
} from '../support/oauth-client.ts';
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

// Creates a person without a key, because hashing a key is slow.
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

describe('the request to /token', () => {
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
  ])('is refused with 400 invalid_request for %s', async (_, body, type) => {
    const response = await raw(body, type);
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
    });
  });

  it('must have the type of a form: another type is 400 and leaves the code alone', async () => {
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
    'is refused with 400 for grant_type "%s"',
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
  ])('with the form "%s" is refused with 400 %s', async (form, error) => {
    const response = await raw(form);
    expect([response.status, (await response.json()).error]).toEqual([400, error]);
  });

  it('is refused with 413 above 64 KiB', async () => {
    const start = 'grant_type=';
    expect((await raw(start.padEnd(64 * 1024, 'x'))).status).toBe(400);
    expect((await raw(start.padEnd(64 * 1024 + 1, 'x'))).status).toBe(413);
  });
});

describe('an authorization code', () => {
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
      client_name: 'A client',
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
  ])('with %s is refused with 400 invalid_grant, and used up', async (_, changes) => {
    const code = await issueCode(app, ana, client);
    const first = await redeem({ ...code, ...changes });
    expect([first.status, first.body.error]).toEqual([400, 'invalid_grant']);
    expect((await redeem({ ...code })).body.error).toBe('invalid_grant');
    expect(await agents()).toEqual([]);
  });

  it.each(['client_id', 'redirect_uri', 'code_verifier'])(
    'without %s is refused with 400, and used up',
    async (name) => {
      const code: Record<string, string> = { ...(await issueCode(app, ana, client)) };
      const { [name]: _, ...rest } = code;
      expect((await redeem(rest)).status).toBe(400);
      expect((await redeem(code)).body.error).toBe('invalid_grant');
    },
  );

  // RFC 6749 §3.2: a parameter without a value counts as omitted.
  it('needs a verifier, even when its challenge is the hash of the empty text', async () => {
    const { code_verifier: _, ...without } = await issueCode(app, ana, client, '');
    expect((await redeem(without)).body.error).toBe('invalid_grant');
    const empty = await issueCode(app, ana, client, '');
    expect((await redeem({ ...empty })).body.error).toBe('invalid_grant');
    expect(await agents()).toEqual([]);
  });

  // RFC 6749 §2.3.1: a client with a secret may name itself in a header. Here none has one.
  it('is refused, with the true reason, to a client that names itself only in Authorization', async () => {
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

  it('expires after 60 seconds', async () => {
    const [young, old] = [await issueCode(app, ana, client), await issueCode(app, ana, client)];
    app.clock.advance(59);
    expect((await redeem({ ...young })).status).toBe(200);
    app.clock.advance(1);
    expect((await redeem({ ...old })).body.error).toBe('invalid_grant');
  });

  it('that is presented again is refused, and ends the refresh token that it gave, and no other', async () => {
    const code = await issueCode(app, ana, client);
    const [{ body: first }, other] = [await redeem({ ...code }), await connected(app, ana, client)];
    const again = await redeem({ ...code });
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect((await refresh(app, client, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, other.refresh_token)).status).toBe(200);
  });

  it('that is presented again long after ends the successors of the refresh token that it gave', async () => {
    const code = await issueCode(app, ana, client);
    let { refresh_token } = (await redeem({ ...code })).body;
    for (let rotation = 0; rotation < 3; rotation++) {
      app.clock.advance(DAY);
      ({ refresh_token } = (await refresh(app, client, refresh_token)).body);
    }
    await redeem({ ...code });
    expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
  });

  it.each([
    ['another client', { client_id: 'other' }],
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
  ])('that is presented again with %s ends the refresh token too', async (_, changes) => {
    const code = await issueCode(app, ana, client);
    const { refresh_token } = (await redeem({ ...code })).body;
    await redeem({ ...code, ...changes });
    expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
  });

  it('that is presented again leaves the access token valid until it expires', async () => {
    const code = await issueCode(app, ana, client);
    const { access_token } = (await redeem({ ...code })).body;
    await redeem({ ...code });
    const opens = async () => (await rpc(app, { authorization: `Bearer ${access_token}` }, 'ping')).status;
    expect(await opens()).toBe(200);
    app.clock.advance(3_600);
    expect(await opens()).toBe(401);
  });

  describe('whose redemption is still under way', () => {
    /** A gateway on the same store. Its redemptions stop after they have taken the code, until `go` is called. */
    async function openSlow() {
      const { store } = app.deps;
      const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const users = {
        ...store.users,
        async byId(id: string) {
          arrived.resolve();
          await gate.promise;
          return store.users.byId(id);
        },
      };
      const slow = await createTestApp({
        ports: { clock: app.clock, store: { ...store, users, close: async () => {} } },
      });
      return { slow, arrived: arrived.promise, go: () => gate.resolve() };
    }

    it.each([
      ['the code is presented again', (code: Code) => redeem({ ...code })],
      ['the agent is revoked', () => revoke(client)],
    ])('gives a refresh token that does not live when %s meanwhile', async (_, meanwhile) => {
      const { slow, arrived, go } = await openSlow();
      const code = await issueCode(app, ana, client);
      const redeeming = token(slow, { grant_type: 'authorization_code', ...code });
      await arrived;
      expect(await agents()).toEqual([]);
      await meanwhile(code);
      go();
      const { status, body } = await redeeming;
      expect(status).toBe(200);
      expect((await refresh(app, client, body.refresh_token)).body.error).toBe('invalid_grant');
      expect(await agents()).toEqual([]);
      await slow.close();
    });
  });

  it('accepts our own resource, in any spelling of this origin', async () => {
    for (const resource of [
      'http://localhost:3000/mcp',
      'http://localhost:3000',
      'http://LOCALHOST:3000/mcp/',
    ]) {
      expect((await redeem({ ...(await issueCode(app, ana, client)), resource })).status).toBe(200);
    }
  });
});

describe('invalid_client, which makes a client register again', () => {
  const unknown = 'f'.repeat(32);

  it.each([
    ['authorization_code', { code: 'x' }],
    ['refresh_token', { refresh_token: 'x' }],
  ])('is the answer to %s of an unknown client with something unknown', async (grant_type, fields) => {
    const { status, body } = await token(app, { grant_type, ...fields, client_id: unknown });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it.each([
    ['authorization_code', { code: 'x' }],
    ['refresh_token', { refresh_token: 'x' }],
  ])('is not the answer to %s of a known client', async (grant_type, fields) => {
    const { status, body } = await token(app, { grant_type, ...fields, client_id: client });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  it('is not the answer to an unknown client with a live code or token, which is used up', async () => {
    const code = await issueCode(app, ana, client);
    expect((await redeem({ ...code, client_id: unknown })).body.error).toBe('invalid_grant');
    const { refresh_token } = await connected(app, ana, client);
    expect((await refresh(app, unknown, refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
    expect(await agents()).toEqual([]);
  });

  it('is the answer to a deleted client with its codes and tokens', async () => {
    const code = await issueCode(app, ana, client);
    const { refresh_token } = await connected(app, ana, client);
    await app.deps.store.clients.delete(client);
    expect((await redeem({ ...code })).status).toBe(401);
    expect((await refresh(app, client, refresh_token)).status).toBe(401);
  });
});

describe('a refresh token', () => {
  it('is replaced at each use, keeps its scope and beginning, and lives for another 30 days', async () => {
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

  it('expires after 30 days', async () => {
    const { refresh_token } = await connected(app, ana, client);
    app.clock.advance(30 * DAY);
    expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
  });

  it('fails when used again within 60 seconds, and its successor lives', async () => {
    const first = await connected(app, ana, client);
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(60);
    expect((await refresh(app, client, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, second.refresh_token)).status).toBe(200);
  });

  it('revokes the whole family, and no other, when used again later', async () => {
    const [first, other] = [await connected(app, ana, client), await connected(app, ana, client)];
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(61);
    expect((await refresh(app, client, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, second.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, other.refresh_token)).status).toBe(200);
  });

  it('revokes the family when used again long after, even right after its successor was used', async () => {
    const first = await connected(app, ana, client);
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(3_600);
    const third = (await refresh(app, client, second.refresh_token)).body;
    expect((await refresh(app, client, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, third.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('fails when used again while its family rotates quickly, and the last token lives', async () => {
    const first = await connected(app, ana, client);
    const second = (await refresh(app, client, first.refresh_token)).body;
    app.clock.advance(30);
    const third = (await refresh(app, client, second.refresh_token)).body;
    app.clock.advance(30);
    for (const { refresh_token } of [first, second])
      expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, third.refresh_token)).status).toBe(200);
  });

  it('revokes the family when used again long after, however quickly a thief has rotated it', async () => {
    const stolen = await connected(app, ana, client);
    let last = stolen.refresh_token;
    for (let rotation = 0; rotation < 10; rotation++) {
      app.clock.advance(20);
      last = (await refresh(app, client, last)).body.refresh_token;
    }
    expect((await refresh(app, client, stolen.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(app, client, last)).body.error).toBe('invalid_grant');
  });

  it('keeps the half that names its family, which no other family has', async () => {
    const [first, other] = [await connected(app, ana, client), await connected(app, ana, client)];
    const second = (await refresh(app, client, first.refresh_token)).body;
    const halves = [first, second, other].map(({ refresh_token }) => [
      refresh_token.slice(0, 32),
      refresh_token.slice(32),
    ]);
    expect(halves[1]?.[0]).toBe(halves[0]?.[0]);
    expect(new Set(halves.flat()).size).toBe(5);
  });

  it('is not stored in plain text, and neither token is in a log line', async () => {
    const { access_token, refresh_token } = await connected(app, ana, client);
    await refresh(app, client, refresh_token);
    await refresh(app, client, refresh_token);
    expect(JSON.stringify(await app.deps.store.refreshTokens.list(ana.id, 0))).not.toContain(refresh_token);
    for (const secret of [access_token, refresh_token])
      expect(JSON.stringify(app.lines)).not.toContain(secret);
  });
});

describe('tokens of a deleted person', () => {
  const remove = (user: Person) => {
    const database = new DatabaseSync(join(app.folder, 'service.db'));
    database.prepare('delete from users where id = ?').run(user.id);
    database.close();
  };
  const refused = { status: 400, body: { error: 'invalid_grant' } };

  it('refuse and delete a refresh token', async () => {
    const { refresh_token } = await connected(app, ana, client);
    remove(ana);
    expect(await refresh(app, client, refresh_token)).toMatchObject(refused);
    expect(await app.deps.store.refreshTokens.list(ana.id, app.clock.now())).toEqual([]);
  });

  it('refuse and delete a code', async () => {
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
        limits: {},
        last_used_at: null,
      },
      {
        client_id: unnamed,
        scopes: ['mcp'],
        connected_since: since + 10,
        expires_at: since + 10 + 30 * DAY,
        limits: {},
        last_used_at: null,
      },
    ]);
  });

  it('counts the revoked tokens, deletes the codes, and is idempotent', async () => {
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

  it('changes nothing of another person', async () => {
    const bea = await person();
    const { refresh_token } = await connected(app, bea, client);
    expect(await revoke(client)).toEqual({ revoked: 0 });
    expect(await agents(bea)).toHaveLength(1);
    expect((await refresh(app, client, refresh_token)).status).toBe(200);
  });

  it('accepts a client id that is an address', async () => {
    const id = 'https://client.example/a/b?c=d';
    await putToken(app.deps.store, {
      token_hash: crypto.randomUUID(),
      family: 'f',
      client_id: id,
      user_id: ana.id,
      scope: 'mcp',
      created_at: 1,
      expires_at: app.clock.now() + 1,
      resource: null,
    });
    expect(await agents()).toMatchObject([{ client_id: id }]);
    expect(await revoke(id)).toEqual({ revoked: 1 });
  });

  it('requires a session or an API key; an access token gets 401', async () => {
    const { access_token } = await connected(app, ana, client);
    const status = async (headers: Record<string, string>) =>
      (await app.request('/api/agents', { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${access_token}` })).toBe(401);
    expect(await status((await app.user()).keyHeader)).toBe(200);
  });

  it('leaves no live token when it revokes while tokens rotate', async () => {
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
