// Tests npm run connections beside a running gateway. reference: Several accounts
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPorts } from '../../adapters/node/ports.ts';
import { localSecret } from '../../adapters/node/secrets.ts';
import { readConfig } from '../../src/config/config.ts';
import { stateAfter } from '../../src/connections/model/state.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import {
  type Exit,
  type Gateway,
  openSite,
  type Output,
  runProgram,
  type Site,
} from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';

// Each command is a process of its own, which takes seconds on a loaded machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const COMMAND = ['node', 'adapters/node/launch.mjs', 'adapters/node/connections.ts'];
const EMAIL = 'ann@example.com';
const ANN = ['--email', EMAIL];
const GITHUB = [...ANN, '--integration', 'github'];
const CHECKED = 1_790_000_000;

interface Stand {
  site: Site;
  gateway: Gateway;
  deps: Deps;
  userId: string;
  headers: Record<string, string>;
  /** The tokens that reached GitHub with a call, newest last. */
  seen: string[];
  /** The tokens that GitHub accepts. */
  tokens: Set<string>;
  provider: { isInTrouble: boolean };
  run(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
  /** Connects an account, `id` being the provider's own. */
  connect(id: number, name: string, way?: 'oauth2' | 'token'): Promise<void>;
  close(): Promise<void>;
}

async function openStand(more: Record<string, string> = {}): Promise<Stand> {
  const [seen, tokens] = [[] as string[], new Set<string>()];
  const provider = { isInTrouble: false };
  async function answerAsGithub(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const answer = (status: number, content: object = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(status === 204 ? undefined : JSON.stringify(content));
    if (request.method === 'DELETE') {
      if (provider.isInTrouble) return answer(500);
      tokens.delete(JSON.parse(body).access_token);
      return answer(204);
    }
    seen.push(token);
    return tokens.has(token) ? answer(200, { login: token }) : answer(401, { message: 'Bad credentials' });
  }
  const upstream = await startHttpServer((request, response) => void answerAsGithub(request, response));
  const origin = `http://127.0.0.1:${upstream.port}`;
  const site = await openSite();
  const env = {
    UPSTREAM_MAP: `https://github.com=${origin},https://api.github.com=${origin}`,
    GITHUB_CLIENT_ID: 'the-gateway',
    GITHUB_CLIENT_SECRET: 'client-secret',
    ...more,
  };
  const gateway = await site.start({ env });
  const seeded = JSON.parse((await site.seed([...ANN, '--json'], env)).stdout);
  const ports = await openPorts(readConfig({ DATA_DIR: site.dataDir, ...env }, localSecret));
  const deps = await createDeps(ports);
  return {
    site,
    gateway,
    deps,
    userId: seeded.userId,
    headers: { 'x-service-api-key': seeded.apiKey },
    seen,
    tokens,
    provider,
    async run(args, extra = {}) {
      const { exited, output } = runProgram([...COMMAND, ...args], {
        DATA_DIR: site.dataDir,
        ...env,
        ...extra,
      });
      return { ...(await exited), ...output };
    },
    async connect(id, name, way = 'oauth2') {
      tokens.add(`secret-of-${name}`);
      const verdict = { kind: 'ok', account: { id: String(id), label: name } } as const;
      await deps.vault.save(seeded.userId, 'github', {
        accessToken: `secret-of-${name}`,
        way,
        state: stateAfter(null, verdict, CHECKED),
      });
    },
    async close() {
      await ports.close();
      await site.close();
      await upstream.close();
    },
  };
}

/** The token with which a call of the running gateway reaches GitHub, or the error that it ends in. */
async function use({ gateway, headers, seen }: Stand, access: 'read' | 'write', account?: string) {
  seen.length = 0;
  const args = { method: access === 'read' ? 'GET' : 'POST', path: '/user' };
  const executions = [{ tool: 'github_request', args, ...(account === undefined ? {} : { account }) }];
  const answered = await call(gateway, headers, 'execute_tools', { executions });
  return answered.results[0].error ?? seen.at(-1);
}

async function labelsOf({ deps, userId }: Stand): Promise<(string | null)[]> {
  const rows = await deps.store.connections.of(userId, 'github');
  return rows.map(({ label }) => label);
}

describe('npm run connections', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand();
  });
  afterAll(() => stand.close());
  beforeEach(async () => {
    const { connections, revocations } = stand.deps.store;
    stand.provider.isInTrouble = false;
    for (const { integration, account } of await connections.list(stand.userId))
      await connections.delete(stand.userId, integration, account);
    for (const { id } of await revocations.list(stand.userId, 'github')) await revocations.delete(id);
    await stand.connect(1, 'work');
    await stand.connect(2, 'private');
  });

  it('lists the accounts in a table and as JSON, without a secret', async () => {
    const table = await stand.run(['list', ...ANN]);
    expect(table).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: [
        'INTEGRATION  ACCOUNT  USED FOR            STATUS  LAST CHECK (UTC)',
        'github       work     reads               ok      2026-09-21 14:13',
        'github       private  calls that name it  ok      2026-09-21 14:13',
        '',
      ].join('\n'),
    });
    const json = await stand.run(['list', ...GITHUB, '--json']);
    const account = { integration: 'github', defaultForWrites: false, status: 'ok', checkedAt: CHECKED };
    expect(JSON.parse(json.stdout)).toEqual([
      { ...account, id: '1', label: 'work', default: true },
      { ...account, id: '2', label: 'private', default: false },
    ]);
    expect(table.stdout + json.stdout).not.toContain('secret-of');
  });

  it('renames an account for the running gateway', async () => {
    const args = ['rename', ...GITHUB, '--account', 'work', '--label'];
    expect(await stand.run([...args, 'Work GitHub'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: 'The account "work" of GitHub is called "Work GitHub" now.\n',
    });
    expect(await use(stand, 'write', 'Work GitHub')).toBe('secret-of-work');
    expect(await use(stand, 'write', 'work')).toBe('UNKNOWN_ACCOUNT');
  });

  it('refuses a label that another account has, and changes nothing', async () => {
    expect(await stand.run(['rename', ...GITHUB, '--account', 'work', '--label', 'private'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Another account is called "private". Choose another name.\n',
    });
    expect(await labelsOf(stand)).toEqual(['work', 'private']);
  });

  it('chooses and ends the defaults of the running gateway', async () => {
    const args = ['default', ...GITHUB, '--account', 'private'];
    expect(await use(stand, 'read')).toBe('secret-of-work');
    expect(await stand.run(args)).toMatchObject({
      code: 0,
      stdout: 'GitHub uses the account "private" for: reads.\n',
    });
    expect(await use(stand, 'read')).toBe('secret-of-private');
    expect(await use(stand, 'write')).toBe('AMBIGUOUS_ACCOUNT');
    expect((await stand.run([...args, '--writes'])).stdout).toBe(
      'GitHub uses the account "private" for: reads and writes.\n',
    );
    expect(await use(stand, 'write')).toBe('secret-of-private');
    expect((await stand.run([...args, '--writes', '--off', '--json'])).stdout).toContain(
      '"defaultForWrites":false',
    );
    expect(await use(stand, 'write')).toBe('AMBIGUOUS_ACCOUNT');
  });

  it('disconnects one account, ends its grant, and leaves the other one', async () => {
    expect(await stand.run(['disconnect', ...GITHUB, '--account', 'work'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: 'done: GitHub, account "work", is disconnected. GitHub has ended the access.\n',
    });
    expect([...stand.tokens]).not.toContain('secret-of-work');
    expect(await use(stand, 'write')).toBe('secret-of-private');
    expect(await labelsOf(stand)).toEqual(['private']);
  });

  it('says where the person removes an access that the gateway cannot end', async () => {
    await stand.connect(3, 'manual', 'token');
    expect(await stand.run(['disconnect', ...GITHUB, '--account', 'manual'])).toMatchObject({
      code: 0,
      stdout:
        'not-offered: GitHub, account "manual", is disconnected. The gateway cannot end the access at GitHub. The person can remove it at https://github.com/settings/tokens\n',
    });
    expect(await labelsOf(stand)).toEqual(['work', 'private']);
  });

  it('leaves an access that does not end yet to the running gateway', async () => {
    stand.provider.isInTrouble = true;
    const answer = await stand.run(['disconnect', ...GITHUB, '--json']);
    const pending = {
      integration: 'github',
      revoked: 'pending',
      removeAt: 'https://github.com/settings/applications',
    };
    expect(JSON.parse(answer.stdout)).toEqual([
      { ...pending, label: 'work' },
      { ...pending, label: 'private' },
    ]);
    expect(await stand.deps.store.revocations.list(stand.userId, 'github')).toHaveLength(2);
    expect(await use(stand, 'read')).toBe('NOT_CONNECTED');
    expect(await stand.run(['list', ...ANN])).toMatchObject({
      code: 0,
      stdout: `${EMAIL} has connected nothing.\n`,
    });
  });

  it.each([
    [['list', '--email', 'bo@example.com'], 'Nobody here has the address bo@example.com.'],
    [
      ['list', ...ANN, '--integration', 'githob'],
      `There is no integration "githob". ${EMAIL} has connected "github".`,
    ],
    [
      ['disconnect', ...ANN, '--integration', 'linear'],
      `Linear is not connected. ${EMAIL} has connected "github".`,
    ],
    [
      ['disconnect', ...GITHUB, '--account', 'home'],
      'GitHub has no such account. The accounts are "work", "private".',
    ],
    [
      ['rename', ...GITHUB, '--account', 'home', '--label', 'x'],
      'GitHub has no such account. The accounts are "work", "private".',
    ],
    [['rename', ...GITHUB, '--account', 'work'], '"rename" needs --label.'],
    [['list', ...GITHUB, '--off'], '"list" does not take --off.'],
    [['list', '--email', 'nobody'], '--email must be an e-mail address'],
    [[], 'usage: npm run connections -- <command>'],
    [['remove', ...ANN], 'usage: npm run connections -- <command>'],
  ])('refuses %j with one message, and changes nothing', async (args, message) => {
    const { code, stdout, stderr } = await stand.run(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await labelsOf(stand)).toEqual(['work', 'private']);
  });
});

describe('npm run connections without a gateway', () => {
  it('prints its usage with --help, and makes no gateway with a mistyped DATA_DIR', async () => {
    const site = await openSite();
    const run = async (args: string[]) => {
      const { exited, output } = runProgram([...COMMAND, ...args], { DATA_DIR: site.dataDir });
      return { ...(await exited), ...output };
    };
    expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('disconnect') });
    expect(await run(['list'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no gateway has started here'),
    });
    await site.close();
  });
});

await describeService('npm run connections on PostgreSQL', postgresUrl(), () => {
  let stand: Stand;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const schema = await createPostgresSchema();
    drop = schema.drop;
    stand = await openStand({ DATABASE_URL: schema.url });
  });
  afterAll(async () => {
    await stand.close();
    await drop();
  });

  it('changes what the running gateway uses', async () => {
    await stand.connect(1, 'work');
    await stand.connect(2, 'private');
    expect(await use(stand, 'write')).toBe('AMBIGUOUS_ACCOUNT');
    await stand.run(['default', ...GITHUB, '--account', 'private', '--writes']);
    expect(await use(stand, 'write')).toBe('secret-of-private');
    const ended = await stand.run(['disconnect', ...GITHUB, '--account', 'private']);
    expect(ended.stdout).toMatch(/^done: /);
    expect(await use(stand, 'write')).toBe('secret-of-work');
  });
});
