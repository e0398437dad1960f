// Performs docs/actors.md as a newcomer does: its commands and its back end as they stand, the package of the gateway in a
// process of its own, a browser, and GitHub as `emulate` plays it. Prints how long the machine took. Also runs the Python client.
// decision: 069
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../support/browser.ts';
import { type Emulator, startEmulator } from '../support/emulators.ts';
import { type Program, ROOT, runProgram } from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';
import { type MadePackage, openPackage } from '../support/package-registry.ts';

let made: MadePackage;
let github: Emulator;
let folder: string;
let base: string;
let port: number;
let key: { id: string; key: string };
/** The account that is signed in to GitHub in the browser. */
let login = 'octo-ann';
const programs: Program[] = [];
let seconds = 0;

const page = await readFile(join(ROOT, 'docs/actors.md'), 'utf8');
const start = page.slice(page.indexOf('## Connect your users'), page.indexOf('## An agent for one user'));
const blocksOf = (language: string): string[] =>
  [...start.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

/** Runs a command of the page, with the values that it leaves out, and with the ports of this test. */
function perform(command: string | undefined, values: readonly string[], cwd = folder): Program {
  const left = [...values];
  const filled = (command ?? 'exit 9')
    .replaceAll('3000', new URL(base).port)
    .replaceAll('8080', String(port))
    .replace('<version>.tgz', basename(made.file).replace('tool-gateway-', ''))
    .replaceAll('…', () => left.shift() ?? '');
  const at = github.url;
  const program = runProgram(
    ['sh', '-c', filled],
    {
      ...made.machine,
      PORT: /server\.mjs/.test(filled) ? String(port) : new URL(base).port,
      UPSTREAM_MAP: `https://github.com=${at},https://api.github.com=${at}`,
    },
    cwd,
  );
  programs.push(program);
  return program;
}

async function performToEnd(command: string | undefined, values: readonly string[], cwd?: string) {
  const program = perform(command, values, cwd);
  const { code } = await program.exited;
  expect([code, program.output.stderr]).toEqual([0, expect.any(String)]);
  return program.output.stdout;
}

beforeAll(async () => {
  made = await openPackage();
  port = await freePort();
  base = `http://localhost:${await freePort()}`;
  github = await startEmulator('github', {
    github: {
      users: ['ann', 'bob', 'victim'].map((name) => ({
        login: `octo-${name}`,
        name,
        email: `${name}@example.com`,
      })),
      oauth_apps: [
        {
          client_id: 'github-id',
          client_secret: 'github-secret',
          name: 'The gateway',
          redirect_uris: [`${base}/api/auth/plugin/github/callback`],
        },
      ],
    },
  });
  folder = join(made.folder, 'acme');
  const began = performance.now();
  const [install, run, makeKey, startServer] = blocksOf('sh');
  await performToEnd(install, [], made.folder);
  const gateway = perform(run, ['github-id', 'github-secret']);
  await gateway.says('"event":"listening"');
  const [, session = ''] = /#token=(\S+)/.exec(gateway.output.stdout) ?? [];
  key = JSON.parse(await performToEnd(makeKey, [session]));
  await writeFile(join(folder, 'server.mjs'), blocksOf('js')[0] ?? '');
  // The page writes a key as svk_….
  await perform(startServer, [key.key.slice('svk_'.length)]).says('listening');
  await connectAs('ann');
  expect((await ask('/me', 'ann')).text).toContain('octo-ann');
  seconds = (performance.now() - began) / 1_000;
}, 300_000);
afterAll(async () => {
  for (const program of programs) program.signal('SIGKILL', 'group');
  await Promise.all(programs.map(({ exited }) => exited));
  await github?.close();
  await made?.close();
});

const product = () => `http://localhost:${port}`;

/** A browser that stops at GitHub. */
const browse = (): Browser =>
  createBrowser({
    isApplication: ({ hostname }) => hostname === 'github.com',
  });

/** Asks the back end as a user of the product. */
async function ask(path: string, user: string): Promise<{ status: number; location: string; text: string }> {
  const response = await fetch(`${product()}${path}`, {
    headers: { cookie: `user=${user}` },
    redirect: 'manual',
  });
  const location = response.headers.get('location') ?? '';
  return { status: response.status, location, text: await response.text() };
}

/** Goes from the link over GitHub to the address that the browser returns to. */
async function connect(link: string, browser = browse()): Promise<URL> {
  const left = await browser.submit(await browser.open(link));
  const address = /id="on" href="([^"]+)"/.exec(left.text)?.[1] ?? '';
  const url = new URL(address.replaceAll('&amp;', '&'));
  expect([url.origin, url.searchParams.get('client_id')]).toEqual(['https://github.com', 'github-id']);
  const back = await github.signIn(url.href, login);
  const question = await browser.open(back);
  expect(question.text).toContain(login);
  expect(question.text).toContain('Acme');
  return (await browser.submit(question)).url;
}

async function connectAs(user: string): Promise<void> {
  login = `octo-${user}`;
  const { status, location } = await ask('/connect', user);
  expect(status).toBe(302);
  const end = await connect(location);
  expect(end.origin).toBe(product());
  expect((await ask(`${end.pathname}${end.search}`, user)).text).toBe('GitHub is connected.');
}

describe('the page', () => {
  it('connects the GitHub of two users, and each of them works with their own', async () => {
    console.log(`docs/actors.md: the machine's part of the quick start took ${seconds.toFixed(1)} s`);
    await connectAs('bob');
    for (const user of ['ann', 'bob']) expect((await ask('/me', user)).text).toContain(`octo-${user}`);
    expect((await ask('/me', 'eve')).status).toBe(502);
  });

  it('takes back what somebody has connected with the link of another', async () => {
    login = 'octo-victim';
    const { location } = await ask('/connect', 'mallory');
    const end = await connect(location);
    const { status, text } = await ask(`${end.pathname}${end.search}`, 'victim');
    expect([status, text]).toEqual([403, 'This link was made for somebody else.']);
    expect((await ask('/me', 'mallory')).status).toBe(502);
  });

  it('says what the client weighs', async () => {
    const source = await readFile(join(ROOT, 'adapters/node/client/client.ts'), 'utf8');
    const { code } = await transform(source, { loader: 'ts', minify: true });
    expect(code.length).toBeLessThan(3_000);
  });
});

describe('the Python client', () => {
  const run = async (args: string[], env: Record<string, string>) => {
    const made = runProgram(['python3', join(ROOT, 'examples/python-client/connect.py'), ...args], env);
    return { ...(await made.exited), ...made.output };
  };
  const variables = () => ({ GATEWAY_URL: base, SERVICE_KEY: key.key });

  it('makes a link, and lists what is connected', async () => {
    const { code, stdout, stderr } = await run(['ann', 'github', `${product()}/connected`], variables());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Open http://localhost');
    expect(stdout).toContain('github ok');
  });

  it('says what the gateway refuses, and what is missing', async () => {
    const refused = await run(['ann', 'github', 'https://evil.example/'], variables());
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('returnTo')]);
    expect((await run([], {})).code).toBe(2);
  });
});
