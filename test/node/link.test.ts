// Tests npm run link: a fresh portal link, also while the gateway runs. decision: 015
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import {
  type Banner,
  type Exit,
  type Gateway,
  openSite,
  type Output,
  type Site,
} from '../support/gateway-process.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';

const PROVIDER = { HOSTED_CLIENT_ID: 'x', HOSTED_CLIENT_SECRET: 'y' };
const LINK = /^(http:\/\/\S+)\/#token=(\S+)\n$/;

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
});
afterAll(() => site.close());

async function whoIs(answer: Exit & Output, from: Gateway = gateway): Promise<unknown> {
  expect(answer).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(LINK) });
  const [, , session = ''] = LINK.exec(answer.stdout) ?? [];
  const response = await from.request('/api/auth/me', { headers: { authorization: `Bearer ${session}` } });
  return response.json();
}

describe('npm run link', () => {
  it('prints one line with a link that signs the owner in, while the gateway runs', async () => {
    expect(await whoIs(await site.link([]))).toMatchObject({ email: 'owner@localhost' });
  });

  it('leaves the API key of the owner alone', async () => {
    await site.link([]);
    const headers = { 'x-service-api-key': gateway.apiKey };
    expect((await gateway.request('/api/auth/me', { headers })).status).toBe(200);
  });

  it('prints the link of another person, in any spelling of the address', async () => {
    await site.seed(['--email', 'ana@example.com']);
    expect(await whoIs(await site.link(['--email', ' Ana@Example.com ']))).toMatchObject({
      email: 'ana@example.com',
    });
  });

  it('names the address of the portal that the gateway has', async () => {
    const env = { PORT: '4321', PORTAL_URL: 'http://localhost:9999/portal' };
    const { stdout } = await site.link([], env);
    expect(LINK.exec(stdout)?.[1]).toBe('http://localhost:9999/portal');
  });

  it('makes nobody for an unknown address, and says how to', async () => {
    const answer = await site.link(['--email', 'nobody@example.com']);
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toContain('"npm run seed -- --email nobody@example.com" makes a user.');
    expect(answer.stderr).not.toMatch(/^\s+at /m);
  });

  it('refuses an account whose address nobody has verified', async () => {
    const engine = openSqlite(join(site.dataDir, 'service.db'));
    const mal = { id: 'mal', email: 'mal@example.com', created_at: 1, unverified_since: 1 };
    await createSqlStore(engine).users.create(mal);
    await engine.close();
    expect(await site.link(['--email', 'mal@example.com'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Nobody has verified'),
    });
  });

  it('works where a sign-in provider is set up: for the owner who was there before, and for people by name', async () => {
    expect(await whoIs(await site.link([], PROVIDER))).toMatchObject({ email: 'owner@localhost' });
    await site.seed(['--email', 'bo@example.com', '--force'], PROVIDER);
    expect(await whoIs(await site.link(['--email', 'bo@example.com'], PROVIDER))).toMatchObject({
      email: 'bo@example.com',
    });
  });

  it('asks for an address where a provider is set up and there never was an owner', async () => {
    const DATA_DIR = `${site.dataDir}-hosted`;
    await site.seed(['--email', 'cy@example.com', '--force'], { ...PROVIDER, DATA_DIR });
    expect(await site.link([], { ...PROVIDER, DATA_DIR })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--email you@example.com'),
    });
  });

  it('makes the owner on a public address without a provider', async () => {
    const secret = '0123456789abcdef'.repeat(4);
    const env = {
      DATA_DIR: `${site.dataDir}-public`,
      SERVER_PUBLIC_URL: 'https://gateway.example.com',
      SESSION_SECRET: secret,
      ENCRYPTION_KEY: secret,
    };
    await site.seed(['--email', 'di@example.com'], env);
    const { code, stdout } = await site.link([], env);
    expect([code, LINK.exec(stdout)]).toEqual([0, null]);
    expect(stdout).toMatch(/^https:\/\/gateway\.example\.com\/#token=\S+\n$/);
  });

  it('makes no gateway where there is none, for example with a mistyped DATA_DIR', async () => {
    const DATA_DIR = `${site.dataDir}-mistyped`;
    const secret = '0123456789abcdef'.repeat(4);
    for (const env of [{ DATA_DIR }, { DATA_DIR, SESSION_SECRET: secret, ENCRYPTION_KEY: secret }])
      expect(await site.link([], env)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('no gateway has started here'),
      });
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it.each([
    ['an address that is none', ['--email', 'nobody']],
    ['an unknown option', ['--admin']],
  ])('answers %s with a readable message and exit code 1', async (_kind, args) => {
    const { code, stdout, stderr } = await site.link(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/--email|--admin/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('prints its usage with --help', async () => {
    const { code, stdout } = await site.link(['--help']);
    expect([code, stdout]).toEqual([0, 'usage: npm run link -- [--email you@example.com]\n']);
  });
});

await describeService('npm run link on PostgreSQL', postgresUrl(), () => {
  it('prints a link for a running gateway', async () => {
    const { url, drop } = await createPostgresSchema();
    const place = await openSite();
    try {
      const env = { DATABASE_URL: url };
      const running = await place.start({ env });
      expect(await whoIs(await place.link([], env), running)).toMatchObject({ email: 'owner@localhost' });
    } finally {
      await place.close();
      await drop();
    }
  });
});
