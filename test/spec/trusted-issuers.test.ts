// Tests tokens of trusted issuers, with a real OpenID provider as the issuer. reference: Trusted issuers; decision: 054
import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import {
  administratorOf,
  askToken,
  bearer,
  type Claims,
  jobClaims,
  JWT_BEARER,
  keyOf,
  SUBJECT,
  trust,
} from '../support/machines.ts';
import { ID_JAG, redeemAssertion } from '../support/assertions.ts';
import { registered } from '../support/oauth-client.ts';
import { type Oidc, startOidc } from '../support/oidc.ts';
import { run, send } from '../support/policy.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PATH = '/api/trusted-issuers';
const RULE = { sub: SUBJECT, key: 'deploy' };
const LIMITS = { integrations: ['echo'], access: 'read', rules: [{ tool: 'shout', decision: 'block' }] };

let oidc: Oidc;
let other: Oidc;
let app: TestApp;
let ana: TestUser;
let key: Awaited<ReturnType<typeof keyOf>>;
let form: { name: string; issuer: string; rules: object[] };
beforeAll(async () => {
  [oidc, other] = await Promise.all([
    startOidc({ redirectUris: ['http://localhost/'] }),
    startOidc({ redirectUris: ['http://localhost/'] }),
  ]);
});
afterAll(async () => {
  await oidc.close();
  await other.close();
});
beforeEach(async () => {
  app = await createTestApp();
  ana = await administratorOf(app);
  key = await keyOf(app, ana, LIMITS);
  form = { name: 'Pipelines', issuer: oidc.issuer, rules: [RULE] };
});
afterEach(() => app.close());

const as = (user: TestUser, method: string, path: string, body?: unknown) =>
  send(app, user.sessionHeader, method, path, body);
const claims = (changes: Claims = {}) => jobClaims(app, oidc.issuer, changes);
const redeem = (assertion: string, fields: Record<string, string> = {}) =>
  askToken(app, { grant_type: JWT_BEARER, assertion, ...fields });
const redeemed = async (changes: Claims = {}, fields: Record<string, string> = {}) =>
  redeem(await oidc.sign(claims(changes)), fields);
const refusals = () => app.lines.filter(({ event }) => event === 'token refused');

/** The caller learns nothing, and the log has one sentence. */
async function refused(assertion: string, why: string): Promise<void> {
  const before = refusals().length;
  const { status, body, headers } = await redeem(assertion);
  expect([status, body, headers.get('cache-control')]).toEqual([400, { error: 'invalid_grant' }, 'no-store']);
  expect(refusals().slice(before)).toEqual([
    expect.objectContaining({
      reason: 'trusted-issuer',
      why,
      sentence: expect.stringMatching(/^[A-Z].*\.$/),
    }),
  ]);
}

describe('a token of a trusted issuer', () => {
  it('gives an access token with the limits of the key, and the row names who acted', async () => {
    const issuer = await trust(app, ana, form);
    const answer = await redeemed({ exp: app.clock.now() + 120 });
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 120,
      scope: 'mcp',
    });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const headers = bearer(answer.body.access_token);
    expect(await run(app, headers, 'shout', { text: 'Hi' })).toMatchObject({ error: 'BLOCKED' });
    expect(await run(app, headers, 'echo_text', { length: 2 })).toMatchObject({ result: 'xx' });
    expect((await as(ana, 'GET', '/api/audit')).body.entries[0]).toMatchObject({
      tool: 'echo_text',
      actor: `key:${key.id}`,
      client_name: `deploy by ${SUBJECT} (Pipelines)`,
    });
    const [listed] = (await as(ana, 'GET', PATH)).body.issuers;
    expect(listed).toEqual({
      ...issuer,
      rules: [{ ...issuer.rules[0], lastUsedAt: app.clock.now() }],
    });
    app.clock.advance(121);
    expect((await app.request('/rest', { headers })).status).toBe(401);
  });

  it('gives an hour at most, and no more than the key has left', async () => {
    const short = await keyOf(app, ana, { name: 'short', expiresAt: app.clock.now() + 50 });
    await trust(app, ana, { ...form, rules: [{ sub: 'a', key: short.id }, RULE] });
    const exp = app.clock.now() + 86_400;
    expect((await redeemed({ exp })).body['expires_in']).toBe(3600);
    expect((await redeemed({ exp, sub: 'a' })).body['expires_in']).toBe(50);
  });

  it('takes a narrower scope, and a client_id that means nothing', async () => {
    await trust(app, ana, form);
    const { body } = await redeemed({}, { scope: 'mcp:read', client_id: 'anything' });
    expect(body['scope']).toBe('mcp:read');
    expect((await redeemed({}, { scope: 'admin' })).body['error']).toBe('invalid_scope');
    expect((await redeemed({}, { resource: 'https://other.example' })).body['error']).toBe('invalid_request');
  });

  it('counts once by its jti, also when 30 come at once, and as often as it likes without one', async () => {
    await trust(app, ana, form);
    const token = await oidc.sign(claims());
    const answers = await Promise.all(Array.from({ length: 30 }, () => redeem(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(refusals().map(({ why }) => why))).toEqual(new Set(['used-before']));
    const { jti: _, ...without } = claims();
    const open = await oidc.sign(without);
    for (let time = 0; time < 3; time++) expect((await redeem(open)).status).toBe(200);
  });

  it('keeps the ids of two issuers apart', async () => {
    await trust(app, ana, form);
    await trust(app, ana, { ...form, issuer: other.issuer });
    const jti = 'the same';
    expect((await redeemed({ jti })).status).toBe(200);
    expect((await redeem(await other.sign(claims({ jti, iss: other.issuer })))).status).toBe(200);
  });

  it('has counted also when its issuer is trusted anew', async () => {
    const token = await oidc.sign(claims({ jti: 'job 1' }));
    const { id } = await trust(app, ana, form);
    expect((await redeem(token)).status).toBe(200);
    expect((await as(ana, 'DELETE', `${PATH}/${id}`)).status).toBe(200);
    await trust(app, ana, form);
    await refused(token, 'used-before');
  });

  it.each<[string, string, (now: number) => Claims]>([
    ['for another audience', 'wrong-audience', () => ({ aud: 'https://github.com/acme' })],
    ['for several audiences', 'wrong-audience', () => ({ aud: [BASE, 'https://other.example'] })],
    ['without an audience', 'claims', () => ({ aud: undefined })],
    ['of another subject', 'no-rule', () => ({ sub: `${SUBJECT}-2` })],
    ['of a subject that only begins alike', 'no-rule', () => ({ sub: 'repo:acme/web' })],
    ['without a subject', 'claims', () => ({ sub: undefined })],
    ['of a subject that is no text', 'claims', () => ({ sub: 7 })],
    ['of an endless subject', 'claims', () => ({ sub: 'a'.repeat(1_025) })],
    ['that has just expired', 'expired', (now) => ({ exp: now - 1 })],
    ['that has expired', 'expired', (now) => ({ exp: now - 3_600 })],
    ['without an end', 'claims', () => ({ exp: undefined })],
    ['from the future', 'not-yet', (now) => ({ iat: now + 600 })],
    ['that begins later', 'not-yet', (now) => ({ nbf: now + 600 })],
    ['without a time', 'claims', () => ({ iat: undefined })],
    ['that ends after every time a database takes', 'claims', () => ({ exp: 1e300 })],
    ['whose id is no text', 'claims', () => ({ jti: ['a'] })],
    ['of an issuer that nobody trusts', 'unknown-issuer', () => ({ iss: 'https://evil.example' })],
    ['of an issuer with a NUL', 'malformed', () => ({ iss: 'https://evil\u0000.example' })],
    ['of the issuer with a slash', 'wrong-issuer', () => ({ iss: `${oidc.issuer}/` })],
    ['without an issuer', 'malformed', () => ({ iss: undefined })],
  ])('is refused %s', async (_, why, changes) => {
    await trust(app, ana, form);
    await refused(await oidc.sign(claims(changes(app.clock.now()))), why);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['jku', 'names-keys', { jku: 'https://evil.example/jwks' }],
    ['x5u', 'names-keys', { x5u: 'https://evil.example/cert' }],
    ['jwk', 'names-keys', { jwk: { kty: 'RSA', n: 'x', e: 'AQAB' } }],
    ['a kid that walks', 'unknown-key', { kid: '../../../../dev/null' }],
    ['a kid that injects', 'unknown-key', { kid: "one' UNION SELECT 'secret" }],
    ['a kid that is an address', 'unknown-key', { kid: 'https://evil.example/key' }],
    ['a kid of the prototype', 'unknown-key', { kid: '__proto__' }],
    ['a kid that is no text', 'malformed', { kid: ['one'] }],
  ])('is refused with %s in its header', async (_, why, header) => {
    await trust(app, ana, form);
    await refused(await oidc.sign(claims(), header), why);
  });

  it('is refused with crit in its header', async () => {
    await trust(app, ana, form);
    const [, payload, signature] = (await oidc.sign(claims())).split('.');
    const header = { alg: 'RS256', kid: 'one', crit: ['exp'], exp: 1 };
    const text = Buffer.from(JSON.stringify(header)).toString('base64url');
    await refused(`${text}.${payload}.${signature}`, 'names-keys');
  });

  it('is refused unsigned, signed with the public key as a secret, by another key, or changed', async () => {
    await trust(app, ana, form);
    const { keys } = await (await fetch(`${oidc.issuer}/jwks`)).json();
    const published = await importJWK(keys[0], 'RS256');
    if (published instanceof Uint8Array) throw new Error('the provider publishes a secret');
    const pem = await exportSPKI(published);
    const hs256 = (secret: string) => {
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
      const signed = `${encode({ alg: 'HS256', kid: 'one' })}.${encode(claims())}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const stranger = await generateKeyPair('RS256');
    const foreign = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: 'one' });
    const [header, , signature] = (await oidc.sign(claims())).split('.');
    const changed = Buffer.from(JSON.stringify(claims({ sub: 'admin' }))).toString('base64url');
    const cases: [string, string][] = [
      [new UnsecuredJWT(claims()).encode(), 'algorithm'],
      [hs256(pem), 'algorithm'],
      [hs256(pem.trim()), 'algorithm'],
      [hs256(JSON.stringify(keys[0])), 'algorithm'],
      [await foreign.sign(stranger.privateKey), 'signature'],
      [`${header}.${changed}.${signature}`, 'signature'],
      [`${header}.${changed}.`, 'signature'],
      ['', 'malformed'],
      ['a.b.c', 'malformed'],
      ['x'.repeat(20_000), 'malformed'],
    ];
    for (const [token, why] of cases) await refused(token, why);
    const lines = JSON.stringify(app.lines);
    expect(lines).not.toContain(changed);
    expect(lines).not.toContain(signature);
  });

  it('of one issuer never passes as one of another', async () => {
    await trust(app, ana, form);
    await trust(app, ana, { ...form, issuer: other.issuer });
    // Both providers name their key alike.
    await refused(await other.sign(claims()), 'signature');
    await refused(await oidc.sign(claims({ iss: other.issuer })), 'signature');
  });

  it('never brings into a row what no log and no database takes', async () => {
    await trust(app, ana, { ...form, rules: [{ sub: 'repo:acme/web:*', key: 'deploy' }] });
    const { body } = await redeemed({ sub: `repo:acme/web:\u0000\u202e${'x'.repeat(900)}` });
    await run(app, bearer(body.access_token), 'echo_text', { length: 2 });
    const [entry] = await app.deps.store.audit.list({ user_id: ana.id, limit: 1 });
    expect(entry?.client_name).toMatch(/^deploy by repo:acme\/web: +x+$/);
    expect(entry?.client_name).toHaveLength(300);
  });

  it('needs its claims too', async () => {
    const rules = [{ ...RULE, claims: { environment: 'prod', ref: 'refs/heads/*' } }];
    await trust(app, ana, { ...form, rules });
    expect((await redeemed()).status).toBe(200);
    const cases = [
      { environment: 'production' },
      { environment: undefined },
      { environment: ['prod'] },
      { ref: 'refs/heads/' },
      { ref: { toString: 'refs/heads/main' } },
    ];
    for (const changes of cases) await refused(await oidc.sign(claims(changes)), 'no-rule');
  });

  it('acts with the key of the first rule that fits', async () => {
    await keyOf(app, ana, { name: 'others' });
    const rules = [RULE, { sub: 'repo:acme/web:*', key: 'others' }];
    await trust(app, ana, { ...form, rules });
    const actor = async (sub: string) => {
      const { body } = await redeemed({ sub });
      return (await app.deps.callers.machine(new Headers(bearer(body.access_token))))?.actor.name;
    };
    expect(await actor(SUBJECT)).toBe(`deploy by ${SUBJECT} (Pipelines)`);
    expect(await actor('repo:acme/web:pull_request')).toBe(
      'others by repo:acme/web:pull_request (Pipelines)',
    );
  });

  it('is refused once the key has ended', async () => {
    await trust(app, ana, form);
    await as(ana, 'DELETE', `/api/agent-keys/${key.id}`);
    await refused(await oidc.sign(claims()), 'key-over');
  });

  it('gives a token that ends with the key, the rule, the issuer and the person', async () => {
    const { id } = await trust(app, ana, form);
    await keyOf(app, ana, { name: 'raw' });
    const rules = [RULE, { sub: 'a', key: 'raw' }, { sub: 'b', key: 'raw' }];
    await as(ana, 'PATCH', `${PATH}/${id}`, { rules });
    const tokens = new Map<string, string>();
    for (const sub of [SUBJECT, 'a', 'b']) tokens.set(sub, (await redeemed({ sub })).body.access_token);
    const opens = async () => {
      const seen: number[] = [];
      for (const token of tokens.values())
        seen.push((await app.request('/rest', { headers: bearer(token) })).status);
      return seen;
    };
    expect(await opens()).toEqual([200, 200, 200]);
    await as(ana, 'PATCH', `${PATH}/${id}`, { rules: [rules[2], rules[0]] });
    expect(await opens()).toEqual([200, 401, 200]);
    await as(ana, 'DELETE', `/api/agent-keys/${key.id}`);
    expect(await opens()).toEqual([401, 401, 200]);
    await as(ana, 'DELETE', `${PATH}/${id}`);
    expect(await opens()).toEqual([401, 401, 401]);
  });
});

describe('the issuer', () => {
  let server: HttpServer;
  let asked: string[];
  let keys: object[];
  let isDown: boolean;
  let base: string;
  let document: Record<string, unknown>;
  beforeEach(async () => {
    [asked, keys, isDown] = [[], [], false];
    server = await startHttpServer((request, response) => {
      asked.push(request.url ?? '');
      if (isDown) return void response.writeHead(503).end();
      const body = request.url === '/jwks' ? { keys } : document;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    base = `http://127.0.0.1:${server.port}`;
    // As GitHub Actions and Kubernetes do, it publishes no endpoint of a sign-in.
    document = { issuer: base, jwks_uri: `${base}/jwks` };
  });
  afterEach(() => server.close());

  async function signer(kid: string) {
    const pair = await generateKeyPair('ES256');
    keys.push({ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' });
    return (changes: Claims = {}, header: { kid?: string } = {}) =>
      new SignJWT(claims({ iss: base, ...changes }))
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(pair.privateKey);
  }

  it('is asked for its keys once, and again for an unknown key at most every 30 seconds', async () => {
    const sign = await signer('one');
    await trust(app, ana, { ...form, issuer: base });
    asked.length = 0;
    for (let count = 0; count < 5; count++) expect((await redeem(await sign())).status).toBe(200);
    expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
    const later = await signer('two');
    app.clock.advance(31);
    expect((await redeem(await later())).status).toBe(200);
    for (let count = 0; count < 20; count++) await redeem(await sign({}, { kid: `guess-${count}` }));
    expect(asked.filter((path) => path === '/jwks')).toHaveLength(2);
  });

  it('is not asked at all for a token of somebody else', async () => {
    await signer('one');
    await trust(app, ana, { ...form, issuer: base });
    asked.length = 0;
    await refused(await oidc.sign(claims()), 'unknown-issuer');
    await refused(new UnsecuredJWT(claims({ iss: base })).encode(), 'algorithm');
    expect(asked).toEqual([]);
  });

  it('that is away costs 503, and what was issued goes on', async () => {
    const sign = await signer('one');
    await trust(app, ana, { ...form, issuer: base });
    isDown = true;
    const answer = await redeem(await sign());
    expect([answer.status, answer.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(refusals().at(-1)).toMatchObject({ why: 'unreachable' });
    isDown = false;
    const given = await redeem(await sign());
    isDown = true;
    app.clock.advance(100);
    const headers = bearer(given.body.access_token);
    expect((await app.request('/rest', { headers })).status).toBe(200);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'names another one',
      () => Object.assign(document, { issuer: 'https://evil.example' }),
      /another issuer/,
    ],
    ['names no keys', () => delete document['jwks_uri'], /does not publish/],
    ['is away', () => (isDown = true), /answered with status 503/],
  ])('that %s is not added', async (_, spoil, message) => {
    spoil();
    const answer = await as(ana, 'POST', PATH, { ...form, issuer: base });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(message)]);
  });

  it('in a private network needs EGRESS_ALLOW', async () => {
    const secret = 'f1e2d3c4b5a69788'.repeat(4);
    const env = {
      SERVER_PUBLIC_URL: 'https://gateway.example',
      SESSION_SECRET: secret,
      ENCRYPTION_KEY: secret,
    };
    const open = await createTestApp({ env });
    const owner = await administratorOf(open);
    await keyOf(open, owner);
    const issuer = 'https://10.96.0.1';
    const answer = await send(open, owner.sessionHeader, 'POST', PATH, { ...form, issuer });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/EGRESS_ALLOW/)]);
    const http = await send(open, owner.sessionHeader, 'POST', PATH, { ...form, issuer: base });
    expect([http.status, http.body.error]).toEqual([400, expect.stringMatching(/an https address/)]);
    await open.close();
  });
});

describe('the two uses of jwt-bearer', () => {
  it('are told apart by the issuer, and identity assertions go on as before', async () => {
    const env = {
      IDP_ISSUER_URL: oidc.issuer,
      IDP_CLIENT_ID: oidc.clientId,
      IDP_CLIENT_SECRET: oidc.clientSecret,
    };
    const both = await createTestApp({ env });
    const owner = await administratorOf(both);
    await keyOf(both, owner);
    const rules = [{ sub: SUBJECT, key: 'deploy' }];
    const same = await send(both, owner.sessionHeader, 'POST', PATH, { ...form, rules });
    expect([same.status, same.body.error]).toEqual([409, expect.stringContaining('sign in with')]);
    await trust(both, owner, { ...form, rules, issuer: other.issuer });
    const client = await registered(both);
    const assertion = await oidc.sign(
      {
        ...jobClaims(both, oidc.issuer, { sub: 'carla', jti: crypto.randomUUID() }),
        client_id: client,
        email: 'carla@example.com',
        email_verified: true,
      },
      { typ: ID_JAG },
    );
    const signedIn = await redeemAssertion(both, client, assertion);
    expect(signedIn.status).toBe(200);
    expect((await both.deps.accessTokens.verify(signedIn.body.access_token))?.machine).toBeUndefined();
    const job = await other.sign(jobClaims(both, other.issuer));
    const acted = await askToken(both, { grant_type: JWT_BEARER, assertion: job });
    expect((await both.deps.accessTokens.verify(acted.body.access_token))?.machine).toBeDefined();
    // A job's token of the sign-in provider is no assertion, and says so as before.
    const wrong = await redeemAssertion(both, client, await oidc.sign(jobClaims(both, oidc.issuer)));
    expect(wrong.body['error_description']).toMatch(/must have/);
    const unknown = await redeemAssertion(both, client, 'a.b.c');
    expect(unknown.body['error_description']).toMatch(/is no JWT/);
    await both.close();
  });

  it('are both unknown on a gateway without either, whose metadata are as before', async () => {
    const answer = await redeem(await oidc.sign(claims()));
    expect([answer.status, answer.body['error']]).toEqual([400, 'unsupported_grant_type']);
    const metadata = async () => (await app.request('/.well-known/oauth-authorization-server')).json();
    const before = await metadata();
    const { id } = await trust(app, ana, form);
    expect(await metadata()).toEqual({
      ...before,
      grant_types_supported: ['authorization_code', 'refresh_token', JWT_BEARER],
    });
    await as(ana, 'DELETE', `${PATH}/${id}`);
    expect(await metadata()).toEqual(before);
  });
});

describe('the test of a token', () => {
  const test = async (token: string) => (await as(ana, 'POST', `${PATH}/test`, { token })).body;

  it('says what a token would do, and does not use it up', async () => {
    await trust(app, ana, form);
    const token = await oidc.sign(claims());
    for (let time = 0; time < 2; time++)
      expect(await test(` ${token}\n`)).toEqual({
        accepted: true,
        says: 'This token would act as deploy, and may read Echo, within the rules of the key.',
        issuer: 'Pipelines',
        sub: SUBJECT,
        rule: SUBJECT,
        key: 'deploy',
      });
    expect((await redeem(token)).status).toBe(200);
    expect(JSON.stringify(app.lines)).not.toContain(token);
  });

  it('says which check fails', async () => {
    await trust(app, ana, form);
    const cases: [string, object][] = [
      [
        await oidc.sign(claims({ sub: 'repo:acme/api:x' })),
        {
          says: 'No rule of the issuer fits the subject and the claims of the token.',
          issuer: 'Pipelines',
          sub: 'repo:acme/api:x',
        },
      ],
      [await oidc.sign(claims({ exp: 1 })), { says: 'The token has expired.', issuer: 'Pipelines' }],
      [
        await oidc.sign(claims({ iss: 'https://evil.example' })),
        { says: 'No trusted issuer has the iss of the token.' },
      ],
      ['nonsense', { says: 'The token is no signed JWT.' }],
    ];
    for (const [token, answer] of cases) expect(await test(token)).toEqual({ accepted: false, ...answer });
    await as(ana, 'DELETE', `/api/agent-keys/${key.id}`);
    expect(await test(await oidc.sign(claims()))).toMatchObject({
      accepted: false,
      says: 'The named key has been deleted or has expired.',
    });
  });
});

describe('the routes of trusted issuers', () => {
  it.each([
    ['GET', PATH, undefined],
    ['POST', PATH, { name: 'x', issuer: 'https://x.example', rules: [] }],
    ['POST', `${PATH}/test`, { token: 'x' }],
    ['PATCH', `${PATH}/00000000-0000-4000-8000-000000000000`, { name: 'x' }],
    ['DELETE', `${PATH}/00000000-0000-4000-8000-000000000000`, undefined],
  ] as const)('%s %s is for administrators in the portal', async (method, path, body) => {
    const member = await app.user('member@example.com');
    expect((await as(member, method, path, body)).status).toBe(403);
    for (const headers of [ana.keyHeader, key.header])
      expect((await send(app, headers, method, path, body)).status).toBe(403);
    expect((await send(app, {}, method, path, body)).status).toBe(401);
  });

  it('trust an address once, however it ends, also when several want it at once', async () => {
    const answers = await Promise.all(
      [oidc.issuer, `${oidc.issuer}/`, oidc.issuer].map((issuer) =>
        as(ana, 'POST', PATH, { ...form, issuer }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409,
    ]);
    expect((await as(ana, 'POST', PATH, form)).status).toBe(409);
  });

  it.each<[string, object]>([
    ['no address', { issuer: 'nonsense' }],
    ['a file', { issuer: 'file:///etc/passwd' }],
    ['a user name', { issuer: 'https://a:b@issuer.example' }],
    ['a query', { issuer: 'https://issuer.example?x=1' }],
    ['a fragment', { issuer: 'https://issuer.example#x' }],
    ['another spelling', { issuer: 'HTTPS://Issuer.Example' }],
    ['a path that goes back', { issuer: 'https://issuer.example/a/../b' }],
    ['a key of nobody', { rules: [{ sub: 'a', key: 'nothing' }] }],
    ['a rule for everybody', { rules: [{ sub: '*', key: 'deploy' }] }],
    ['a rule for everybody, twice said', { rules: [{ sub: '**', key: 'deploy', claims: { a: '*' } }] }],
    ['an empty pattern', { rules: [{ sub: '', key: 'deploy' }] }],
    ['a pattern with a NUL', { rules: [{ sub: 'a\u0000', key: 'deploy' }] }],
    ['51 rules', { rules: Array.from({ length: 51 }, (_, at) => ({ sub: `a${at}`, key: 'deploy' })) }],
    ['a claim that is no text', { rules: [{ sub: 'a', claims: { b: 1 }, key: 'deploy' }] }],
    ['no name', { name: ' ' }],
    ['an empty audience', { audience: '' }],
  ])('refuse %s', async (_, changes) => {
    const answer = await as(ana, 'POST', PATH, { ...form, ...changes });
    expect([answer.status, typeof answer.body.error]).toEqual([400, 'string']);
    expect((await as(ana, 'GET', PATH)).body.issuers).toEqual([]);
  });

  it('let an administrator bind own keys only, and change no rule of another', async () => {
    const bob = await administratorOf(app);
    const theirs = await keyOf(app, bob, { name: 'theirs' });
    const issuer = await trust(app, ana, form);
    const [{ sub }] = issuer.rules;
    const path = `${PATH}/${issuer.id}`;
    expect((await as(ana, 'PATCH', path, { rules: [{ sub, key: theirs.id }] })).status).toBe(400);
    const wider = await as(bob, 'PATCH', path, { rules: [{ sub: 'repo:evil/web:*', key: key.id }] });
    expect([wider.status, wider.body.error]).toEqual([400, expect.stringContaining('no named key')]);
    const twice = await as(bob, 'PATCH', path, {
      rules: [
        { sub, key: key.id },
        { sub, key: key.id },
      ],
    });
    expect(twice.status).toBe(400);
    const both = await as(bob, 'PATCH', path, {
      rules: [
        { sub, key: key.id },
        { sub: 'b', key: 'theirs' },
      ],
    });
    expect(both).toMatchObject({
      status: 200,
      body: {
        rules: [
          { id: issuer.rules[0].id, key: { mine: false, owner: ana.email, name: 'deploy' } },
          { key: { mine: true, name: 'theirs' } },
        ],
      },
    });
    const none = await as(bob, 'PATCH', path, { rules: [], name: 'Renamed' });
    expect(none.body).toMatchObject({ name: 'Renamed', rules: [] });
    expect((await as(bob, 'DELETE', path)).body).toEqual({ success: true });
    for (const id of [issuer.id, 'x'])
      for (const [method, body] of [
        ['PATCH', { name: 'x' }],
        ['DELETE', undefined],
      ] as const)
        expect((await as(bob, method, `${PATH}/${id}`, body)).status).toBe(404);
  });

  it("export what is a person's, and erase it with them", async () => {
    const issuer = await trust(app, ana, form);
    const made = await as(ana, 'POST', '/api/machine-clients', { name: 'Job', key: 'deploy' });
    const exported = await app.request('/api/me/export', { headers: ana.sessionHeader });
    const text = await exported.text();
    expect(JSON.parse(text)).toMatchObject({
      machineClients: [{ client_id: made.body.clientId, name: 'Job', key_id: key.id }],
      trustedRules: [{ name: 'Pipelines', issuer: oidc.issuer, sub: SUBJECT, claims: {}, key_id: key.id }],
    });
    expect(text).not.toMatch(/secret_sha|mcs_/);
    const { clock, digest, store } = app.deps;
    const ending = { person: digest.sha256(ana.id), before: clock.now(), expires_at: clock.now() + 9 };
    await store.people.beginDeletion(ana.id, ending);
    app.clock.advance(200);
    await app.deps.erasures.goOn();
    expect(await store.machines.clients()).toEqual([]);
    const left = await store.machines.issuer({ id: issuer.id });
    expect(left).toMatchObject({ issuer: { created_by: expect.stringMatching(/^deleted-/) }, rules: [] });
  });
});
