// Tests whom a curl-session token speaks for, and with which limits. reference: Curl sessions
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CurlGrant } from '../../src/auth/curl-token.ts';
import { type Actor, type Limits, PERSONAL_KEY } from '../../src/kit/actor.ts';
import { connection } from '../contracts/store/records.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterEach(() => app.close());

async function mint(limits: Limits, expiresAt: number | null = null): Promise<{ id: string; actor: Actor }> {
  const minted = await app.deps.agentKeys.mint(ana.id, { name: 'bot', limits, expiresAt });
  const identity = await app.deps.agentKeys.verify(minted?.key ?? '');
  if (minted === null || identity === null) throw new Error('the key was not made');
  return { id: minted.record.id, actor: identity.actor };
}

const grantOf = (actor: Actor): CurlGrant => ({ userId: ana.id, actor, integrations: ['github'] });
const lend = (actor: Actor): Promise<string> => app.deps.curlTokens.issue(grantOf(actor), 900);

it('speaks for the caller that asked for it, with its limits', async () => {
  const actor = { id: 'client:c1', name: null, clientId: 'c1', limits: [{ access: 'read' as const }] };
  for (const each of [PERSONAL_KEY, actor])
    expect(await app.deps.curlTokens.verify(await lend(each))).toMatchObject({ userId: ana.id, actor: each });
});

it('ends with its named key', async () => {
  const { id, actor } = await mint({});
  const token = await lend(actor);
  expect(await app.deps.curlTokens.verify(token)).toMatchObject({ userId: ana.id, actor });
  await app.deps.agentKeys.remove(ana.id, id);
  expect(await app.deps.curlTokens.verify(token)).toBeNull();
});

it('ends when its named key expires', async () => {
  const { actor } = await mint({}, app.clock.now() + 60);
  const token = await lend(actor);
  app.clock.advance(60);
  expect(await app.deps.curlTokens.verify(token)).toBeNull();
});

/** Asks for a token of an hour over MCP, and returns when it ends. */
async function askFor(headers: Record<string, string>): Promise<{ token: string; expiresAt: number }> {
  const { token, expiresIn, expiresAt } = await call(app, headers, 'curl_session', {
    integrations: ['vaulted'],
    ttlSeconds: 3_600,
  });
  expect(expiresIn).toBe(expiresAt - app.clock.now());
  return { token, expiresAt };
}

describe('a token that is asked for shortly before the end', () => {
  beforeEach(() =>
    app.deps.store.connections.put(connection({ user_id: ana.id, integration: 'vaulted', account: '' })),
  );

  it('of an access token ends with it', async () => {
    const grant = { userId: ana.id, clientId: 'c1', scope: 'mcp' };
    const end = app.clock.now() + 3_600;
    const headers = { authorization: `Bearer ${app.deps.accessTokens.issue(grant)}` };
    app.clock.advance(3_596);
    const { token, expiresAt } = await askFor(headers);
    expect(expiresAt).toBe(end);
    expect(await app.deps.curlTokens.verify(token)).not.toBeNull();
    app.clock.advance(4);
    expect(await app.deps.curlTokens.verify(token)).toBeNull();
  });

  it('of a named key ends with it, and so does that of a portal session', async () => {
    const end = app.clock.now() + 60;
    const minted = await app.deps.agentKeys.mint(ana.id, { name: 'bot', limits: {}, expiresAt: end });
    expect((await askFor({ 'x-service-api-key': minted?.key ?? '' })).expiresAt).toBe(end);
    const { authorization } = ana.sessionHeader;
    const dayEnd = app.clock.now() + 24 * 3_600;
    app.clock.advance(24 * 3_600 - 9);
    expect((await askFor({ authorization })).expiresAt).toBe(dayEnd);
    // A session is accepted for five seconds more.
    app.clock.advance(10);
    expect((await askFor({ authorization })).expiresAt).toBe(app.clock.now() + 1);
  });

  it('of the personal key has the whole time', async () => {
    expect((await askFor(ana.keyHeader)).expiresAt).toBe(app.clock.now() + 3_600);
  });
});

it('takes the limits of a named key from the key, and those of the request along', async () => {
  const stored: Limits = { access: 'write', rules: [{ integration: 'slack', decision: 'block' }] };
  const { actor } = await mint(stored);
  const narrowed: Limits = { access: 'read' };
  const token = await lend({ ...actor, limits: [...actor.limits, narrowed] });
  expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).toContain(
    '"limits":[{"access":"read"}]',
  );
  expect((await app.deps.curlTokens.verify(token))?.actor.limits).toEqual([stored, narrowed]);
  const claimsNone = await lend({ ...actor, limits: [] });
  expect((await app.deps.curlTokens.verify(claimsNone))?.actor.limits).toEqual([stored]);
});
