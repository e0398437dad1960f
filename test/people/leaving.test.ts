// Tests who may delete and export whom, and that a deletion ends what the person holds at once.
// reference: Deleting a person; Exporting a person
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let [owner, admin, ana, bea]: TestUser[] = [];
const of = (id: string) => `/api/admin/people/${id}`;

beforeEach(async () => {
  app = await createTestApp({ env: PROVIDER });
  owner = await userWithRole(app, 'owner@example.com', 'owner');
  admin = await userWithRole(app, 'admin@example.com', 'administrator');
  ana = await app.user('ana@example.com');
  bea = await app.user('bea@example.com');
});
afterEach(() => app.close());

const ask = (user: TestUser | undefined, method: string, path: string, body?: object) =>
  send(app, user?.sessionHeader ?? {}, method, path, body);
const idOf = (user: TestUser | undefined): string => user?.id ?? '';

describe('DELETE /api/me', () => {
  it('deletes the person who types their own address, and frees it', async () => {
    expect(await ask(ana, 'DELETE', '/api/me', { email: ' ANA@example.com ' })).toMatchObject({
      status: 202,
      body: { status: 'deleting' },
    });
    expect((await ask(ana, 'GET', '/api/me')).status).toBe(401);
    expect((await send(app, ana?.keyHeader ?? {}, 'GET', '/api/me')).status).toBe(401);
    expect((await ask(admin, 'GET', of(idOf(ana)))).body).toMatchObject({ status: 'deleting' });
    app.clock.advance(151);
    await maintainOnce(app.deps);
    expect((await ask(admin, 'GET', of(idOf(ana)))).status).toBe(404);
    expect((await ask(admin, 'POST', '/api/admin/people', { email: 'ana@example.com' })).status).toBe(201);
  });

  it.each([[{ email: 'bea@example.com' }], [{}], [{ email: 5 }], [undefined]])(
    'answers 400 to %j and deletes nobody',
    async (body) => {
      expect((await ask(ana, 'DELETE', '/api/me', body)).status).toBe(400);
      expect((await ask(ana, 'GET', '/api/me')).status).toBe(200);
    },
  );

  it('keeps the last owner', async () => {
    const first = await app.deps.store.users.byEmail('first@example.com');
    await app.deps.store.people.setRole(first?.id ?? '', 'member');
    const answer = await ask(owner, 'DELETE', '/api/me', { email: 'owner@example.com' });
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('last owner') } });
    expect((await ask(owner, 'GET', '/api/me')).status).toBe(200);
  });

  it('keeps the owner of a gateway without a sign-in provider', async () => {
    const local = await createTestApp();
    const { sessionHeader } = await local.user('owner@localhost');
    const answer = await send(local, sessionHeader, 'DELETE', '/api/me', { email: 'owner@localhost' });
    expect(answer.status).toBe(409);
    await local.close();
  });
});

describe('DELETE /api/admin/people/:id', () => {
  it('deletes a member for an administrator, also when it is asked for twice', async () => {
    for (let count = 0; count < 2; count++)
      expect(await ask(admin, 'DELETE', of(idOf(ana)))).toMatchObject({
        status: 202,
        body: { status: 'deleting' },
      });
    expect((await ask(ana, 'GET', '/api/me')).status).toBe(401);
    expect((await ask(bea, 'GET', '/api/me')).status).toBe(200);
    expect((await ask(admin, 'PATCH', of(idOf(ana)), { disabled: false })).status).toBe(409);
  });

  it('is refused for an owner, for yourself, for an unknown person and to a member', async () => {
    expect((await ask(admin, 'DELETE', of(idOf(owner)))).status).toBe(403);
    expect((await ask(admin, 'DELETE', of(idOf(admin)))).status).toBe(409);
    expect((await ask(admin, 'DELETE', of('nobody'))).status).toBe(404);
    expect((await ask(ana, 'DELETE', of(idOf(bea)))).status).toBe(403);
    expect((await send(app, admin?.keyHeader ?? {}, 'DELETE', of(idOf(ana)))).status).toBe(403);
    expect((await ask(undefined, 'DELETE', of(idOf(ana)))).status).toBe(401);
  });
});

describe('an export', () => {
  it('is a download for the person, and for administrators of anybody', async () => {
    for (const [user, path] of [
      [ana, '/api/me/export'],
      [admin, `${of(idOf(ana))}/export`],
    ] as const) {
      const response = await app.request(path, { headers: user?.sessionHeader ?? {} });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="export.json"');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ person: { id: idOf(ana), email: 'ana@example.com' } });
    }
    expect(app.lines.filter(({ event }) => event === 'a person was exported')).toHaveLength(2);
  });

  it('is refused to members for others, to keys, and for unknown people', async () => {
    expect((await ask(ana, 'GET', `${of(idOf(bea))}/export`)).status).toBe(403);
    expect((await send(app, ana?.keyHeader ?? {}, 'GET', '/api/me/export')).status).toBe(403);
    expect((await ask(admin, 'GET', `${of('nobody')}/export`)).status).toBe(404);
  });
});
