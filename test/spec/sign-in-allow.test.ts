// Tests who may sign in: SIGN_IN_ALLOW, and the closed door of a public gateway with Google. reference: Who may sign in; decision: 017
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { findOpenProviders } from '../../src/login/admission.ts';
import { PROVIDERS, refusal, useSignIns } from '../support/sign-ins.ts';
import type { TestApp } from '../support/test-app.ts';

const { stand, back, begin, claim, open, signIn, users } = useSignIns();
const GOOGLE = 'https://accounts.google.com';
const SECRET = '0123456789abcdef'.repeat(4);
const PUBLIC = { SERVER_PUBLIC_URL: 'https://gate.example', SESSION_SECRET: SECRET, ENCRYPTION_KEY: SECRET };

let loopback: TestApp | undefined;

/** Runs the rest of the test on a gateway with these settings. */
async function useGateway(env: Record<string, string>): Promise<void> {
  loopback = stand.app;
  stand.app = await open(env);
}

afterEach(async () => {
  if (loopback === undefined) return;
  await stand.app.close();
  [stand.app, loopback] = [loopback, undefined];
});

/** Opens a gateway on a public base whose hosted provider is Google, as the scripted provider plays it. */
async function useGoogle(env: Record<string, string> = {}): Promise<void> {
  const { hosted } = stand.providers;
  await useGateway({
    ...PUBLIC,
    HOSTED_ISSUER_URL: GOOGLE,
    UPSTREAM_MAP: `${GOOGLE}=${hosted.issuer}`,
    EGRESS_ALLOW: '127.0.0.1',
    ...env,
  });
  hosted.script.discovery = {
    body: JSON.stringify({
      issuer: GOOGLE,
      authorization_endpoint: `${GOOGLE}/auth`,
      token_endpoint: `${GOOGLE}/token`,
      jwks_uri: `${GOOGLE}/keys`,
    }),
  };
  claim('hosted', { iss: GOOGLE });
}

async function refused(response: Response): Promise<string> {
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.status).toBe(403);
  return (await response.json()).error;
}

describe.each(PROVIDERS)('SIGN_IN_ALLOW at %s', (name) => {
  it.each([
    ['an address on the list', 'ann@x.org'],
    ['an address in capitals', 'Ann@X.ORG'],
    ['an address of a listed domain', 'anybody@example.com'],
    ['an address whose name holds an @', '"a@b"@example.com'],
    ['a subdomain that is on the list', 'ann@mail.corp.example'],
  ])('lets in %s', async (_, email) => {
    await useGateway({ SIGN_IN_ALLOW: ' Example.com, ann@X.org ,mail.corp.example' });
    claim(name, { email });
    expect((await signIn(name)).status).toBe(302);
  });

  it.each([
    ['another address of that host', 'bob@x.org'],
    ['a subdomain', 'ann@mail.example.com'],
    ['the domain above', 'ann@corp.example'],
    ['a domain that ends alike', 'ann@evilexample.com'],
    ['a domain that begins alike', 'ann@example.com.evil.org'],
    ['a listed domain before the last @', 'ann@example.com@evil.org'],
    ['an address without an @', 'example.com'],
    ['a listed address with more before it', 'joann@x.org'],
    ['a listed domain with a letter that looks alike', 'ann@example.\u212Aom'],
    ['a dot at the end', 'ann@example.com.'],
  ])('refuses %s, and creates nothing', async (_, email) => {
    await useGateway({ SIGN_IN_ALLOW: 'example.com,ann@x.org,mail.corp.example' });
    claim(name, { email });
    expect(await refused(await signIn(name))).toMatch(/not on the list/);
    expect(await stand.app.deps.store.users.byEmail(email)).toBeNull();
  });

  it('answers a page to a browser, and logs the reason without the address', async () => {
    await useGateway({ SIGN_IN_ALLOW: 'example.com' });
    claim(name, { email: 'ann@x.org' });
    const query = new URLSearchParams({ code: 'code', state: await begin(name) });
    const response = await stand.app.request(`/api/auth/${name}/callback?${query}`, {
      headers: { accept: 'text/html' },
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain('not on the list of people who may sign in');
    const logged = stand.app.lines.filter(({ event }) => event === 'sign-in refused');
    expect(logged).toEqual([
      { level: 'warn', event: 'sign-in refused', provider: name, reason: 'not-allowed' },
    ]);
  });

  it('refuses a person who already has an account here', async () => {
    await useGateway({ SIGN_IN_ALLOW: 'x.org' });
    const { id } = await stand.app.user(`${stand.person}@example.com`);
    expect(await refused(await signIn(name))).toMatch(/not on the list/);
    expect(await stand.app.deps.store.users.byId(id)).toMatchObject({ hosted_sub: null, idp_sub: null });
  });

  it('lets everybody in with *', async () => {
    await useGateway({ SIGN_IN_ALLOW: '*' });
    expect((await signIn(name)).status).toBe(302);
    expect(await users()).not.toBeNull();
  });
});

describe('SIGN_IN_ALLOW beside IDP_EMAIL_TRUSTED=false', () => {
  it('does not count an address that nobody has verified as listed', async () => {
    await useGateway({ SIGN_IN_ALLOW: 'example.com', IDP_EMAIL_TRUSTED: 'false' });
    claim('idp', { email_verified: undefined });
    expect(await refusal(await signIn('idp'))).toMatch(/not verified/);
    expect(await users()).toBeNull();
    claim('idp', {});
    expect((await signIn('idp')).status).toBe(302);
  });
});

describe('a public gateway with Google and without a list', () => {
  it('lets in the first person, and no stranger after', async () => {
    await useGoogle();
    expect((await signIn('hosted')).status).toBe(302);
    claim('hosted', { iss: GOOGLE, sub: 'stranger', email: 'stranger@gmail.com' });
    expect(await refused(await signIn('hosted'))).toMatch(/already have an account/);
    expect(await stand.app.deps.store.users.byEmail('stranger@gmail.com')).toBeNull();
    claim('hosted', { iss: GOOGLE });
    expect((await signIn('hosted')).status).toBe(302);
  });

  it('lets in a person who was invited, also under the bare name of the issuer', async () => {
    await useGoogle();
    const invited = await stand.app.user(`${stand.person}@example.com`);
    claim('hosted', { iss: 'accounts.google.com' });
    expect((await signIn('hosted')).status).toBe(302);
    expect(await users()).toMatchObject({ id: invited.id, hosted_sub: stand.person, hosted_iss: GOOGLE });
    // The subject is known now, so another address does not matter.
    claim('hosted', { iss: GOOGLE, email: 'renamed@example.com' });
    expect((await signIn('hosted')).status).toBe(302);
  });

  it('counts an account that a stranger made with an unverified address as no invitation', async () => {
    await useGoogle({ IDP_EMAIL_TRUSTED: 'false' });
    claim('idp', { sub: 'stranger', email_verified: undefined });
    expect((await signIn('idp')).status).toBe(302);
    expect(await refused(await signIn('hosted'))).toMatch(/already have an account/);
  });

  it('lets in exactly one of 30 people who are first at the same moment', async () => {
    await useGoogle();
    const { hosted } = stand.providers;
    const asked = () => hosted.forms.at(-1)?.get('code') ?? '';
    // Each code is the nonce of its sign-in, and stands for a person of its own.
    hosted.script.claims = {
      iss: GOOGLE,
      get nonce() {
        return asked();
      },
      get sub() {
        return asked();
      },
      get email() {
        return `${asked()}@example.com`;
      },
    };
    const begun: { code: string; state: string }[] = [];
    for (let person = 0; person < 30; person++) {
      const state = await begin('hosted');
      begun.push({ code: stand.nonce, state });
    }
    const answers = await Promise.all(begun.map((query) => back('hosted', query)));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(29);
    const emails = begun.map(({ code }) => `${code}@example.com`);
    const created = await Promise.all(emails.map((email) => stand.app.deps.store.users.byEmail(email)));
    expect(created.filter((user) => user !== null)).toHaveLength(1);
  });

  it('is opened by *, and by a list for those on it', async () => {
    await useGoogle({ SIGN_IN_ALLOW: '*' });
    await stand.app.user();
    expect((await signIn('hosted')).status).toBe(302);
    await stand.app.close();
    if (loopback !== undefined) stand.app = loopback;
    await useGoogle({ SIGN_IN_ALLOW: 'example.com' });
    await stand.app.user();
    expect((await signIn('hosted')).status).toBe(302);
  });

  it('is not closed on loopback, nor for another issuer', async () => {
    await useGoogle({ SERVER_PUBLIC_URL: 'http://localhost:3000' });
    await stand.app.user();
    expect((await signIn('hosted')).status).toBe(302);
    await stand.app.close();
    if (loopback !== undefined) stand.app = loopback;
    await useGateway({ ...PUBLIC, EGRESS_ALLOW: '127.0.0.1' });
    stand.providers.hosted.reset();
    claim('hosted', {});
    await stand.app.user();
    expect((await signIn('hosted')).status).toBe(302);
  });
});

describe('the warnings at start', () => {
  const hosted = { ...PUBLIC, HOSTED_CLIENT_ID: 'a', HOSTED_CLIENT_SECRET: 'b' };
  const idp = { IDP_ISSUER_URL: 'https://id.example', IDP_CLIENT_ID: 'a', IDP_CLIENT_SECRET: 'b' };
  const warnings = (env: Record<string, string>) =>
    findOpenProviders(readConfig(env, () => SECRET)).map(({ provider, admits, cure }) => {
      expect(cure).toMatch(/^set SIGN_IN_ALLOW/);
      return `${provider}: ${admits}`;
    });

  it('name each provider of a public gateway without a list, and whom it brings in', () => {
    expect(warnings(hosted)).toEqual(['hosted: the first person and those with an account']);
    expect(warnings({ ...hosted, ...idp, HOSTED_ISSUER_URL: 'https://id.example' })).toEqual([
      'hosted: everybody it lets in',
      'idp: everybody it lets in',
    ]);
  });

  it('are absent with a list, on loopback, and without a provider', () => {
    expect(warnings({ ...hosted, SIGN_IN_ALLOW: 'example.com' })).toEqual([]);
    expect(warnings({ ...hosted, SIGN_IN_ALLOW: '*' })).toEqual([]);
    expect(warnings({ ...hosted, SERVER_PUBLIC_URL: 'http://localhost:3000' })).toEqual([]);
    expect(warnings({ ...hosted, HOSTED_ISSUER_URL: 'http://127.0.0.1:9000' })).toEqual([]);
    expect(warnings(PUBLIC)).toEqual([]);
  });
});
