// Tests the grant of identity assertions (ID-JAG) with a real OpenID provider. reference: Identity assertions; decision: 017
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertionClaims, ID_JAG, JWT_BEARER, redeemAssertion } from '../support/assertions.ts';
import { registered, token, type TokenAnswer } from '../support/oauth-client.ts';
import { type Oidc, startOidc } from '../support/oidc.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let oidc: Oidc;
let usual: TestApp;
let app: TestApp;
let client: string;
let login: string;
let logins = 0;

async function open(env: Record<string, string> = {}): Promise<TestApp> {
  return createTestApp({
    env: {
      IDP_ISSUER_URL: oidc.issuer,
      IDP_CLIENT_ID: oidc.clientId,
      IDP_CLIENT_SECRET: oidc.clientSecret,
      ...env,
    },
  });
}

beforeAll(async () => {
  oidc = await startOidc({
    path: '/realms/staff',
    redirectUris: ['http://localhost:3000/api/auth/idp/callback'],
  });
  usual = await open();
});
afterAll(async () => {
  await usual.close();
  await oidc.close();
});
beforeEach(async () => {
  await use(usual);
  login = `person-${++logins}`;
});
afterEach(async () => {
  if (app !== usual) await app.close();
});

async function use(next: TestApp): Promise<void> {
  app = next;
  client = await registered(app);
}

type Claims = Record<string, unknown>;

const claims = (changes: Claims = {}): Claims => ({
  ...assertionClaims({ app, issuer: oidc.issuer, client, login }),
  ...changes,
});
/** Signs as the provider does. A claim that is undefined is left out. */
const sign = (changes: Claims = {}, header: { typ?: string } = { typ: ID_JAG }) =>
  oidc.sign(claims(changes), header);
const redeem = async (changes: Claims = {}, fields: Record<string, string> = {}) =>
  redeemAssertion(app, client, await sign(changes), fields);

const person = (name = login) => app.deps.store.users.byEmail(`${name}@example.com`);

async function granted(answer: TokenAnswer): Promise<{ userId: string; clientId: string; scope: string }> {
  expect(answer.body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: expect.any(Number),
    scope: expect.any(String),
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const grant = await app.deps.accessTokens.verify(answer.body.access_token);
  if (grant === null) throw new Error('the gateway does not know its own token');
  return grant;
}

function refused({ status, headers, body }: TokenAnswer, error = 'invalid_grant'): string {
  expect(body).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
  });
  expect([status, headers.get('cache-control')]).toEqual([
    error === 'invalid_client' ? 401 : 400,
    'no-store',
  ]);
  return String(body['error_description']);
}

const call = (accessToken: string) =>
  app.request('/mcp', {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });

async function disable(id: string): Promise<void> {
  const { clock, digest, endings, store } = app.deps;
  const ending = { person: digest.sha256(id), before: clock.now(), expires_at: clock.now() + 86_405 };
  await store.people.disable(id, ending);
  endings.forget();
}

describe('an identity assertion', () => {
  it('gives a new person an account and an access token that opens /mcp', async () => {
    const answer = await redeem();
    expect(await granted(answer)).toMatchObject({ clientId: client, scope: 'mcp' });
    expect(await person()).toMatchObject({
      idp_sub: login,
      idp_iss: oidc.issuer,
      signed_in_at: app.clock.now(),
    });
    expect((await call(answer.body.access_token)).status).toBe(200);
  });

  it('finds the person by a verified address, then by the subject alone', async () => {
    const { id } = await app.user(`${login}@example.com`);
    expect((await granted(await redeem())).userId).toBe(id);
    const later = { email: undefined, email_verified: undefined };
    expect((await granted(await redeem(later))).userId).toBe(id);
    expect((await granted(await redeem({ email: 'moved@example.com' }))).userId).toBe(id);
  });

  it('is of no use to another client', async () => {
    const other = await registered(app);
    expect(refused(await redeemAssertion(app, other, await sign()))).toMatch(/another client/);
    expect(await person()).toBeNull();
  });

  it.each<[string, Claims, Record<string, string>, string]>([
    ['none', {}, {}, 'mcp'],
    ['mcp', { scope: 'mcp' }, {}, 'mcp'],
    ['mcp:read beside others', { scope: 'openid mcp:read' }, {}, 'mcp:read'],
    ['mcp with less asked for', { scope: 'mcp' }, { scope: 'mcp:write' }, 'mcp:write'],
    ['none with less asked for', {}, { scope: 'mcp:read' }, 'mcp:read'],
  ])('with the scope %s limits the token', async (_, changes, fields, scope) => {
    expect((await granted(await redeem(changes, fields))).scope).toBe(scope);
  });

  it.each<[string, Claims, Record<string, string>]>([
    ['only scopes of others', { scope: 'chat.read' }, {}],
    ['an empty scope', { scope: '' }, {}],
    ['less than the client asks for', { scope: 'mcp:read' }, { scope: 'mcp' }],
    ['less than the client asks for, in a list', { scope: 'mcp:read' }, { scope: 'mcp:read mcp:write' }],
    ['a request for a scope of others', { scope: 'mcp' }, { scope: 'anything' }],
  ])('with %s is invalid_scope, and can still be used', async (_, changes, fields) => {
    const assertion = await sign(changes);
    refused(await redeemAssertion(app, client, assertion, fields), 'invalid_scope');
    expect(await person()).toBeNull();
  });

  it('gives a token for a set where the idp or the client names one, and none wider than the idp allows', async () => {
    const set = (name: string) => `http://localhost:3000/mcp/sets/${name}`;
    const everything = 'http://localhost:3000/mcp';
    const setOf = async (resource: unknown, fields: Record<string, string> = {}) => {
      const { access_token } = (await redeem({ resource }, fields)).body;
      return (await app.deps.accessTokens.verify(access_token))?.set;
    };
    expect(await setOf(set('a'))).toBe('a');
    expect(await setOf(set('a'), { resource: everything })).toBe('a');
    expect(await setOf(undefined, { resource: set('a') })).toBe('a');
    expect(await setOf([set('a'), everything])).toBeUndefined();
    expect(await setOf([set('a'), set('b')], { resource: set('b') })).toBe('b');
    refused(await redeem({ resource: [set('a'), set('b')] }));
    refused(await redeem({ resource: set('a') }, { resource: set('b') }));
  });

  it('takes resources of this gateway', async () => {
    for (const resource of [
      'http://localhost:3000/mcp',
      ['http://localhost:3000/mcp', 'http://localhost:3000'],
    ])
      await granted(await redeem({ resource }));
    await granted(await redeem({ aud: ['http://localhost:3000'] }));
  });

  it('is valid for a minute longer than it says, and not for a second more', async () => {
    const first = await sign();
    const second = await sign();
    app.clock.advance(359);
    await granted(await redeemAssertion(app, client, first));
    app.clock.advance(1);
    expect(refused(await redeemAssertion(app, client, second))).toMatch(/expired/);
    expect(refused(await redeemAssertion(app, client, first))).toMatch(/expired/);
  });

  it('is used once by one of fifty, until it has expired', async () => {
    const assertion = await sign();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => redeemAssertion(app, client, assertion)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(refused(answer)).toMatch(/used before/);
    app.clock.advance(359);
    expect(refused(await redeemAssertion(app, client, assertion))).toMatch(/used before/);
  });

  it('has a jti that counts for its issuer', async () => {
    const jti = 'one';
    await granted(await redeem({ jti }));
    login = `person-${++logins}`;
    expect(refused(await redeem({ jti }))).toMatch(/used before/);
    expect(await person()).toBeNull();
  });
});

describe('an attack with an assertion', () => {
  it.each<[string, Claims, RegExp]>([
    ['another audience', { aud: 'https://other.example' }, /aud/],
    ['the audience with a slash', { aud: 'http://localhost:3000/' }, /aud/],
    ['the client of the gateway as audience', { aud: 'gateway' }, /aud/],
    ['the token endpoint as audience', { aud: 'http://localhost:3000/token' }, /aud/],
    ['a second audience', { aud: ['http://localhost:3000', 'https://other.example'] }, /aud/],
    ['an empty list of audiences', { aud: [] }, /aud/],
    ['another issuer', { iss: 'https://other.example' }, /iss/],
    ['the issuer with a slash', { iss: 'ISSUER/' }, /iss/],
    ['another client', { client_id: 'other' }, /client_id/],
    ['another resource', { resource: 'https://other.example/mcp' }, /resource/],
    [
      'another resource beside ours',
      { resource: ['http://localhost:3000/mcp', 'https://o.example'] },
      /resource/,
    ],
    ['an empty resource', { resource: '' }, /resource/],
    ['no client', { client_id: undefined }, /client_id/],
    ['no jti', { jti: undefined }, /jti/],
    ['an empty jti', { jti: '' }, /jti/],
    ['a jti that is a number', { jti: 7 }, /jti/],
    ['no subject', { sub: undefined }, /sub/],
    ['a subject that is too long', { sub: 'x'.repeat(256) }, /sub/],
    ['no expiry', { exp: undefined }, /exp/],
    ['no issue time', { iat: undefined }, /iat/],
    ['a scope that is a list', { scope: ['mcp'] }, /usual type/],
    ['no address of an unknown person', { email: undefined }, /e-mail/],
    ['an address that is not verified', { email_verified: false }, /not verified/],
    ['an address with a strange verification', { email_verified: 1 }, /not verified/],
  ])('with %s is refused, and stores nothing', async (_, changes, words) => {
    const iss = changes['iss'] === 'ISSUER/' ? { iss: `${oidc.issuer}/` } : {};
    expect(refused(await redeem({ ...changes, ...iss }))).toMatch(words);
    expect(await person()).toBeNull();
  });

  it.each([
    ['has expired', -400, -61, /expired/],
    ['comes from the future', 61, 300, /future/],
    ['lives for too long', 0, 601, /600 seconds/],
  ])('that %s is refused', async (_, iat, exp, words) => {
    const now = app.clock.now();
    expect(refused(await redeem({ iat: now + iat, exp: now + exp }))).toMatch(words);
    expect(await person()).toBeNull();
  });

  it.each([undefined, 'JWT', 'at+jwt', 'id-jag+jwt', 'oauth-id-jag+jwt+x'])(
    'with the typ %s is refused: an ID token is no assertion',
    async (typ) => {
      const assertion = await sign({}, typ === undefined ? {} : { typ });
      expect(refused(await redeemAssertion(app, client, assertion))).toMatch(/ID token/);
    },
  );

  it('with an ID token of the provider is refused', async () => {
    const { aud: _, client_id: __, ...idToken } = claims({ nonce: 'n' });
    const assertion = await oidc.sign({ ...idToken, aud: oidc.clientId });
    expect(refused(await redeemAssertion(app, client, assertion))).toMatch(/ID token/);
  });

  it('takes the typ in the long spelling too', async () => {
    const assertion = await sign({}, { typ: 'application/OAuth-ID-JAG+jwt' });
    await granted(await redeemAssertion(app, client, assertion));
  });

  it('that is not signed by the provider is refused', async () => {
    const header = { alg: 'RS256', kid: 'one', typ: ID_JAG };
    const foreign = await generateKeyPair('RS256');
    const published = await (await fetch(`${oidc.issuer}/jwks`)).json();
    const secrets = [oidc.clientSecret, JSON.stringify(published.keys[0]), JSON.stringify(published)];
    const own = await exportJWK(foreign.publicKey);
    const forged = [
      new UnsecuredJWT(claims()).encode(),
      `${new UnsecuredJWT(claims()).encode()}x`,
      await new SignJWT(claims()).setProtectedHeader(header).sign(foreign.privateKey),
      await new SignJWT(claims()).setProtectedHeader({ ...header, kid: 'two' }).sign(foreign.privateKey),
      await new SignJWT(claims()).setProtectedHeader({ ...header, jwk: own }).sign(foreign.privateKey),
      ...(await Promise.all(
        secrets.map((secret) =>
          new SignJWT(claims())
            .setProtectedHeader({ ...header, alg: 'HS256' })
            .sign(new TextEncoder().encode(secret)),
        ),
      )),
      (await sign()).replace(
        /\.[^.]*\./,
        `.${btoa(JSON.stringify(claims({ sub: 'eve' }))).replaceAll('=', '')}.`,
      ),
      'x',
      'a.b.c',
      '..',
      JSON.stringify(claims()),
    ];
    for (const assertion of forged)
      expect(refused(await redeemAssertion(app, client, assertion))).toMatch(/no JWT/);
    expect(await person()).toBeNull();
  });

  it('that is huge is refused before anything is read', async () => {
    expect(refused(await redeem({ filler: 'x'.repeat(16_384) }))).toMatch(/too long/);
    const form = new URLSearchParams({
      grant_type: JWT_BEARER,
      client_id: client,
      assertion: 'x'.repeat(70_000),
    });
    expect((await app.request('/token', { method: 'POST', body: form })).status).toBe(413);
  });

  it('by a client that the gateway does not know is invalid_client', async () => {
    const unknown = 'f'.repeat(32);
    const assertion = await sign({ client_id: unknown });
    expect(refused(await redeemAssertion(app, unknown, assertion), 'invalid_client')).toMatch(/[Rr]egister/);
    expect(await person()).toBeNull();
  });

  it('without its fields is refused', async () => {
    expect(refused(await token(app, { grant_type: JWT_BEARER, client_id: client }))).toMatch(/ID-JAG/);
    expect(refused(await token(app, { grant_type: JWT_BEARER, assertion: await sign() }))).toMatch(
      /client_id/,
    );
    const elsewhere = await redeem({}, { resource: 'https://other.example' });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([400, 'invalid_request']);
  });

  it('writes its reason to the log, and nothing of the assertion', async () => {
    const assertion = await sign({ aud: 'https://other.example' });
    await redeemAssertion(app, client, assertion);
    expect(app.lines.findLast(({ event }) => event === 'token refused')).toEqual({
      level: 'warn',
      event: 'token refused',
      reason: 'assertion',
      why: 'wrong-audience',
    });
  });
});

describe('the rules of a sign-in', () => {
  it('refuse an address that is not on the list, and admit an invited one', async () => {
    await use(await open({ SIGN_IN_ALLOW: 'x.org' }));
    expect(refused(await redeem())).toMatch(/not on the list/);
    const email = `${login}@example.com`;
    await app.deps.store.people.invite({ id: crypto.randomUUID(), email, created_at: app.clock.now() });
    await granted(await redeem());
  });

  it('refuse a disabled person, whose tokens end', async () => {
    const { body } = await redeem();
    const { id = '' } = (await person()) ?? {};
    await disable(id);
    expect((await call(body.access_token)).status).toBe(401);
    app.clock.advance(1);
    expect(refused(await redeem())).toMatch(/disabled/);
    expect(refused(await redeem({ email: undefined }))).toMatch(/disabled/);
  });

  it('open no account by an address that the provider does not vouch for', async () => {
    await use(await open({ IDP_EMAIL_TRUSTED: 'false' }));
    const { id } = await app.user(`${login}@example.com`);
    expect(refused(await redeem({ email_verified: undefined }))).toMatch(/not verified/);
    expect(await person()).toMatchObject({ id, idp_sub: null });
  });

  it('refuse another subject of the provider with the address of a person', async () => {
    await granted(await redeem());
    expect(refused(await redeem({ sub: 'eve' }))).toMatch(/another account/);
  });

  it('set the role by the groups of the assertion, and only if it has some', async () => {
    await use(await open({ IDP_ADMIN_GROUP: 'admins' }));
    await app.user('the-owner@example.com');
    await granted(await redeem({ groups: ['admins'] }));
    expect(await person()).toMatchObject({ is_admin: true });
    await granted(await redeem());
    expect(await person()).toMatchObject({ is_admin: true });
    await granted(await redeem({ _claim_names: { groups: 'src1' } }));
    expect(await person()).toMatchObject({ is_admin: true });
    await granted(await redeem({ groups: [] }));
    expect(await person()).toMatchObject({ is_admin: false });
  });

  it('need a group where one is set, and sign a person out only if the assertion lists groups', async () => {
    await use(await open({ IDP_MEMBER_GROUP: 'staff' }));
    const { body } = await redeem({ groups: ['staff'] });
    expect((await call(body.access_token)).status).toBe(200);
    for (const silence of [{}, { groups: null }, { _claim_names: { groups: 'src1' }, roles: ['x'] }])
      expect(refused(await redeem(silence))).toMatch(/did not say which groups/);
    expect(app.lines.findLast(({ event }) => event === 'groups missing')).toMatchObject({
      proof: 'assertion',
    });
    expect((await call(body.access_token)).status).toBe(200);
    expect(await person()).toMatchObject({ outside_since: null });
    expect(refused(await redeem({ groups: ['other'] }))).toMatch(/group/);
    expect((await call(body.access_token)).status).toBe(401);
    expect(await person()).toMatchObject({ outside_since: app.clock.now() });
  });
});

describe('what a person has granted the client', () => {
  const limit = (userId: string, expires_at: number | null, limits = '{}') =>
    app.deps.store.policies.putGrant({
      user_id: userId,
      client_id: client,
      limits,
      expires_at,
      revision: crypto.randomUUID(),
      updated_at: app.clock.now(),
      last_used_at: null,
      paused_at: null,
    });

  it('ends the token with the grant, and gives none after it', async () => {
    await granted(await redeem());
    const { id = '' } = (await person()) ?? {};
    await limit(id, app.clock.now() + 90);
    expect((await redeem()).body['expires_in']).toBe(90);
    app.clock.advance(90);
    expect(refused(await redeem())).toMatch(/has expired/);
  });

  it('limits what the token may do', async () => {
    await granted(await redeem());
    const { id = '' } = (await person()) ?? {};
    await limit(id, null, JSON.stringify({ integrations: [] }));
    const { userId, clientId } = await granted(await redeem());
    expect((await app.deps.store.policies.read(userId, clientId)).grant?.limits).toBe('{"integrations":[]}');
  });
});

describe('the provider', () => {
  it('that cannot be reached is 503, and the assertion can be used later', async () => {
    await use(await open({ IDP_ISSUER_URL: 'http://127.0.0.1:1/realms/staff' }));
    const { status, body } = await redeem();
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
  });

  it('that is not set leaves the grant unknown, in the words of version 0.1', async () => {
    await use(await createTestApp());
    const { status, body } = await redeem();
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'unsupported_grant_type',
      error_description: 'grant_type must be authorization_code or refresh_token.',
    });
  });
});
