// spec: Portal login (OIDC), and everything a provider can do wrong; design: O9
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import type { Network } from '../../src/ports/network.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const PROVIDERS = ['hosted', 'idp'] as const;
type Name = (typeof PROVIDERS)[number];

let app: TestApp;
let providers: Record<Name, ScriptedProvider>;
let nonce = '';
let people = 0;
let person = '';
// Time-outs are asked for, and come at once where a test wants one.
let isSlow = false;

beforeAll(async () => {
  const now = () => app.clock.now();
  providers = {
    hosted: await startScriptedProvider({ now, nonce: () => nonce }),
    idp: await startScriptedProvider({ path: '/realms/staff', now, nonce: () => nonce }),
  };
  app = await open();
});
afterAll(async () => {
  await Promise.all(PROVIDERS.map((name) => providers[name].close()));
  await app.close();
});

// Each test has a person of its own, and what was kept of a provider is too old.
beforeEach(() => {
  person = `person-${++people}`;
  for (const name of PROVIDERS) {
    providers[name].reset();
    providers[name].script.claims = someone();
  }
  isSlow = false;
  app.clock.advance(3_600);
});

const someone = () => ({ sub: person, email: `${person}@example.com` });
/** Laid over a good answer of this test's person. */
function claim(name: Name, claims: Record<string, unknown>): void {
  providers[name].script.claims = { ...someone(), ...claims };
}

const SECRET = 'the secret of the gateway & more';

async function open(env: Record<string, string> = {}): Promise<TestApp> {
  const network = createUndiciNetwork();
  const impatient: Network = {
    ...network,
    send: (request) =>
      isSlow ? Promise.reject(new DOMException('timed out', 'TimeoutError')) : network.send(request),
  };
  return createTestApp({
    env: {
      HOSTED_ISSUER_URL: providers.hosted.issuer,
      HOSTED_CLIENT_ID: 'gateway',
      HOSTED_CLIENT_SECRET: SECRET,
      IDP_ISSUER_URL: providers.idp.issuer,
      IDP_CLIENT_ID: 'gateway',
      IDP_CLIENT_SECRET: SECRET,
      ...env,
    },
    ports: { network: impatient },
  });
}

async function begin(name: Name): Promise<string> {
  const { url } = await (await app.request(`/api/auth/${name}`)).json();
  const query = new URL(url).searchParams;
  nonce = query.get('nonce') ?? '';
  return query.get('state') ?? '';
}

const back = (name: Name, query: Record<string, string>) =>
  app.request(`/api/auth/${name}/callback?${new URLSearchParams(query)}`);

async function signIn(name: Name): Promise<Response> {
  return back(name, { code: 'code', state: await begin(name) });
}

async function refusal(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { error } = await response.json();
  return error;
}

const users = () => app.deps.store.users.byEmail(`${person}@example.com`);

describe.each(PROVIDERS)('%s', (name) => {
  const provider = () => providers[name];

  it('a good answer signs in, with the address in lower case', async () => {
    claim(name, { email: ` ${person.toUpperCase()}@Example.COM ` });
    const response = await signIn(name);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(/^http:\/\/localhost:3000#token=/);
    // The address holds the session.
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await users()).not.toBeNull();
  });

  it('an address verified in words is verified', async () => {
    claim(name, { email_verified: 'true' });
    expect((await signIn(name)).status).toBe(302);
  });

  it('sends the code once, with the same redirect URI, and proves the secret', async () => {
    await signIn(name);
    expect(provider().forms.map((form) => Object.fromEntries(form))).toEqual([
      {
        grant_type: 'authorization_code',
        code: 'code',
        redirect_uri: `http://localhost:3000/api/auth/${name}/callback`,
      },
    ]);
  });

  it.each([
    ['another nonce', { nonce: 'other' }, /belongs to another sign-in/],
    ['no nonce', { nonce: undefined }, /belongs to another sign-in/],
    ['another audience', { aud: 'somebody' }, /another application/],
    ['another audience in a list', { aud: ['somebody'] }, /another application/],
    ['several others, and this party', { aud: ['a', 'b'], azp: 'gateway' }, /another application/],
    ['several audiences and another party', { aud: ['gateway', 'b'], azp: 'b' }, /another application/],
    ['another issuer', { iss: 'https://evil.example' }, /somebody else/],
    ['no issuer', { iss: undefined }, /could not be verified/],
    ['an expiry long past', { exp: 1_700_000_000 }, /has expired/],
    ['no expiry', { exp: undefined }, /could not be verified/],
    ['a beginning to come', { nbf: 1_900_000_000 }, /could not be verified/],
    ['no subject', { sub: undefined }, /could not be verified/],
    ['an empty subject', { sub: '' }, /could not be verified/],
    ['a subject longer than 255 characters', { sub: 's'.repeat(256) }, /could not be verified/],
    ['a number for a subject', { sub: 42 }, /could not be verified/],
    ['a list for a subject', { sub: ['someone'] }, /could not be verified/],
    ['no e-mail address', { email: undefined }, /did not tell your e-mail/],
    ['one that is longer than any', { email: `${'e'.repeat(250)}@x.example` }, /did not tell your e-mail/],
    ['an unverified address', { email_verified: false }, /not verified/],
    ['an address unverified in words', { email_verified: 'false' }, /not verified/],
  ])('refuses %s', async (_, claims, sentence) => {
    claim(name, claims);
    expect(await refusal(await signIn(name))).toMatch(sentence);
    expect(await users()).toBeNull();
  });

  it.each(['foreign', 'none', 'hs256'] as const)('refuses a %s signature', async (signature) => {
    provider().script.signature = signature;
    expect(await refusal(await signIn(name))).toMatch(/could not be verified/);
    expect(await users()).toBeNull();
  });

  it('tolerates a clock that is 60 seconds off, and no more', async () => {
    claim(name, { exp: app.clock.now() - 59 });
    expect((await signIn(name)).status).toBe(302);
    claim(name, { exp: app.clock.now() - 60 });
    expect(await refusal(await signIn(name))).toMatch(/has expired/);
  });

  it('several audiences are fine when the token is made out to us', async () => {
    claim(name, { aud: ['other', 'gateway'], azp: 'gateway' });
    expect((await signIn(name)).status).toBe(302);
  });

  it.each([
    ['a provider error', { error: 'access_denied' }, /did not let you in \(access_denied\)/],
    ['an error that is no word', { error: '<b>x</b>' }, /did not let you in \(unknown error\)/],
    ['no code', {}, /without a code/],
    ['an empty code', { code: '' }, /without a code/],
  ])('%s is 400, and uses the state up', async (_, query, sentence) => {
    const state = await begin(name);
    expect(await refusal(await back(name, { ...query, state }))).toMatch(sentence);
    expect(await refusal(await back(name, { code: 'code', state }))).toMatch(/not begun here/);
    expect(provider().asked.token).toBe(0);
  });

  it.each([
    ['no state', undefined],
    ['an unknown state', 'f'.repeat(64)],
    ['an odd state', "..';--"],
  ])('%s is 400', async (_, state) => {
    expect(
      await refusal(await back(name, { code: 'code', ...(state === undefined ? {} : { state }) })),
    ).toMatch(/not begun here/);
  });

  it('a used state and one that is 600 seconds old are 400', async () => {
    const used = await begin(name);
    await back(name, { code: 'code', state: used });
    expect(await refusal(await back(name, { code: 'code', state: used }))).toMatch(/has been used/);
    const [old, young] = [await begin(name), await begin(name)];
    app.clock.advance(599);
    expect((await back(name, { code: 'code', state: young })).status).toBe(302);
    app.clock.advance(1);
    expect(await refusal(await back(name, { code: 'code', state: old }))).toMatch(/took too long/);
  });

  it('a state of the other provider is 400, and used up', async () => {
    const other = name === 'hosted' ? 'idp' : 'hosted';
    const state = await begin(other);
    expect(await refusal(await back(name, { code: 'code', state }))).toMatch(/not begun here/);
    expect(await refusal(await back(other, { code: 'code', state }))).toMatch(/not begun here/);
  });

  it('of 50 that bring one state at once, one signs in', async () => {
    for (let round = 0; round < 3; round++) {
      const state = await begin(name);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => back(name, { code: 'code', state })),
      );
      expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
    }
  });

  it('50 first sign-ins at once make one account', async () => {
    // One nonce for all: only the last begun is what the provider repeats.
    const states = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { url } = await (await app.request(`/api/auth/${name}`)).json();
        return new URL(url).searchParams;
      }),
    );
    const shared = 'n'.repeat(64);
    for (const query of states) {
      const flow = await app.deps.store.flows.take(query.get('state') ?? '');
      if (flow !== null)
        await app.deps.store.flows.put({ ...flow, session_data: JSON.stringify({ nonce: shared }) });
    }
    nonce = shared;
    const answers = await Promise.all(
      states.map((query) => back(name, { code: 'code', state: query.get('state') ?? '' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(states.map(() => 302));
    const subjects = await Promise.all(
      answers.map(async (answer) => {
        const token = answer.headers.get('location')?.split('#token=')[1] ?? '';
        return (await app.deps.sessions.verify(token))?.userId;
      }),
    );
    expect(new Set(subjects).size).toBe(1);
    expect(provider().asked).toMatchObject({ discovery: 1, keys: 1 });
  });

  it('a subject is never replaced because the address is the same', async () => {
    await signIn(name);
    const before = await users();
    claim(name, { sub: 'somebody else' });
    expect(await refusal(await signIn(name))).toMatch(/belongs to another account/);
    expect(await users()).toEqual(before);
  });

  it('a subject keeps its account when its address changes', async () => {
    await signIn(name);
    const before = await users();
    claim(name, { email: `renamed-${person}@example.com` });
    expect((await signIn(name)).status).toBe(302);
    expect(await users()).toEqual(before);
    expect(await app.deps.store.users.byEmail(`renamed-${person}@example.com`)).toBeNull();
  });

  it('an address whose letters only look like those of another is another', async () => {
    const seeded = await app.user(`${person}-mike@example.com`);
    claim(name, { email: `${person}-mi\u212Ae@example.com` });
    expect((await signIn(name)).status).toBe(302);
    const user = await app.deps.store.users.bySubject(name, person);
    expect(user?.id).not.toBe(seeded.id);
  });

  it('an account that was seeded is found by its address', async () => {
    const seeded = await app.user(`${person}@example.com`);
    await signIn(name);
    expect(await app.deps.store.users.bySubject(name, person)).toMatchObject({ id: seeded.id });
  });
});

describe('where the providers differ', () => {
  it('hosted spells its issuer as an address or as a bare host, idp as an address only', async () => {
    for (const name of PROVIDERS) {
      claim(name, { iss: providers[name].issuer.replace('http://', '') });
    }
    expect((await signIn('hosted')).status).toBe(302);
    expect(await refusal(await signIn('idp'))).toMatch(/somebody else/);
  });

  it('hosted wants a verified address, idp takes silence for one', async () => {
    for (const name of PROVIDERS) claim(name, { email_verified: undefined });
    expect(await refusal(await signIn('hosted'))).toMatch(/not verified/);
    expect((await signIn('idp')).status).toBe(302);
  });

  it('hosted takes no other word for a verified address', async () => {
    for (const said of ['yes', 1, null]) {
      claim('hosted', { email_verified: said });
      expect(await refusal(await signIn('hosted'))).toMatch(/not verified/);
    }
  });

  it('a provider that wants the secret in the form gets it there', async () => {
    const whole = app;
    app = await open({});
    const { issuer } = providers.hosted;
    providers.hosted.script.discovery = {
      body: JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }),
    };
    expect((await signIn('hosted')).status).toBe(302);
    expect(providers.hosted.forms[0]?.get('client_secret')).toBeTruthy();
    await app.close();
    app = whole;
  });

  it('hosted without its secret begins, and says at the callback what is missing', async () => {
    const whole = app;
    app = await open({ HOSTED_CLIENT_SECRET: '' });
    expect(await refusal(await signIn('hosted'))).toMatch(/Hosted OAuth not configured/);
    expect(providers.hosted.asked.token).toBe(0);
    await app.close();
    app = whole;
  });
});

describe('a provider that is down or odd', () => {
  const begins = async () => {
    const response = await app.request('/api/auth/hosted');
    return { status: response.status, error: (await response.json()).error };
  };
  const UNREACHABLE = { status: 503, error: expect.stringMatching(/cannot be reached right now/) };
  const ODD = { status: 503, error: expect.stringMatching(/cannot be understood/) };

  it.each([
    ['status 500', { status: 500, body: '{}' }, UNREACHABLE],
    ['status 404', { status: 404, body: '{}' }, ODD],
    ['no JSON', { body: '<html>' }, ODD],
    ['JSON of another kind', { body: '[]' }, ODD],
    ['no endpoints', { body: '{"issuer":"x"}' }, ODD],
    ['nesting without end', { body: '['.repeat(100_000) }, ODD],
  ])(
    '503 at the beginning: discovery answers %s; the next try is not spoiled',
    async (_, answer, expected) => {
      providers.hosted.script.discovery = answer;
      expect(await begins()).toEqual(expected);
      providers.hosted.script.discovery = null;
      expect((await begins()).status).toBe(200);
    },
  );

  it('503 when discovery speaks for another issuer', async () => {
    const document = {
      issuer: 'https://evil.example',
      authorization_endpoint: 'https://evil.example/a',
      token_endpoint: 'https://evil.example/t',
      jwks_uri: 'https://evil.example/k',
    };
    providers.hosted.script.discovery = { body: JSON.stringify(document) };
    expect(await begins()).toEqual(ODD);
  });

  it('503 when an https provider would take the secret over http', async () => {
    const strict = await open({
      HOSTED_ISSUER_URL: 'https://id.example',
      UPSTREAM_MAP: `https://id.example=${providers.hosted.issuer}`,
    });
    const document = {
      issuer: 'https://id.example',
      authorization_endpoint: 'https://id.example/auth',
      token_endpoint: 'http://id.example/token',
      jwks_uri: 'https://id.example/keys',
    };
    providers.hosted.script.discovery = { body: JSON.stringify(document) };
    const response = await strict.request('/api/auth/hosted');
    expect({ status: response.status, error: (await response.json()).error }).toEqual(ODD);
    await strict.close();
  });

  it.each([
    ['https', 302, /^$/],
    ['http', 400, /cannot be understood/],
  ])('an https provider that publishes its keys over %s: %i', async (scheme, status, sentence) => {
    const strict = await open({
      HOSTED_ISSUER_URL: 'https://id.example',
      UPSTREAM_MAP: ['http', 'https']
        .map((from) => `${from}://id.example=${providers.hosted.issuer}`)
        .join(','),
    });
    const document = {
      issuer: 'https://id.example',
      authorization_endpoint: 'https://id.example/auth',
      token_endpoint: 'https://id.example/token',
      jwks_uri: `${scheme}://id.example/keys`,
    };
    providers.hosted.script.discovery = { body: JSON.stringify(document) };
    claim('hosted', { iss: document.issuer });
    const { url } = await (await strict.request('/api/auth/hosted')).json();
    const { state = '', ...asked } = Object.fromEntries(new URL(url).searchParams);
    nonce = asked['nonce'] ?? '';
    const response = await strict.request(`/api/auth/hosted/callback?code=code&state=${state}`);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(sentence);
    await strict.close();
  });

  it('503 when discovery is larger than a mebibyte', async () => {
    providers.hosted.script.discovery = { body: `{"x":"${'y'.repeat(1024 * 1024)}"}` };
    expect(await begins()).toEqual(UNREACHABLE);
  });

  it('503 when it does not answer in time', async () => {
    isSlow = true;
    expect(await begins()).toEqual(UNREACHABLE);
    isSlow = false;
    expect((await begins()).status).toBe(200);
  });

  it.each([
    ['the key set is down', 'keys', { status: 500, body: '' }, /cannot be reached/],
    ['the key set is no key set', 'keys', { body: '{}' }, /cannot be understood/],
    ['the key set has no such key', 'keys', { body: '{"keys":[]}' }, /could not be verified/],
    ['the token endpoint is down', 'token', { status: 502, body: '' }, /cannot be reached/],
    [
      'the token endpoint refuses',
      'token',
      { status: 400, body: '{"error":"invalid_grant"}' },
      /did not accept/,
    ],
    ['there is no ID token', 'token', { body: '{"access_token":"x"}' }, /cannot be understood/],
    ['the ID token is no token', 'token', { body: '{"id_token":"x"}' }, /could not be verified/],
  ] as const)(
    '400 at the callback: %s; nothing is stored, the next try works',
    async (_, part, answer, sentence) => {
      providers.hosted.script[part] = answer;
      expect(await refusal(await signIn('hosted'))).toMatch(sentence);
      expect(await users()).toBeNull();
      providers.hosted.reset();
      app.clock.advance(30);
      expect((await signIn('hosted')).status).toBe(302);
    },
  );

  it.each([
    ['invalid_client', { status: 401, body: '{"error":"invalid_client"}' }, 'invalid_client'],
    ['unauthorized_client', { status: 400, body: '{"error":"unauthorized_client"}' }, 'unauthorized_client'],
    ['a 401 and no code', { status: 401, body: '<html>' }, 'status 401'],
    ['words that are no code', { status: 401, body: '{"error":"<b>no</b>"}' }, 'unknown error'],
  ])(
    'a secret that is not the right one is told as that, to the operator too: %s',
    async (_, answer, code) => {
      providers.hosted.script.token = answer;
      const sentence = await refusal(await signIn('hosted'));
      expect(sentence).toContain(`does not accept the client ID and secret of this gateway (${code})`);
      expect(app.lines.filter(({ event }) => event === 'sign-in refused').at(-1)).toMatchObject({
        provider: 'hosted',
        reason: 'client-refused',
        code,
      });
    },
  );

  it('does not follow a token endpoint elsewhere: code and secret go with it', async () => {
    providers.hosted.script.token = { status: 307, body: '', location: '/token' };
    expect(await refusal(await signIn('hosted'))).toMatch(/cannot be reached/);
    expect(providers.hosted.asked.token).toBe(1);
  });

  const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
  it.each([...ALGORITHMS.map((alg) => [alg, 302] as const), ['EdDSA', 400] as const])(
    'a token signed with %s is %i',
    async (alg, status) => {
      const { issuer, script } = providers.hosted;
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const state = await begin('hosted');
      const [iat, email] = [app.clock.now(), `${person}@example.com`];
      const claims = { iss: issuer, aud: 'gateway', iat, exp: iat + 300, nonce, email_verified: true };
      const id_token = await new SignJWT({ ...claims, sub: person, email })
        .setProtectedHeader({ alg })
        .sign(privateKey);
      script.keys = { body: JSON.stringify({ keys: [await exportJWK(publicKey)] }) };
      script.token = { body: JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token }) };
      expect((await back('hosted', { code: 'code', state })).status).toBe(status);
    },
  );

  it.each([
    ['has too few bits', (jwk: JWK) => ({ ...jwk, n: 'x'.repeat(171) })],
    ['is no key', ({ kty, kid, alg }: JWK) => ({ kty, kid, alg })],
    ['is for something else', (jwk: JWK) => ({ ...jwk, key_ops: ['verify', 'sign'] })],
  ])('400 at the callback: the key %s; it is looked up again', async (_, spoil) => {
    const good = providers.hosted.published();
    providers.hosted.script.keys = { body: JSON.stringify({ keys: [spoil(good)] }) };
    expect(await refusal(await signIn('hosted'))).toMatch(/cannot be understood/);
    expect(await users()).toBeNull();
    providers.hosted.reset();
    app.clock.advance(30);
    expect((await signIn('hosted')).status).toBe(302);
  });

  it('a browser gets the sentence as a page, with a way back', async () => {
    const response = await app.request('/api/auth/hosted/callback?error=x', {
      headers: { accept: 'text/html' },
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(await response.text()).toContain('did not let you in (x)');
  });
});

describe('what is kept', () => {
  it('discovery and keys are fetched once for many sign-ins', async () => {
    for (let count = 0; count < 5; count++) await signIn('hosted');
    expect(providers.hosted.asked).toEqual({ discovery: 1, keys: 1, token: 5 });
  });

  it('a new key is found in a fresh key set, fetched at most every 30 seconds', async () => {
    await signIn('hosted');
    await providers.hosted.rotateKeys();
    expect(await refusal(await signIn('hosted'))).toMatch(/could not be verified/);
    expect(providers.hosted.asked.keys).toBe(1);
    app.clock.advance(30);
    expect((await signIn('hosted')).status).toBe(302);
    expect(providers.hosted.asked.keys).toBe(2);
  });

  it('so it is when the time of day was set back in between', async () => {
    await signIn('hosted');
    app.clock.setForward(-3_600);
    await providers.hosted.rotateKeys();
    app.clock.advance(30);
    expect((await signIn('hosted')).status).toBe(302);
    expect(providers.hosted.asked.keys).toBe(2);
  });

  it('an hour later they are looked up again', async () => {
    await signIn('hosted');
    app.clock.advance(3_600);
    expect((await signIn('hosted')).status).toBe(302);
    expect(providers.hosted.asked).toMatchObject({ discovery: 2, keys: 2 });
  });
});

describe('secrets', () => {
  it('none of them is in a log line', async () => {
    const state = await begin('hosted');
    const answer = await back('hosted', { code: 'a-code-that-is-secret', state });
    const token = answer.headers.get('location')?.split('#token=')[1] ?? '-';
    await back('hosted', { code: 'a-code-that-is-secret', state });
    providers.hosted.script.token = { status: 500, body: '{}' };
    await signIn('hosted');
    const logged = JSON.stringify(app.lines);
    for (const secret of [state, nonce, token, 'a-code-that-is-secret', SECRET, encodeURIComponent(SECRET)])
      expect(logged).not.toContain(secret);
  });
});
