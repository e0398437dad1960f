// Tests clients of machines: with a secret, and with a key of their own. reference: Client credentials; decision: 054
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MACHINE_CLIENTS_PER_PERSON } from '../../src/oauth/machines/limits.ts';
import { connection } from '../contracts/store/records.ts';
import { administratorOf, askToken, bearer, keyOf } from '../support/machines.ts';
import { call, rpc } from '../support/mcp.ts';
import { run, send } from '../support/policy.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PATH = '/api/machine-clients';
const CLIENT_JWT = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const LIMITS = { integrations: ['echo'], access: 'read', rules: [{ tool: 'shout', decision: 'block' }] };

let app: TestApp;
let ana: TestUser;
let key: Awaited<ReturnType<typeof keyOf>>;
beforeAll(async () => {
  // The library of somebody else takes the time from the machine.
  app = await createTestApp({ now: Math.floor(Date.now() / 1000) });
});
afterAll(() => app.close());
beforeEach(async () => {
  ana = await administratorOf(app);
  key = await keyOf(app, ana, LIMITS);
});

const as = (user: TestUser, method: string, path: string, body?: unknown) =>
  send(app, user.sessionHeader, method, path, body);

async function make(form: object = {}): Promise<{ clientId: string; clientSecret: string }> {
  const answer = await as(ana, 'POST', PATH, { name: 'Nightly report', key: 'deploy', ...form });
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Why the last token was refused, as the log has it. */
const refusal = () => app.lines.findLast(({ event }) => event === 'token refused')?.['why'];

const grant_type = 'client_credentials';
const posted = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }, fields = {}) =>
  askToken(app, { grant_type, client_id: clientId, client_secret: clientSecret, ...fields });

/** The gateway as an authorization server, as the library has discovered it. */
async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(BASE);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...throughApp });
  return oauth.processDiscoveryResponse(issuer, response);
}
const throughApp = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>) =>
    app.request(new URL(url).pathname, {
      method,
      headers,
      body: body instanceof URLSearchParams ? body : null,
    }),
};

describe('the metadata', () => {
  const metadata = async (from: TestApp) =>
    (await from.request('/.well-known/oauth-authorization-server')).json();

  it('name the grant and the ways once a client exists, and are as before without one', async () => {
    const other = await createTestApp();
    const before = await metadata(other);
    expect(JSON.stringify(before)).not.toMatch(
      /client_credentials|client_secret|private_key_jwt|signing_alg/,
    );
    const owner = await administratorOf(other);
    await keyOf(other, owner);
    const made = await send(other, owner.sessionHeader, 'POST', PATH, { name: 'Job', key: 'deploy' });
    expect(await metadata(other)).toEqual({
      ...before,
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_methods_supported: [
        'none',
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ],
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['RS256', 'ES256', 'EdDSA']),
    });
    await send(other, owner.sessionHeader, 'DELETE', `${PATH}/${made.body.clientId}`);
    expect(await metadata(other)).toEqual(before);
    const answer = await askToken(other, { grant_type, client_id: made.body.clientId, client_secret: 'x' });
    expect([answer.status, answer.body['error']]).toEqual([400, 'unsupported_grant_type']);
    await other.close();
  });
});

describe('a client with a secret', () => {
  it('is shown its secret once, and nothing of it is stored', async () => {
    const made = await as(ana, 'POST', PATH, { name: ' Nightly\u202e report ', key: key.id });
    expect(made).toMatchObject({ status: 201, cacheControl: 'no-store' });
    const { clientSecret, ...shown } = made.body;
    expect(clientSecret).toMatch(/^mcs_[0-9a-f]{64}$/);
    expect(shown).toEqual({
      clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Nightly  report',
      method: 'secret',
      key: {
        id: key.id,
        name: 'deploy',
        mine: true,
        owner: ana.email,
        limits: LIMITS,
      },
      createdAt: app.clock.now(),
      lastUsedAt: null,
    });
    const listed = (await as(ana, 'GET', PATH)).body.clients;
    expect(listed).toContainEqual(shown);
    expect(JSON.stringify([listed, await app.deps.store.machines.clients()])).not.toContain(clientSecret);
  });

  it.each([
    ['the header', (secret: string) => oauth.ClientSecretBasic(secret)],
    ['the body', (secret: string) => oauth.ClientSecretPost(secret)],
  ])('gets a token of an hour by %s, with the library of somebody else', async (_, way) => {
    const { clientId, clientSecret } = await make();
    const as = await discover();
    const client = { client_id: clientId };
    const answer = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      way(clientSecret),
      { resource: `${BASE}/mcp` },
      throughApp,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const tokens = await oauth.processClientCredentialsResponse(as, client, answer);
    expect(tokens).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'mcp',
    });
    expect(await run(app, bearer(tokens.access_token), 'echo_text', { length: 2 })).toMatchObject({
      result: 'xx',
    });
  });

  it('acts with the limits of its key and no more, and the row names both', async () => {
    const { body } = await posted(await make());
    const headers = bearer(body.access_token);
    expect(await run(app, headers, 'shout', { text: 'Hi' })).toMatchObject({ error: 'BLOCKED' });
    expect((await call(app, headers, 'list_integrations')).integrations).toHaveLength(1);
    await run(app, headers, 'echo_text', { length: 2 });
    const { entries } = (await as(ana, 'GET', '/api/audit')).body;
    expect(entries[0]).toMatchObject({
      tool: 'echo_text',
      actor: `key:${key.id}`,
      client_name: 'deploy by Nightly report',
    });
  });

  it('reads of the portal what a named key reads, and changes nothing there', async () => {
    const { body } = await posted(await make());
    expect((await send(app, bearer(body.access_token), 'GET', '/api/audit')).status).toBe(401);
    const answer = await send(app, bearer(body.access_token), 'POST', PATH, { name: 'More', key: key.id });
    expect(answer.status).toBe(401);
  });

  it.each([
    ['mcp:read', 'mcp:read'],
    ['openid mcp:write', 'mcp:write'],
    ['mcp', 'mcp'],
  ])('with the scope %s gets %s', async (scope, given) => {
    const wide = await keyOf(app, ana, { name: 'wide' });
    const answer = await posted(await make({ key: wide.id }), { scope });
    expect(answer.body['scope']).toBe(given);
    const identity = await app.deps.callers.machine(new Headers(bearer(answer.body.access_token)));
    const narrowed = given === 'mcp' ? [] : [{ access: given.slice('mcp:'.length) }];
    expect(identity?.actor.limits).toEqual([{}, ...narrowed]);
  });

  it('gets no token for a scope of others, or another server', async () => {
    const client = await make();
    expect((await posted(client, { scope: 'admin' })).body['error']).toBe('invalid_scope');
    expect((await posted(client, { resource: 'https://other.example/mcp' })).body['error']).toBe(
      'invalid_request',
    );
  });

  it('is refused with a wrong secret, and reads no reason', async () => {
    const client = await make();
    const stranger = crypto.randomUUID();
    const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });
    const answers = [
      await posted({ ...client, clientSecret: `mcs_${'0'.repeat(64)}` }),
      await posted({ ...client, clientSecret: '' }),
      await posted({ ...client, clientId: stranger }),
      await posted({ ...client, clientId: 'a\u0000b' }),
      await askToken(app, { grant_type, client_id: client.clientId }),
      await askToken(app, { grant_type }, basic(client.clientId, 'wrong')),
      await askToken(app, { grant_type }, basic(stranger, client.clientSecret)),
      await askToken(app, { grant_type }, { authorization: 'Basic %%%' }),
      await askToken(app, { grant_type }, { authorization: 'Basic' }),
      await askToken(app, { grant_type, client_id: stranger }, basic(client.clientId, client.clientSecret)),
    ];
    const error = {
      error: 'invalid_client',
      error_description: 'The client is not known, or has not proved who it is.',
    };
    for (const { status, body } of answers) expect([status, body]).toEqual([401, error]);
    const challenges = answers.map(({ headers }) => headers.get('www-authenticate'));
    expect(challenges).toEqual([...Array(5).fill(null), ...Array(5).fill('Basic realm="token"')]);
    const lines = app.lines.filter(({ event }) => event === 'token refused').slice(-answers.length);
    expect(lines.map(({ why }) => why)).toEqual([
      'wrong-secret',
      'wrong-secret',
      'unknown-client',
      'unknown-client',
      'nothing-presented',
      'wrong-secret',
      'unknown-client',
      'malformed',
      'malformed',
      'wrong-subject',
    ]);
    for (const { sentence } of lines) expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(JSON.stringify(app.lines)).not.toContain(client.clientSecret);
  });

  it('is refused when it proves who it is in two ways', async () => {
    const { clientId, clientSecret } = await make();
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    const fields = { grant_type, client_id: clientId, client_secret: clientSecret };
    expect((await askToken(app, fields, { authorization })).body['error']).toBe('invalid_request');
  });

  it('does not spoil the other grants: their Authorization is still not read', async () => {
    const { clientId, clientSecret } = await make();
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    const answer = await askToken(
      app,
      { grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId },
      { authorization },
    );
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
  });

  it('is limited by address where strangers can come', async () => {
    const secret = 'f1e2d3c4b5a69788'.repeat(4);
    const secrets = { SESSION_SECRET: secret, ENCRYPTION_KEY: secret };
    const env = { SERVER_PUBLIC_URL: 'https://gateway.example', TRUST_PROXY: 'true', ...secrets };
    const open = await createTestApp({ env });
    const owner = await administratorOf(open);
    await keyOf(open, owner);
    const { body } = await send(open, owner.sessionHeader, 'POST', PATH, { name: 'Job', key: 'deploy' });
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const guess = () =>
      askToken(open, { grant_type, client_id: body.clientId, client_secret: 'guess' }, from);
    for (let tries = 0; tries < 120; tries++) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    await open.close();
  });
});

describe('a client with a key of its own', () => {
  const proofOf = (client_id: string, changes: Record<string, unknown> = {}) => {
    const now = app.clock.now();
    const usual = { iss: client_id, sub: client_id, aud: `${BASE}/token`, jti: crypto.randomUUID() };
    return { ...usual, iat: now, exp: now + 60, ...changes };
  };
  const redeem = (client_assertion: string, fields = {}) =>
    askToken(app, { grant_type, client_assertion_type: CLIENT_JWT, client_assertion, ...fields });

  async function pair(alg = 'ES256') {
    const keys = await generateKeyPair(alg, { extractable: true });
    const { clientId } = await make({ jwk: await exportJWK(keys.publicKey) });
    const sign = (changes: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
      new SignJWT(proofOf(clientId, changes)).setProtectedHeader({ alg, ...header }).sign(keys.privateKey);
    return { ...keys, clientId, sign };
  }

  it.each(['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'])(
    'gets a token with %s, with the library of somebody else',
    async (alg) => {
      const { clientId, privateKey } = await pair(alg);
      const server = await discover();
      const client = { client_id: clientId };
      const auth = oauth.PrivateKeyJwt(privateKey);
      const answer = await oauth.clientCredentialsGrantRequest(server, client, auth, {}, throughApp);
      const tokens = await oauth.processClientCredentialsResponse(server, client, answer);
      expect(tokens.expires_in).toBe(3600);
      const { clients } = (await as(ana, 'GET', PATH)).body;
      expect(clients.find((each: { clientId: string }) => each.clientId === clientId)).toMatchObject({
        method: 'private_key_jwt',
        lastUsedAt: app.clock.now(),
      });
    },
  );

  it('takes the issuer and the token endpoint as the audience', async () => {
    const { sign } = await pair();
    for (const aud of [BASE, `${BASE}/token`, [BASE]])
      expect((await redeem(await sign({ aud }))).status).toBe(200);
  });

  it('uses a proof once, also when 30 come at once', async () => {
    const { sign } = await pair();
    const proof = await sign();
    const answers = await Promise.all(Array.from({ length: 30 }, () => redeem(proof)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refusal()).toBe('used-before');
  });

  it.each<[string, string, Record<string, unknown>, Record<string, unknown>]>([
    ['for another server', 'wrong-audience', { aud: 'https://other.example/token' }, {}],
    ['for several servers', 'wrong-audience', { aud: [BASE, 'https://other.example'] }, {}],
    ['that has expired', 'expired', { exp: 1_000 }, {}],
    ['without an end', 'claims', { exp: undefined }, {}],
    ['for a day', 'lives-too-long', { exp: 9_000_000_000 }, {}],
    ['without an id', 'claims', { jti: undefined }, {}],
    ['from the future', 'not-yet', { iat: 9_000_000_000 }, {}],
    ['of another issuer', 'wrong-subject', { iss: 'somebody' }, {}],
    ['that names where its key is', 'names-keys', {}, { jku: 'https://evil.example/jwks' }],
    ['that brings its key', 'names-keys', {}, { jwk: { kty: 'EC' } }],
  ])('is refused with a proof %s', async (_, why, claims, header) => {
    const { sign } = await pair();
    const { status, body } = await redeem(await sign(claims, header));
    expect([status, body['error']]).toEqual([401, 'invalid_client']);
    expect(refusal()).toBe(why);
  });

  it('is refused with a proof by another key, by nobody, or by its public key as a secret', async () => {
    const { clientId, publicKey } = await pair('RS256');
    const other = await generateKeyPair('RS256');
    const foreign = new SignJWT(proofOf(clientId)).setProtectedHeader({ alg: 'RS256' });
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    const confused = new SignJWT(proofOf(clientId)).setProtectedHeader({ alg: 'HS256' });
    const cases = [
      ['signature', await foreign.sign(other.privateKey)],
      ['algorithm', new UnsecuredJWT(proofOf(clientId)).encode()],
      ['algorithm', await confused.sign(secret)],
      ['malformed', 'a.b.c'],
    ] as const;
    for (const [why, proof] of cases) {
      expect((await redeem(proof)).status).toBe(401);
      expect(refusal()).toBe(why);
    }
  });

  it('is refused with a secret, and one with a secret is refused with a proof', async () => {
    const { clientId, privateKey } = await pair();
    expect((await posted({ clientId, clientSecret: '' })).status).toBe(401);
    const secret = await make();
    const proof = new SignJWT(proofOf(secret.clientId)).setProtectedHeader({ alg: 'ES256' });
    expect((await redeem(await proof.sign(privateKey))).status).toBe(401);
    expect(refusal()).toBe('wrong-way');
  });

  it.each<[string, object, RegExp]>([
    ['a private key', { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' }, /private half/],
    ['a shared secret', { kty: 'oct', k: 'c2VjcmV0' }, /private half/],
    ['an unknown kind', { kty: 'XYZ' }, /public JWK/],
    ['a point that is not on the curve', { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }, /cannot be read/],
    ['nothing', {}, /public JWK/],
  ])('is not made with %s', async (_, jwk, message) => {
    const answer = await as(ana, 'POST', PATH, { name: 'Job', key: 'deploy', jwk });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(message)]);
  });

  it('is not made with an RSA key of 1024 bits', async () => {
    const jwk = { kty: 'RSA', n: `${'u'.repeat(170)}Q`, e: 'AQAB' };
    const answer = await as(ana, 'POST', PATH, { name: 'Job', key: 'deploy', jwk });
    expect([answer.status, answer.body.error]).toEqual([400, 'jwk: must have at least 2048 bits']);
  });

  it.each(['AQ', 'AAE', 'AgAA'])('is not made with an RSA key whose exponent is %s', async (e) => {
    const jwk = { kty: 'RSA', n: `${'_'.repeat(341)}Q`, e };
    const answer = await as(ana, 'POST', PATH, { name: 'Job', key: 'deploy', jwk });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining('everybody could sign'),
    ]);
  });
});

describe('a token of a machine', () => {
  it.each([
    ['the client', async (clientId: string) => as(ana, 'DELETE', `${PATH}/${clientId}`)],
    ['its key', async () => as(ana, 'DELETE', `/api/agent-keys/${key.id}`)],
    [
      'its person',
      async () => {
        const { clock, digest, store } = app.deps;
        const ending = { person: digest.sha256(ana.id), before: clock.now(), expires_at: clock.now() + 9 };
        await store.people.disable(ana.id, ending);
      },
    ],
  ])('ends at once with %s, and so does the curl token that it was exchanged for', async (_, end) => {
    const client = await make({ key: (key = await keyOf(app, ana, { name: 'raw' })).id });
    const { body } = await posted(client);
    const headers = bearer(body.access_token);
    await app.deps.store.connections.put(
      connection({ user_id: ana.id, integration: 'vaulted', account: '' }),
    );
    const { token } = await call(app, headers, 'curl_session', { integrations: ['vaulted'] });
    expect(token).toEqual(expect.any(String));
    const opens = async () => {
      const rest = await app.request('/rest', { headers });
      const mcp = await rpc(app, headers, 'tools/list');
      return [rest.status, mcp.status, (await app.deps.curlTokens.verify(token)) !== null];
    };
    expect(await opens()).toEqual([200, 200, true]);
    expect((await app.deps.curlTokens.verify(token))?.actor).toMatchObject({
      id: `key:${key.id}`,
      name: 'raw by Nightly report',
    });
    await end(client.clientId);
    expect(await opens()).toEqual([401, 401, false]);
  });

  it('ends with the key that expires, and lives no longer', async () => {
    const short = await keyOf(app, ana, { name: 'short', expiresAt: app.clock.now() + 50 });
    const client = await make({ key: short.id });
    const { body } = await posted(client);
    expect(body['expires_in']).toBe(50);
    app.clock.advance(51);
    expect((await app.request('/rest', { headers: bearer(body.access_token) })).status).toBe(401);
    const late = await posted(client);
    expect([late.status, late.body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('ends after an hour', async () => {
    const { body } = await posted(await make());
    app.clock.advance(3_601);
    expect((await app.request('/rest', { headers: bearer(body.access_token) })).status).toBe(401);
  });

  it('outlives the role of its maker, as the key does, until another administrator ends it', async () => {
    const client = await make();
    const bob = await administratorOf(app);
    await app.deps.store.people.setRole(ana.id, 'member');
    expect((await as(ana, 'GET', PATH)).status).toBe(403);
    const { body } = await posted(client);
    const opens = async () => (await app.request('/rest', { headers: bearer(body.access_token) })).status;
    expect(await opens()).toBe(200);
    expect((await as(bob, 'DELETE', `${PATH}/${client.clientId}`)).status).toBe(200);
    expect(await opens()).toBe(401);
  });

  it('is no session, and a token of an application is none of a machine', async () => {
    const { body } = await posted(await make());
    const grant = await app.deps.accessTokens.verify(body.access_token);
    expect(grant?.machine).toMatchObject({ keyId: key.id });
    const plain = app.deps.accessTokens.issue({ userId: ana.id, clientId: 'c', scope: 'mcp' });
    expect((await app.deps.accessTokens.verify(plain))?.machine).toBeUndefined();
  });

  it('does not open for another person when its claims name their key', async () => {
    const bob = await administratorOf(app);
    const theirs = await keyOf(app, bob);
    const { clientId } = await make();
    const forged = app.deps.accessTokens.issue({
      userId: bob.id,
      clientId,
      scope: 'mcp',
      machine: { keyId: theirs.id, via: clientId },
    });
    expect((await app.request('/rest', { headers: bearer(forged) })).status).toBe(401);
  });
});

describe('the routes of machine clients', () => {
  const routes = [
    ['GET', PATH, undefined],
    ['POST', PATH, { name: 'Job', key: 'deploy' }],
    ['DELETE', `${PATH}/00000000-0000-4000-8000-000000000000`, undefined],
  ] as const;

  it.each(routes)('%s %s is for administrators in the portal', async (method, path, body) => {
    const member = await app.user(`member-${crypto.randomUUID()}@example.com`);
    expect((await as(member, method, path, body)).status).toBe(403);
    for (const headers of [ana.keyHeader, key.header])
      expect((await send(app, headers, method, path, body)).status).toBe(403);
    expect((await send(app, {}, method, path, body)).status).toBe(401);
  });

  it('let an administrator use own keys only', async () => {
    const bob = await administratorOf(app);
    const theirs = await keyOf(app, bob, { name: 'theirs' });
    for (const wanted of [theirs.id, 'theirs', 'nothing', crypto.randomUUID()]) {
      const answer = await as(ana, 'POST', PATH, { name: 'Job', key: wanted });
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('no named key')]);
    }
    await keyOf(app, ana);
    const twice = await as(ana, 'POST', PATH, { name: 'Job', key: 'deploy' });
    expect([twice.status, twice.body.error]).toEqual([400, expect.stringContaining('2 keys named')]);
    const old = await keyOf(app, ana, { name: 'old', expiresAt: app.clock.now() + 5 });
    app.clock.advance(6);
    expect((await as(ana, 'POST', PATH, { name: 'Job', key: old.id })).body.error).toContain('has expired');
  });

  it('let every administrator end a client, once', async () => {
    const bob = await administratorOf(app);
    const { clientId } = await make();
    const [seen] = (await as(bob, 'GET', PATH)).body.clients;
    expect(seen).toMatchObject({ clientId, key: { mine: false, owner: ana.email, name: 'deploy' } });
    expect((await as(bob, 'DELETE', `${PATH}/${clientId}`)).body).toEqual({ success: true });
    for (const id of [clientId, 'x', '%00'])
      expect((await as(bob, 'DELETE', `${PATH}/${id}`)).status).toBe(404);
  });

  it.each([{}, { name: '', key: 'deploy' }, { name: 'Job' }, { name: 'Job', key: 'deploy', more: 1 }])(
    'refuse %j',
    async (body) => expect((await as(ana, 'POST', PATH, body)).status).toBe(400),
  );

  it(`stop at ${MACHINE_CLIENTS_PER_PERSON} of a person`, async () => {
    for (let made = 0; made < MACHINE_CLIENTS_PER_PERSON; made++) await make();
    const answer = await as(ana, 'POST', PATH, { name: 'Job', key: 'deploy' });
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringContaining('You have 100')]);
  });
});
