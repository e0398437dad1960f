// Performs docs/actors.md: the back end of the page in a process of its own, a real gateway, a browser, and GitHub's sign-in
// from its documentation. Also runs the Python client. decision: 069
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../support/browser.ts';
import {
  type Gateway,
  openSite,
  type Program,
  ROOT,
  runProgram,
  type Site,
} from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { freePort } from '../support/listen.ts';

let site: Site;
let gateway: Gateway & { session: string };
let github: HttpServer;
let folder: string;
let program: Program;
let port: number;
let key: { id: string; key: string };
/** The account that is signed in to GitHub in the browser, by the code of its consent. */
const logins = new Map<string, string>();
let login = 'octo-ann';

const page = await readFile(join(ROOT, 'docs/actors.md'), 'utf8');
const block = (language: string, nth = 0): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][nth]?.[1] ?? '';

beforeAll(async () => {
  github = await startHttpServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://github.test');
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/login/oauth/access_token') {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const code = new URLSearchParams(text).get('code') ?? '';
        json({ access_token: `gho_${logins.get(code)}`, token_type: 'bearer', scope: 'repo' });
      });
    } else if (url.pathname === '/user') {
      const name = /gho_(\S+)/.exec(request.headers.authorization ?? '')?.[1];
      if (name === undefined) response.writeHead(401).end('{}');
      else json({ id: name.length, login: name });
    } else json({});
  });
  site = await openSite();
  const at = `http://127.0.0.1:${github.port}`;
  gateway = await site.start({
    env: {
      GITHUB_CLIENT_ID: 'github-id',
      GITHUB_CLIENT_SECRET: 'github-secret',
      UPSTREAM_MAP: `https://github.com=${at},https://api.github.com=${at}`,
    },
  });
  port = await freePort();
  // Step 1 of the page, with the port of this test.
  const command = block('sh').replaceAll('8080', String(port));
  const made = runProgram(['sh', '-c', command], { GATEWAY_URL: gateway.base, SESSION: gateway.session });
  await made.exited;
  key = JSON.parse(made.output.stdout);
  // Step 2. The package has the client as JavaScript.
  folder = await mkdtemp(join(tmpdir(), 'actors-'));
  const installed = join(folder, 'node_modules/tool-gateway');
  await mkdir(installed, { recursive: true });
  const source = await readFile(join(ROOT, 'adapters/node/client/client.ts'), 'utf8');
  await writeFile(
    join(installed, 'client.js'),
    (await transform(source, { loader: 'ts', format: 'esm' })).code,
  );
  await writeFile(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'tool-gateway', type: 'module', exports: { './client': './client.js' } }),
  );
  await writeFile(join(folder, 'server.mjs'), block('js'));
  program = runProgram(
    [process.execPath, 'server.mjs'],
    { GATEWAY_URL: gateway.base, SERVICE_KEY: key.key, PORT: String(port) },
    folder,
  );
  await program.says('listening');
}, 60_000);
afterAll(async () => {
  program?.signal('SIGKILL', 'group');
  await site?.close();
  await github?.close();
  await rm(folder, { recursive: true, force: true });
});

const product = () => `http://localhost:${port}`;

/** A browser that stops at GitHub. */
const browse = (): Browser =>
  createBrowser({
    isApplication: ({ hostname }) => hostname === 'github.com' || hostname === 'product.test',
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
  const code = `code-${logins.size}`;
  logins.set(code, login);
  const back = new URL(url.searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', code);
  back.searchParams.set('state', url.searchParams.get('state') ?? '');
  const question = await browser.open(back);
  expect(question.text).toContain(login);
  expect(question.text).toContain('Acme');
  return (await browser.submit(question)).url;
}

describe('the page', () => {
  it('connects the GitHub of two users, and each of them works with their own', async () => {
    for (const user of ['ann', 'bob']) {
      login = `octo-${user}`;
      const { status, location } = await ask('/connect', user);
      expect(status).toBe(302);
      const end = await connect(location);
      expect(end.origin).toBe(product());
      expect((await ask(`${end.pathname}${end.search}`, user)).text).toBe('GitHub is connected.');
    }
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
  const variables = () => ({ GATEWAY_URL: gateway.base, SERVICE_KEY: key.key });

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
