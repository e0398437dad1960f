// Tests that the cookies of a site leave the browser only when the site has proved to be the integration's. reference: Cookie sessions
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import type { Browser } from '../../src/ports/browser.ts';
import { browserWith } from '../support/cookie-browser.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** A site that nobody controls, whose cookies are worth taking. */
const SITE = 'https://sign-on.example';
const ELSEWHERE = 'https://files.example';
const SIGNED_IN = { query: { userinfo: { id: 7, name: 'Ann' } } };

let app: TestApp;
let ana: TestUser;
let server: HttpServer;
/** What the site answers to the probe. */
let answer: (who: { signedIn: boolean; host: string }) => {
  status?: number;
  location?: string;
  type?: string;
  text?: string;
};

beforeEach(async () => {
  const browser = createBrowser();
  server = await startHttpServer(({ headers: { cookie, host = '' } }, response) => {
    const {
      status = 200,
      location,
      type = 'application/json',
      text = '',
    } = answer({
      signedIn: cookie?.includes('sid=secret') === true,
      host,
    });
    if (location !== undefined) response.setHeader('Location', location);
    response.writeHead(status, { 'Content-Type': type }).end(text);
  });
  const at = `http://127.0.0.1:${server.port}`;
  const elsewhere = `http://localhost:${server.port}`;
  app = await createTestApp({
    env: { UPSTREAM_MAP: `${SITE}=${at},${ELSEWHERE}=${elsewhere}` },
    ports: { browser },
  });
  ana = await app.user();
});
afterEach(async () => {
  await app.close();
  await server.close();
});

/** The person is signed in to the site in this browser, for reasons of their own. */
function createBrowser(): Browser {
  const cookie = { name: 'sid', value: 'secret', domain: new URL(SITE).hostname, path: '/', expires: -1 };
  return browserWith([{ ...cookie, secure: true, httpOnly: true }]);
}

async function api(method: string, path: string, body?: object) {
  const response = await app.request(path, {
    method,
    headers: {
      ...ana.keyHeader,
      'x-browser-session': app.deps.sessionKeys.of(ana.id),
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function capture(integration = 'mediawiki', instanceUrl = SITE) {
  const begun = await api('GET', `/api/auth/${integration}?instanceUrl=${encodeURIComponent(instanceUrl)}`);
  expect(begun.status).toBe(200);
  return api('POST', `/api/auth/cookie/${integration}/capture`);
}
const exported = (integration = 'mediawiki') => api('GET', `/api/integrations/${integration}/session/export`);

const page = () => ({ status: 404, type: 'text/html', text: '<p>Not found' });
const json = (value: object) => ({ text: JSON.stringify(value) });

describe('the personal key that names another site as an instance', () => {
  it.each(['mediawiki', 'jenkins', 'discourse'])('gets no cookies of it: %s', async (integration) => {
    answer = page;
    const { status, text } = await capture(integration);
    expect([status, text]).toEqual([400, expect.stringContaining('stay in the browser')]);
    expect(text).toContain('answered 404');
    expect((await exported(integration)).status).toBe(404);
  });

  it.each([
    ['is broken', () => ({ status: 503, text: '{}' })],
    ['answers with a page in front of it', () => ({ status: 200, type: 'text/html', text: '<p>Hi' })],
    ['answers something else', () => ({ status: 400, text: '{"error": "bad request"}' })],
    ['sends the probe to a file of others elsewhere', redirected],
    ['has a file of others that answers like the integration', () => json(SIGNED_IN)],
  ])('gets none where the site %s', async (_, given) => {
    answer = given;
    expect((await capture()).status).toBe(400);
    expect((await exported()).status).toBe(404);
  });

  it('gets none after it has stored a session that it made up for that site', async () => {
    answer = page;
    const made = [{ name: 'a', value: 'b', domain: new URL(SITE).hostname }];
    const imported = await api('POST', '/api/integrations/mediawiki/session/import', {
      session: made,
      instanceUrl: SITE,
    });
    expect(imported.status).toBe(200);
    expect((await capture()).status).toBe(400);
    expect((await exported()).text).not.toContain('secret');
  });

  function redirected({ host }: { host: string }) {
    if (host.startsWith('localhost')) return json(SIGNED_IN);
    return { status: 302, location: `${ELSEWHERE}/api.php` };
  }
});

it('captures a session that its site knows, and exports it', async () => {
  answer = ({ signedIn }) => json(signedIn ? SIGNED_IN : { query: { userinfo: { id: 0 } } });
  expect(await capture()).toEqual({ status: 200, text: '{"success":true,"cookieCount":1}' });
  expect((await exported()).text).toContain('secret');
});

it('finds a probe in each integration that takes cookies of a site which people name', () => {
  const named = integrations.filter(({ auth, instance }) => auth.type === 'cookie' && instance !== undefined);
  expect(named.map(({ name }) => name)).toContain('mediawiki');
  expect(named.filter(({ probe }) => probe === undefined)).toEqual([]);
});
