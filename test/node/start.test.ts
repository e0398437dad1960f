// Tests the start of the gateway on a person's own machine, and on a public address.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';

const SECRET_FILES = ['session-secret', 'encryption-key'];

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

const curl = async (...args: string[]) =>
  JSON.parse((await promisify(execFile)('curl', ['--silent', '--show-error', ...args])).stdout);

async function whoIs(gateway: Gateway, headers: Record<string, string>): Promise<unknown> {
  const response = await gateway.request('/api/auth/me', { headers });
  return { status: response.status, ...(await response.json()) };
}

const withKey = (key: string) => ({ 'x-service-api-key': key });
const withSession = (session: string) => ({ authorization: `Bearer ${session}` });

const readSecrets = () => Promise.all(SECRET_FILES.map((name) => readFile(join(site.dataDir, name), 'utf8')));

/** Returns the thread count of the process with the most threads that runs on this folder. */
function threadsOn(dataDir: string): number {
  const counts = readdirSync('/proc').map((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}\0`);
      return isOurs ? readdirSync(`/proc/${pid}/task`).length : 0;
    } catch {
      return 0;
    }
  });
  return Math.max(...counts);
}

describe('the first start', () => {
  it('prints a portal link and an API key of one user, and both work', async () => {
    const gateway = await site.start();
    expect(gateway.portalLink).toMatch(new RegExp(`^${gateway.base}/#token=`));
    const owner = await whoIs(gateway, withKey(gateway.apiKey));
    expect(owner).toMatchObject({ status: 200, email: 'owner@localhost' });
    expect(await whoIs(gateway, withSession(gateway.session))).toEqual(owner);
  });

  it('answers curl on /mcp and on /rest', async () => {
    const { base, apiKey } = await site.start();
    const credential = [
      '--header',
      `x-service-api-key: ${apiKey}`,
      '--header',
      'content-type: application/json',
    ];
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const { result } = await curl(...credential, '--data', list, `${base}/mcp`);
    expect(result.tools).toHaveLength(9);
    const ran = await curl(...credential, '--data', '{"tool":"now"}', `${base}/rest/time`);
    expect(ran).toMatchObject({ integration: 'time', tool: 'time_now', result: { timeZone: 'UTC' } });
  });

  it('keeps a connection open for longer than a load balancer would use it', async () => {
    const gateway = await site.start();
    const { headers } = await gateway.request('/metrics');
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(60);
  });

  it.skipIf(process.platform !== 'linux')(
    'has enough threads to resolve names while other look-ups wait',
    async () => {
      await site.start();
      expect(threadsOn(site.dataDir)).toBeGreaterThan(64);
    },
  );

  it('takes its secrets from files, as its commands do, and keeps no copy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-given-'));
    const env = Object.fromEntries(
      SECRET_FILES.map((name) => [`${name.toUpperCase().replace('-', '_')}_FILE`, join(folder, name)]),
    );
    for (const file of Object.values(env)) await writeFile(file, `${randomBytes(32).toString('hex')}\n`);
    const gateway = await site.start({ env });
    const { stdout } = await site.link([], env);
    await rm(folder, { recursive: true });
    const [, session = ''] = /#token=(\S+)/.exec(stdout) ?? [];
    expect(await whoIs(gateway, withSession(session))).toMatchObject({ status: 200 });
    const kept = await readdir(site.dataDir);
    for (const name of SECRET_FILES) expect(kept).not.toContain(name);
  });

  it('stores secrets and database so that only their owner can read them', async () => {
    await site.start();
    const files = (await readdir(site.dataDir)).filter((name) => name !== 'blobs');
    expect(files).toEqual(expect.arrayContaining([...SECRET_FILES, 'service.db']));
    for (const name of files) expect((await stat(join(site.dataDir, name))).mode & 0o777, name).toBe(0o600);
  });
});

describe('the address that a start listens on', () => {
  const OTHER_LOOPBACK = '127.0.0.2';
  /** The addresses of this machine that other machines can reach. */
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  /** Tells by address whether the gateway answers there. On Linux all of 127.0.0.0/8 is loopback. */
  const answersAt = async ({ port }: Gateway, addresses: readonly string[]) =>
    Promise.all(
      addresses.map((address) =>
        fetch(`http://${address}:${port}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );

  it.skipIf(process.platform !== 'linux')('is loopback for a loopback base, and no other', async () => {
    const gateway = await site.start();
    const others = [OTHER_LOOPBACK, ...outside];
    expect(await answersAt(gateway, ['127.0.0.1', 'localhost'])).toEqual([true, true]);
    expect(await answersAt(gateway, others)).toEqual(others.map(() => false));
  });

  it.skipIf(process.platform !== 'linux')('is every address with HOST=::', async () => {
    const gateway = await site.start({ env: { HOST: '::' } });
    const all = ['127.0.0.1', OTHER_LOOPBACK, ...outside];
    expect(await answersAt(gateway, all)).toEqual(all.map(() => true));
  });

  it('is refused in one line when the machine does not have it', async () => {
    const gateway = await site.spawn({ env: { HOST: '192.0.2.1' } });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    expect(gateway.output.stderr).toMatch(
      /^This machine does not have the address 192\.0\.2\.1: set HOST .*\n$/,
    );
  });
});

describe('the next start on the same DATA_DIR', () => {
  it('keeps the user, the key and the sessions, and does not print the key again', async () => {
    const first = await site.start();
    const owner = await whoIs(first, withKey(first.apiKey));
    await first.stop();
    const second = await site.start();
    expect(await whoIs(second, withKey(first.apiKey))).toEqual(owner);
    expect(await whoIs(second, withSession(first.session))).toEqual(owner);
    expect(await whoIs(second, withSession(second.session))).toEqual(owner);
    expect(second.output.stdout + second.output.stderr).not.toContain(first.apiKey);
    expect(second.output.stdout).toContain('API key');
  });

  it('agrees on the secrets and the owner when several processes start at once', async () => {
    const gateways = await Promise.all([site.start(), site.start()]);
    const [first, second] = gateways;
    const owner = await whoIs(first, withSession(first.session));
    expect(owner).toMatchObject({ status: 200, email: 'owner@localhost' });
    expect(await whoIs(second, withSession(first.session))).toEqual(owner);
    expect(await whoIs(first, withSession(second.session))).toEqual(owner);
    const printed = gateways.map(({ apiKey }) => apiKey).filter((key) => key !== '');
    expect(printed).not.toHaveLength(0);
    for (const key of printed) {
      for (const gateway of gateways) expect(await whoIs(gateway, withKey(key))).toEqual(owner);
    }
    expect(await readSecrets()).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });
});

describe('a start that must fail', () => {
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  it('says in one line that the port is in use, and what to do', async () => {
    const other = createServer().listen(0);
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const gateway = await site.spawn({ port });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    other.close();
    expect(gateway.output.stdout).toBe('');
    expect(complaint(gateway)).toEqual([expect.stringMatching(new RegExp(`${port} is in use.*PORT`))]);
  });

  it('lists every wrong value in one message, repeats none of them, and leaves nothing behind', async () => {
    const wrong = {
      ENCRYPTION_KEY: 'hunter2-not-hex',
      SERVER_PUBLIC_URL: 'hunter2-no-url',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      PENDING_STORE: 'hunter2-store',
      AUDIT_LOG_DEST: 'hunter2-dest',
      CONNECT_TTL_SECONDS: '-1',
      IDP_ISSUER_URL: 'hunter2-issuer',
      GITHUB_CLIENT_ID: 'x',
      GITHUB_INSTANCES: '{"hunter2":1}',
    };
    const gateway = await site.spawn({ env: wrong });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    const [headline, ...lines] = complaint(gateway);
    const names = lines.map((line) => line.trim().split(' ')[0] ?? '');
    const expected = Object.keys(wrong).filter((name) => name !== 'GITHUB_CLIENT_ID');
    expect(names.toSorted()).toEqual(expected.toSorted());
    expect(headline).toContain(String(expected.length));
    expect(gateway.output.stdout + gateway.output.stderr).not.toContain('hunter2');
    expect(gateway.output.stdout).toBe('');
    expect(await isThere(site.dataDir)).toBe(false);
    await expect(gateway.request('/')).rejects.toThrow();
  });

  it.each([
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/x' },
      /^The database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
    ],
    [
      'a file that is no database',
      { DATABASE_URL: `sqlite:${import.meta.filename}` },
      /^The database .*start\.test\.ts cannot be used: .*file is not a database/,
    ],
    [
      'a DATA_DIR that is no folder',
      { DATA_DIR: import.meta.filename },
      /^The folder .*start\.test\.ts of DATA_DIR cannot be used: EEXIST/,
    ],
    [
      'a place for blobs that is no folder',
      { BLOBS_URL: `fs:${import.meta.filename}/blobs` },
      /^The folder .*start\.test\.ts\/blobs of blobs cannot be used: ENOTDIR/,
    ],
  ])('explains without a stack trace that there is %s', async (_kind, env, words) => {
    const gateway = await site.spawn({ env });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    expect(complaint(gateway)).toEqual([expect.stringMatching(words)]);
    expect(gateway.output.stderr).not.toContain('hunter2');
  });

  it('asks for secrets on a public address, together with all other wrong values', async () => {
    const env = { SERVER_PUBLIC_URL: 'https://gateway.example.com', TRUST_PROXY: 'perhaps' };
    const gateway = await site.spawn({ env });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    const [headline, ...problems] = complaint(gateway);
    expect(headline).toContain('3 problems');
    expect(problems.toSorted()).toEqual([
      expect.stringMatching(/^ +ENCRYPTION_KEY must be set to 64 hex characters/),
      expect.stringMatching(/^ +SESSION_SECRET must be set to at least 32/),
      expect.stringMatching(/^ +TRUST_PROXY must be one of: true, false/),
    ]);
    expect(await isThere(site.dataDir)).toBe(false);
  });

  function complaint({ output }: Gateway): string[] {
    return output.stderr.trimEnd().split('\n');
  }
});

describe('a start without Redis', () => {
  it('serves what it can, and logs that Redis cannot be reached and why', async () => {
    const gateway = await site.start({ env: { PENDING_STORE: 'redis://127.0.0.1:1' } });
    await gateway.says('redis cannot be used');
    const [line] = /^.*redis cannot be used.*$/m.exec(gateway.output.stdout) ?? [];
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 'error',
      error: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await whoIs(gateway, withKey(gateway.apiKey))).toMatchObject({ status: 200 });
  });
});

describe('a start whose sign-in provider is away', () => {
  it('serves what it can, and logs the provider with a cure', async () => {
    const gateway = await site.start({
      env: { IDP_ISSUER_URL: 'http://127.0.0.1:1', IDP_CLIENT_ID: 'id', IDP_CLIENT_SECRET: 'hunter2' },
    });
    await gateway.says('sign-in provider cannot be used');
    const [line] = /^.*sign-in provider cannot be used.*$/m.exec(gateway.output.stdout) ?? [];
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 'warn',
      provider: 'idp',
      hint: expect.stringContaining('IDP_ISSUER_URL'),
    });
    expect((await gateway.request('/api/auth/providers')).status).toBe(200);
    expect(gateway.output.stdout).not.toContain('hunter2');
  });
});

describe('a start on a public address', () => {
  it('creates no owner and prints no link', async () => {
    const gateway = await site.start({
      env: {
        SERVER_PUBLIC_URL: 'https://gateway.example.com',
        SESSION_SECRET: 'a-session-secret-of-many-characters-0123456789',
        ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
      },
    });
    expect(gateway.output.stdout).toContain('https://gateway.example.com/mcp');
    expect(gateway.output.stdout).not.toMatch(/token=|API key|Portal/);
    await gateway.stop();
    const engine = openSqlite(join(site.dataDir, 'service.db'));
    expect(await createSqlStore(engine).users.byEmail('owner@localhost')).toBeNull();
    await engine.close();
    expect(await readdir(site.dataDir)).not.toContain('session-secret');
  });

  it('says how people sign in when there is no provider', async () => {
    const secret = '0123456789abcdef'.repeat(4);
    const env = {
      SERVER_PUBLIC_URL: 'https://gateway.example.com',
      SESSION_SECRET: secret,
      ENCRYPTION_KEY: secret,
    };
    const lonely = await site.spawn({ env });
    await lonely.says('"event":"listening"');
    expect(lonely.output.stdout).toMatch(/^ +Sign in +no provider is set up: npm run seed makes users$/m);
    await lonely.stop();
    const provider = { HOSTED_CLIENT_ID: 'gateway', HOSTED_CLIENT_SECRET: 's' };
    const open = await site.spawn({ env: { ...env, ...provider } });
    await open.says('"event":"listening"');
    expect(open.output.stdout).not.toContain('Sign in');
    await open.says('"event":"sign-in is open to strangers"');
    expect(open.output.stdout).toContain(
      'set SIGN_IN_ALLOW to the e-mail domains and addresses of your people',
    );
  });

  it('logs which values of an incomplete provider are missing, and which variables are misspelt', async () => {
    const gateway = await site.start({
      env: {
        IDP_CLIENT_ID: 'gateway',
        IDP_CLIENT_SECRET: 's',
        HOSTED_CLIENT_ID: 'gateway',
        GITHUB_CLIENT_ID: 'id',
        GITHBU_CLIENT_ID: 'id',
        METRICS_TOKN: 'hunter2',
      },
    });
    await gateway.stop();
    const warned = gateway.output.stdout.split('\n').filter((line) => line.includes('"level":"warn"'));
    expect(gateway.output.stdout).not.toContain('hunter2');
    expect(warned.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'unknown variable', variable: 'METRICS_TOKN', hint: 'did you mean METRICS_TOKEN?' },
      { provider: 'hosted', missing: ['HOSTED_CLIENT_SECRET'] },
      { provider: 'idp', missing: ['IDP_ISSUER_URL'] },
      { event: 'OAuth client without its secret', hint: expect.stringContaining('GITHUB_CLIENT_SECRET') },
      { event: 'OAuth client without an integration', variable: 'GITHBU_CLIENT_ID' },
    ]);
  });
});
