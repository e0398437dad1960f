// design: O6, the consent page; O7, clients that are a document
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBrowser, type Browser, type Visited } from '../support/browser.ts';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { authorizeQuery, CALLBACK, register, registered, token } from '../support/oauth-client.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const BASE = 'https://gate.example';
const SECRET = '0123456789abcdef'.repeat(4);
const DOCUMENT = 'https://client.example/oauth/client.json';

let app: TestApp;
let provider: ScriptedProvider;
/** Stands in for https://client.example. */
let documents: HttpServer;
let nonce = '';

async function open(env: Record<string, string> = {}): Promise<TestApp> {
  return createTestApp({
    env: {
      SERVER_PUBLIC_URL: BASE,
      SESSION_SECRET: SECRET,
      ENCRYPTION_KEY: SECRET,
      HOSTED_ISSUER_URL: provider.issuer,
      HOSTED_CLIENT_ID: 'gateway',
      HOSTED_CLIENT_SECRET: 'secret',
      EGRESS_ALLOW: '127.0.0.1/32',
      UPSTREAM_MAP: `https://client.example=http://127.0.0.1:${documents.port}`,
      ...env,
    },
  });
}

beforeAll(async () => {
  provider = await startScriptedProvider({ now: () => app.clock.now(), nonce: () => nonce });
  documents = await startHttpServer();
  app = await open();
});
afterAll(async () => {
  await Promise.all([provider.close(), documents.close()]);
  await app.close();
});

/** On https, with the gateway in this process; it stops at the provider and at applications. */
const browse = (): Browser =>
  createBrowser({
    now: () => app.clock.now() * 1000,
    servers: { [BASE]: (request) => app.fetch(request) },
    isApplication: ({ origin, pathname }) =>
      origin === new URL(provider.issuer).origin || pathname === '/app/callback',
  });

const ask = async (
  browser: Browser,
  client: string,
  changes: Record<string, string> = {},
): Promise<Visited> => browser.open(`${BASE}${authorizeQuery(client, changes)}`);
const isAsked = ({ status, text }: Visited) => status === 200 && text.includes('name="consent"');
const isAtProvider = ({ url }: Visited) => url.origin === new URL(provider.issuer).origin;

describe('who is asked', () => {
  it.each([
    ['https://unknown.example/app/callback', true],
    ['https://claude.ai.evil.example/app/callback', true],
    ['https://claude.ai:8443/app/callback', true],
    ['unknown-app://callback', true],
    ['https://claude.ai/api/mcp/auth_callback', false],
    ['https://chatgpt.com/connector/oauth/x', false],
    ['https://vscode.dev/redirect', false],
    ['cursor://anysphere.cursor-retrieval/oauth/callback', false],
    ['http://127.0.0.1:5000/callback', false],
    ['http://localhost/callback', false],
  ])('untrusted, which is the default on https: %s → %s', async (redirect_uri, asked) => {
    const visited = await ask(browse(), await registered(app, redirect_uri), { redirect_uri });
    expect([isAsked(visited), isAtProvider(visited)]).toEqual([asked, !asked]);
  });

  it.each([
    [{ OAUTH_CONSENT: 'always' }, 'http://127.0.0.1:5000/callback', true],
    [{ OAUTH_CONSENT: 'never' }, CALLBACK, false],
    [{ OAUTH_TRUSTED_HOSTS: 'client.example' }, CALLBACK, false],
    [{ OAUTH_TRUSTED_HOSTS: 'client.example' }, 'https://claude.ai/cb', true],
  ])('%j: %s → %s', async (env, redirect_uri, asked) => {
    const other = await open(env);
    const response = await other.request(
      authorizeQuery(await registered(other, redirect_uri), { redirect_uri }),
    );
    expect(response.status).toBe(asked ? 200 : 302);
    await other.close();
  });

  it('nobody on plain http, unless it is switched on', async () => {
    for (const [env, status] of [
      [{}, 302],
      [{ OAUTH_CONSENT: 'untrusted' }, 200],
    ] as const) {
      const local = await open({ SERVER_PUBLIC_URL: 'http://localhost:3000', ...env });
      expect((await local.request(authorizeQuery(await registered(local)))).status).toBe(status);
      await local.close();
    }
  });
});

describe('the page', () => {
  it('names the client, its host, what it will be able to do, and that the account comes next', async () => {
    const { text } = await ask(browse(), await registered(app));
    for (const part of ['A client', 'client.example', 'run every tool', 'which account to sign in with'])
      expect(text).toContain(part);
  });

  it('works without its one script, cannot be framed, and lets nothing else in', async () => {
    const { headers, text } = await ask(browse(), await registered(app));
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

  // A provider that asks nothing sends on at once, and browsers hold the form's policy against where that ends.
  it.each([
    [CALLBACK, 'https:'],
    ['unknown-app://callback', 'https: unknown-app:'],
    ['http://127.0.0.1:5000/callback', 'https: http:'],
  ])('lets its form lead to the provider, and from there to %s', async (redirect_uri, sources) => {
    const strict = await open({ HOSTED_ISSUER_URL: 'https://id.example', OAUTH_CONSENT: 'always' });
    const client = await registered(strict, redirect_uri);
    const { headers } = await strict.request(authorizeQuery(client, { redirect_uri }));
    expect(headers.get('content-security-policy')).toContain(`; form-action ${sources};`);
    await strict.close();
  });

  it.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['"><script>alert(1)</script>', '&quot;&gt;&lt;script&gt;'],
    ['Bank\u202Eelpmaxe', 'Bank elpmaxe'],
    ['\u200B\u0000 ', 'an application without a name'],
  ])('shows a name as text: %j', async (client_name, shown) => {
    const { client_id } = await (await register(app, { client_name, redirect_uris: [CALLBACK] })).json();
    const { text } = await ask(browse(), client_id);
    expect(text).toContain(shown);
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<script>alert');
  });

  it('a scheme of an application is named as one', async () => {
    const redirect_uri = 'unknown-app://callback';
    const { text } = await ask(browse(), await registered(app, redirect_uri), { redirect_uri });
    expect(text).toContain('an application on this device');
    expect(text).toContain('unknown-app:');
  });
});

describe('the answer', () => {
  it('"Allow" goes on to the provider, and from there to the client', async () => {
    const browser = browse();
    const client = await registered(app);
    const there = await browser.submit(await ask(browser, client));
    expect(isAtProvider(there)).toBe(true);
    expect(there.url.searchParams.get('prompt')).toBe('select_account');
    nonce = there.url.searchParams.get('nonce') ?? '';
    const state = there.url.searchParams.get('state') ?? '';
    const back = await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`);
    expect(`${back.url.origin}${back.url.pathname}`).toBe(CALLBACK);
    const { status } = await token(app, {
      grant_type: 'authorization_code',
      code: back.url.searchParams.get('code') ?? '',
      client_id: client,
      redirect_uri: CALLBACK,
      code_verifier: 'v'.repeat(43),
    });
    expect(status).toBe(200);
  });

  it('counts in each of two tabs, whichever was opened first, and the first to sign in reaches its client', async () => {
    const browser = browse();
    const client = await registered(app);
    const [first, second] = [await ask(browser, client), await ask(browser, client)];
    const there = await browser.submit(first);
    expect([there, await browser.submit(second)].map(isAtProvider)).toEqual([true, true]);
    nonce = there.url.searchParams.get('nonce') ?? '';
    const state = there.url.searchParams.get('state') ?? '';
    const back = await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`);
    expect(`${back.url.origin}${back.url.pathname}`).toBe(CALLBACK);
    expect(browser.cookies(BASE)).toEqual({});
  });

  it('"Cancel" tells the client', async () => {
    const { text } = await ask(browse(), await registered(app), { state: 'a&b' });
    const link = /class="button" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(link.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
      error: 'access_denied',
      state: 'a&b',
      iss: BASE,
    });
  });

  it('counts once, and for ten minutes', async () => {
    const browser = browse();
    const client = await registered(app);
    const page = await ask(browser, client);
    expect(isAtProvider(await browser.submit(page))).toBe(true);
    expect((await browser.submit(page)).status).toBe(400);
    const late = await ask(browser, client);
    app.clock.advance(600);
    expect((await browser.submit(late)).status).toBe(400);
  });

  it('of another browser, or of a page elsewhere, does not count', async () => {
    const [mine, theirs] = [browse(), browse()];
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
      near = await open({ JOTS_ORIGIN: 'https://jots.gate.example' });
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
        nonce = searchParams.get('nonce') ?? '';
        const callback = `/api/auth/hosted/callback?code=x&state=${searchParams.get('state')}`;
        const cookie = cookies(bindingOf(theirs), own)[at] ?? '';
        const answer = await near.request(callback, { headers: { cookie } });
        expect(answer.headers.get('location')).toMatch(/^https:\/\/gate\.example#token=/);
        expect(answer.headers.getSetCookie()).toEqual([
          expect.stringMatching(/^svc_oauth_binding=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
          expect.stringMatching(/^__Host-svc_oauth_binding=; Max-Age=0; Path=\/; .*Secure/),
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

  it('a question is no ticket: signing in with it does not reach the client', async () => {
    const browser = browse();
    const { text } = await ask(browser, await registered(app));
    const id = /name="consent" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const { url } = await (await app.request('/api/auth/hosted')).json();
    nonce = new URL(url).searchParams.get('nonce') ?? '';
    const state = `${new URL(url).searchParams.get('state')}.${id}`;
    const back = await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`);
    expect(back.url.href.startsWith(CALLBACK)).toBe(false);
  });
});

describe('a client that is a document', () => {
  let served: unknown;
  let status: number;
  let fetched: number;
  beforeEach(() => {
    served = {
      client_id: DOCUMENT,
      client_name: 'Documented',
      redirect_uris: ['http://localhost/app/callback'],
    };
    status = 200;
    fetched = 0;
    documents.answer((_, response) => {
      fetched++;
      response.writeHead(status, { 'content-type': 'application/json', location: `${DOCUMENT}2` });
      response.end(typeof served === 'string' ? served : JSON.stringify(served));
    });
    app.clock.advance(3_600);
  });
  const redirect_uri = 'http://localhost:7777/app/callback';
  const request = (id = DOCUMENT, target = app) => target.request(authorizeQuery(id, { redirect_uri }));

  it('is fetched, its redirect list used, and kept for ten minutes', async () => {
    expect((await request()).status).toBe(302);
    expect((await request()).status).toBe(302);
    expect(fetched).toBe(1);
    app.clock.advance(600);
    await request();
    expect(fetched).toBe(2);
  });

  it('is fetched once for all who ask at the same time', async () => {
    const answers = await Promise.all([request(), request()]);
    expect(answers.map(({ status }) => status)).toEqual([302, 302]);
    expect(fetched).toBe(1);
  });

  /** Addresses below /held are not answered until they are let go; resolves when all have been asked for. */
  async function hold(target: TestApp, ids: string[]): Promise<() => Promise<number[]>> {
    const held: ServerResponse[] = [];
    const all = Promise.withResolvers<void>();
    documents.answer((incoming, response) => {
      if (incoming.url?.startsWith('/held') !== true) return void response.end(JSON.stringify(served));
      if (held.push(response) === ids.length) all.resolve();
    });
    const asked = ids.map((id) => request(id, target));
    await all.promise;
    return async () => {
      for (const response of held) response.writeHead(404).end();
      return (await Promise.all(asked)).map((answer) => answer.status);
    };
  }

  const openFor = (...hosts: string[]) =>
    open({
      UPSTREAM_MAP: ['client.example', ...hosts]
        .map((host) => `https://${host}=http://127.0.0.1:${documents.port}`)
        .join(','),
    });
  const paths = (host: string) => Array.from({ length: 4 }, (_, index) => `https://${host}/held/${index}`);

  it.each([
    ['slow.example', 'www.slow.example', 503],
    ['slow.example', 'slow.example.', 503],
    ['10.0.0.1', '10.1.0.1', 302],
  ])('is answered while four at %s are not; a fifth at %s is %i at once', async (host, other, expected) => {
    const busy = await openFor(host, other);
    const release = await hold(busy, paths(host));
    expect((await request(DOCUMENT, busy)).status).toBe(302);
    const id = `https://${other}/client.json`;
    served = { client_id: id, redirect_uris: ['http://localhost/app/callback'] };
    const fifth = await request(id, busy);
    expect(fifth.status).toBe(expected);
    if (expected === 503) {
      expect(fifth.headers.get('retry-after')).toBe('5');
      expect((await fifth.json()).error).toMatch(/Try again shortly/);
      expect(busy.lines).toContainEqual(expect.objectContaining({ level: 'error', event: 'request failed' }));
    }
    expect(await release()).toEqual([400, 400, 400, 400]);
    expect((await request(id, busy)).status).toBe(302);
    await busy.close();
  });

  it('that cannot be looked at again once its person has signed in is told so, and can begin again', async () => {
    const busy = await openFor('www.client.example');
    expect((await request(DOCUMENT, busy)).status).toBe(302);
    busy.clock.advance(300);
    const browser = createBrowser({
      now: () => busy.clock.now() * 1000,
      servers: { [BASE]: (asked) => busy.fetch(asked) },
      isApplication: ({ href }) => href.startsWith(provider.issuer) || href.startsWith(redirect_uri),
    });
    const there = await ask(browser, DOCUMENT, { redirect_uri });
    nonce = there.url.searchParams.get('nonce') ?? '';
    busy.clock.advance(301);
    app.clock.advance(601);
    const release = await hold(busy, paths('www.client.example'));
    const state = there.url.searchParams.get('state') ?? '';
    const back = await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`);
    expect(Object.fromEntries(back.url.searchParams)).toEqual({
      error: 'temporarily_unavailable',
      state: 'the state of the client',
      iss: BASE,
    });
    expect(busy.lines).toContainEqual(expect.objectContaining({ event: 'authorization put off' }));
    await release();
    await busy.close();
  });

  it('that is gone once its person has signed in is told so too', async () => {
    expect((await request()).status).toBe(302);
    app.clock.advance(300);
    const browser = browse();
    const there = await ask(browser, DOCUMENT, { redirect_uri });
    nonce = there.url.searchParams.get('nonce') ?? '';
    app.clock.advance(301);
    status = 500;
    const state = there.url.searchParams.get('state') ?? '';
    const back = await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`);
    expect(back.url.href.startsWith(redirect_uri)).toBe(true);
    expect(back.url.searchParams.get('error')).toBe('temporarily_unavailable');
  });

  it('is 503 at once while 64 others are fetched, and kept ones are answered', async () => {
    const hosts = Array.from({ length: 16 }, (_, index) => `slow${index}.example`);
    const busy = await openFor('late.example', ...hosts);
    expect((await request(DOCUMENT, busy)).status).toBe(302);
    const release = await hold(busy, hosts.flatMap(paths));
    expect((await request('https://late.example/client.json', busy)).status).toBe(503);
    expect((await request(DOCUMENT, busy)).status).toBe(302);
    expect(new Set(await release())).toEqual(new Set([400]));
    await busy.close();
  });

  it('goes through to tokens, is listed by its name, and refreshes without being asked again', async () => {
    const browser = browse();
    const there = await ask(browser, DOCUMENT, { redirect_uri });
    nonce = there.url.searchParams.get('nonce') ?? '';
    const back = await browser.open(
      `${BASE}/api/auth/hosted/callback?code=x&state=${there.url.searchParams.get('state')}`,
    );
    const { body } = await token(app, {
      grant_type: 'authorization_code',
      code: back.url.searchParams.get('code') ?? '',
      client_id: DOCUMENT,
      redirect_uri,
      code_verifier: 'v'.repeat(43),
    });
    const asked = fetched;
    const { body: next } = await token(app, {
      grant_type: 'refresh_token',
      client_id: DOCUMENT,
      refresh_token: body.refresh_token,
    });
    expect(next.access_token).toEqual(expect.any(String));
    expect(fetched).toBe(asked);
    const grant = await app.deps.accessTokens.verify(next.access_token);
    const session = await app.deps.sessions.issue({ id: grant?.userId ?? '', email: 'x' });
    const headers = { authorization: `Bearer ${session}` };
    expect(await (await app.request('/api/agents', { headers })).json()).toMatchObject({
      agents: expect.arrayContaining([
        expect.objectContaining({ client_id: DOCUMENT, client_name: 'Documented' }),
      ]),
    });
  });

  it.each([
    ['names another client', { client_id: 'https://client.example/other', redirect_uris: [CALLBACK] }],
    ['names none', { redirect_uris: ['http://localhost/app/callback'] }],
    ['has no redirect_uris', { client_id: DOCUMENT }],
    ['has a bad redirect_uri', { client_id: DOCUMENT, redirect_uris: ['javascript:alert(1)'] }],
    [
      'wants a secret',
      { client_id: DOCUMENT, redirect_uris: ['http://localhost/app/callback'], client_secret: 'x' },
    ],
    [
      'wants to sign',
      {
        client_id: DOCUMENT,
        redirect_uris: ['http://localhost/app/callback'],
        token_endpoint_auth_method: 'private_key_jwt',
      },
    ],
    ['is no JSON', '<html>'],
    ['is too large', JSON.stringify({ client_id: DOCUMENT, x: 'y'.repeat(70_000) })],
  ])('that %s is 400, and not kept', async (_, document) => {
    served = document;
    const response = await request();
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
    await request();
    expect(fetched).toBe(2);
  });

  it.each([301, 404, 500])('that answers %i is 400', async (answered) => {
    status = answered;
    expect((await request()).status).toBe(400);
    expect(fetched).toBe(1);
  });

  it.each([
    'http://client.example/client.json',
    'https://client.example',
    'https://client.example/',
    'https://user@client.example/x',
    'https://client.example/x#y',
    'https://client.example/a/../x',
    'https://CLIENT.example/x',
  ])('%s is no address of a document, and not fetched', async (id) => {
    expect((await request(id)).status).toBe(400);
    expect(fetched).toBe(0);
  });

  it('at a private address is refused', async () => {
    const strict = await open({ EGRESS_ALLOW: '', HOSTED_ISSUER_URL: 'https://id.example' });
    for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]'])
      expect((await request(`https://${host}/client.json`, strict)).status).toBe(400);
    expect(strict.lines.filter(({ event }) => event === 'client document failed')).toHaveLength(5);
    await strict.close();
  });

  it('is unknown where documents are switched off', async () => {
    const off = await open({ OAUTH_CIMD: 'off' });
    expect((await request(DOCUMENT, off)).status).toBe(400);
    expect(fetched).toBe(0);
    await off.close();
  });
});

describeInChromium('the pages in Chromium', () => {
  it('look as they should, and "Allow" leads to the provider', async () => {
    const server = await startHttpServer();
    const local = await open({
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
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(`http://localhost:${server.port}${authorizeQuery(await registered(local))}`);
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius")).toBe('18px');
    expect(await page.textContent('h1')).toBe('Connect A client?');
    expect(problems).toEqual([]);
    // Some people click on everything twice.
    await page.dblclick('button', { delay: 50 });
    clicked.resolve();
    await page.waitForURL(`${provider.issuer}/auth?**`);
    await page.goto(`http://localhost:${server.port}/oauth/callback?code=a&state=b`);
    expect(await page.inputValue('input')).toBe(
      `http://localhost:${server.port}/oauth/callback?code=a&state=b`,
    );
    await chromium.close();
    await server.close();
    await local.close();
  });
});
