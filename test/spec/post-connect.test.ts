// Tests the look-up after connecting, and which client serves an instance. docs: Atlassian,
// accessible-resources
import { describe, expect, it } from 'vitest';
import { lookUp } from '../../src/connections/oauth/post-connect.ts';
import { findProvider } from '../../src/connections/oauth/provider.ts';
import { EgressFailure } from '../../src/egress/failure.ts';
import { defineIntegration } from '../../src/kit/integration.ts';
import type { OAuth2Block } from '../../src/kit/manifest.ts';

const block: OAuth2Block = {
  type: 'oauth2',
  authorizeUrl: 'https://auth.example/authorize',
  tokenUrl: 'https://auth.example/token',
  scopes: ['work'],
  clientAuth: 'post',
  postConnect: {
    url: 'https://api.example/sites',
    item: { grants: { at: '/scopes', holds: 'work' }, instance: '/url' },
    pick: { siteId: '/id' },
  },
};
const sites = [
  { id: 'wiki', url: 'https://a.example', scopes: ['pages'] },
  { id: 'a', url: 'https://a.example', scopes: ['work', 'users'] },
  { id: 'b', url: 'https://b.example', scopes: ['work'] },
];

const ask = (answer: () => Response, instanceUrl: string | null = null) =>
  lookUp({ fetch: async () => answer() }, block, 'token', instanceUrl);

describe('the look-up after connecting', () => {
  it.each([
    [null, 'a'],
    ['https://b.example', 'b'],
  ])('takes the first item that matches, at %s', async (instanceUrl, siteId) => {
    expect(await ask(() => Response.json(sites), instanceUrl)).toEqual({ ok: true, config: { siteId } });
  });

  it.each([
    ['/url', 'https://a.example'],
    ['/users', undefined],
  ])('names the account that %s finds, where it is a text', async (account, named) => {
    if (block.postConnect === undefined) throw new TypeError('no look-up');
    const postConnect = { ...block.postConnect, account };
    const fetch = async () => Response.json(sites);
    expect(await lookUp({ fetch }, { ...block, postConnect }, 'token', null)).toEqual({
      ok: true,
      config: { siteId: 'a' },
      account: named,
    });
  });

  it('sends no request when the manifest has none', async () => {
    const { postConnect: _, ...plain } = block;
    const fetch = () => Promise.reject(new Error('asked'));
    expect(await lookUp({ fetch }, plain, 'token', null)).toEqual({ ok: true, config: {} });
  });

  it.each([
    ['a refusal', () => new Response('', { status: 403 }), /api.example answered 403/],
    ['no item', () => Response.json([]), /the required resource is not part of/],
    ['no list', () => Response.json({}), /the required resource is not part of/],
    ['grants of another kind', () => Response.json([{ id: 'x', scopes: 'work' }]), /not part of/],
    ['an item without the value', () => Response.json([{ scopes: ['work'], id: 5 }]), /has no siteId/],
    ['no JSON', () => new Response('<html>'), /not valid JSON/],
    [
      'no answer',
      () => {
        throw new EgressFailure('unreachable', 'api.example could not be reached');
      },
      /could not be reached/,
    ],
  ])('connects nothing for %s, and says why', async (_, answer, reason) => {
    expect(await ask(answer)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it('names an instance that was not granted', async () => {
    expect(await ask(() => Response.json(sites), 'https://c.example')).toEqual({
      ok: false,
      reason: 'https://c.example is not part of the granted access',
    });
  });
});

describe('the client of an instance', () => {
  const config = { SERVER_PUBLIC_URL: 'https://gate.example', MICROSOFT_TENANT: 'common' };
  const client = { clientId: 'id', clientSecret: 's', instances: {} };
  const registeredClients = { find: async () => ({ source: 'environment' as const, client }) };
  const unused = () => Promise.reject(new Error('only imports have such providers'));
  const at = (changes: Partial<OAuth2Block>) => {
    const auth = { ...block, ...changes };
    const integration = defineIntegration({
      name: 'sited',
      version: '1.0.0',
      displayName: 'Sited',
      description: 'd',
      categories: [],
      logo: null,
      auth,
      instance: { required: false, example: 'https://a.example' },
      tools: [],
    });
    const dynamicProviders = { discover: unused, read: unused, forget: unused };
    const needs = { config, dynamicProviders, registeredClients };
    return findProvider(integration, auth, { instanceUrl: 'https://b.example' }, needs);
  };

  it('is the default one where one provider signs people in for all instances', async () => {
    expect(await at({})).toMatchObject({
      ok: true,
      provider: { clientId: 'id', tokenUrl: 'https://auth.example/token' },
    });
  });

  it.each(['authorizeUrl', 'tokenUrl', 'refreshUrl'])(
    'must be registered when %s has its own provider',
    async (name) => {
      expect(await at({ [name]: '{instance}/x' })).toMatchObject({
        ok: false,
        message: expect.stringContaining('SITED_INSTANCES'),
      });
    },
  );
});
