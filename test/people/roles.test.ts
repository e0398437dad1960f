// Tries every described operation with every credential that must not open it. reference: Authentication; Administrators
import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { CallerKind } from '../../src/http/operation.ts';
import { createLiveView } from '../../src/live-view/live-view.ts';
import { FEATURES } from '../../src/features.ts';
import { allOperations } from '../../src/rest/openapi/chapters.ts';
import { smallWorld } from '../support/fixtures.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { type Headers, makeKey, tokenHeader } from '../support/policy.ts';
import { call } from '../support/mcp.ts';
import { createTestApp } from '../support/test-app.ts';

const app = await createTestApp({ env: PROVIDER, ports: { integrations: smallWorld } });
afterAll(() => app.close());
// No request here gets as far as the browser.
const browser = Object.create(null);
const gateway = createApp(app.deps, { liveView: createLiveView({ ...app.deps, browser }).routes });

const member = await app.user('member@example.com');
const gone = await app.user('gone@example.com');
const goneKey = await makeKey(app, gone);
const goneToken = tokenHeader(app, gone);
const admin = await userWithRole(app, 'admin@example.com', 'administrator');
await app.request(`/api/admin/people/${gone.id}`, {
  method: 'PATCH',
  headers: { ...admin.sessionHeader, 'content-type': 'application/json' },
  body: JSON.stringify({ disabled: true }),
});
const curl = await call(app, member.keyHeader, 'curl_session', { integrations: ['keyed'] });

const CREDENTIALS: Record<string, Headers> = {
  nothing: {},
  'a wrong session': { authorization: 'Bearer abc.def.ghi' },
  'a wrong key': { 'x-service-api-key': '0'.repeat(64) },
  'the session of a disabled person': gone.sessionHeader,
  'the key of a disabled person': gone.keyHeader,
  'the named key of a disabled person': goneKey.header,
  'the token of a disabled person': goneToken,
  'the key of a member': member.keyHeader,
  'the session of a member': member.sessionHeader,
  'the named key of a member': (await makeKey(app, member)).header,
  'the named key of an administrator': (await makeKey(app, admin)).header,
  'the token of an administrator': tokenHeader(app, admin),
  'the key of an administrator': admin.keyHeader,
  'the curl token of a member': { authorization: `Bearer ${curl.token}` },
};

/** What no valid credential of a member or of an administrator may change. */
const UNKNOWN = [
  'nothing',
  'a wrong session',
  'a wrong key',
  'the session of a disabled person',
  'the key of a disabled person',
  'the named key of a disabled person',
  'the token of a disabled person',
];
const NOT_FOR_THE_PORTAL = ['the token of an administrator', 'the curl token of a member'];
const NAMED_KEYS = ['the named key of a member', 'the named key of an administrator'];

/** What a named key may read of the portal. reference: Named keys */
const READ_BY_NAMED_KEYS = new Set([
  'GET /api/integrations',
  'GET /api/integrations/:integration',
  'GET /api/tools',
  'GET /api/connections',
  'GET /api/audit',
  'GET /api/audit/export',
  'GET /api/audit/failures',
  'GET /api/audit/histogram',
  'GET /api/usage',
]);

/** The status by which an operation refuses a credential; null where the credential opens it. */
function refusal(route: string, caller: CallerKind, credential: string): number | null {
  if (caller === 'anyone') return null;
  // test/spec/actors-apart.test.ts tries the keys that open these.
  if (caller === 'service' || UNKNOWN.includes(credential)) return 401;
  if (caller === 'machine') return credential === 'the curl token of a member' ? 401 : null;
  if (NOT_FOR_THE_PORTAL.includes(credential)) return 401;
  if (NAMED_KEYS.includes(credential) && route.includes(' /api/connect/')) return 401;
  if (NAMED_KEYS.includes(credential) && !READ_BY_NAMED_KEYS.has(route)) return 403;
  if (route.includes(' /api/admin/') && credential.endsWith('of a member')) return 403;
  if (caller === 'session' && credential.startsWith('the key')) return 403;
  return null;
}

// The adapter serves /c: test/proxy tries its credentials.
const cases = allOperations(FEATURES)
  .filter(([, { caller }]) => caller !== 'curl')
  .flatMap(([route, { caller }]) =>
    Object.keys(CREDENTIALS).flatMap((credential) => {
      const status = refusal(route, caller, credential);
      return status === null ? [] : [{ route, credential, status }];
    }),
  );

async function ask(route: string, credential: string) {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(':integration', 'keyed').replace(/:\w+/g, member.id);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const response = await gateway.request(path, {
    method,
    headers: {
      ...CREDENTIALS[credential],
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: '{}' } : {}),
  });
  return { status: response.status, text: await response.text() };
}

describe('a credential that does not open an operation', () => {
  it('is refused in hundreds of cases', () => {
    expect(cases.length).toBeGreaterThan(600);
    expect(new Set(cases.map(({ route }) => route)).size).toBeGreaterThan(70);
  });

  it.each(cases)('$route refuses $credential with $status', async ({ route, credential, status }) => {
    const answer = await ask(route, credential);
    expect([route, credential, answer.status]).toEqual([route, credential, status]);
    // A refusal says nothing about what is there.
    for (const secret of [member.email, admin.email, gone.email, member.apiKey])
      expect(answer.text).not.toContain(secret);
  });

  it('has changed nothing', async () => {
    expect(await app.deps.store.users.byId(member.id)).toMatchObject({ is_admin: false, disabled_at: null });
    expect(await app.deps.store.users.byId(admin.id)).toMatchObject({ is_admin: true, disabled_at: null });
    expect((await app.request('/api/me', { headers: member.keyHeader })).status).toBe(200);
  });
});
