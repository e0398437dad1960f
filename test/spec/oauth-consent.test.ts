// Tests the consent page. decision: 021, the consent page
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visited } from '../support/browser.ts';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { ask, BASE, comeBack, type ConsentStand, openConsentStand } from '../support/consent-stand.ts';
import { startHttpServer } from '../support/http-server.ts';
import { authorizeQuery, CALLBACK, register, registered, token } from '../support/oauth-client.ts';
import { problemsOf } from '../support/page-problems.ts';
import type { TestApp } from '../support/test-app.ts';

let stand: ConsentStand;
let app: TestApp;
beforeAll(async () => {
  stand = await openConsentStand();
  app = stand.app;
});
afterAll(() => stand.close());

const isAsked = ({ status, text }: Visited) => status === 200 && text.includes('name="consent"');
const isAtProvider = ({ url }: Visited) => url.origin === new URL(stand.provider.issuer).origin;

describe('the rule for consent', () => {
  it.each([
    ['https://unknown.example/app/callback', true],
    ['https://claude.ai.evil.example/app/callback', true],
    ['https://claude.ai:8443/app/callback', true],
    ['https://claude.ai/public/artifacts/a', true],
    ['https://claude.ai/api/mcp/auth_callback/', true],
    ['https://claude.ai/api/mcp/auth_callback?a=b', true],
    ['https://claude.ai/api/mcp/auth_callback/../../../public/artifacts/a', true],
    ['https://CLAUDE.ai/api/mcp/auth_callback', true],
    ['https://claude.ai:8443/api/mcp/auth_callback', true],
    // It forwards the code to whatever address the state of the request names.
    ['https://vscode.dev/redirect', true],
    ['unknown-app://callback', true],
    ['cursor://another.extension/oauth/callback', true],
    ['https://claude.ai/api/mcp/auth_callback', false],
    ['https://claude.com/api/mcp/auth_callback', false],
    ['https://chatgpt.com/connector_platform_oauth_redirect', false],
    ['cursor://anysphere.cursor-mcp/oauth/callback', false],
    ['cursor://anysphere.cursor-retrieval/oauth/callback', false],
    ['http://127.0.0.1:5000/callback', false],
    ['http://localhost/callback', false],
  ])('asks for untrusted clients by default on https: %s → %s', async (redirect_uri, asked) => {
    const visited = await ask(stand.browse(), await registered(app, redirect_uri), { redirect_uri });
    expect([isAsked(visited), isAtProvider(visited)]).toEqual([asked, !asked]);
  });

  it.each([
    [{ OAUTH_CONSENT: 'always' }, 'http://127.0.0.1:5000/callback', true],
    [{ OAUTH_CONSENT: 'never' }, CALLBACK, false],
    [{ OAUTH_TRUSTED_HOSTS: 'client.example' }, CALLBACK, false],
    [{ OAUTH_TRUSTED_HOSTS: 'client.example' }, 'https://claude.ai/api/mcp/auth_callback', true],
    [{ OAUTH_TRUSTED_HOSTS: CALLBACK }, CALLBACK, false],
    [{ OAUTH_TRUSTED_HOSTS: CALLBACK }, `${CALLBACK}/other`, true],
    [{ OAUTH_TRUSTED_HOSTS: CALLBACK }, 'https://client.example/', true],
    [{ OAUTH_TRUSTED_HOSTS: 'https://client.example/' }, CALLBACK, true],
    [{ OAUTH_TRUSTED_HOSTS: 'known-app:' }, 'known-app://callback', false],
    [{ OAUTH_TRUSTED_HOSTS: 'known-app:/callback' }, 'known-app:/callback', false],
    [{ OAUTH_TRUSTED_HOSTS: 'known-app:/callback' }, 'known-app:/other', true],
  ])('follows OAUTH_CONSENT=%j: %s → %s', async (env, redirect_uri, asked) => {
    const other = await stand.open(env);
    const response = await other.request(
      authorizeQuery(await registered(other, redirect_uri), { redirect_uri }),
    );
    expect(response.status).toBe(asked ? 200 : 302);
    await other.close();
  });

  it('asks nobody on plain http, unless it is switched on', async () => {
    for (const [env, status] of [
      [{}, 302],
      [{ OAUTH_CONSENT: 'untrusted' }, 200],
    ] as const) {
      const local = await stand.open({ SERVER_PUBLIC_URL: 'http://localhost:3000', ...env });
      expect((await local.request(authorizeQuery(await registered(local)))).status).toBe(status);
      await local.close();
    }
  });
});

describe('the consent page', () => {
  it('names the client, its host, what it will be able to do, and the next step', async () => {
    const { text } = await ask(stand.browse(), await registered(app));
    for (const part of ['A client', 'client.example', 'run every tool', 'which account to sign in with'])
      expect(text).toContain(part);
  });

  it('names the set that the client asks for, and no set otherwise', async () => {
    const client = await registered(app);
    const { text } = await ask(stand.browse(), client, { resource: `${BASE}/mcp/sets/triage` });
    expect(text).toMatch(/Only the tools of the set<\/dt>\s*<dd><strong>triage<\/strong>/);
    for (const resource of [`${BASE}/mcp`, `${BASE}/mcp/sets/%3Cb%3E`])
      expect((await ask(stand.browse(), client, { resource })).text).not.toContain('of the set');
  });

  it('works without its script, cannot be framed, and loads nothing else', async () => {
    const { headers, text } = await ask(stand.browse(), await registered(app));
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<script [^>]|\son\w+=|style=/);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/; script-src 'sha256-[^' ]+';/);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  // A provider that asks nothing redirects at once, and browsers apply the form's policy to the final
  // address.
  it.each([
    [CALLBACK, 'https:'],
    ['unknown-app://callback', 'https: unknown-app:'],
    ['http://127.0.0.1:5000/callback', 'https: http:'],
  ])('allows its form to lead to the provider, and from there to %s', async (redirect_uri, sources) => {
    const strict = await stand.open({ HOSTED_ISSUER_URL: 'https://id.example', OAUTH_CONSENT: 'always' });
    const client = await registered(strict, redirect_uri);
    const { headers } = await strict.request(authorizeQuery(client, { redirect_uri }));
    expect(headers.get('content-security-policy')).toContain(`; form-action ${sources};`);
    await strict.close();
  });

  it.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['"><script>alert(1)</script>', '&quot;&gt;&lt;script&gt;'],
    ['Bank\u202Eelpmaxe', 'Bank elpmaxe'],
    ['\u200B\u0000 ', 'an agent without a name'],
  ])('shows a name as text: %j', async (client_name, shown) => {
    const { client_id } = await (await register(app, { client_name, redirect_uris: [CALLBACK] })).json();
    const { text } = await ask(stand.browse(), client_id);
    expect(text).toContain(shown);
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<script>alert');
  });

  it('shows no name for an agent without a name', async () => {
    const { client_id } = await (await register(app, { redirect_uris: [CALLBACK] })).json();
    const { text } = await ask(stand.browse(), client_id);
    expect(text).toContain('An agent without a name');
    expect(text).not.toContain('calls itself');
  });

  it("names an application's own scheme as a scheme", async () => {
    const redirect_uri = 'unknown-app://callback';
    const { text } = await ask(stand.browse(), await registered(app, redirect_uri), { redirect_uri });
    expect(text).toContain('an application on this device');
    expect(text).toContain('unknown-app:');
  });
});

describe('a decision on the consent page', () => {
  it('leads after "Allow" to the provider, and from there to the client', async () => {
    const browser = stand.browse();
    const client = await registered(app);
    const there = await browser.submit(await ask(browser, client));
    expect(isAtProvider(there)).toBe(true);
    const back = await comeBack(stand, browser, there);
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
    const { status } = await token(app, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      client_id: client,
      redirect_uri: CALLBACK,
      code_verifier: 'v'.repeat(43),
    });
    expect(status).toBe(200);
  });

  it('counts in each of two tabs, in any order, and the first to sign in reaches its client', async () => {
    const browser = stand.browse();
    const client = await registered(app);
    const [first, second] = [await ask(browser, client), await ask(browser, client)];
    const there = await browser.submit(first);
    expect([there, await browser.submit(second)].map(isAtProvider)).toEqual([true, true]);
    const back = await comeBack(stand, browser, there);
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
    expect(browser.cookies(BASE)).toEqual({});
  });

  it('tells the client after "Cancel"', async () => {
    const { text } = await ask(stand.browse(), await registered(app), { state: 'a&b' });
    const link = /class="button" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(link.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
      error: 'access_denied',
      state: 'a&b',
      iss: BASE,
    });
  });

  it('counts once', async () => {
    const browser = stand.browse();
    const page = await ask(browser, await registered(app));
    expect(isAtProvider(await browser.submit(page))).toBe(true);
    expect((await browser.submit(page)).status).toBe(400);
  });

  it('counts for ten minutes, even from a browser that keeps its cookie longer', async () => {
    const client = await registered(app);
    const asked = async () => {
      const response = await app.request(authorizeQuery(client));
      const [cookie = ''] = response.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
      const consent = /name="consent" value="([^"]*)"/.exec(await response.text())?.[1] ?? '';
      return { method: 'POST', headers: { cookie }, body: new URLSearchParams({ consent }) };
    };
    const [young, old] = [await asked(), await asked()];
    app.clock.advance(599);
    expect((await app.request('/authorize', young)).status).toBe(302);
    app.clock.advance(1);
    expect((await app.request('/authorize', old)).status).toBe(400);
  });

  it('does not count from another browser, or from a page elsewhere', async () => {
    const [mine, theirs] = [stand.browse(), stand.browse()];
    const client = await registered(app);
    const page = await ask(mine, client);
    expect((await theirs.submit(page)).status).toBe(400);
    const again = await ask(mine, client);
    const elsewhere = { ...again, url: new URL('https://evil.example/'), text: again.text };
    expect(mine.cookies(BASE, { method: 'POST', from: elsewhere.url })).toEqual({});
    const forged = { ...elsewhere, text: elsewhere.text.replace('/authorize"', '/authorize" data-x=""') };
    expect((await mine.submit(forged)).status).toBe(400);
  });

  describe('a cookie that a page of a neighbouring host has planted', () => {
    let near: TestApp;
    beforeAll(async () => {
      near = await stand.open({ JOTS_ORIGIN: 'https://jots.gate.example' });
    });
    afterAll(() => near.close());

    const bindingOf = (response: Response) =>
      /(?:^|, )svc_oauth_binding=([0-9a-f]{64});/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const cookies = (planted: string, own: string) => [
      `svc_oauth_binding=${planted}`,
      `svc_oauth_binding=${planted}; __Host-svc_oauth_binding=${own}`,
      `__Host-svc_oauth_binding=${own}; svc_oauth_binding=${planted}`,
    ];

    it('does not sign its victim in to another client', async () => {
      const redirect_uri = 'http://127.0.0.1:5000/callback';
      const client = await registered(near, redirect_uri);
      const authorize = () => near.request(authorizeQuery(client, { redirect_uri }));
      const own = bindingOf(await authorize());
      for (const at of [0, 1, 2]) {
        const theirs = await authorize();
        const { searchParams } = new URL(theirs.headers.get('location') ?? '');
        stand.nonce = searchParams.get('nonce') ?? '';
        const callback = `/api/auth/hosted/callback?code=x&state=${searchParams.get('state')}`;
        const cookie = cookies(bindingOf(theirs), own)[at] ?? '';
        const answer = await near.request(callback, { headers: { cookie } });
        expect(answer.headers.get('location')).toMatch(/^https:\/\/gate\.example#token=/);
        expect(answer.headers.getSetCookie()).toEqual([
          expect.stringMatching(/^svc_oauth_binding=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
          expect.stringMatching(
            /^__Host-svc_oauth_binding=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
          ),
        ]);
      }
    });

    it('answers no question for its victim', async () => {
      const client = await registered(near);
      const own = bindingOf(await near.request(authorizeQuery(client)));
      for (const at of [0, 1, 2]) {
        const theirs = await near.request(authorizeQuery(client));
        const consent = /name="consent" value="([^"]*)"/.exec(await theirs.text())?.[1] ?? '';
        const cookie = cookies(bindingOf(theirs), own)[at] ?? '';
        const body = new URLSearchParams({ consent });
        const answer = await near.request('/authorize', { method: 'POST', headers: { cookie }, body });
        expect(answer.status).toBe(400);
      }
    });
  });

  it('does not turn a question into a ticket: signing in with it does not reach the client', async () => {
    const browser = stand.browse();
    const { text } = await ask(browser, await registered(app));
    const id = /name="consent" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const { url } = await (await app.request('/api/auth/hosted')).json();
    stand.nonce = new URL(url).searchParams.get('nonce') ?? '';
    const state = `${new URL(url).searchParams.get('state')}.${id}`;
    const back = await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`);
    expect(back.url.href.startsWith(CALLBACK)).toBe(false);
  });
});

describeInChromium('the pages in Chromium', () => {
  it('looks right in both themes, and "Allow" leads to the provider', async () => {
    const server = await startHttpServer();
    const local = await stand.open({
      SERVER_PUBLIC_URL: `http://localhost:${server.port}`,
      OAUTH_CONSENT: 'always',
    });
    const { getRequestListener } = await import('@hono/node-server');
    const listener = getRequestListener(local.fetch, { overrideGlobalObjects: false });
    const clicked = Promise.withResolvers<void>();
    server.answer((request, response) => {
      void (request.method === 'POST' ? clicked.promise : Promise.resolve()).then(() =>
        listener(request, response),
      );
    });
    const chromium = await openChromium();
    const page = await chromium.newPage();
    // A name that is one long word does not push the question out of the window.
    const { client_id } = await (
      await register(local, { client_name: 'W'.repeat(200), redirect_uris: [CALLBACK] })
    ).json();
    await page.goto(`http://localhost:${server.port}${authorizeQuery(client_id)}`);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const problems = problemsOf(page);
    await page.goto(`http://localhost:${server.port}${authorizeQuery(await registered(local))}`);
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius")).toBe('18px');
    expect(await page.textContent('h1')).toBe('Connect A client?');
    expect(problems).toEqual([]);
    // Some people double-click everything.
    await page.dblclick('button', { delay: 50 });
    clicked.resolve();
    await page.waitForURL(`${stand.provider.issuer}/auth?**`);
    await page.goto(`http://localhost:${server.port}/oauth/callback?code=a&state=b`);
    expect(await page.inputValue('input')).toBe(
      `http://localhost:${server.port}/oauth/callback?code=a&state=b`,
    );
    await chromium.close();
    await server.close();
    await local.close();
  });
});
