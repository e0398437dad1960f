// Runs unmodified git through /c/git against git's own HTTP backend, with the commands of docs/raw-http.md.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';

const run = promisify(execFile);
const LARGE = 3_000_000;

let site: Site;
let gateway: Gateway & Banner;
let host: GitServer;
let folder: string;
let token: string;
let headers: Record<string, string>;

beforeAll(async () => {
  site = await openSite();
  host = await startGitServer('ana', 's3cret');
  folder = await mkdtemp(join(tmpdir(), 'git-client-'));
  gateway = await site.start();
  headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
  const values = { username: 'ana', token: 's3cret', instanceUrl: host.url };
  const connected = await gateway.request('/api/auth/apikey/git', {
    method: 'POST',
    headers,
    body: JSON.stringify({ values }),
  });
  expect(await connected.json()).toMatchObject({ success: true });
  ({ token } = await call(gateway, headers, 'curl_session', { integrations: ['git'] }));
});
afterAll(async () => {
  await site.close();
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

const git = (cwd: string, ...args: string[]) =>
  run('git', ['-c', `http.${gateway.base}/.extraHeader=Authorization: Bearer ${token}`, ...args], {
    cwd: join(folder, cwd),
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Ana',
      GIT_AUTHOR_EMAIL: 'ana@example.com',
      GIT_COMMITTER_NAME: 'Ana',
      GIT_COMMITTER_EMAIL: 'ana@example.com',
    },
  });

describe('git with an extra header for the gateway only', () => {
  it('clones, pushes small and large commits, and clones again what it pushed', async () => {
    const address = `${gateway.base}/c/git/acme/app.git`;
    await git('', 'clone', address, 'first');
    // The file does not compress, and is larger than what git sends with a length.
    const large = Buffer.from(Array.from({ length: LARGE }, (_, index) => (index * index * 7919) >> 5));
    await writeFile(join(folder, 'first/large'), large);
    await writeFile(join(folder, 'first/readme'), 'hello');
    await git('first', 'add', '.');
    await git('first', 'commit', '--quiet', '-m', 'first');
    await git('first', 'push', '--quiet', 'origin', 'HEAD:main', 'HEAD:refs/heads/añadir');
    await git('', 'clone', '--quiet', address, 'second');
    expect(await readFile(join(folder, 'second/readme'), 'utf8')).toBe('hello');
    expect((await readFile(join(folder, 'second/large'))).equals(large)).toBe(true);
    // The host saw only the stored credential.
    expect(new Set(host.seen)).toEqual(new Set([`Basic ${btoa('ana:s3cret')}`]));
  });

  it("sends the token to no other host, such as a submodule's", async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = await startHttpServer(({ headers: { authorization } }, outgoing) => {
      asked.push(authorization);
      outgoing.writeHead(404).end();
    });
    const url = `http://127.0.0.1:${elsewhere.port}/lib.git`;
    const { stdout: commit } = await git('first', 'rev-parse', 'HEAD');
    await git('first', 'update-index', '--add', '--cacheinfo', `160000,${commit.trim()},lib`);
    await writeFile(join(folder, 'first/.gitmodules'), `[submodule "lib"]\n\tpath = lib\n\turl = ${url}\n`);
    await git('first', 'add', '.gitmodules');
    await git('first', 'commit', '--quiet', '-m', 'second');
    await git('first', 'push', '--quiet', 'origin', 'HEAD:main');
    const clone = git('', 'clone', '--recurse-submodules', `${gateway.base}/c/git/acme/app.git`, 'third');
    await expect(clone).rejects.toThrow("lib.git/' not found");
    await elsewhere.close();
    expect(new Set(asked)).toEqual(new Set([undefined]));
  });

  it('is refused without the header, and the git host is not asked', async () => {
    const asked = host.seen.length;
    token = 'nothing';
    await expect(git('', 'ls-remote', `${gateway.base}/c/git/acme/app.git`)).rejects.toThrow(
      /Authentication failed|could not read Username/,
    );
    expect(host.seen).toHaveLength(asked);
  });

  it('shows an agent the same branches', async () => {
    const { results } = await call(gateway, headers, 'execute_tools', {
      executions: [
        { tool: 'git_list_refs', args: { repository: 'acme/app.git' } },
        { tool: 'git_list_refs', args: { repository: 'acme/none.git' } },
      ],
    });
    const commit = expect.stringMatching(/^[0-9a-f]{40}$/);
    expect(results).toEqual([
      {
        result: [
          { name: 'HEAD', commit },
          // The length of a line counts bytes.
          { name: 'refs/heads/añadir', commit },
          { name: 'refs/heads/main', commit },
        ],
      },
      { error: 'The host answered 404 for acme/none.git', integration: 'git' },
    ]);
  });
});
