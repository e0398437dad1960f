// Tests a sign-in provider that is down or misbehaves, and what is cached of it. reference: Portal sign-in; decision: 016
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { authorizeQuery, registered } from '../support/oauth-client.ts';
import { refusal, useSignIns } from '../support/sign-ins.ts';

const { stand, back, begin, claim, open, signIn, users } = useSignIns();

describe('a provider that is down or misbehaves', () => {
  const begins = async () => {
    const response = await stand.app.request('/api/auth/hosted');
    return { status: response.status, error: (await response.json()).error };
  };
  function publishes(issuer: string, changes: Record<string, unknown> = {}): void {
    const endpoints = {
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    };
    const body = JSON.stringify({ issuer, ...endpoints, ...changes });
    stand.providers.hosted.script.discovery = { body };
  }
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
    'gets 503 at the start when discovery answers %s, and the next try works',
    async (_, answer, expected) => {
      stand.providers.hosted.script.discovery = answer;
      expect(await begins()).toEqual(expected);
      stand.providers.hosted.script.discovery = null;
      expect((await begins()).status).toBe(200);
    },
  );

  it('gets 503 when discovery names another issuer', async () => {
    publishes('https://evil.example');
    expect(await begins()).toEqual(ODD);
  });

  it.each([
    ['does not say which prompts it knows', {}, null],
    ['lists the choice', { prompt_values_supported: ['none', 'select_account'] }, 'select_account'],
    ['lists other prompts only', { prompt_values_supported: ['none', 'login'] }, null],
    ['lists none', { prompt_values_supported: [] }, null],
    ['lists something odd', { prompt_values_supported: 'select_account' }, null],
  ])(
    'is asked to let the person choose the account only if it lists that: it %s',
    async (_, changes, prompt) => {
      publishes(stand.providers.hosted.issuer, changes);
      const client = await registered(stand.app);
      const { status, headers } = await stand.app.request(authorizeQuery(client));
      expect(status).toBe(302);
      expect(new URL(headers.get('location') ?? '').searchParams.get('prompt')).toBe(prompt);
    },
  );

  it('gets 503 when an https provider has an http token endpoint', async () => {
    const strict = await open({
      HOSTED_ISSUER_URL: 'https://id.example',
      UPSTREAM_MAP: `https://id.example=${stand.providers.hosted.issuer}`,
    });
    publishes('https://id.example', { token_endpoint: 'http://id.example/token' });
    const response = await strict.request('/api/auth/hosted');
    expect({ status: response.status, error: (await response.json()).error }).toEqual(ODD);
    await strict.close();
  });

  it.each([
    ['https', 302, /^$/],
    ['http', 400, /cannot be understood/],
  ])('must publish its keys over https when it is https: %s gives %i', async (scheme, status, sentence) => {
    const strict = await open({
      HOSTED_ISSUER_URL: 'https://id.example',
      UPSTREAM_MAP: ['http', 'https']
        .map((from) => `${from}://id.example=${stand.providers.hosted.issuer}`)
        .join(','),
    });
    publishes('https://id.example', { jwks_uri: `${scheme}://id.example/keys` });
    claim('hosted', { iss: 'https://id.example' });
    const { url } = await (await strict.request('/api/auth/hosted')).json();
    const { state = '', ...asked } = Object.fromEntries(new URL(url).searchParams);
    stand.nonce = asked['nonce'] ?? '';
    const response = await strict.request(`/api/auth/hosted/callback?code=code&state=${state}`);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(sentence);
    await strict.close();
  });

  it('gets 503 when discovery is larger than a mebibyte', async () => {
    stand.providers.hosted.script.discovery = { body: `{"x":"${'y'.repeat(1024 * 1024)}"}` };
    expect(await begins()).toEqual(UNREACHABLE);
  });

  it('gets 503 when it does not respond in time', async () => {
    stand.isSlow = true;
    expect(await begins()).toEqual(UNREACHABLE);
    stand.isSlow = false;
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
    'gets 400 at the callback for %s; nothing is stored, and the next try works',
    async (_, part, answer, sentence) => {
      stand.providers.hosted.script[part] = answer;
      expect(await refusal(await signIn('hosted'))).toMatch(sentence);
      expect(await users()).toBeNull();
      stand.providers.hosted.reset();
      stand.app.clock.advance(30);
      expect((await signIn('hosted')).status).toBe(302);
    },
  );

  it.each([
    ['invalid_client', { status: 401, body: '{"error":"invalid_client"}' }, 'invalid_client'],
    ['unauthorized_client', { status: 400, body: '{"error":"unauthorized_client"}' }, 'unauthorized_client'],
    ['a 401 and no code', { status: 401, body: '<html>' }, 'status 401'],
    ['words that are no code', { status: 401, body: '{"error":"<b>no</b>"}' }, 'unknown error'],
  ])(
    'is reported to the person and the operator when it refuses the client secret: %s',
    async (_, answer, code) => {
      stand.providers.hosted.script.token = answer;
      const sentence = await refusal(await signIn('hosted'));
      expect(sentence).toContain(`does not accept the client ID and secret of this gateway (${code})`);
      expect(stand.app.lines.filter(({ event }) => event === 'sign-in refused').at(-1)).toMatchObject({
        provider: 'hosted',
        reason: 'client-refused',
        code,
      });
    },
  );

  it('is not followed when its token endpoint redirects, because the code and the secret would go along', async () => {
    stand.providers.hosted.script.token = { status: 307, body: '', location: '/token' };
    expect(await refusal(await signIn('hosted'))).toMatch(/cannot be reached/);
    expect(stand.providers.hosted.asked.token).toBe(1);
  });

  const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
  it.each([...ALGORITHMS.map((alg) => [alg, 302] as const), ['EdDSA', 400] as const])(
    'answers a token signed with %s with status %i',
    async (alg, status) => {
      const { issuer, script } = stand.providers.hosted;
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const state = await begin('hosted');
      const [iat, email] = [stand.app.clock.now(), `${stand.person}@example.com`];
      const claims = {
        iss: issuer,
        aud: 'gateway',
        iat,
        exp: iat + 300,
        nonce: stand.nonce,
        email_verified: true,
      };
      const id_token = await new SignJWT({ ...claims, sub: stand.person, email })
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
  ])('gets 400 at the callback when the key %s, and the keys are fetched again', async (_, spoil) => {
    const good = stand.providers.hosted.published();
    stand.providers.hosted.script.keys = { body: JSON.stringify({ keys: [spoil(good)] }) };
    expect(await refusal(await signIn('hosted'))).toMatch(/cannot be understood/);
    expect(await users()).toBeNull();
    stand.providers.hosted.reset();
    stand.app.clock.advance(30);
    expect((await signIn('hosted')).status).toBe(302);
  });

  it('shows a browser the sentence on a page with a way back', async () => {
    const response = await stand.app.request('/api/auth/hosted/callback?error=x', {
      headers: { accept: 'text/html' },
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(await response.text()).toContain('did not let you in (x)');
  });
});

describe('cached discovery and keys', () => {
  it('are fetched once for many sign-ins', async () => {
    for (let count = 0; count < 5; count++) await signIn('hosted');
    expect(stand.providers.hosted.asked).toEqual({ discovery: 1, keys: 1, token: 5 });
  });

  it('are fetched again for an unknown key, at most every 30 seconds', async () => {
    await signIn('hosted');
    await stand.providers.hosted.rotateKeys();
    expect(await refusal(await signIn('hosted'))).toMatch(/could not be verified/);
    expect(stand.providers.hosted.asked.keys).toBe(1);
    stand.app.clock.advance(30);
    expect((await signIn('hosted')).status).toBe(302);
    expect(stand.providers.hosted.asked.keys).toBe(2);
  });

  it('are fetched again even if the clock was set back in between', async () => {
    await signIn('hosted');
    stand.app.clock.setForward(-3_600);
    await stand.providers.hosted.rotateKeys();
    stand.app.clock.advance(30);
    expect((await signIn('hosted')).status).toBe(302);
    expect(stand.providers.hosted.asked.keys).toBe(2);
  });

  it('are fetched again after an hour', async () => {
    await signIn('hosted');
    stand.app.clock.advance(3_600);
    expect((await signIn('hosted')).status).toBe(302);
    expect(stand.providers.hosted.asked).toMatchObject({ discovery: 2, keys: 2 });
  });
});
