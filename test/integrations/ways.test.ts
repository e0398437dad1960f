// Tests what the manifests declare beside tools: tokens, checks and revocations. reference: Upstream calls
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import type { Integration } from '../../src/kit/integration.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { type Refused, SECRET, TOKENS, type TokenCase, WRONG_PLACES } from '../support/token-cases.ts';

/** Opens a gateway for which the fake provider stands at its declared origin. */
async function open({ provider }: TokenCase): Promise<{ app: TestApp; ana: Person }> {
  const listener = getRequestListener(async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === 'GET' ? null : await request.text();
    return provider.answer(new Request(`${provider.origin}${pathname}${search}`, { method, headers, body }));
  });
  const server = await startHttpServer((incoming, outgoing) => void listener(incoming, outgoing));
  const app = await createTestApp({
    env: { UPSTREAM_MAP: `${provider.origin}=http://127.0.0.1:${server.port}` },
  });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  return { app, ana: await createPerson(app) };
}

describe.each(TOKENS)('a token of $name', (token) => {
  const { name, values, tool, args, label } = token;

  it('is taken by the check and by a tool, at the right address and place', async () => {
    const { ana } = await open(token);
    expect(await ana.post(`/api/auth/apikey/${name}`, { values })).toMatchObject({
      status: 200,
      body: {
        success: true,
        status: 'ok',
        account: { id: expect.stringContaining('7'), label: label ?? expect.stringMatching(/ana/i) },
      },
    });
    await ana.run(tool, args);
  });

  it('is not stored when the provider refuses it', async () => {
    const { ana } = await open(token);
    const wrong = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, value === SECRET ? 'another-token' : value]),
    );
    expect(await ana.post(`/api/auth/apikey/${name}`, { values: wrong })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('this token is not valid here') },
    });
    await expect(ana.run(tool, args)).rejects.toThrow('NOT_CONNECTED');
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

  it.each(keyed.filter(({ name }) => !['git', 'search'].includes(name)))(
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
      expect(probe?.id === undefined).toBe(probe?.label === undefined);
      for (const pointer of [probe?.id, probe?.label])
        if (pointer !== undefined) expect(pointer).toMatch(POINTER);
      if (probe?.body !== undefined) expect(() => JSON.parse(probe.body ?? '')).not.toThrow();
    },
  );

  it('have a check wherever the page does not say why there is none', () => {
    const connectable = integrations.filter(({ auth, api }) => auth.type !== 'none' && api !== undefined);
    const without = connectable.filter(({ probe }) => probe === undefined).map(({ name }) => name);
    expect(without.toSorted()).toEqual(['git', 'resend', 'search']);
  });

  it('are listed on the page for operators', () => {
    const connectable = integrations.filter(({ auth }) => auth.type !== 'none');
    expect(integrations.filter((each) => each.token && !named(tokens, each))).toEqual([]);
    expect(connectable.filter((each) => !named(checks, each))).toEqual([]);
    expect(connectable.filter((each) => !named(revocations, each))).toEqual([]);
  });
});
