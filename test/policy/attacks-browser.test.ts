// Attacks through doors that have no tool: the cookies of a stored session, and the browser that has them. decision: 038
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { putRules } from '../support/depot.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const ORIGIN = 'http://localhost:3000';
const BLOCKS_JAR: Rule = { integration: 'jar', decision: 'block' };
const BLOCKS_ANOTHER: Rule = { integration: 'github', decision: 'block' };
const CDP = ['/api/auth/cookie/mediawiki/cdp', '/api/browser-session/cdp'];

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp({ browsers: true });
  ana = await app.user();
  const cookie = { name: 'sid', value: 'c-secret', domain: '127.0.0.1', path: '/', expires: -1 };
  const cookies = [{ ...cookie, secure: false, httpOnly: true }];
  await app.deps.vault.save(ana.id, 'jar', {
    accessToken: 'cookie-auth',
    cookies: JSON.stringify({ v: 1, cookies, capturedAt: 1 }),
    config: { instanceUrl: 'http://127.0.0.1:1' },
  });
});
afterEach(() => putRules(app, [], ana.id));
afterAll(() => app.close());

async function send(method: string, path: string, credential: Record<string, string>, body?: object) {
  const response = await app.request(path, {
    method,
    headers: { ...credential, origin: ORIGIN, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text };
}
const exported = (credential: Record<string, string>) =>
  send('GET', '/api/integrations/jar/session/export', credential);

describe('the cookies of a session', () => {
  it.each<[string, Rule]>([
    ['its integration', BLOCKS_JAR],
    ['one of its tools', { tool: 'jar_get', decision: 'block' }],
    ['reading', { access: 'read', decision: 'block' }],
    ['deletions, which a person has to approve', { access: 'destroy', decision: 'ask' }],
  ])('are not exported to the personal key where there is a rule for %s', async (_name, rule) => {
    await putRules(app, [rule], ana.id);
    const { status, text } = await exported(ana.keyHeader);
    expect([status, text]).toEqual([403, expect.stringContaining('BLOCKED')]);
    expect(text).not.toContain('c-secret');
  });

  it('are exported to the person in the portal, and to the key where no rule is about them', async () => {
    expect((await exported(ana.keyHeader)).status).toBe(200);
    await putRules(app, [BLOCKS_ANOTHER], ana.id);
    expect((await exported(ana.keyHeader)).status).toBe(200);
    await putRules(app, [BLOCKS_JAR], ana.id);
    expect(await exported(ana.sessionHeader)).toMatchObject({
      status: 200,
      text: expect.stringContaining('c-secret'),
    });
  });
});

describe('the browser of a person', () => {
  it.each(CDP)(
    'is not watched and not driven by the personal key where there is a rule: %s',
    async (base) => {
      const attached = await send('POST', `${base}/attach`, ana.keyHeader);
      expect(attached.status).toBe(201);
      const { sessionKey } = JSON.parse(attached.text);
      const withKey = { ...ana.keyHeader, 'x-browser-session': sessionKey };
      // The browser has the sessions of all sites, so a rule for one of them is enough.
      await putRules(app, [BLOCKS_JAR], ana.id);
      const navigate = {
        commands: [{ id: 1, method: 'Page.navigate', params: { url: 'https://a.example/' } }],
      };
      for (const [method, path, body] of [
        ['POST', 'attach', undefined],
        ['POST', 'commands', navigate],
        ['GET', 'events', undefined],
      ] as const)
        expect((await send(method, `${base}/${path}`, withKey, body)).status).toBe(403);
      expect(app.deps.browser?.status(ana.id)).toBe('off');
      expect((await send('POST', `${base}/attach`, ana.sessionHeader)).status).toBe(201);
      expect((await send('POST', `${base}/detach`, withKey)).status).toBe(204);
    },
  );

  it('is attached to the personal key where the rules are about other integrations', async () => {
    await putRules(app, [BLOCKS_ANOTHER], ana.id);
    for (const base of CDP) expect((await send('POST', `${base}/attach`, ana.keyHeader)).status).toBe(201);
  });

  it('is not opened by the personal key where there is a rule, also not by a link', async () => {
    const { links } = app.deps;
    const urls = [await links.createForBrowser(ana.id, null), await links.create(ana.id, 'mediawiki')];
    await putRules(app, [BLOCKS_JAR], ana.id);
    expect((await send('GET', '/api/auth/mediawiki', ana.keyHeader)).status).toBe(403);
    for (const url of urls) {
      const token = new URL(url).searchParams.get('t');
      expect((await send('POST', '/api/connect/redeem', ana.keyHeader, { token })).status).toBe(403);
    }
    expect(app.deps.browser?.status(ana.id)).toBe('off');
  });
});
