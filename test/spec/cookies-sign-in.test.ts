// Tests that no session holds cookies of the gateway's sign-in providers. reference: Cookie sessions; decision: 027, cookies of a sign-in provider
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserCookie } from '../../src/ports/browser.ts';
import { browserWith } from '../support/cookie-browser.ts';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';

const SITE = 'https://corp.example';
const PROVIDER = 'https://id.corp.example';

let stand: ConnectStand;

beforeEach(async () => {
  stand = await openConnectStand();
  await reopen({});
});
afterEach(() => stand.close());

async function reopen(env: Record<string, string>, cookies: BrowserCookie[] = []): Promise<void> {
  const map = [SITE, PROVIDER].map((origin) => `${origin}=${stand.provider.url}`).join(',');
  const browser = browserWith(cookies);
  await stand.reopen({ UPSTREAM_MAP: map, IDP_ISSUER_URL: `${PROVIDER}/realms/corp`, ...env }, { browser });
}

const at = (domain: string): BrowserCookie => ({
  name: `at-${domain}`,
  value: 'x',
  domain,
  path: '/',
  expires: -1,
  secure: true,
  httpOnly: true,
});
const OF_SITE = ['corp.example', '.corp.example', 'wiki.corp.example', 'other-id.corp.example'].map(at);
const OF_PROVIDER = ['id.corp.example', '.id.corp.example', 'login.id.corp.example'].map(at);

const importAt = (instanceUrl: string, session: unknown) =>
  stand.api('POST', '/api/integrations/jar/session/import', { session, instanceUrl });
async function exported(): Promise<string[]> {
  const { body } = await stand.api('GET', '/api/integrations/jar/session/export');
  return body.session.cookies.map(({ domain }: BrowserCookie) => domain);
}
const domainsOf = (cookies: BrowserCookie[]) => cookies.map(({ domain }) => domain);

describe('cookies of a sign-in provider below the domain of an integration', () => {
  it('are not imported', async () => {
    const { status, body } = await importAt(SITE, [...OF_PROVIDER, ...OF_SITE]);
    expect([status, body]).toEqual([200, { success: true, cookieCount: OF_SITE.length }]);
    expect(await exported()).toEqual(domainsOf(OF_SITE));
  });

  it('are not captured from the live view', async () => {
    await reopen({}, [...OF_PROVIDER, ...OF_SITE]);
    const key = stand.app.deps.sessionKeys.of(stand.ana.id);
    const headers = { ...stand.ana.sessionHeader, 'x-browser-session': key };
    await stand.api('GET', `/api/auth/jar?instanceUrl=${SITE}`, undefined, headers);
    const { body } = await stand.api('POST', '/api/auth/cookie/jar/capture', undefined, headers);
    expect(body).toEqual({ success: true, cookieCount: OF_SITE.length });
    expect(await exported()).toEqual(domainsOf(OF_SITE));
  });

  it('are not exported from a session that was stored earlier', async () => {
    await stand.app.deps.vault.save(stand.ana.id, 'jar', {
      cookies: JSON.stringify({ v: 1, cookies: [...OF_PROVIDER, ...OF_SITE], capturedAt: 1 }),
      config: { instanceUrl: SITE },
    });
    expect(await exported()).toEqual(domainsOf(OF_SITE));
  });
});

describe('an integration at the address of a sign-in provider', () => {
  it.each([
    ['the own provider', PROVIDER, {}, at('id.corp.example')],
    [
      'the hosted provider',
      PROVIDER,
      { IDP_ISSUER_URL: '', HOSTED_ISSUER_URL: PROVIDER },
      at('id.corp.example'),
    ],
    ['the own provider, with a cookie of a domain above it', PROVIDER, {}, at('.corp.example')],
  ])('holds no cookies: %s', async (_, instanceUrl, env, cookie) => {
    await reopen(env);
    expect((await importAt(instanceUrl, [cookie])).status).toBe(400);
    expect(await stand.connected('jar')).toBe(false);
  });

  it('is told by its port on loopback, where all servers share a name', async () => {
    const issuer = 'http://127.0.0.1:9';
    await reopen({ IDP_ISSUER_URL: issuer });
    const cookie = { ...at('127.0.0.1'), secure: false };
    expect((await importAt(issuer, [cookie])).status).toBe(400);
    expect((await importAt('http://127.0.0.1:10', [cookie])).status).toBe(200);
  });
});
