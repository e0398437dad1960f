// Tests clients that are a metadata document. decision: 020, clients that are a document
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClientDocuments } from '../../src/oauth/client-documents.ts';
import { createBrowser } from '../support/browser.ts';
import { ask, BASE, type ConsentStand, openConsentStand } from '../support/consent-stand.ts';
import { authorizeQuery, CALLBACK, token } from '../support/oauth-client.ts';
import type { TestApp } from '../support/test-app.ts';

const DOCUMENT = 'https://client.example/oauth/client.json';

let stand: ConsentStand;
let app: TestApp;
beforeAll(async () => {
  stand = await openConsentStand();
  app = stand.app;
});
afterAll(() => stand.close());

describe('a client metadata document', () => {
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
    stand.documents.answer((_, response) => {
      fetched++;
      response.writeHead(status, { 'content-type': 'application/json', location: `${DOCUMENT}2` });
      response.end(typeof served === 'string' ? served : JSON.stringify(served));
    });
    app.clock.advance(3_600);
  });
  const redirect_uri = 'http://localhost:7777/app/callback';
  const request = (id = DOCUMENT, target = app) => target.request(authorizeQuery(id, { redirect_uri }));

  it('is fetched, its redirect list used, and cached for ten minutes', async () => {
    expect((await request()).status).toBe(302);
    expect((await request()).status).toBe(302);
    expect(fetched).toBe(1);
    app.clock.advance(600);
    await request();
    expect(fetched).toBe(2);
  });

  it('is not cached longer when the clock is set back', async () => {
    await request();
    app.clock.setForward(-3_600);
    app.clock.advance(600);
    await request();
    expect(fetched).toBe(2);
  });

  it('is cached beside 999 others; with one more the oldest is dropped', async () => {
    const asked: string[] = [];
    const documents = createClientDocuments({
      clock: app.clock,
      egress: {
        ...app.deps.egress,
        fetch: async (id) => {
          asked.push(String(id));
          return Response.json({ client_id: id, redirect_uris: [CALLBACK] });
        },
      },
      log: app.deps.log,
    });
    const ids = Array.from({ length: 1_001 }, (_, index) => `https://client.example/${index}`);
    for (const id of [...ids.slice(0, 1_000), ...ids.slice(0, 1_000)]) await documents.get(id);
    expect(asked).toEqual(ids.slice(0, 1_000));
    for (const id of [...ids.slice(1_000), ...ids.slice(1), ...ids.slice(0, 1)]) await documents.get(id);
    expect(asked).toEqual([...ids, ids[0]]);
  });

  it('is fetched once for concurrent requests', async () => {
    const answers = await Promise.all([request(), request()]);
    expect(answers.map(({ status }) => status)).toEqual([302, 302]);
    expect(fetched).toBe(1);
  });

  /** Requests below /held hang until they are released; resolves when all have arrived. */
  async function hold(target: TestApp, ids: string[]): Promise<() => Promise<number[]>> {
    const held: ServerResponse[] = [];
    const all = Promise.withResolvers<void>();
    stand.documents.answer((incoming, response) => {
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
    stand.open({
      UPSTREAM_MAP: ['client.example', ...hosts]
        .map((host) => `https://${host}=http://127.0.0.1:${stand.documents.port}`)
        .join(','),
    });
  const paths = (host: string) => Array.from({ length: 4 }, (_, index) => `https://${host}/held/${index}`);

  it.each([
    ['slow.example', 'www.slow.example', 503],
    ['slow.example', 'slow.example.', 503],
    ['10.0.0.1', '10.1.0.1', 302],
  ])('is answered while four at %s hang; a fifth at %s is %i at once', async (host, other, expected) => {
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

  it('lets a person begin again when it cannot be fetched after the sign-in', async () => {
    const busy = await openFor('www.client.example');
    expect((await request(DOCUMENT, busy)).status).toBe(302);
    busy.clock.advance(300);
    const browser = createBrowser({
      now: () => busy.clock.now() * 1000,
      servers: { [BASE]: (asked) => busy.fetch(asked) },
      isApplication: ({ href }) => href.startsWith(stand.provider.issuer) || href.startsWith(redirect_uri),
    });
    const there = await ask(browser, DOCUMENT, { redirect_uri });
    stand.nonce = there.url.searchParams.get('nonce') ?? '';
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

  it('tells a person that it is gone after the sign-in', async () => {
    expect((await request()).status).toBe(302);
    app.clock.advance(300);
    const browser = stand.browse();
    const there = await ask(browser, DOCUMENT, { redirect_uri });
    stand.nonce = there.url.searchParams.get('nonce') ?? '';
    app.clock.advance(301);
    status = 500;
    const state = there.url.searchParams.get('state') ?? '';
    const back = await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`);
    expect(back.url.href.startsWith(redirect_uri)).toBe(true);
    expect(back.url.searchParams.get('error')).toBe('temporarily_unavailable');
  });

  it('answers 503 at once while 64 others are fetched, and cached ones are answered', async () => {
    const hosts = Array.from({ length: 16 }, (_, index) => `slow${index}.example`);
    const busy = await openFor('late.example', ...hosts);
    expect((await request(DOCUMENT, busy)).status).toBe(302);
    const release = await hold(busy, hosts.flatMap(paths));
    expect((await request('https://late.example/client.json', busy)).status).toBe(503);
    expect((await request(DOCUMENT, busy)).status).toBe(302);
    expect(new Set(await release())).toEqual(new Set([400]));
    await busy.close();
  });

  it('leads to tokens, is listed by its name, and refreshes without another consent', async () => {
    const browser = stand.browse();
    const there = await ask(browser, DOCUMENT, { redirect_uri });
    stand.nonce = there.url.searchParams.get('nonce') ?? '';
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
    ['has one without TLS', { client_id: DOCUMENT, redirect_uris: ['http://client.example/cb'] }],
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
    [
      'is too large',
      { client_id: DOCUMENT, redirect_uris: ['http://localhost/app/callback'], x: 'y'.repeat(70_000) },
    ],
  ])('that %s is refused with 400, and not cached', async (_, document) => {
    served = document;
    const response = await request();
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
    await request();
    expect(fetched).toBe(2);
  });

  it.each([301, 404, 500])('is refused with 400 when its address answers %i', async (answered) => {
    status = answered;
    expect((await request()).status).toBe(400);
    expect(fetched).toBe(1);
  });

  it('is refused without TLS, and not fetched', async () => {
    const id = 'http://client.example/client.json';
    served = { client_id: id, redirect_uris: ['http://localhost/app/callback'] };
    const open = await stand.open({
      UPSTREAM_MAP: `http://client.example=http://127.0.0.1:${stand.documents.port}`,
    });
    expect((await request(id, open)).status).toBe(400);
    expect(fetched).toBe(0);
    await open.close();
  });

  it.each([
    'https://client.example',
    'https://client.example/',
    'https://user@client.example/x',
    'https://:pass@client.example/x',
    'https://client.example/x#y',
    'https://client.example/a/../x',
    'https://CLIENT.example/x',
  ])('is refused at the address %s, and not fetched', async (id) => {
    expect((await request(id)).status).toBe(400);
    expect(fetched).toBe(0);
  });

  it('is refused at a private address', async () => {
    const strict = await stand.open({ EGRESS_ALLOW: '', HOSTED_ISSUER_URL: 'https://id.example' });
    for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]'])
      expect((await request(`https://${host}/client.json`, strict)).status).toBe(400);
    expect(strict.lines.filter(({ event }) => event === 'client document failed')).toHaveLength(5);
    await strict.close();
  });

  it('is an unknown client where documents are switched off', async () => {
    const off = await stand.open({ OAUTH_CIMD: 'off' });
    expect((await request(DOCUMENT, off)).status).toBe(400);
    expect(fetched).toBe(0);
    await off.close();
  });
});
