// Tests one OAuth client for all integrations of a provider. reference: OAuth clients of integrations; decision: 065
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { BASE, type TestUser } from '../support/test-app.ts';

const FAMILY = `${BASE}/api/auth/family/google/callback`;
const CLIENT = { clientId: 'google-id', clientSecret: 'google-secret' };

let stand: ConnectStand;
let owner: TestUser;
beforeEach(async () => {
  stand = await openConnectStand();
  const { url } = stand.provider;
  await stand.reopen({
    UPSTREAM_MAP: `https://oauth2.googleapis.com=${url},https://www.googleapis.com=${url},https://gmail.googleapis.com=${url}`,
  });
  owner = await stand.app.user('owner@localhost');
});
afterEach(() => stand.close());

const asOwner = (method: string, path: string, body?: unknown) =>
  stand.api(method, path, body, owner.sessionHeader);
const setFamily = (integration = 'gmail') =>
  asOwner('PUT', `/api/admin/clients/${integration}`, { ...CLIENT, for: 'family' });
const start = async (integration: string) =>
  new URL((await asOwner('GET', `/api/auth/${integration}`)).body.url);
const isConfigured = async (name: string): Promise<boolean> => {
  const { body } = await asOwner('GET', '/api/integrations');
  return body.integrations.find((one: { name: string }) => one.name === name).configured;
};

function comeBack(url: URL, path: string) {
  stand.provider.expect('code-1', url.searchParams.get('code_challenge') ?? '');
  const query = new URLSearchParams({ code: 'code-1', state: url.searchParams.get('state') ?? '' });
  return stand.api('GET', `${path}?${query}`, undefined, owner.sessionHeader);
}

it('serves every integration of the family that has no client of its own, at one redirect address', async () => {
  expect(await isConfigured('gcalendar')).toBe(false);
  expect(await setFamily()).toMatchObject({
    status: 200,
    body: { integration: 'gmail', clientId: 'google-id', source: 'portal', family: 'google' },
  });
  for (const name of ['gmail', 'gcalendar', 'gdrive', 'gsheets', 'gdocs', 'gtasks', 'gcontacts']) {
    expect(await isConfigured(name)).toBe(true);
    const url = await start(name);
    expect(url.searchParams.get('client_id')).toBe('google-id');
    expect(url.searchParams.get('redirect_uri')).toBe(FAMILY);
  }
  expect(await isConfigured('outlook')).toBe(false);

  const back = await comeBack(await start('gcalendar'), '/api/auth/family/google/callback');
  expect(stand.provider.tokenRequests.at(-1)?.form).toMatchObject({
    client_id: 'google-id',
    client_secret: 'google-secret',
    redirect_uri: FAMILY,
  });
  expect(back).toMatchObject({ status: 302 });
  expect(back.headers.get('location')).toContain('#connected=gcalendar');
});

it('leaves an integration its own client, with its own redirect address', async () => {
  await setFamily();
  const own = { clientId: 'own-id', clientSecret: 'own-secret' };
  expect((await asOwner('PUT', '/api/admin/clients/gmail', own)).body).not.toHaveProperty('family');
  const url = await start('gmail');
  expect(url.searchParams.get('client_id')).toBe('own-id');
  expect(url.searchParams.get('redirect_uri')).toBe(`${BASE}/api/auth/plugin/gmail/callback`);
  // Its code is worth nothing at the address of the family.
  expect((await comeBack(url, '/api/auth/family/google/callback')).status).toBe(400);
  expect((await comeBack(await start('gmail'), '/api/auth/plugin/gmail/callback')).status).toBe(302);
  expect((await asOwner('DELETE', '/api/admin/clients/gmail')).status).toBe(200);
  expect((await asOwner('GET', '/api/admin/clients/gmail')).body).toMatchObject({ family: 'google' });
});

it('takes a code at the address of the family only, and only from the own family', async () => {
  await setFamily();
  for (const path of [
    '/api/auth/plugin/gmail/callback',
    '/api/auth/family/microsoft/callback',
    '/api/auth/family/nope/callback',
  ])
    expect((await comeBack(await start('gmail'), path)).status).toBe(400);
  expect(stand.provider.tokenRequests).toEqual([]);
  expect((await stand.app.request('/api/auth/family/google/callback?error=access_denied')).status).toBe(400);
});

it('is listed under each of its integrations, and described with what to register', async () => {
  await setFamily('gdrive');
  const listed = (await asOwner('GET', '/api/admin/clients')).body.clients;
  expect(listed).toContainEqual({
    integration: 'gtasks',
    clientId: 'google-id',
    source: 'portal',
    family: 'google',
  });
  expect(JSON.stringify(listed)).not.toContain('family:');
  const { ways } = (await asOwner('GET', '/api/integrations/gtasks')).body;
  expect(ways[0].family).toMatchObject({
    name: 'google',
    displayName: 'Google',
    redirectUri: FAMILY,
    isSet: true,
    scopes: expect.arrayContaining(['https://www.googleapis.com/auth/gmail.modify']),
  });
  expect(ways[0].family.integrations).toHaveLength(7);
  const families = [];
  for (const name of ['outlook', 'jira'])
    families.push(
      (await asOwner('GET', `/api/integrations/${name}`)).body.ways[0].family.integrations.length,
    );
  expect(families).toEqual([6, 2]);
});

it('ends by the family alone, and is refused where a provider has none', async () => {
  await setFamily();
  expect((await asOwner('DELETE', '/api/admin/clients/gmail')).status).toBe(404);
  expect((await asOwner('DELETE', '/api/admin/clients/gtasks?for=family')).status).toBe(200);
  expect(await isConfigured('gmail')).toBe(false);
  expect((await asOwner('DELETE', '/api/admin/clients/gtasks?for=family')).status).toBe(404);
  expect((await asOwner('PUT', '/api/admin/clients/github', { ...CLIENT, for: 'family' })).status).toBe(400);
  expect((await stand.api('PUT', '/api/admin/clients/gmail', { ...CLIENT, for: 'family' })).status).toBe(403);
});
