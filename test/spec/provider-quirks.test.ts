// Tests providers that differ from the standard and from each other, as the manifest describes. docs of each
// as named.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import {
  authorizeUrl,
  checkCallback,
  exchangeCode,
  refreshTokens,
} from '../../src/connections/oauth/oauth-client.ts';
import type { Provider } from '../../src/connections/oauth/provider.ts';
import { createEgress } from '../../src/egress/door.ts';
import type { OAuth2Block } from '../../src/kit/manifest.ts';
import { type FakeProvider, startProvider } from '../support/fake-provider.ts';

let fake: FakeProvider;
const network = createUndiciNetwork();
const egress = createEgress({
  clock: createSystemClock(),
  config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true },
  network,
});

beforeEach(async () => {
  fake = await startProvider();
});
afterEach(() => fake.close());

// RFC 7636, appendix B
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

function provider(changes: Partial<OAuth2Block> = {}, clientSecret: string | null = 's/e+c:ret'): Provider {
  const block: OAuth2Block = {
    type: 'oauth2',
    authorizeUrl: '',
    tokenUrl: '',
    scopes: ['a', 'b'],
    clientAuth: 'post',
    ...changes,
  };
  return {
    block,
    displayName: 'Quirky',
    authorizeUrl: `${fake.url}/authorize?keep=1`,
    tokenUrl: `${fake.url}/token`,
    refreshUrl: `${fake.url}/token`,
    clientId: 'an-id',
    clientSecret,
    redirectUri: 'https://gate.example/cb',
  };
}

async function exchange(changes: Partial<OAuth2Block> = {}) {
  fake.expect('c', CHALLENGE);
  const checked = checkCallback(provider(changes), new URLSearchParams({ code: 'c' }));
  if (!checked.ok) throw new Error(checked.message);
  return exchangeCode(egress, provider(changes), checked.callback, VERIFIER);
}

describe('the redirect to a provider', () => {
  it('carries scopes, separator, parameter name and extras as the manifest has them', () => {
    const where = (changes: Partial<OAuth2Block>) =>
      Object.fromEntries(
        new URL(authorizeUrl(provider(changes), { state: 's', codeChallenge: 'c' })).searchParams,
      );
    expect(where({})).toMatchObject({ keep: '1', scope: 'a b', code_challenge_method: 'S256' });
    // Slack: a person's scopes, comma-separated
    expect(where({ scopeParameter: 'user_scope', scopeSeparator: ',' })).toMatchObject({ user_scope: 'a,b' });
    expect(where({ scopeParameter: 'user_scope' })).not.toHaveProperty('scope');
    // Google and Atlassian
    expect(where({ authorizeParameters: { access_type: 'offline', prompt: 'consent' } })).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
    });
    // Notion asks for no scopes
    expect(where({ scopes: [] })).not.toHaveProperty('scope');
  });
});

describe('client authentication at a provider', () => {
  it('is sent in the body', async () => {
    await exchange();
    expect(fake.tokenRequests[0]?.form).toMatchObject({ client_id: 'an-id', client_secret: 's/e+c:ret' });
    expect(fake.tokenRequests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is sent in a Basic header, unescaped', async () => {
    await exchange({ clientAuth: 'basic' });
    expect(fake.tokenRequests[0]?.headers.authorization).toBe(`Basic ${btoa('an-id:s/e+c:ret')}`);
    expect(fake.tokenRequests[0]?.form).not.toHaveProperty('client_secret');
  });

  it('is left out for a public client', async () => {
    await exchange({ clientAuth: 'none' });
    expect(fake.tokenRequests[0]?.form).toMatchObject({ client_id: 'an-id' });
    expect(fake.tokenRequests[0]?.form).not.toHaveProperty('client_secret');
  });

  it('is sent in a JSON body where the provider requires one', async () => {
    await exchange({ tokenBody: 'json' });
    expect(fake.tokenRequests[0]?.headers['content-type']).toBe('application/json');
    expect(fake.tokenRequests[0]?.form).toMatchObject({
      grant_type: 'authorization_code',
      code: 'c',
      code_verifier: VERIFIER,
    });
  });
});

describe('a token response', () => {
  const tokensOf = async (changes: Partial<OAuth2Block> = {}) => {
    const answer = await exchange(changes);
    return answer.kind === 'tokens' ? answer.tokens : answer;
  };

  it('may be a form (GitHub)', async () => {
    fake.shape = () => ({
      body: 'access_token=gho_1&scope=repo%2Cgist&token_type=bearer',
      type: 'application/x-www-form-urlencoded; charset=utf-8',
    });
    expect(await tokensOf()).toEqual({
      accessToken: 'gho_1',
      refreshToken: null,
      expiresIn: null,
      scope: 'repo,gist',
    });
  });

  it('may hold the tokens in a nested object (Slack)', async () => {
    fake.shape = () => ({
      body: JSON.stringify({
        ok: true,
        access_token: 'bot',
        token_type: 'bot',
        authed_user: { access_token: 'xoxp', scope: 'chat:write', token_type: 'user' },
      }),
    });
    expect(await tokensOf({ tokenPath: '/authed_user' })).toMatchObject({
      accessToken: 'xoxp',
      scope: 'chat:write',
    });
  });

  it.each([
    [{ access_token: 'a' }, null, null],
    [{ access_token: 'a', expires_in: '3599' }, 3599, null],
    [{ access_token: 'a', expires_in: 0 }, null, null],
    // WSO2, for a token that does not expire
    [{ access_token: 'a', expires_in: 9_223_372_036_854_776 }, 315_360_000, null],
    [{ access_token: 'a', expires_in: 'soon' }, null, null],
    [{ access_token: 'a', expires_in: null, scope: null }, null, null],
    [{ access_token: 'a', expires_in: { toString: 1, valueOf: 1 } }, null, null],
    [{ access_token: 'a', scopes: 'x y' }, null, 'x y'],
    [{ access_token: 'a', scope: ['x', 'y'] }, null, 'x y'],
    [{ access_token: 'a', scope: ['x', 5, null, ['z'], 'y'] }, null, 'x y'],
    [{ access_token: 'a', token_type: 'Bearer', id_token: 'not.a.jwt' }, null, null],
    [{ access_token: 'a', token_type: 'mac' }, null, null],
  ])('may be %j', async (answer, expiresIn, scope) => {
    fake.shape = () => ({ body: JSON.stringify(answer) });
    expect(await tokensOf()).toEqual({ accessToken: 'a', refreshToken: null, expiresIn, scope });
  });

  it('may be an error with status 200 (GitHub, Slack)', async () => {
    fake.shape = () => ({
      body: 'error=bad_verification_code&error_description=wrong',
      type: 'application/x-www-form-urlencoded',
    });
    expect(await exchange()).toEqual({
      kind: 'reconnect',
      message: 'Quirky refused: bad_verification_code (wrong)',
    });
    fake.shape = () => ({ body: '{"ok":false,"error":"fatal_error"}' });
    expect(await exchange()).toEqual({ kind: 'later', message: 'Quirky refused: fatal_error' });
  });

  it('may repeat what was sent, which is redacted', async () => {
    fake.script.push(({ body }, response) => {
      const error_description = `I do not take ${body}, nor ${new URLSearchParams(body).get('client_secret')}`;
      response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description }));
    });
    const answer = await refreshTokens(egress, provider(), 'the-refresh-token');
    expect(answer).toEqual({
      kind: 'reconnect',
      message:
        'Quirky refused: invalid_grant (I do not take refresh_token=…&grant_type=refresh_token&client_id=an-id&client_secret=…, nor …)',
    });
  });

  it.each([
    [
      'Notion',
      { object: 'error', status: 400, code: 'validation_error', message: 'redirect_uri is not allowed' },
      'Quirky refused: validation_error (redirect_uri is not allowed)',
    ],
    [
      'Figma',
      { status: 400, error: true, message: 'Invalid code' },
      'Quirky refused: unknown_error (Invalid code)',
    ],
  ])("may be an error in the API's own format (%s)", async (_, body, message) => {
    fake.shape = () => ({ status: 400, body: JSON.stringify(body) });
    expect(await exchange()).toEqual({ kind: 'later', message });
  });

  it.each([
    '',
    'x',
    '[]',
    'null',
    '"token"',
    '<html>',
    '{"access_token":5}',
    '{"access_token":"a\\nb"}',
    '{"access_token":"aé"}',
    '{"access_token":"éa"}',
  ])('fails when it is invalid: %j', async (body) => {
    fake.shape = () => ({ body });
    expect((await exchange()).kind).toBe('later');
  });

  it('fails when it is nested without end', async () => {
    const depth = 200_000;
    fake.shape = () => ({ body: `{"access_token":"a","scope":${'['.repeat(depth)}${']'.repeat(depth)}}` });
    expect((await exchange()).kind).toBe('later');
  });

  it('fails when it redirects, because the code must not be sent elsewhere', async () => {
    fake.script.push((_, response) => void response.writeHead(307, { location: '/elsewhere' }).end());
    expect((await exchange()).kind).toBe('later');
    expect(fake.calls).toEqual([]);
  });
});

describe('a token refresh', () => {
  it("goes to the manifest's address, with the redirect URI where it is required (GitLab)", async () => {
    await refreshTokens(egress, provider({ refreshWithRedirectUri: true }), fake.current.refresh);
    expect(fake.tokenRequests[0]?.form).toMatchObject({
      grant_type: 'refresh_token',
      redirect_uri: 'https://gate.example/cb',
    });
    await refreshTokens(egress, { ...provider(), refreshUrl: `${fake.url}/open/refresh` }, 'x');
    expect(fake.calls.map(({ path }) => path)).toEqual(['/open/refresh']);
  });
});
