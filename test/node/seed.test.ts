// Tests npm run seed: creates a user with a key, also while the gateway runs. decision: 015
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/listen.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
});
afterAll(() => site.close());

async function seedJson(email: string, ...more: string[]) {
  const { code, stdout, stderr } = await site.seed(['--email', email, '--json', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

async function whoIs(headers: Record<string, string>): Promise<unknown> {
  return (await gateway.request('/api/auth/me', { headers })).json();
}

describe('seed --json', () => {
  it('prints one line with a user whose key and session work at once on the running gateway', async () => {
    const seeded = await seedJson('ana@example.com');
    const { userId, email, apiKey, session, ...rest } = seeded;
    expect(email).toBe('ana@example.com');
    expect(rest).toEqual({});
    const ana = { id: userId, email };
    expect(await whoIs({ 'x-service-api-key': apiKey })).toEqual(ana);
    expect(await whoIs({ authorization: `Bearer ${session}` })).toEqual(ana);
  });

  it('returns the same user and key for the same e-mail in any spelling', async () => {
    const first = await seedJson('bo@example.com');
    const again = await seedJson(' Bo@Example.COM ');
    expect(again).toMatchObject({ userId: first.userId, email: first.email, apiKey: first.apiKey });
    expect((await seedJson('cy@example.com')).userId).not.toBe(first.userId);
  });

  it('accepts the e-mail of the first owner, whose host has no dot', async () => {
    const { userId, email, apiKey } = await seedJson('owner@localhost');
    expect(await whoIs({ 'x-service-api-key': apiKey })).toEqual({ id: userId, email });
  });

  it('creates one user with one working key when it runs twice at the same moment', async () => {
    const [first, second] = await Promise.all([seedJson('di@example.com'), seedJson('di@example.com')]);
    expect(second.userId).toBe(first.userId);
    const di = { id: first.userId, email: 'di@example.com' };
    expect(await whoIs({ 'x-service-api-key': first.apiKey })).toEqual(di);
    expect(await whoIs({ 'x-service-api-key': second.apiKey })).toEqual(di);
  });
});

describe('seed', () => {
  it('prints only its result on stdout while Redis is unreachable', async () => {
    const PENDING_STORE = `redis://127.0.0.1:${await freePort()}`;
    const { code, stdout, stderr } = await site.seed(['--email', 'ida@example.com', '--json'], {
      PENDING_STORE,
    });
    expect([code, JSON.parse(stdout).email]).toEqual([0, 'ida@example.com']);
    expect(stderr).toContain('redis cannot be used');
  });

  it('prints the portal link, the key and the role of a person', async () => {
    const { code, stdout } = await site.seed(['--email', 'eve@example.com']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Portal +http:\/\/\S+\/#token=\S+\nAPI key +[0-9a-f]{64}\nRole +member\n$/);
  });

  const PROVIDER = { HOSTED_CLIENT_ID: 'x' };

  it.each([
    ['makes everybody after owner@localhost a member without a sign-in provider', {}, 'member'],
    ['makes the first person beside owner@localhost an owner where a provider is set', PROVIDER, 'owner'],
  ])('%s', async (_, env, second) => {
    const fresh = await openSite();
    const roleOf = async (args: string[], variables: Record<string, string> = {}) => {
      const { stdout, stderr } = await fresh.seed([...args, '--force'], variables);
      return /^Role +(\w+)$/m.exec(stdout)?.[1] ?? stderr;
    };
    expect(await roleOf([])).toBe('owner');
    expect(await roleOf(['--email', 'flo@example.com'], env)).toBe(second);
    expect(await roleOf(['--email', 'guy@example.com'], env)).toBe('member');
    await fresh.close();
  });

  it('makes a member beside the owner of a running gateway, and an owner of a gateway that had nobody', async () => {
    const roleOf = async (session: string, at: Pick<Gateway, 'request'>) =>
      (await (await at.request('/api/me', { headers: { authorization: `Bearer ${session}` } })).json()).role;
    expect(await roleOf((await seedJson('kim@example.com')).session, gateway)).toBe('member');
    const fresh = await openSite();
    const { stdout } = await fresh.seed(['--email', 'lea@example.com', '--json']);
    const running = await fresh.start();
    expect(await roleOf(JSON.parse(stdout).session, running)).toBe('owner');
    await fresh.close();
  });

  it('means the owner without an e-mail', async () => {
    const { code, stdout } = await site.seed(['--json']);
    expect(code).toBe(0);
    const seeded = JSON.parse(stdout);
    expect(seeded).toMatchObject({ email: 'owner@localhost', apiKey: gateway.apiKey });
    expect(await whoIs({ authorization: `Bearer ${seeded.session}` })).toMatchObject({
      email: 'owner@localhost',
    });
  });

  it('prints its usage with --help', async () => {
    const { code, stdout } = await site.seed(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^usage: npm run seed -- \[--email /)]);
  });

  it.each([
    ['an e-mail that is none', ['--email', 'nobody']],
    ['an unknown option', ['--email', 'fay@example.com', '--admin']],
  ])('answers %s with a readable message and exit code 1', async (_kind, args) => {
    const { code, stdout, stderr } = await site.seed(args);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/--email|--admin/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('refuses where a sign-in provider is set up, unless it is forced', async () => {
    const refused = await site.seed(['--email', 'gil@example.com'], PROVIDER);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--force') });
    const forced = await site.seed(['--email', 'gil@example.com', '--json', '--force'], PROVIDER);
    expect(forced.code).toBe(0);
    expect(await whoIs({ 'x-service-api-key': JSON.parse(forced.stdout).apiKey })).toMatchObject({
      email: 'gil@example.com',
    });
  });

  it('warns when there was no gateway yet, for example with a mistyped DATA_DIR', async () => {
    const DATA_DIR = `${site.dataDir}-mistyped`;
    const args = ['--email', 'hal@example.com', '--json'];
    const { code, stdout, stderr } = await site.seed(args, { DATA_DIR });
    expect([code, JSON.parse(stdout).email]).toEqual([0, 'hal@example.com']);
    expect(stderr).toBe(
      `${DATA_DIR}/service.db did not exist, so this starts a new gateway. ` +
        "Do DATA_DIR and DATABASE_URL match your gateway's?\n",
    );
    expect(await site.seed(args, { DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
  });
});
