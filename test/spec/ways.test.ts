// Tests the ways to connect that an integration offers, and that both descriptions of a form agree. reference: Ways to connect
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import type { TokenWay } from '../../src/kit/manifest.ts';
import { fixtures } from '../support/fixtures.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const TOKEN: TokenWay = {
  fields: [{ key: 'token', label: 'Access token', secret: true, required: true }],
  credential: { in: 'bearer' },
  url: '{instance}/settings/tokens/new',
  help: 'Choose Generate token.',
  scopes: ['read_api'],
};
const OWN = 'https://vaulted.example.com';

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  const known = [...integrations, ...fixtures].map((one) => {
    if (one.name !== 'vaulted' || one.auth.type !== 'oauth2') return one;
    const auth = { ...one.auth, registerUrl: '{instance}/apps', registerHelp: 'Choose New app.' };
    return { ...one, auth, token: TOKEN };
  });
  app = await createTestApp({
    ports: { integrations: known },
    env: { GITLAB_CLIENT_ID: 'id', GITLAB_CLIENT_SECRET: 'secret' },
  });
  ana = await app.user();
});
afterAll(() => app.close());

// oxlint-disable-next-line typescript/no-explicit-any
const read = async (path: string): Promise<any> =>
  (await app.request(path, { headers: ana.sessionHeader })).json();
const waysOf = async (name: string) => (await read(`/api/integrations/${name}`)).ways;

async function storeAt(integration: string, instanceUrl: string): Promise<void> {
  await app.deps.vault.save(ana.id, integration, { accessToken: 'x', config: { instanceUrl } });
}

describe('the ways of an integration', () => {
  it('are the sign-in at the provider, with what to register there, and then a token', async () => {
    const address = { key: 'instanceUrl', label: 'Address of your Vaulted', required: false };
    expect(await waysOf('vaulted')).toEqual([
      {
        kind: 'oauth2',
        ready: false,
        redirectUri: `${BASE}/api/auth/plugin/vaulted/callback`,
        scopes: ['read', 'write'],
        registerUrl: 'https://vaulted.example/apps',
        registerHelp: 'Choose New app.',
      },
      {
        kind: 'token',
        fields: [expect.objectContaining(address), TOKEN.fields[0]],
        url: 'https://vaulted.example/settings/tokens/new',
        help: TOKEN.help,
        scopes: TOKEN.scopes,
      },
    ]);
  });

  it('say where a client comes from, and whether it serves the instance of the person', async () => {
    expect(await waysOf('gitlab')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'oauth2', ready: true, client: 'environment' }),
      ]),
    );
    await app.deps.registeredClients.save('vaulted', { clientId: 'i', clientSecret: 's', instances: {} });
    expect((await waysOf('vaulted'))[0]).toMatchObject({ ready: true, client: 'portal' });
    await storeAt('vaulted', OWN);
    const [signIn, token] = await waysOf('vaulted');
    expect(signIn).toMatchObject({ ready: false, client: 'portal', registerUrl: `${OWN}/apps` });
    expect(token).toMatchObject({ url: `${OWN}/settings/tokens/new` });
    expect(token.fields[0]).toMatchObject({ placeholder: OWN });
  });

  it('are a form, a sign-in in the live view, or nothing for the other kinds', async () => {
    const { apikeyFields: fields } = await read('/api/integrations/keyed');
    expect(await waysOf('keyed')).toEqual([{ kind: 'apikey', fields }]);
    expect(await waysOf('jar')).toEqual([{ kind: 'cookie' }]);
    expect(await waysOf('time')).toEqual([]);
  });
});

describe('an integration with an API key', () => {
  const keyed = integrations.filter(({ auth }) => auth.type === 'apikey');

  it.each(keyed.map(({ name }) => name))('%s has the same fields in both descriptions', async (name) => {
    const same = async () => {
      const { apikeyFields, ways } = await read(`/api/integrations/${name}`);
      const { fields } = await read(`/api/auth/${name}`);
      expect(fields.length).toBeGreaterThan(0);
      expect(apikeyFields).toEqual(fields);
      expect(ways).toEqual([{ kind: 'apikey', fields }]);
      return fields;
    };
    const before = await same();
    const { integrations: listed } = await read('/api/integrations');
    expect(listed.find((one: { name: string }) => one.name === name).apikeyFields).toEqual(before);
    if (keyed.find((one) => one.name === name)?.instance === undefined) return;
    await storeAt(name, 'https://own.example.com');
    expect((await same())[0]).toMatchObject({ key: 'instanceUrl', placeholder: 'https://own.example.com' });
  });
});

it('names the page to register a client at every provider', () => {
  for (const { name, auth, instance } of integrations) {
    if (auth.type !== 'oauth2') continue;
    const { registerUrl = '', registerHelp = '' } = auth;
    const url = registerUrl.replace('{instance}', instance?.default ?? 'no default');
    expect(URL.parse(url)?.protocol, name).toBe('https:');
    expect(registerHelp, name).toMatch(/^[A-Z].*\.$/);
  }
});
