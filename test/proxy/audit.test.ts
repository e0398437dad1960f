// Tests what the audit rows and the responses of /c say of a call. reference: Audit; Request ids; decision: 036
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bearer, openStage, type Stage } from '../support/proxy-stage.ts';
import { auditOf } from '../support/raw-policy.ts';
import { makeKey } from '../support/policy.ts';
import type { TestUser } from '../support/test-app.ts';

let stage: Stage;
let eve: TestUser;
let people = 0;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  eve = await stage.app.user(`eve${++people}@example.com`);
});
afterAll(() => stage.close());

const ask = async (
  path: string,
  session: object,
  { headers, ...init }: { method?: string; headers?: Record<string, string> } = {},
) =>
  stage.get(path, {
    ...init,
    headers: { ...headers, ...bearer(await stage.token({ userId: eve.id, ...session })) },
  });

describe('a call through /c', () => {
  it('leaves the name of the key, the access level and the id of the request', async () => {
    await stage.app.deps.vault.save(eve.id, 'vaulted', { accessToken: 'upstream-token' });
    const { key } = await makeKey(stage.app, eve, { name: 'Writer' });
    const actor = (await stage.app.deps.agentKeys.verify(key))?.actor;
    const response = await ask(
      '/c/vaulted/x',
      { actor },
      { method: 'DELETE', headers: { 'x-request-id': 'of.me~1' } },
    );
    expect(response.headers.get('x-request-id')).toBe('of.me~1');
    expect(await auditOf(stage, eve.id)).toMatchObject([
      { client_name: 'Writer', access: 'destroy', request_id: 'of.me~1', outcome: 'ok', approval: null },
    ]);
    const line = stage.app.lines.findLast(({ event }) => event === 'request');
    expect(line).toMatchObject({ requestId: 'of.me~1', user: eve.id, route: '/c/:integration/*' });
  });

  it('can be opened with its exact path and query, without secrets, and with the status of the upstream', async () => {
    stage.answer((_, outgoing) => outgoing.writeHead(404).end('a secret body'));
    await stage.app.deps.vault.save(eve.id, 'vaulted', { accessToken: 'upstream-token' });
    await ask('/c/vaulted/users/42/x?page=2&access_token=abcdefgh', {});
    await stage.app.deps.audit.flush();
    const [row] = await stage.app.deps.store.audit.list({ user_id: eve.id, limit: 1 });
    expect(row).toMatchObject({ tool: 'GET /users/:id/x', status: 404, outcome: 'error' });
    await stage.app.deps.callDetails.flush();
    const opened = await stage.app.request(`/api/calls/${row?.id}`, { headers: eve.sessionHeader });
    expect((await opened.json()).details).toMatchObject({
      state: 'kept',
      args: { value: { method: 'GET', path: '/users/42/x', query: '?page=2&access_token=…' } },
      result: null,
    });
  });

  it('shows the id of the upstream beside that of the gateway', async () => {
    stage.answer((_, outgoing) => outgoing.setHeader('X-Request-ID', 'of the upstream').end());
    await stage.app.deps.vault.save(eve.id, 'vaulted', { accessToken: 'upstream-token' });
    const { headers } = await ask('/c/vaulted/x', {});
    expect(headers.get('x-request-id')).toMatch(/^[\da-f]{8}-\w+$/);
    expect(headers.get('x-upstream-request-id')).toBe('of the upstream');
    expect(stage.seen.at(-1)?.headers).not.toHaveProperty('x-request-id');
  });

  it.each([
    ['without a connection', '/c/vaulted/x', {}, 409, 'error', 'NOT_CONNECTED', 'read'],
    [
      'outside the prefix',
      '/c/vaulted/x',
      { pathPrefix: '/y' },
      403,
      'blocked',
      /does not allow that method or path/,
      null,
    ],
    [
      'with another method',
      '/c/vaulted/x',
      { methods: ['POST'] },
      403,
      'blocked',
      /does not allow that method/,
      null,
    ],
    [
      'of another integration',
      '/c/vaulted/x',
      { integrations: ['keyed'] },
      403,
      'blocked',
      /not in this curl session/,
      null,
    ],
    [
      'of an integration without raw requests',
      '/c/echo/x',
      { integrations: ['echo'] },
      400,
      'error',
      /does not support/,
      null,
    ],
  ])('that is refused %s leaves one row', async (_what, path, session, status, outcome, error, access) => {
    const response = await ask(path, session);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-\w+$/);
    expect(await auditOf(stage, eve.id)).toMatchObject([
      {
        tool: 'GET /x',
        action: 'CURL',
        success: false,
        outcome,
        access,
        error: typeof error === 'string' ? error : expect.stringMatching(error),
        request_id: response.headers.get('x-request-id'),
      },
    ]);
  });

  it('leaves no row for a name that is no integration, and has an id without a token', async () => {
    expect((await ask('/c/nothing/x', { integrations: ['vaulted'] })).status).toBe(403);
    expect(await auditOf(stage, eve.id)).toEqual([]);
    const stranger = await fetch(`${stage.base}/c/vaulted/x`);
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-\w+$/);
  });
});
