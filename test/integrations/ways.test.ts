// Tests what the manifests declare beside tools: tokens, checks and revocations. reference: Upstream calls
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { placeCredential } from '../../src/connections/calls/place-credential.ts';
import type { Integration, UpstreamCall } from '../../src/kit/integration.ts';
import { run } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { type Refused, TOKENS, type TokenCase, WRONG_PLACES } from '../support/token-cases.ts';

const find = (name: string): Integration => {
  const found = integrations.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no integration ${name}`);
  return found;
};

/** Sends calls as a connection made by the token would, to the provider of the case. */
function connect({ name, values, provider }: TokenCase): (call: UpstreamCall) => Promise<Response> {
  const integration = find(name);
  const { token, api } = integration;
  if (token === undefined || api === undefined) throw new Error(`${name} takes no token`);
  const secrets = token.fields.filter(({ secret }) => secret).map(({ key }) => key);
  const [secret = ''] = secrets.map((key) => values[key] ?? '');
  const config = Object.fromEntries(Object.entries(values).filter(([key]) => !secrets.includes(key)));
  const own: Integration = {
    ...integration,
    api: { ...api, base: token.base ?? api.base, credential: token.credential },
  };
  return async (call) => {
    const resolved = resolveBase(own, config);
    if (!resolved.ok) throw new Error(resolved.reason);
    const url = new URL(`${resolved.base}${call.path}`);
    for (const [key, value] of call.query ?? []) url.searchParams.append(key, value);
    const headers = new Headers({ ...api.headers, ...call.headers });
    const credential = { kind: 'fields', values: { ...values, secret }, weight: 0 } as const;
    placeCredential({ integration: own, config, credential }, { url, headers }, 0);
    return provider.answer(new Request(url, { method: call.method, headers, body: call.body ?? null }));
  };
}

describe.each(TOKENS)('a token of $name', (token) => {
  it('is taken by the check and by a tool, at the right address and place', async () => {
    const upstream = connect(token);
    const { probe } = find(token.name);
    const [method = '', path = ''] = probe?.request.split(' ') ?? [];
    const { headers = {}, body = null } = probe ?? {};
    expect((await upstream({ method, path, headers, body })).status).toBe(200);
    const context = {
      userId: 'u',
      clock: createFakeClock(),
      upstream,
      fetch: async () => new Response('', { status: 500 }),
    };
    await run(find(token.name), token.tool, token.args, context);
  });

  it('is refused by the provider of this test in any other place', async () => {
    const right = token.provider.example();
    expect((await token.provider.answer(right.clone())).status).toBe(200);
    const refused: Refused[] = await Promise.all(
      WRONG_PLACES.map(async ([what, change]) => ({
        what,
        status: (await token.provider.answer(change(right.clone(), token))).status,
      })),
    );
    expect(refused.filter(({ status }) => status !== 401)).toEqual([]);
  });
});

const POINTER = /^(\/([^/~]|~[01])*)+$/;
const HTTPS = /^(https:\/\/[\w.-]+|\{instance\})\/\S*$/;

describe('the manifests', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/integrations.md'), 'utf8');
  const [, tokens = '', checks = '', revocations = ''] = page.split(/^## /m);
  const named = (section: string, { name }: Integration) => section.includes(`\`${name}\``);
  const keyed = integrations.filter(({ auth }) => auth.type === 'apikey');
  const signedIn = integrations.filter(({ auth }) => auth.type === 'oauth2');

  it.each(signedIn)('of $name says where a grant ends', ({ revoke, instance }) => {
    expect(revoke?.at).toMatch(HTTPS);
    // `{instance}` is empty without an address or a default.
    if (revoke?.at.includes('{instance}')) expect(instance?.default).toBeDefined();
  });

  it.each(keyed.filter(({ name }) => name !== 'git'))(
    'of $name says where a key ends',
    ({ revoke, instance }) => {
      expect(revoke?.at).toMatch(HTTPS);
      expect(revoke?.request).toBeUndefined();
      if (revoke?.at.includes('{instance}')) expect(instance?.required).toBe(true);
    },
  );

  it.each(integrations.filter(({ token }) => token !== undefined))(
    'of $name declares a token whose fields, place and page fit together',
    ({ auth, token, instance }) => {
      expect(auth.type).toBe('oauth2');
      expect(token?.url).toMatch(HTTPS);
      expect(token?.fields.filter(({ secret }) => secret)).toHaveLength(1);
      expect(token?.fields.every(({ placeholder }) => placeholder !== undefined)).toBe(true);
      const keys = new Set(token?.fields.map(({ key }) => key));
      const used = [...JSON.stringify(token?.credential).matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
      expect(used.filter((key) => !keys.has(key))).toEqual([]);
      if (token?.url.includes('{instance}')) expect(instance?.default).toBeDefined();
    },
  );

  it.each(integrations.filter(({ probe }) => probe !== undefined))(
    'of $name declares a check that can be sent and read',
    ({ probe, api }) => {
      expect(api).toBeDefined();
      expect(probe?.request).toMatch(/^(GET|POST) \/[^/]\S*$/);
      expect(probe?.id).toMatch(POINTER);
      expect(probe?.label).toMatch(POINTER);
      if (probe?.body !== undefined) expect(() => JSON.parse(probe.body ?? '')).not.toThrow();
    },
  );

  it('have a check wherever the page does not say why there is none', () => {
    const connectable = integrations.filter(({ auth, api }) => auth.type !== 'none' && api !== undefined);
    const without = connectable.filter(({ probe }) => probe === undefined).map(({ name }) => name);
    expect(without.toSorted()).toEqual(['datadog', 'git', 'pagerduty', 'resend']);
  });

  it('are listed on the page for operators', () => {
    const connectable = integrations.filter(({ auth }) => auth.type !== 'none');
    expect(integrations.filter((each) => each.token && !named(tokens, each))).toEqual([]);
    expect(connectable.filter((each) => !named(checks, each))).toEqual([]);
    expect(connectable.filter((each) => !named(revocations, each))).toEqual([]);
  });
});
