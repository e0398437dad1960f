// Tests connecting through the live view: begun in the portal or through an agent's link, completed by a
// capture. reference: Connecting an integration; Connect links
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { describeInChromium } from '../support/chromium.ts';
import {
  createViewer,
  type LiveGateway,
  openLiveGateway,
  type Stream,
  type Viewer,
} from '../support/live-viewer.ts';
import {
  type LoginSite,
  SITE_CODE,
  SITE_PASSWORD,
  SITE_USER,
  startLoginSite,
} from '../support/login-site.ts';
import { boxAt, middleOf } from '../support/login-site-pages.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestUser } from '../support/test-app.ts';

let site: LoginSite;
let gateway: LiveGateway;
let ana: TestUser;
let viewer: Viewer;
let users = 0;
/** How many seconds the gateway's clock is ahead of the real one. */
let later = 0;
const clock = createSystemClock();
const ahead = { ...clock, now: () => clock.now() + later };

beforeAll(async () => {
  site = await startLoginSite();
  gateway = await openLiveGateway({ ports: { clock: ahead } });
});
afterAll(async () => {
  await gateway?.close();
  await site?.close();
});
beforeEach(async () => {
  later = 0;
  ana = await gateway.app.user(`ana${++users}@example.com`);
});

async function api(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = ana.sessionHeader,
) {
  const response = await gateway.app.request(path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // Tests read any member of the response.
  return { status: response.status, body: (await response.json()) as any }; // oxlint-disable-line typescript/no-explicit-any
}

const begin = (at = site.url) => api('GET', `/api/auth/jar?instanceUrl=${encodeURIComponent(at)}`);
const connected = async () => {
  const { body } = await api('GET', '/api/connections');
  return body.connections.find(({ name }: { name: string }) => name === 'jar').connected;
};

/** Types what a person types, from the sign-in page on. */
async function signIn(stream: Stream): Promise<void> {
  const focus = async (row: number, label: string) => {
    await expect
      .poll(async () => {
        await viewer.click(stream, middleOf(row));
        return stream.said.findLast(({ method }) => method === 'LiveView.focus')?.params.field?.label;
      })
      .toBe(label);
  };
  await focus(0, 'User name');
  await viewer.ask(stream, 'Input.insertText', { text: SITE_USER });
  await focus(1, 'Password');
  await viewer.ask(stream, 'Input.insertText', { text: SITE_PASSWORD });
  await viewer.click(stream, middleOf(3));
  await expect
    .poll(async () => {
      await viewer.click(stream, boxAt(0));
      return stream.said.findLast(({ method }) => method === 'LiveView.focus')?.params.field?.label;
    })
    .toBe('Digit 1');
  await viewer.ask(stream, 'LiveView.paste', { text: SITE_CODE });
  await expect.poll(() => site.hits.at(-1)).toBe('/account');
}

describeInChromium('a cookie integration', () => {
  beforeEach(() => {
    viewer = createViewer(gateway, ana, '/api/auth/cookie/jar/cdp');
  });

  it('connects from the portal: begins, signs in, captures, and is used', async () => {
    const begun = await begin();
    const { sessionKey } = (await (await viewer.post('attach')).json()) as { sessionKey: string };
    expect(begun).toEqual({
      status: 200,
      body: {
        type: 'cookie',
        status: 'login_required',
        cdpToken: sessionKey,
        cdpProxyUrl: `${gateway.base}/api/auth/cookie/jar/cdp`,
        loginUrl: `${site.url}/login`,
      },
    });
    expect(gateway.app.deps.browser?.status(ana.id)).toBe('on');
    const stream = await viewer.open();
    await signIn(stream);
    expect(await connected()).toBe(false);
    expect(await api('POST', '/api/auth/cookie/jar/capture')).toEqual({
      status: 200,
      body: { success: true, cookieCount: 2 },
    });
    expect(await connected()).toBe(true);
    const { results } = await call(gateway.app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'jar_get', args: { path: '/account' } }],
    });
    expect(results[0].result.body).toContain(`Signed in as ${SITE_USER}`);
    const { body } = await api('GET', '/api/integrations/jar/session/export');
    expect(body.session).toMatchObject({
      v: 1,
      userAgent: expect.stringMatching(/Chrome\/\d+\.0\.0\.0 Safari/),
    });
    expect(body.session.userAgent).not.toContain('Headless');
    expect(JSON.stringify(await gateway.app.deps.store.connections.get(ana.id, 'jar', ''))).not.toContain(
      'site_session',
    );
  });

  it("connects through an agent's link, and the agent is notified", async () => {
    const asked = await call(gateway.app, ana.keyHeader, 'connect', { integration: 'jar' });
    expect(asked).toMatchObject({ type: 'cookie', connectionId: expect.any(String) });
    const waiting = call(gateway.app, ana.keyHeader, 'wait_for_connection', {
      connectionId: asked.connectionId,
      timeoutSec: 60,
    });
    const token = new URL(asked.url).searchParams.get('t');

    // The link needs an instance first, and asking for it does not use the link up.
    expect(await api('POST', '/api/connect/redeem', { token })).toMatchObject({ status: 400 });
    expect(await api('POST', '/api/connect/redeem', { token, instanceUrl: site.url })).toMatchObject({
      status: 200,
      body: {
        type: 'cookie',
        cdpToken: expect.any(String),
        sessionId: expect.any(String),
        loginUrl: `${site.url}/login`,
      },
    });
    expect(await api('POST', '/api/connect/redeem', { token, instanceUrl: site.url })).toMatchObject({
      status: 410,
      body: { error: 'LINK_CONSUMED' },
    });
    const bea = await gateway.app.user(`bea${users}@example.com`);
    const capture = (headers: Record<string, string>, given: unknown = token) =>
      api('POST', '/api/connect/capture', { token: given }, headers);
    expect(await capture({})).toMatchObject({ status: 401, body: { error: 'AUTH_REQUIRED' } });
    expect(await capture(ana.sessionHeader, 'x')).toMatchObject({
      status: 401,
      body: { error: 'LINK_INVALID' },
    });
    expect(await capture(bea.sessionHeader)).toMatchObject({
      status: 403,
      body: { error: 'ACCOUNT_MISMATCH' },
    });

    await signIn(await viewer.open());
    expect(await capture(ana.sessionHeader)).toEqual({
      status: 200,
      body: { success: true, cookieCount: 2 },
    });
    expect(await waiting).toEqual({ status: 'CONNECTED' });
  });

  it('stays open for an hour after its link expires, for people who take long to sign in', async () => {
    const asked = await call(gateway.app, ana.keyHeader, 'connect', { integration: 'jar' });
    const token = new URL(asked.url).searchParams.get('t');
    const redeem = () => api('POST', '/api/connect/redeem', { token, instanceUrl: site.url });
    const capture = () => api('POST', '/api/connect/capture', { token });
    expect((await redeem()).status).toBe(200);
    const cookie = { name: 'own', value: 'v', domain: '127.0.0.1', path: '/' };
    const session = gateway.app.deps.browser?.current(ana.id);
    await session?.setCookies([{ ...cookie, expires: -1, secure: false, httpOnly: true }]);
    later = gateway.app.deps.config.CONNECT_TTL_SECONDS + 60;
    expect(await capture()).toEqual({ status: 200, body: { success: true, cookieCount: 1 } });
    expect(await redeem()).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
    later += 3_600;
    expect(await capture()).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
  });

  it('is not captured without cookies of the integration, nor without a browser', async () => {
    expect(await api('POST', '/api/auth/cookie/jar/capture')).toMatchObject({ status: 400 });
    await begin('http://127.0.0.1:1');
    expect(await api('POST', '/api/auth/cookie/jar/capture')).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/not signed in to Jar/) },
    });
    expect(await api('POST', '/api/auth/cookie/time/capture')).toMatchObject({ status: 404 });
    expect(await api('POST', '/api/auth/cookie/nope/capture')).toMatchObject({ status: 404 });
    expect(await api('POST', '/api/auth/cookie/jar/capture', undefined, {})).toMatchObject({ status: 401 });
    expect(await connected()).toBe(false);
  });

  it("captures only the integration's cookies", async () => {
    await begin();
    const session = gateway.app.deps.browser?.current(ana.id);
    const cookie = { value: 'v', path: '/', expires: -1, secure: false, httpOnly: true };
    await session?.setCookies([
      { ...cookie, name: 'own', domain: '127.0.0.1' },
      { ...cookie, name: 'foreign', domain: 'idp.example.com' },
      { ...cookie, name: 'wide', domain: '.example.org' },
    ]);
    const domains = (await session?.cookies())?.map(({ domain }) => domain);
    expect(domains?.toSorted()).toEqual(['.example.org', '127.0.0.1', 'idp.example.com']);
    await api('POST', '/api/auth/cookie/jar/capture');
    const { body } = await api('GET', '/api/integrations/jar/session/export');
    expect(body.session.cookies.map(({ name }: { name: string }) => name)).toEqual(['own']);
  });

  it('gives an imported session to a running browser', async () => {
    await begin();
    const cookie = { name: 'sid', value: 'imported', domain: '127.0.0.1', path: '/' };
    await api('POST', '/api/integrations/jar/session/import', { session: [cookie], instanceUrl: site.url });
    expect(await gateway.app.deps.browser?.current(ana.id)?.cookies()).toMatchObject([
      { name: 'sid', value: 'imported' },
    ]);
  });

  it.each([
    ['no instance', '/api/auth/jar'],
    ['an instance that is none', '/api/auth/jar?instanceUrl=ftp://wiki.example'],
    ['a forbidden instance', '/api/auth/jar?instanceUrl=http://169.254.169.254'],
  ])('answers 400 to %s, and starts nothing', async (_, path) => {
    expect((await api('GET', path)).status).toBe(400);
    expect(gateway.app.deps.browser?.status(ana.id)).toBe('off');
  });

  it.each([
    '/api/auth/jar?instanceUrl=http://127.0.0.1:1',
    '/api/auth/cookie/jar/capture',
    '/api/auth/cookie/jar/cancel',
    '/api/browser-session/reset',
  ])("answers %s with 400 to another person's browser key", async (path) => {
    const headers = { ...ana.sessionHeader, 'x-browser-session': 'x' };
    const method = path.startsWith('/api/auth/jar') ? 'GET' : 'POST';
    expect(await api(method, path, undefined, headers)).toMatchObject({
      status: 400,
      body: { error: 'BAD_SESSION_KEY' },
    });
    expect(gateway.app.deps.browser?.status(ana.id)).toBe('off');
  });
});

describeInChromium('a person’s browser session', () => {
  beforeEach(() => {
    viewer = createViewer(gateway, ana);
  });
  const reset = () => api('POST', '/api/browser-session/reset');
  const liveUrl = (body?: unknown) => api('POST', '/api/browser-session/live-url', body);

  it('is signed out everywhere by reset', async () => {
    await begin();
    const expires = Math.floor(Date.now() / 1000) + 3_600;
    const cookie = {
      name: 'kept',
      value: 'v',
      domain: '127.0.0.1',
      path: '/',
      expires,
      secure: false,
      httpOnly: true,
    };
    await gateway.app.deps.browser?.current(ana.id)?.setCookies([cookie]);
    await api('POST', '/api/auth/cookie/jar/cancel');
    expect(await reset()).toEqual({ status: 200, body: { success: true } });
    expect(gateway.app.deps.browser?.status(ana.id)).toBe('off');
    await begin();
    const kept = await gateway.app.deps.browser?.current(ana.id)?.cookies();
    expect(kept?.some(({ name }) => name === 'kept')).toBe(false);
  });

  it('answers 409 to reset and live-url while it is in use, but not to other people', async () => {
    await begin();
    expect([(await reset()).status, (await liveUrl()).status]).toEqual([409, 409]);
    await api('POST', '/api/auth/cookie/jar/cancel');
    expect((await liveUrl()).status).toBe(200);
    const stream = await viewer.open();
    await viewer.ask(stream, 'Page.enable');
    expect([(await reset()).status, (await liveUrl()).status]).toEqual([409, 409]);
    const bea = await gateway.app.user(`bea${users}@example.com`);
    expect((await api('POST', '/api/browser-session/reset', undefined, bea.sessionHeader)).status).toBe(200);
    await viewer.post('detach');
    expect((await reset()).status).toBe(200);
  });

  it('returns a link to a portal page that opens it at an address', async () => {
    const { status, body } = await liveUrl({ url: `${site.url}/select` });
    const url = new URL(body.url);
    expect([status, url.origin, url.pathname]).toEqual([200, gateway.base, '/browser']);
    const token = url.searchParams.get('t');
    expect(await api('POST', '/api/connect/redeem', { token })).toMatchObject({
      status: 200,
      body: {
        type: '__browser__',
        cdpProxyUrl: `${gateway.base}/api/browser-session/cdp`,
        loginUrl: `${site.url}/select`,
      },
    });
    await expect.poll(() => site.hits).toContain('/select');
    expect((await api('POST', '/api/connect/redeem', { token })).status).toBe(410);
    expect((await api('POST', '/api/connect/capture', { token })).status).toBe(404);
  });

  it.each([
    [{ url: 5 }],
    [{ url: 'file:///etc/passwd' }],
    [{ url: 'javascript:alert(1)' }],
    [{ url: '' }],
    [{ url: null }],
  ])('answers 400 to %j', async (body) => expect((await liveUrl(body)).status).toBe(400));

  it('requires a portal session', async () => {
    for (const path of ['reset', 'live-url'])
      expect((await api('POST', `/api/browser-session/${path}`, {}, {})).status).toBe(401);
  });
});

describe('a gateway that cannot start a browser', () => {
  it('answers 503 with what to do, and does not use up the link', async () => {
    const app = await createTestApp();
    const user = await app.user();
    const headers = { ...user.sessionHeader, 'content-type': 'application/json' };
    const instance = 'http://127.0.0.1:1';
    const started = await app.request(`/api/auth/jar?instanceUrl=${instance}`, { headers });
    expect([started.status, await started.json()]).toMatchObject([503, { error: 'BROWSER_START_FAILED' }]);
    const token = new URL(await app.deps.links.create(user.id, 'jar')).searchParams.get('t');
    const redeem = () =>
      app.request('/api/connect/redeem', {
        method: 'POST',
        headers,
        body: JSON.stringify({ token, instanceUrl: instance }),
      });
    expect([(await redeem()).status, (await redeem()).status]).toEqual([503, 503]);
    await app.close();
  });
});
