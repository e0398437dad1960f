// Tests npm run users beside a running gateway. reference: Administration of people
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSite, type Site } from '../support/gateway-process.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';

// Each command is a process of its own, which takes seconds on a loaded machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const PROVIDER = { HOSTED_CLIENT_ID: 'x', HOSTED_CLIENT_SECRET: 'y' };

function commandSuite(more: () => Record<string, string>): void {
  let site: Site;
  const run = (...args: string[]) => site.users(args, { ...PROVIDER, ...more() });
  const to = (email: string) => ['--email', email];
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

  beforeAll(async () => {
    site = await openSite();
    await site.start({ env: { ...PROVIDER, ...more() } });
  });
  afterAll(() => site.close());

  it('invites, changes and lists people, and makes the first owner', async () => {
    expect(await json('invite', ...to(' Ann@Example.com '), '--role', 'owner')).toMatchObject({
      email: 'ann@example.com',
      role: 'owner',
      status: 'invited',
    });
    expect(await json('invite', ...to('bob@example.com'))).toMatchObject({
      role: 'member',
      status: 'invited',
    });
    expect(await json('role', ...to('bob@example.com'), '--role', 'administrator')).toMatchObject({
      role: 'administrator',
    });
    const listed = await run('list');
    expect(listed.stdout).toMatch(/ann@example\.com +owner +invited/);
    expect(listed.stdout).toMatch(/bob@example\.com +administrator +invited/);
  });

  it('disables somebody so that the gateway lets them in no more, and enables them again', async () => {
    expect(await json('disable', ...to('bob@example.com'))).toMatchObject({ status: 'disabled' });
    expect(await json('enable', ...to('bob@example.com'))).toMatchObject({ status: 'invited' });
  });

  it('leaves the mail with the invitation to the running gateway, where it sends mail', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Gateway <gateway@example.com>' };
    const env = { ...PROVIDER, ...more(), ...mail };
    const { code, stderr } = await site.users(['invite', ...to('dan@example.com')], env);
    expect([code, stderr]).toEqual([0, '']);
    const { deliveries } = JSON.parse((await run('export', ...to('dan@example.com'))).stdout);
    expect(deliveries).toMatchObject([
      { kind: 'invitation', channel: 'email', state: 'queued', attempts: 0 },
    ]);
    const { deliveries: none } = JSON.parse((await run('export', ...to('bob@example.com'))).stdout);
    expect(none).toEqual([]);
  });

  it('exports a person, and begins a deletion', async () => {
    expect(JSON.parse((await run('export', ...to('bob@example.com'))).stdout)).toMatchObject({
      person: { email: 'bob@example.com' },
      connections: [],
    });
    expect((await run('delete', ...to('bob@example.com'))).stdout).toContain('is being deleted');
    expect(await json('list')).toContainEqual(
      expect.objectContaining({ email: 'bob@example.com', status: 'deleting' }),
    );
  });

  it.each([
    [['disable', ...to('ann@example.com')], 'last owner'],
    [['delete', ...to('ann@example.com')], 'last owner'],
    [['role', ...to('nobody@example.com'), '--role', 'member'], 'Nobody here has the address'],
    [['role', ...to('ann@example.com')], '--role'],
    [['disable'], '--email'],
    [['shout'], 'usage:'],
    [[], 'usage:'],
  ])('refuses %j with one sentence', async (args, text) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(text);
  });

  it('shows its usage', async () => {
    expect((await run('--help')).stdout).toContain('usage: npm run users');
  });
}

describe('npm run users on SQLite', () => commandSuite(() => ({})));

await describeService('npm run users on PostgreSQL', postgresUrl(), () => {
  let url = '';
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const schema = await createPostgresSchema();
    ({ url, drop } = schema);
  });
  afterAll(() => drop());
  commandSuite(() => ({ DATABASE_URL: url }));
});
