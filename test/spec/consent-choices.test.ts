// Tests what a person chooses on the consent page, from the page to the calls of the client. reference: Consent page
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importRecord } from '../contracts/store/records.ts';
import type { Visited } from '../support/browser.ts';
import { ask, BASE, comeBack, type ConsentStand, openConsentStand } from '../support/consent-stand.ts';
import { fixtures } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';
import { createNotes } from '../support/notes.ts';
import { authorizeQuery, CALLBACK, refresh, registered, token } from '../support/oauth-client.ts';
import type { TestApp } from '../support/test-app.ts';

const DAY = 86_400;
const LOOPBACK = 'http://127.0.0.1:5000/app/callback';

let stand: ConsentStand;
let app: TestApp;
beforeAll(async () => {
  stand = await openConsentStand({ ports: { integrations: [...fixtures, createNotes()] } });
  app = stand.app;
});
afterAll(() => stand.close());
beforeEach(() => {
  stand.provider.script.claims = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com` };
});

type Fields = Record<string, string | readonly string[]>;

interface SignedIn {
  client: string;
  userId: string;
  access: string;
  refresh: string;
  scope: unknown;
  expiresIn: unknown;
}

async function redeem(client: string, redirect_uri: string, back: URL): Promise<SignedIn> {
  const { body } = await token(app, {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    client_id: client,
    redirect_uri,
    code_verifier: 'v'.repeat(43),
  });
  return {
    client,
    userId: decodeJwt(body.access_token).sub ?? '',
    access: body.access_token,
    refresh: body.refresh_token,
    scope: body['scope'],
    expiresIn: body['expires_in'],
  };
}

/** The page begins with reading and an end: this person allows all that the scope leaves, and for ever. */
function everything(scope: string): Fields {
  if (scope === 'mcp:read') return { days: '' };
  return { access: scope.includes('mcp:write') ? 'write' : 'destroy', days: '' };
}

/** Signs a client in as a person who answers the consent page with these fields, and allows all else. */
async function signIn(fields: Fields = {}, scope = 'mcp', client?: string): Promise<SignedIn> {
  const browser = stand.browse();
  const id = client ?? (await registered(app));
  const there = await browser.submit(await ask(browser, id, { scope }), { ...everything(scope), ...fields });
  return redeem(id, CALLBACK, await comeBack(stand, browser, there));
}

/** Signs a client in that nobody is asked about. */
async function signInUnasked(client: string): Promise<SignedIn> {
  const browser = stand.browse();
  const there = await browser.open(`${BASE}${authorizeQuery(client, { redirect_uri: LOOPBACK })}`);
  return redeem(client, LOOPBACK, await comeBack(stand, browser, there));
}

const grantOf = async ({ userId, client }: SignedIn) => {
  const grant = (await app.deps.store.policies.grants(userId)).find((each) => each.client_id === client);
  return grant === undefined ? null : { ...JSON.parse(grant.limits), expiresAt: grant.expires_at };
};
const bearer = ({ access }: SignedIn) => ({ authorization: `Bearer ${access}` });
const sessionOf = async ({ userId }: SignedIn) => {
  const user = await app.deps.store.users.byId(userId);
  if (user === null) throw new Error('there is no such person');
  return { authorization: `Bearer ${await app.deps.sessions.issue(user)}` };
};

/** What the client may run, by MCP and by REST. */
async function canRun(signedIn: SignedIn): Promise<string[]> {
  const tools = ['notes_read', 'notes_write', 'notes_destroy', 'shout'];
  const args = (name: string) => (name === 'shout' ? { text: 'a' } : {});
  const executions = tools.map((name) => ({ tool: name, args: args(name) }));
  const { results } = await call(app, bearer(signedIn), 'execute_tools', { executions });
  const byMcp = tools.filter((_, at) => results[at].error === undefined);
  const statuses = await Promise.all(
    tools.map(async (name) => {
      const response = await app.request(`/rest/${name === 'shout' ? 'echo' : 'notes'}`, {
        method: 'POST',
        headers: { ...bearer(signedIn), 'content-type': 'application/json' },
        body: JSON.stringify({ tool: name, args: args(name) }),
      });
      return response.status;
    }),
  );
  expect(tools.filter((_, at) => statuses[at] === 200)).toEqual(byMcp);
  expect(statuses.every((status) => status === 200 || status === 403)).toBe(true);
  return byMcp;
}

const ALL = ['notes_read', 'notes_write', 'notes_destroy', 'shout'];

describe('the choices on the consent page', () => {
  const valuesOf = ({ text }: Visited, name: string) =>
    [...text.matchAll(new RegExp(`<input[^>]*name="${name}"\\s+value="([^"]*)"([^>]*)>`, 'g'))].map(
      ([, value, rest = '']) => `${value}${rest.includes('checked') ? ' checked' : ''}`,
    );

  it.each([
    ['mcp', ['destroy', 'write', 'read checked'], 'run every tool'],
    ['mcp:write', ['write', 'read checked'], 'except those that delete'],
    ['mcp:read', [], 'and change nothing'],
    ['mcp:read mcp:write', ['write', 'read checked'], 'except those that delete'],
  ])('are what the scope %s leaves', async (scope, levels, sentence) => {
    const page = await ask(stand.browse(), await registered(app), { scope });
    expect(valuesOf(page, 'access')).toEqual(levels);
    expect(page.text).toContain(sentence);
    expect(page.text.includes('delete, in your name')).toBe(scope !== 'mcp:read');
    expect(page.text.includes('read, change and delete')).toBe(scope === 'mcp');
  });

  it('have the built-in integrations and the imports of everyone, and no import of a person', async () => {
    const { imports } = app.deps.store;
    const record = importRecord({ owner: '', name: 'shared', display_name: '<b>Shared</b>' });
    const own = importRecord({ owner: 'ana', name: 'own', display_name: 'Own' });
    for (const each of [record, own]) await imports.create(each, [], 10);
    const page = await ask(stand.browse(), await registered(app));
    expect(valuesOf(page, 'integration')).toEqual(
      expect.arrayContaining(['echo', 'notes', 'shared', 'jots']),
    );
    expect(valuesOf(page, 'integration')).not.toContain('own');
    expect(page.text).toContain('&lt;b&gt;Shared&lt;/b&gt;');
    expect(page.text).not.toContain('<b>Shared');
  });
});

describe('a person who allows a client', () => {
  it('and chooses nothing lets it do everything, as without the choices', async () => {
    const signedIn = await signIn();
    expect(await app.deps.store.policies.grants(signedIn.userId)).toEqual([]);
    expect(signedIn).toMatchObject({ scope: 'mcp', expiresIn: 3600 });
    expect(await canRun(signedIn)).toEqual(ALL);
  });

  it.each<[string, Fields, object, string[]]>([
    ['reading', { access: 'read' }, { access: 'read' }, ['notes_read', 'shout']],
    ['changing', { access: 'write' }, { access: 'write' }, ['notes_read', 'notes_write', 'shout']],
    ['everything by name', { access: 'destroy', days: '' }, {}, ALL],
    ['one integration', { integration: 'echo' }, { integrations: ['echo'] }, ['shout']],
    [
      'reading in two integrations',
      { access: 'read', integration: ['notes', 'jots', 'notes'] },
      { access: 'read', integrations: ['notes', 'jots'] },
      ['notes_read'],
    ],
  ])('for %s lets it do no more', async (_, fields, limits, tools) => {
    const signedIn = await signIn(fields);
    const expected = Object.keys(limits).length === 0 ? null : { ...limits, expiresAt: null };
    expect(await grantOf(signedIn)).toEqual(expected);
    expect(await canRun(signedIn)).toEqual(tools);
    const again = (await refresh(app, signedIn.client, signedIn.refresh)).body;
    expect(await canRun({ ...signedIn, access: again.access_token })).toEqual(tools);
  });

  it.each([
    ['mcp:read', ['notes_read', 'shout']],
    ['mcp:write', ['notes_read', 'notes_write', 'shout']],
  ])('with the scope %s gives tokens of this scope', async (scope, tools) => {
    const signedIn = await signIn({}, scope);
    expect(signedIn.scope).toBe(scope);
    expect(await grantOf(signedIn)).toBeNull();
    expect(await canRun(signedIn)).toEqual(tools);
    const again = (await refresh(app, signedIn.client, signedIn.refresh)).body;
    expect(again['scope']).toBe(scope);
    expect(await canRun({ ...signedIn, access: again.access_token })).toEqual(tools);
  });

  it('replaces with a new answer what they chose before, but not what they set in the portal', async () => {
    const first = await signIn({ access: 'read', integration: 'notes', days: '7' });
    const rules = [{ tool: 'shout', decision: 'block' }];
    await app.request(`/api/agents/${first.client}`, {
      method: 'PATCH',
      headers: await sessionOf(first),
      body: JSON.stringify({ access: 'read', rules, perMinute: 100 }),
    });
    const second = await signIn({ access: 'write' }, 'mcp', first.client);
    expect(await grantOf(second)).toEqual({ access: 'write', rules, perMinute: 100, expiresAt: null });
    const third = await signIn({}, 'mcp', first.client);
    expect(await grantOf(third)).toEqual({ rules, perMinute: 100, expiresAt: null });
    expect(await canRun(first)).toEqual(['notes_read', 'notes_write', 'notes_destroy']);
  });

  it('limits only themselves', async () => {
    const client = await registered(app);
    const ana = await signIn({ access: 'read' }, 'mcp', client);
    stand.provider.script.claims = { sub: 'bea', email: 'bea@example.com' };
    const bea = await signIn({}, 'mcp', client);
    expect(bea.userId).not.toBe(ana.userId);
    expect([await grantOf(ana), await grantOf(bea)]).toEqual([{ access: 'read', expiresAt: null }, null]);
  });

  it('can choose many integrations with a request of the greatest length', async () => {
    const client = await registered(app);
    const browser = stand.browse();
    const state = 's'.repeat(2_048);
    const page = await ask(browser, client, { state });
    const integration = app.deps.registry.integrations.map(({ name }) => name);
    const there = await browser.submit(page, { integration, access: 'read', days: '90' });
    const back = await comeBack(stand, browser, there);
    expect(back.searchParams.get('state')).toBe(state);
    expect(await grantOf(await redeem(client, CALLBACK, back))).toMatchObject({
      access: 'read',
      integrations: integration,
    });
  });
});

describe('an answer that the page does not offer', () => {
  it.each<[string, Fields, string?]>([
    ['an access that is unknown', { access: 'all' }],
    ['an access beyond the scope', { access: 'write' }, 'mcp:read'],
    ['everything beyond the scope', { access: 'destroy' }, 'mcp:write'],
    ['an access twice', { access: ['read', 'destroy'] }],
    ['an integration that is unknown', { integration: ['echo', 'nope'] }],
    ['an empty integration', { integration: '' }],
    ['a time that is not offered', { days: '3650' }],
    ['a time that is no number', { days: 'NaN' }],
    ['a time below nothing', { days: '-1' }],
    ['a time twice', { days: ['1', '90'] }],
  ])('is refused for %s, and uses the question up', async (_, fields, scope = 'mcp') => {
    const browser = stand.browse();
    const page = await ask(browser, await registered(app), { scope });
    const refused = await browser.submit(page, fields);
    expect([refused.status, refused.text.includes('does not offer here')]).toEqual([400, true]);
    expect((await browser.submit(page)).status).toBe(400);
  });

  it('is refused for more integrations than a browser can carry', async () => {
    const many = Array.from({ length: 90 }, (_, at) => `import_with_a_long_name_that_everybody_has_${at}`);
    for (const name of many) await app.deps.store.imports.create(importRecord({ owner: '', name }), [], 200);
    const browser = stand.browse();
    const client = await registered(app);
    const refused = await browser.submit(await ask(browser, client, { state: 's'.repeat(2_048) }), {
      integration: many,
    });
    expect([refused.status, refused.text.includes('choose fewer')]).toEqual([400, true]);
    expect(await grantOf(await signIn({ integration: many }))).toEqual({
      integrations: many,
      expiresAt: null,
    });
  });

  it('is ignored for fields that the page does not have', async () => {
    const signedIn = await signIn({
      access: 'read',
      perMinute: '1',
      rules: '[]',
      choice: '{}',
      scope: 'mcp',
    });
    expect(await grantOf(signedIn)).toEqual({ access: 'read', expiresAt: null });
  });
});

describe('a time that the person has chosen', () => {
  it('ends the tokens, and every call', async () => {
    const signedIn = await signIn({ days: '1' });
    const end = app.clock.now() + DAY;
    expect(await grantOf(signedIn)).toEqual({ expiresAt: end });
    app.clock.advance(DAY - 600);
    const { body, status } = await refresh(app, signedIn.client, signedIn.refresh);
    expect([status, body['expires_in']]).toEqual([200, 600]);
    expect(decodeJwt(body.access_token).exp).toBe(end);
    const late = { ...signedIn, access: body.access_token };
    app.clock.advance(599);
    expect(await canRun(late)).toEqual(ALL);
    app.clock.advance(1);
    expect((await app.request('/rest', { headers: bearer(late) })).status).toBe(401);
    const refused = await refresh(app, signedIn.client, body.refresh_token);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(refused.body['error_description']).toContain('has expired');
    expect(await app.deps.store.refreshTokens.list(signedIn.userId, app.clock.now())).toEqual([]);
  });

  it('ends the calls of an access token that lives longer', async () => {
    const signedIn = await signIn({ access: 'read' });
    const headers = await sessionOf(signedIn);
    const expiresAt = app.clock.now() + 60;
    const path = `/api/agents/${signedIn.client}`;
    await app.request(path, { method: 'PATCH', headers, body: JSON.stringify({ expiresAt }) });
    expect(await canRun(signedIn)).toEqual(ALL);
    app.clock.advance(60);
    expect(await canRun(signedIn)).toEqual([]);
  });

  it('is refused for a code that is redeemed too late', async () => {
    const browser = stand.browse();
    const client = await registered(app);
    const there = await browser.submit(await ask(browser, client), { days: '1' });
    const back = await comeBack(stand, browser, there);
    const email = String(stand.provider.script.claims['email']);
    const [grant] = await app.deps.store.policies.grants(
      (await app.deps.store.users.byEmail(email))?.id ?? '',
    );
    if (grant === undefined) throw new Error('nothing was granted');
    await app.deps.store.policies.putGrant({ ...grant, expires_at: app.clock.now() });
    const answer = await token(app, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      client_id: client,
      redirect_uri: CALLBACK,
      code_verifier: 'v'.repeat(43),
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await app.deps.store.refreshTokens.list(grant.user_id, 0)).toEqual([]);
  });
});

describe('a sign-in that nobody is asked about', () => {
  it('stores no limits', async () => {
    const signedIn = await signInUnasked(await registered(app, LOOPBACK));
    expect(await grantOf(signedIn)).toBeNull();
    expect(await canRun(signedIn)).toEqual(ALL);
  });

  it('keeps the limits that are stored', async () => {
    const first = await signInUnasked(await registered(app, LOOPBACK));
    const expiresAt = app.clock.now() + DAY;
    const limits = { access: 'read', integrations: ['notes'], expiresAt };
    const headers = await sessionOf(first);
    const path = `/api/agents/${first.client}`;
    await app.request(path, { method: 'PATCH', headers, body: JSON.stringify(limits) });
    const second = await signInUnasked(first.client);
    expect(await grantOf(second)).toEqual(limits);
    expect(await canRun(second)).toEqual(['notes_read']);
  });

  it('begins a time that is over anew, with the same limits', async () => {
    const first = await signInUnasked(await registered(app, LOOPBACK));
    const headers = await sessionOf(first);
    const limits = { access: 'read', expiresAt: app.clock.now() + DAY };
    const path = `/api/agents/${first.client}`;
    await app.request(path, { method: 'PATCH', headers, body: JSON.stringify(limits) });
    app.clock.advance(5 * DAY);
    const second = await signInUnasked(first.client);
    expect(await grantOf(second)).toEqual({ access: 'read', expiresAt: app.clock.now() + DAY });
    expect(await canRun(second)).toEqual(['notes_read', 'shout']);
  });

  it('begins as a new client does after the person has revoked it', async () => {
    const first = await signInUnasked(await registered(app, LOOPBACK));
    const headers = await sessionOf(first);
    const path = `/api/agents/${first.client}`;
    await app.request(path, { method: 'PATCH', headers, body: JSON.stringify({ access: 'read' }) });
    await app.request(path, { method: 'DELETE', headers });
    expect(await canRun(first)).toEqual([]);
    const second = await signInUnasked(first.client);
    expect(await canRun(second)).toEqual(ALL);
    const { agents } = await (await app.request('/api/agents', { headers })).json();
    expect(agents).toMatchObject([{ client_id: first.client, limits: {} }]);
  });
});
