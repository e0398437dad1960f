// Tests that an account reaches only the user whom its owner means. decision: 025, a flow that returns without its browser
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayPorts } from '../../src/deps.ts';
import type { OAuth2Block } from '../../src/kit/manifest.ts';
import { type Browser, createBrowser, type Visited } from '../support/browser.ts';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { fixtures } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';

const BASE = 'https://gate.example';
const SECRET = '0123456789abcdef'.repeat(4);
const PUBLIC = {
  SERVER_PUBLIC_URL: BASE,
  SESSION_SECRET: SECRET,
  ENCRYPTION_KEY: SECRET,
  EGRESS_ALLOW: '127.0.0.1/32',
};
const HTTP = 'http://gate.example';

let stand: ConnectStand;
let codes = 0;

beforeEach(async () => {
  stand = await openConnectStand();
  await stand.reopen(PUBLIC);
});
afterEach(() => stand.close());

/** Opens a browser that reaches the gateway and stops at the portal. */
function browse(base = BASE, portal = base): Browser {
  return createBrowser({
    now: () => stand.app.clock.now() * 1000,
    servers: { [base]: (request) => stand.app.fetch(request) },
    isApplication: ({ origin, pathname }) => origin === portal && pathname === '/',
  });
}

/** Begins in the portal, and returns the provider's address. */
async function begin(
  browser: Browser,
  base = BASE,
  headers: Record<string, string> = stand.ana.sessionHeader,
) {
  const { text } = await browser.fetch(`${base}/api/auth/vaulted`, { headers });
  return new URL(JSON.parse(text).url);
}

/** Consents at the provider, which sends the browser back. */
function consent(browser: Browser, url: URL, base = BASE, integration = 'vaulted'): Promise<Visited> {
  const code = `code-${codes++}`;
  stand.provider.expect(code, url.searchParams.get('code_challenge') ?? '');
  const query = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' });
  return browser.open(`${base}/api/auth/plugin/${integration}/callback?${query}`);
}

/** Has an agent begin, and another browser come back. */
async function asked(browser = browse()): Promise<Visited> {
  const { url } = await call(stand.app, stand.ana.keyHeader, 'connect', { integration: 'vaulted' });
  return consent(browser, new URL(url));
}

const row = () => stand.app.deps.store.connections.get(stand.ana.id, 'vaulted', '');
const idOn = ({ text }: Visited) => /name="confirm" value="([^"]*)"/.exec(text)?.[1] ?? '';
const isQuestion = ({ status, text }: Visited) => status === 200 && text.includes('name="confirm"');
const isConnected = ({ url }: Visited, base = BASE) => url.href === `${base}/#connected=vaulted`;

describe("an address that somebody else's browser opens", () => {
  it('connects nothing by itself, and names the user to whom a click would connect', async () => {
    const attacker = browse();
    const { connectionId } = await call(stand.app, stand.ana.keyHeader, 'connect', {
      integration: 'vaulted',
    });
    const page = await consent(browse(), await begin(attacker));
    expect(isQuestion(page)).toBe(true);
    expect(page.text).toContain('ana@example.com');
    expect(page.text).toContain('Vaulted');
    expect(await row()).toBeNull();
    expect(await stand.connected('vaulted')).toBe(false);
    expect((await stand.app.deps.pending.get(connectionId))?.status).toBe('PENDING');
  });

  it('connects after the click of the person who saw the page', async () => {
    const victim = browse();
    const page = await consent(victim, await begin(browse()));
    expect(isConnected(await victim.submit(page))).toBe(true);
    expect(await stand.connected('vaulted')).toBe(true);
    expect(await row()).toMatchObject({
      scopes: 'read write',
      expires_at: stand.app.clock.now() + 3600,
      config: '{"instanceUrl":"https://vaulted.example"}',
    });
    const { results } = await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_get', args: { path: '/x' } }],
    });
    expect(results).toEqual([{ result: { status: 200, body: 'hello from /api/x' } }]);
  });

  it('asks also in a browser that has begun a flow of its own', async () => {
    const [victim, bea] = [browse(), await stand.app.user('bea@example.com')];
    await begin(victim, BASE, bea.sessionHeader);
    const page = await consent(victim, await begin(browse()));
    expect(isQuestion(page)).toBe(true);
    expect(page.text).toContain('ana@example.com');
    expect(page.text).not.toContain('bea@example.com');
  });

  it('asks in a browser with a cookie under the plain name, which a neighbouring host can plant', async () => {
    const attacker = browse();
    const url = await begin(attacker);
    const own = attacker.cookies(BASE)['__Host-svc_connect_binding'];
    stand.provider.expect('code-1', url.searchParams.get('code_challenge') ?? '');
    const answer = await stand.app.request(
      `/api/auth/plugin/vaulted/callback?code=code-1&state=${url.searchParams.get('state')}`,
      { headers: { cookie: `svc_connect_binding=${own}` } },
    );
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('name="confirm"');
  });

  it('asks when an agent has begun, and one click lets the agent continue', async () => {
    const browser = browse();
    const { connectionId, url } = await call(stand.app, stand.ana.keyHeader, 'connect', {
      integration: 'vaulted',
    });
    const page = await consent(browser, new URL(url));
    expect(isQuestion(page)).toBe(true);
    expect(isConnected(await browser.submit(page))).toBe(true);
    const wait = { connectionId, timeoutSec: 5 };
    expect(await call(stand.app, stand.ana.keyHeader, 'wait_for_connection', wait)).toEqual({
      status: 'CONNECTED',
    });
  });

  it('asks for a flow that was begun before an upgrade, without a binding', async () => {
    const browser = browse();
    const url = await begin(browser);
    const state = url.searchParams.get('state') ?? '';
    const flow = await stand.app.deps.store.flows.take(state);
    if (flow === null) throw new Error('no flow');
    await stand.app.deps.store.flows.put({ ...flow, session_data: null });
    expect(isQuestion(await consent(browser, url))).toBe(true);
  });

  it('is still refused when the browser proves to be another user', async () => {
    const bea = await stand.app.user('bea@example.com');
    const url = await begin(browse());
    expect((await stand.comeBack(url, {}, bea.sessionHeader)).status).toBe(400);
    expect(stand.provider.tokenRequests).toEqual([]);
  });
});

describe('the browser that began', () => {
  it('connects without a click, by a cookie that lives as long as the flow', async () => {
    const browser = browse();
    expect(isConnected(await consent(browser, await begin(browser)))).toBe(true);
    expect(browser.setCookies).toEqual([
      expect.stringMatching(
        /^__Host-svc_connect_binding=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('connects two flows in two tabs, in any order', async () => {
    const browser = browse();
    const [first, second] = [await begin(browser), await begin(browser)];
    expect(isConnected(await consent(browser, second))).toBe(true);
    expect(isConnected(await consent(browser, first))).toBe(true);
  });

  it('connects without a click after it has redeemed a connect link', async () => {
    const browser = browse();
    const link = new URL(await stand.app.deps.links.create(stand.ana.id, 'vaulted'));
    const { text } = await browser.fetch(`${BASE}/api/connect/redeem`, {
      method: 'POST',
      headers: { ...stand.ana.sessionHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ token: link.searchParams.get('t') }),
    });
    expect(isConnected(await consent(browser, new URL(JSON.parse(text).url)))).toBe(true);
  });

  it('does not appear in the database in a form that still works', async () => {
    const browser = browse();
    const url = await begin(browser);
    const flow = await stand.app.deps.store.flows.take(url.searchParams.get('state') ?? '');
    const binding = browser.cookies(BASE)['__Host-svc_connect_binding'] ?? 'none';
    expect(flow?.session_data).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(flow)).not.toContain(binding);
  });
});

describe('the question', () => {
  it('cannot be framed, loads nothing, and sends its form only to the gateway and the portal', async () => {
    await stand.reopen({ ...PUBLIC, PORTAL_URL: 'https://portal.example/app' });
    const { headers, text } = await asked();
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain('; form-action https://gate.example https://portal.example;');
    expect(policy).toMatch(/; script-src 'sha256-[^' ]+';/);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<script [^>]|\son\w+=|style=/);
  });

  it('shows an address as text', async () => {
    const mallory = await stand.app.user('"><img src=x>\u202E@example.com');
    const { url } = await call(stand.app, mallory.keyHeader, 'connect', { integration: 'vaulted' });
    const { text } = await consent(browse(), new URL(url));
    expect(text).toContain('&quot;&gt;&lt;img src=x&gt; @example.com');
    expect(text).not.toContain('<img');
  });

  it.each([
    ['names the account that the token response names', { accountPath: '/team/name' }, 'Acme &lt;b&gt;'],
    ['names only the integration without such a name', {}, null],
    ['names only the integration when the name is no text', { accountPath: '/team' }, null],
  ])('%s', async (_, block: Partial<OAuth2Block>, shown) => {
    await stand.reopen(PUBLIC, { integrations: withAuth(block) });
    stand.provider.shape = (tokens) => ({ body: JSON.stringify({ ...tokens, team: { name: 'Acme <b>' } }) });
    const { text } = await asked();
    expect(text.includes('<dt>Account</dt>')).toBe(shown !== null);
    expect(text).toContain(shown ?? 'Vaulted');
  });

  it('keeps what the provider granted sealed while it waits', async () => {
    const flow = await stand.app.deps.store.flows.take(idOn(await asked()));
    expect(flow).toMatchObject({ user_id: stand.ana.id, integration: '__connect_confirm__' });
    expect(flow?.session_data).toMatch(/^v1\./);
    const { access, refresh } = stand.provider.current;
    for (const secret of [access, refresh]) expect(JSON.stringify(flow)).not.toContain(secret);
  });

  it('is answered once', async () => {
    const browser = browse();
    const page = await asked(browser);
    expect(isConnected(await browser.submit(page))).toBe(true);
    await stand.api('DELETE', '/api/connections/vaulted');
    expect((await browser.submit(page)).status).toBe(400);
    expect((await browser.open(page.url)).status).toBe(400);
    expect(await row()).toBeNull();
  });

  it('has one winner of 50 concurrent answers', async () => {
    const browser = browse();
    const page = await asked(browser);
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.submit(page)));
    expect(answers.filter((one) => isConnected(one))).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  });

  it('is asked once, even of 50 concurrent callbacks', async () => {
    const { url } = await call(stand.app, stand.ana.keyHeader, 'connect', { integration: 'vaulted' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => consent(browse(), new URL(url))));
    expect(answers.filter(isQuestion)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  });

  it('is open for ten minutes, even in a browser that keeps its cookie longer', async () => {
    const browser = browse();
    const [young, old] = [await asked(browser), await asked(browser)];
    const { '__Host-svc_connect_binding': binding } = browser.cookies(BASE);
    const answer = (page: Visited) =>
      stand.app.request('/api/auth/plugin/vaulted/confirm', {
        method: 'POST',
        headers: { cookie: `__Host-svc_connect_binding=${binding}` },
        body: new URLSearchParams({ confirm: idOn(page) }),
      });
    stand.app.clock.advance(599);
    expect((await answer(young)).status).toBe(302);
    await stand.api('DELETE', '/api/connections/vaulted');
    stand.app.clock.advance(1);
    expect((await answer(old)).status).toBe(400);
    expect(await row()).toBeNull();
  });

  it('is not answered by another browser, and is used up by the attempt', async () => {
    const [mine, theirs] = [browse(), browse()];
    await asked(theirs);
    const page = await asked(mine);
    expect((await theirs.submit(page)).status).toBe(400);
    expect((await mine.submit(page)).status).toBe(400);
    expect((await browse().submit(await asked(mine))).status).toBe(400);
    expect(await row()).toBeNull();
  });

  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbouring host', { 'sec-fetch-site': 'same-site' }],
    ['of another origin, by a browser without Sec-Fetch-Site', { origin: 'https://jots.gate.example' }],
  ])('is not answered by a form on a page %s', async (_, headers) => {
    const browser = browse();
    const page = await asked(browser);
    const { '__Host-svc_connect_binding': binding } = browser.cookies(BASE);
    const answer = await stand.app.request('/api/auth/plugin/vaulted/confirm', {
      method: 'POST',
      headers: { ...headers, cookie: `__Host-svc_connect_binding=${binding}` },
      body: new URLSearchParams({ confirm: idOn(page) }),
    });
    expect(answer.status).toBe(400);
    expect(await row()).toBeNull();
  });

  it('is not answered at another integration', async () => {
    const twins = withAuth({}).flatMap((one) =>
      one.name === 'vaulted' ? [one, { ...one, name: 'twin', tools: [] }] : [],
    );
    await stand.reopen(PUBLIC, { integrations: twins });
    const browser = browse();
    const page = await asked(browser);
    const moved = { ...page, text: page.text.replace('/vaulted/confirm', '/twin/confirm') };
    expect((await browser.submit(moved)).status).toBe(400);
    expect(await stand.app.deps.store.connections.list(stand.ana.id)).toEqual([]);
  });

  it('forgets what the provider granted after "Cancel"', async () => {
    const browser = browse();
    const page = await asked(browser);
    const cancelled = await browser.submit(page, { answer: 'cancel' });
    expect([cancelled.status, cancelled.text.includes('Vaulted is not connected')]).toEqual([200, true]);
    expect((await browser.submit(page)).status).toBe(400);
    expect(await row()).toBeNull();
  });
});

describe('CONNECT_CONFIRM and CONNECT_VIA', () => {
  it.each([
    ['on an http base by default', { SERVER_PUBLIC_URL: HTTP }, HTTP],
    ['with CONNECT_CONFIRM=never', { CONNECT_CONFIRM: 'never' }, BASE],
  ])('connect at once from every browser %s, and set no cookie', async (_, env, base) => {
    await stand.reopen({ ...PUBLIC, ...env });
    const [mine, theirs] = [browse(base), browse(base)];
    expect(isConnected(await consent(theirs, await begin(mine, base), base), base)).toBe(true);
    expect([...mine.setCookies, ...theirs.setCookies]).toEqual([]);
  });

  it('ask on an http base where CONNECT_CONFIRM=unbound, with a cookie without the prefix', async () => {
    await stand.reopen({ ...PUBLIC, SERVER_PUBLIC_URL: HTTP, CONNECT_CONFIRM: 'unbound' });
    const [mine, theirs] = [browse(HTTP), browse(HTTP)];
    expect(isConnected(await consent(mine, await begin(mine, HTTP), HTTP), HTTP)).toBe(true);
    const page = await consent(theirs, await begin(mine, HTTP), HTTP);
    expect(isQuestion(page)).toBe(true);
    expect(isConnected(await theirs.submit(page), HTTP)).toBe(true);
    expect(theirs.setCookies).toEqual([
      expect.stringMatching(
        /^svc_connect_binding=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it.each([
    [BASE, {}],
    [BASE, { CONNECT_CONFIRM: 'never' }],
    [HTTP, {}],
  ])('refuse a flow of another browser where CONNECT_VIA=portal: %s %j', async (base, env) => {
    await stand.reopen({ ...PUBLIC, SERVER_PUBLIC_URL: base, CONNECT_VIA: 'portal', ...env });
    const [mine, theirs] = [browse(base), browse(base)];
    const url = await begin(mine, base);
    const page = await consent(theirs, url, base);
    expect(page.status).toBe(400);
    expect(page.text).toContain('was not started in this browser');
    expect(page.text).toContain(`<a href="${base}">`);
    // The code is not exchanged, and the address is used up.
    expect(stand.provider.tokenRequests).toEqual([]);
    expect((await consent(mine, url, base)).status).toBe(400);
    expect(isConnected(await consent(mine, await begin(mine, base), base), base)).toBe(true);
  });

  it('ask where CONNECT_VIA=portal and no cookie of the portal reaches the callback', async () => {
    const portal = 'https://portal.example';
    await stand.reopen({ ...PUBLIC, CONNECT_VIA: 'portal', PORTAL_URL: portal });
    const browser = createBrowser({
      now: () => stand.app.clock.now() * 1000,
      servers: Object.fromEntries(
        [BASE, portal].map((origin) => [origin, (request: Request) => stand.app.fetch(request)]),
      ),
      isApplication: ({ pathname }) => pathname === '/',
    });
    const page = await consent(browser, await begin(browser, portal));
    expect(isQuestion(page)).toBe(true);
    expect(isConnected(await browser.submit(page), portal)).toBe(true);
  });
});

/** The fixtures, with changes to the OAuth block of Vaulted. */
function withAuth(changes: Partial<OAuth2Block>): GatewayPorts['integrations'] {
  return fixtures.map((one) =>
    one.name === 'vaulted' && one.auth.type === 'oauth2'
      ? { ...one, auth: { ...one.auth, ...changes } }
      : one,
  );
}
