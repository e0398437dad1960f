// Tests sign-ins of people whom an administrator has disabled or invited. reference: Who may sign in; People
import { afterEach, describe, expect, it } from 'vitest';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import type { Store } from '../../src/ports/store.ts';
import { PROVIDERS, refusal, useSignIns } from '../support/sign-ins.ts';
import type { TestApp } from '../support/test-app.ts';

const { stand, begin, bySubject, claim, open, signIn, users } = useSignIns();

let usual: TestApp | undefined;
async function useGateway(env: Record<string, string>, ports: Parameters<typeof open>[1] = {}) {
  usual = stand.app;
  stand.app = await open(env, ports);
}
afterEach(async () => {
  if (usual === undefined) return;
  await stand.app.close();
  [stand.app, usual] = [usual, undefined];
});

const now = () => stand.app.clock.now();
const people = () => stand.app.deps.store.people;

function endingOf(id: string) {
  const { clock, digest } = stand.app.deps;
  return { person: digest.sha256(id), before: clock.now(), expires_at: clock.now() + 86_405 };
}

async function refused(response: Response): Promise<string> {
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.status).toBe(403);
  return (await response.json()).error;
}

async function known(): Promise<string> {
  expect((await signIn('idp')).status).toBe(302);
  return (await users())?.id ?? '';
}

const invite = (email = `${stand.person}@example.com`) =>
  people().invite({ id: crypto.randomUUID(), email, created_at: now() });

describe.each(PROVIDERS)('a sign-in at %s', (name) => {
  it('is noted with its time', async () => {
    expect((await signIn(name)).status).toBe(302);
    expect(await users()).toMatchObject({ signed_in_at: now() });
  });

  it('of a disabled person is refused with a sentence, and leaves the account as it is', async () => {
    expect((await signIn(name)).status).toBe(302);
    const before = await users();
    expect(await people().disable(before?.id ?? '', endingOf(before?.id ?? ''))).toBe('done');
    stand.app.clock.advance(5);
    expect(await refused(await signIn(name))).toMatch(/disabled.*ask an administrator/);
    expect(await users()).toEqual({ ...before, disabled_at: now() - 5 });
    const logged = stand.app.lines.filter(({ event }) => event === 'sign-in refused');
    expect(logged.at(-1)).toEqual(
      expect.objectContaining({ provider: name, reason: 'disabled', level: 'warn' }),
    );
  });

  it('of a disabled person shows a page to a browser', async () => {
    const { id } = await stand.app.user(`${stand.person}@example.com`);
    await people().disable(id, endingOf(id));
    const query = new URLSearchParams({ code: 'code', state: await begin(name) });
    const response = await stand.app.request(`/api/auth/${name}/callback?${query}`, {
      headers: { accept: 'text/html' },
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Your account at this gateway is disabled');
  });

  it('gives a disabled account that it finds by its address no subject', async () => {
    const { id } = await stand.app.user(`${stand.person}@example.com`);
    await people().disable(id, endingOf(id));
    expect(await refused(await signIn(name))).toMatch(/disabled/);
    expect(await bySubject(name)).toBeNull();
  });

  it('lets the person in again who was enabled', async () => {
    const { id } = await stand.app.user(`${stand.person}@example.com`);
    await people().disable(id, endingOf(id));
    await people().enable(id);
    stand.app.clock.advance(1);
    expect((await signIn(name)).status).toBe(302);
    expect((await bySubject(name))?.id).toBe(id);
  });
});

describe('a person who is disabled during a sign-in', () => {
  it('gets no session, however late the disabling comes', async () => {
    const real = createSqlStore(openSqlite(`${stand.app.folder}/service.db`));
    // Disables the person when everything but the note of the sign-in has been done.
    const store: Store = {
      ...real,
      people: {
        ...real.people,
        async noteSignIn(id, at) {
          await real.people.disable(id, endingOf(id));
          return real.people.noteSignIn(id, at);
        },
      },
    };
    await stand.app.user('somebody-else@example.com');
    await useGateway({}, { store });
    expect(await refused(await signIn('hosted'))).toMatch(/disabled/);
  });
});

describe('an invitation', () => {
  it.each(PROVIDERS)('lets a person in at %s whom SIGN_IN_ALLOW does not list', async (name) => {
    await useGateway({ SIGN_IN_ALLOW: 'x.org' });
    const { id } = await invite();
    expect((await signIn(name)).status).toBe(302);
    expect(await bySubject(name)).toMatchObject({ id, invited_at: now(), signed_in_at: now() });
    // The subject is the invited person, also under a new address.
    claim(name, { email: `new-${stand.person}@example.com` });
    expect((await signIn(name)).status).toBe(302);
  });

  it('lets nobody else in', async () => {
    await useGateway({ SIGN_IN_ALLOW: 'x.org' });
    await invite(`another-${stand.person}@example.com`);
    expect(await refused(await signIn('hosted'))).toMatch(/not on the list/);
    expect(await users()).toBeNull();
  });

  it('admits a verified address only', async () => {
    await useGateway({ SIGN_IN_ALLOW: 'x.org', IDP_EMAIL_TRUSTED: 'false' });
    await invite();
    claim('idp', { email_verified: undefined });
    expect(await refusal(await signIn('idp'))).toMatch(/not verified/);
    expect(await users()).toMatchObject({ idp_sub: null, signed_in_at: null });
  });

  it('of an address that a stranger holds goes to its verified holder with the role', async () => {
    await useGateway({ IDP_EMAIL_TRUSTED: 'false' });
    await stand.app.user('somebody-else@example.com');
    claim('idp', { sub: `stranger of ${stand.person}`, email_verified: undefined });
    const stranger = await known();
    await invite();
    await people().setRole(stranger, 'administrator');
    const response = await signIn('hosted');
    expect(response.headers.get('location')).toMatch(/tookOver=true/);
    const user = await users();
    expect(user?.id).not.toBe(stranger);
    expect(user).toMatchObject({ invited_at: now(), is_admin: true, unverified_since: null, idp_sub: null });
    expect(await people().get(stranger, now())).toBeNull();
  });

  it('of a disabled address ends nothing of the stranger and lets nobody in', async () => {
    await useGateway({ IDP_EMAIL_TRUSTED: 'false' });
    claim('idp', { sub: `stranger of ${stand.person}`, email_verified: undefined });
    const stranger = await known();
    await people().disable(stranger, endingOf(stranger));
    expect(await refused(await signIn('hosted'))).toMatch(/disabled/);
    expect((await users())?.id).toBe(stranger);
  });
});
