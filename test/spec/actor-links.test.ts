// Tests the connect links of actors, and how somebody could steal an account with one. reference: Connect links of actors; decision: 074
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ActorStand, GATE, openActorStand, RETURN_TO, runTool, type Tenant } from '../support/actors.ts';
import type { Visited } from '../support/browser.ts';
import { call } from '../support/mcp.ts';

let stand: ActorStand;
let acme: Tenant;

beforeEach(async () => {
  stand = await openActorStand();
  acme = await stand.tenant({ integrations: ['vaulted', 'keyed'] });
  await acme.actor('ann', 'Ann Lee');
});
afterEach(() => stand.close());

const isOver = ({ status, text }: Visited) => status === 410 && text.includes('This link is over');
const isQuestion = ({ status, text }: Visited) => status === 200 && text.includes('name="confirm"');
const policyOf = ({ headers }: Visited) => headers.get('content-security-policy') ?? '';

describe('the way of an actor', () => {
  it('leads from the link over the provider back to the product, and the agent can call', async () => {
    const browser = stand.browse();
    const { id, url } = await acme.link('ann');
    const page = await browser.open(url);
    expect(page.text).toContain('Connect Vaulted to Acme');
    expect(page.text).toContain('Ann Lee');
    const question = await stand.consent(browser, await stand.goOn(browser, url));
    expect(isQuestion(question)).toBe(true);
    expect(question.text).toContain('Ann Lee');
    expect(question.text).toContain('Acme');
    expect(await stand.row(acme, 'ann')).toBeNull();
    const { url: end } = await browser.submit(question);
    expect(end.href).toBe(`${RETURN_TO}?connected=vaulted&link=${id}`);
    expect(await runTool(stand, acme.for('ann'), 'vaulted_get', { path: '/x' })).toMatchObject({
      result: { status: 200 },
    });
    const { body } = await acme.api('GET', '/api/actors/ann/connections');
    expect(body.connections).toMatchObject([{ integration: 'vaulted', status: expect.any(String) }]);
  });

  it('begins with a link that an agent of the actor asks for, also without a portal', async () => {
    const { type, url, connectionId } = await call(stand.app, acme.for('ann'), 'connect', {
      integration: 'vaulted',
    });
    expect(type).toBe('oauth2');
    expect(url).toContain(`${GATE}/api/connect/actor?t=`);
    const browser = stand.browse();
    const end = await browser.submit(await stand.consent(browser, await stand.goOn(browser, url)));
    expect(end.url.href).toContain(`${RETURN_TO}?connected=vaulted&link=`);
    const wait = { connectionId, timeoutSec: 5 };
    expect(await call(stand.app, acme.for('ann'), 'wait_for_connection', wait)).toEqual({
      status: 'CONNECTED',
    });
  });

  it('asks for a key on the same page, and says what is wrong with it', async () => {
    const browser = stand.browse();
    const { url } = await acme.link('ann', { integration: 'keyed' });
    const page = await browser.open(url);
    expect(page.text).toContain('API key');
    const wrong = await browser.submit(page, { 'field-region': 'eu', 'field-apiKey': '' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('Missing required field: API key');
    const end = await browser.submit(wrong, { 'field-region': 'eu', 'field-apiKey': 'k-1' });
    expect(end.url.href).toContain(`${RETURN_TO}?connected=keyed`);
    expect(await stand.row(acme, 'ann', 'keyed')).not.toBeNull();
    expect(isOver(await browser.open(url))).toBe(true);
  });

  it('returns to the product also after no at the provider and no on the page', async () => {
    const browser = stand.browse();
    const { id, url } = await acme.link('ann');
    const at = await stand.goOn(browser, url);
    const state = at.searchParams.get('state') ?? '';
    const denied = await browser.open(
      `${GATE}/api/auth/plugin/vaulted/callback?error=access_denied&state=${encodeURIComponent(state)}`,
    );
    expect(denied.text).toContain('Back to Acme');
    expect(denied.text).not.toContain('portal');
    const question = await stand.consent(browser, await stand.goOn(browser, url));
    const cancelled = await browser.submit(question, { answer: 'cancel' });
    expect(cancelled.text).toContain(`${RETURN_TO}?error=cancelled&amp;link=${id}`);
    expect(await stand.row(acme, 'ann')).toBeNull();
  });

  it('returns to the product after no at the address of a provider’s family', async () => {
    const client = { clientId: 'google-id', clientSecret: 'google-secret', for: 'family' };
    expect((await stand.admin('PUT', '/api/admin/clients/gmail', client)).status).toBe(200);
    const post = await stand.tenant({ name: 'Post', integrations: ['gmail'] });
    await post.actor('ann');
    const browser = stand.browse();
    const at = await stand.goOn(browser, (await post.link('ann', { integration: 'gmail' })).url);
    expect(at.searchParams.get('redirect_uri')).toBe(`${GATE}/api/auth/family/google/callback`);
    const query = new URLSearchParams({
      error: 'access_denied',
      state: at.searchParams.get('state') ?? '',
    });
    const denied = await browser.open(`${GATE}/api/auth/family/google/callback?${query}`);
    expect(denied.text).toContain('Back to Post');
  });

  it('shows the mark and the colours of the product under a policy that names them', async () => {
    const mark = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2]).toString('base64')}`;
    const blue = await stand.tenant({
      name: 'Blue <b>',
      mark,
      colours: { light: '#0044cc', dark: '#88bbff' },
      integrations: ['vaulted'],
    });
    await blue.actor('bea');
    const page = await stand.browse().open((await blue.link('bea')).url);
    expect(page.text).toContain(`<img class="mark" src="${mark}"`);
    expect(page.text).toContain('light-dark(#0044cc, #88bbff)');
    expect(page.text).toContain('Blue &lt;b&gt;');
    expect(policyOf(page)).toContain('img-src data:');
    expect(policyOf(page)).not.toContain('unsafe');
    expect(policyOf(page).match(/'sha256-/g)).toHaveLength(2);
  });

  it.each([
    [{ mark: 'https://acme.example/mark.png' }],
    [{ mark: 'data:image/svg+xml;base64,PHN2Zz4=' }],
    [{ mark: 'data:image/png;base64,PHN2Zz4=' }],
    [{ colours: { light: 'red;} body{display:none' } }],
    [{ colours: { light: '#fff' } }],
  ])('refuses the face %j', async (form) => {
    const { status } = await stand.admin('POST', '/api/service-keys', {
      name: 'Acme',
      returnTo: [RETURN_TO],
      ...form,
    });
    expect(status).toBe(400);
  });
});

describe('a link that somebody else opens', () => {
  it('names the product and the actor before anything begins, and asks again with the account', async () => {
    // Mallory is an actor too, and sends her own link to a victim.
    await acme.actor('mallory');
    const victim = stand.browse();
    const page = await victim.open((await acme.link('mallory')).url);
    expect(page.text).toContain('mallory');
    expect(page.text).toContain('Did somebody send you this link?');
    const question = await stand.consent(victim, await stand.goOn(victim, (await acme.link('mallory')).url));
    expect(isQuestion(question)).toBe(true);
    expect(question.text).toContain('mallory');
    expect(await stand.row(acme, 'mallory')).toBeNull();
  });

  it('belongs to the first browser that goes on with it, and shows nobody else whose it is', async () => {
    const { url } = await acme.link('ann');
    const [first, second] = [stand.browse(), stand.browse()];
    const seen = await second.open(url);
    await stand.goOn(first, url);
    expect(isOver(await second.submit(seen))).toBe(true);
    const later = await second.open(url);
    expect(isOver(later)).toBe(true);
    expect(later.text).not.toContain('Ann');
    // The first browser may begin again.
    await stand.goOn(first, url);
  });

  it('cannot be finished in a browser that has not begun it', async () => {
    const mallory = stand.browse();
    const at = await stand.goOn(mallory, (await acme.link('ann')).url);
    const victim = stand.browse();
    await victim.open((await acme.link('ann')).url);
    const end = await stand.consent(victim, at);
    expect(end.status).toBe(400);
    expect(end.text).toContain('not started in this browser');
    expect(stand.provider.tokenRequests).toEqual([]);
    expect(await stand.row(acme, 'ann')).toBeNull();
  });

  it('is refused in another browser also where the operator lets agents connect without a question', async () => {
    await stand.close();
    stand = await openActorStand({ CONNECT_CONFIRM: 'never' });
    acme = await stand.tenant({ integrations: ['vaulted'] });
    await acme.actor('ann');
    const at = await stand.goOn(stand.browse(), (await acme.link('ann')).url);
    expect((await stand.consent(stand.browse(), at)).status).toBe(400);
    const own = stand.browse();
    const question = await stand.consent(own, await stand.goOn(own, (await acme.link('ann')).url));
    expect(isQuestion(question)).toBe(true);
  });

  it('is refused to a person of the gateway who is signed in', async () => {
    const at = await stand.goOn(stand.browse(), (await acme.link('ann')).url);
    expect((await stand.comeBack(at, {}, stand.ana.sessionHeader)).status).toBe(400);
    expect(await stand.row(acme, 'ann')).toBeNull();
  });
});

describe('a link that somebody keeps', () => {
  it('works once', async () => {
    const browser = stand.browse();
    const { url } = await acme.link('ann');
    const first = await stand.consent(browser, await stand.goOn(browser, url));
    const second = await stand.consent(browser, await stand.goOn(browser, url));
    expect((await browser.submit(first)).url.href).toContain(RETURN_TO);
    const again = await browser.submit(second);
    expect(again.status).toBe(400);
    expect(again.text).toContain('used already');
    expect(isOver(await browser.open(url))).toBe(true);
  });

  it('is over after ten minutes', async () => {
    const { url } = await acme.link('ann');
    stand.app.clock.advance(601);
    expect(isOver(await stand.browse().open(url))).toBe(true);
  });

  it('is over when the key is revoked, the actor is erased, or the address is taken away', async () => {
    const { url } = await acme.link('ann');
    await stand.admin('PATCH', `/api/service-keys/${acme.id}`, { returnTo: ['https://acme.example/other'] });
    expect(isOver(await stand.browse().open(url))).toBe(true);
    await stand.admin('PATCH', `/api/service-keys/${acme.id}`, { returnTo: [RETURN_TO] });
    const browser = stand.browse();
    const question = await stand.consent(browser, await stand.goOn(browser, url));
    await stand.admin('DELETE', `/api/service-keys/${acme.id}`);
    expect((await browser.submit(question)).status).toBe(400);
    expect(await stand.row(acme, 'ann')).toBeNull();
  });

  it('is stored in no form that still works', async () => {
    const { id, url } = await acme.link('ann');
    const token = new URL(url).searchParams.get('t') ?? 'none';
    const row = await stand.app.deps.store.actorLinks.get(id);
    expect(JSON.stringify(row)).not.toContain(token);
    expect(JSON.stringify(stand.app.lines)).not.toContain(token);
  });
});

describe('the page of a link', () => {
  it('cannot be framed, loads nothing, and tells no referrer', async () => {
    const page = await stand.browse().open((await acme.link('ann')).url);
    expect(policyOf(page)).toContain("frame-ancestors 'none'");
    expect(policyOf(page)).toContain("default-src 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('begins nothing when it is only looked at, or when another page sends its form', async () => {
    const { id, url } = await acme.link('ann');
    const token = new URL(url).searchParams.get('t') ?? '';
    const browser = stand.browse();
    await browser.open(url);
    const cookies = browser.cookies(GATE);
    const post = (headers: Record<string, string>) =>
      stand.app.request('/api/connect/actor', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ t: token }).toString(),
      });
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    expect((await post({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    expect((await post({ cookie, origin: 'https://evil.example' })).status).toBe(400);
    expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(400);
    expect((await stand.app.deps.store.actorLinks.get(id))?.state).toBe('open');
  });

  it('answers a guessed token like one that is over', async () => {
    for (const token of ['', 'x', 'A'.repeat(43), '%00'])
      expect(isOver(await stand.browse().open(`${GATE}/api/connect/actor?t=${token}`))).toBe(true);
  });
});

describe('the state at the callback', () => {
  it('is good for one return, of its own integration', async () => {
    const browser = stand.browse();
    const at = await stand.goOn(browser, (await acme.link('ann')).url);
    await stand.consent(browser, at);
    const again = await stand.consent(browser, at);
    expect(again.status).toBe(400);
    // Mallory's own state in the browser of Ann.
    await acme.actor('mallory');
    const mallory = await stand.goOn(stand.browse(), (await acme.link('mallory')).url);
    expect((await stand.consent(browser, mallory)).status).toBe(400);
    expect(await stand.row(acme, 'mallory')).toBeNull();
  });
});

describe('the address that a link returns to', () => {
  it.each([
    `${RETURN_TO}/`,
    `${RETURN_TO}?x=1`,
    `${RETURN_TO}#x`,
    'https://acme.example',
    'https://acme.example.evil.example/connected',
    'https://acme.example@evil.example/connected',
    'https://evil.example/https://acme.example/connected',
    'HTTPS://ACME.EXAMPLE/connected',
    '//evil.example',
    'javascript:alert(1)',
  ])('is never %s', async (returnTo) => {
    const form = { integration: 'vaulted', returnTo };
    expect((await acme.api('POST', '/api/actors/ann/connect-links', form)).status).toBe(400);
  });

  it.each([
    'http://acme.example/connected',
    'https://user:pass@acme.example/',
    'https://acme.example/#x',
    'javascript:alert(1)',
    'data:text/html,x',
    'acme.example',
    '',
  ])('cannot be registered as %s', async (address) => {
    const { status } = await stand.admin('POST', '/api/service-keys', { name: 'Acme', returnTo: [address] });
    expect(status).toBe(400);
  });
});

describe('the links of an actor', () => {
  it('are twenty that wait at most', async () => {
    for (let n = 0; n < 20; n++) await acme.link('ann');
    const form = { integration: 'vaulted', returnTo: RETURN_TO };
    expect((await acme.api('POST', '/api/actors/ann/connect-links', form)).status).toBe(409);
    stand.app.clock.advance(601);
    await acme.link('ann');
  });

  it.each([
    ['unknown', 404],
    ['time', 403],
    ['jar', 403],
  ])('cannot be made for %s', async (integration, status) => {
    const form = { integration, returnTo: RETURN_TO };
    expect((await acme.api('POST', '/api/actors/ann/connect-links', form)).status).toBe(status);
  });

  it('are listed for administrators, without the links themselves', async () => {
    const { id, url } = await acme.link('ann');
    const { body } = await stand.admin('GET', `/api/service-keys/${acme.id}/links`);
    expect(body.links).toMatchObject([{ id, externalId: 'ann', integration: 'vaulted', state: 'open' }]);
    expect(JSON.stringify(body)).not.toContain(new URL(url).searchParams.get('t'));
  });
});
