// Tests what `npm run pack` makes, as a person installs it: from a file and from a registry, in any folder, without the
// sources. The registry is on this machine, so the test needs no network. decision: 006
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/listen.ts';
import { type Program, runProgram } from '../support/gateway-process.ts';
import { type MadePackage, NAME, openPackage, version } from '../support/package-registry.ts';

let folder: string;
let file: string;
let made: MadePackage;
let machine: Record<string, string>;
/** A folder that has nothing to do with the gateway. */
let elsewhere: string;
const programs: Program[] = [];

beforeAll(async () => {
  made = await openPackage();
  ({ folder, file, machine } = made);
  elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
});
afterAll(async () => {
  for (const program of programs) program.signal('SIGKILL', 'group');
  await Promise.all(programs.map(({ exited }) => exited));
  await made.close();
});

function run(command: readonly string[], env: Record<string, string> = {}): Program {
  const program = runProgram(command, { ...machine, ...env }, elsewhere);
  programs.push(program);
  return program;
}

async function runToEnd(command: readonly string[], env: Record<string, string> = {}) {
  const { exited, output } = run(command, env);
  return { ...(await exited), ...output };
}

/** Starts the gateway, calls a tool, runs a script, and stops the gateway. */
async function serveOnce(command: readonly string[], env: Record<string, string> = {}) {
  const port = await freePort();
  const program = run(command, { PORT: String(port), ...env });
  await program.says('"event":"listening"');
  const [, key = ''] = /^ {2}API key +([0-9a-f]{64})$/m.exec(program.output.stdout) ?? [];
  const portal = await fetch(`http://localhost:${port}/`);
  const post = async (path: string, body: object) => {
    const answer = await fetch(`http://localhost:${port}${path}`, {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const code = 'const { timeZone }: { timeZone: string } = await tools.time_now(); return [timeZone]';
  const answers = {
    portal: portal.headers.get('content-type'),
    called: await post('/rest/time', { tool: 'now' }),
    ran: await post('/rest/scripts', { tool: 'script_run', args: { code } }),
  };
  program.signal('SIGTERM', 'group');
  await program.exited;
  return { ...answers, output: program.output.stdout };
}

const WORKS = {
  portal: expect.stringMatching(/^text\/html/),
  called: { integration: 'time', tool: 'time_now', result: { timeZone: 'UTC' } },
  // The build carries the thread of scripts and the engine in it.
  ran: { result: ['UTC'] },
  output: expect.stringContaining('"event":"stopped"'),
};

describe("the package, installed globally on the host's Node", () => {
  let command: string;
  beforeAll(async () => {
    const prefix = join(folder, 'prefix');
    const installed = await runToEnd(['npm', 'install', '--global', '--prefix', prefix, file]);
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    command = join(prefix, 'bin', NAME);
  });

  it('starts a gateway with a portal in any folder, and keeps everything in the home folder', async () => {
    expect(await serveOnce([command])).toMatchObject(WORKS);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(join(folder, 'home/.tool-gateway'))).toContain('service.db');
    const users = await runToEnd([command, 'users', 'list']);
    expect(users, users.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('owner@localhost'),
    });
  });

  it('has the client for service keys, as a module and as types', async () => {
    const installed = join(folder, 'prefix/lib/node_modules', NAME);
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const { default: file, types } = exports['./client'];
    const { createClient } = await import(join(installed, file));
    const client = createClient({ url: 'http://localhost:3000', key: 'svk_' });
    expect(Object.keys(client)).toContain('createActorLink');
    expect(readFileSync(join(installed, types), 'utf8')).toContain('export declare function createClient');
  });

  it('keeps everything in DATA_DIR where that is set', async () => {
    const DATA_DIR = join(folder, 'own-data');
    expect(await runToEnd([command, 'seed', '--email', 'ana@example.com'], { DATA_DIR })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/API key {2}[0-9a-f]{64}/),
    });
    expect(readdirSync(DATA_DIR)).toContain('service.db');
  });

  it('prints its version and its help, and refuses an unknown command', async () => {
    expect(await runToEnd([command, '--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
    const help = await runToEnd([command, '--help']);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usage: tool-gateway/) });
    expect(await runToEnd([command, 'uesrs'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^"uesrs" is no command\.\n\nusage: /),
    });
  });

  it('has every program of the build as a command, whose help names that command', async () => {
    const programs = readdirSync(join(folder, 'builds/server'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => name.slice(0, -'.js'.length))
      .filter((name) => !['main', 'gateway', 'bcrypt-worker', 'script-worker'].includes(name));
    expect(programs).toContain('users');
    const { stdout } = await runToEnd([command, '--help']);
    const listed = [...stdout.matchAll(/^  ([a-z-]+) {2,}\S/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(programs));
    const helps = await Promise.all(programs.map((name) => runToEnd([command, name, '--help'])));
    expect(helps.map((help) => /^usage: tool-gateway ([a-z-]+)/.exec(help.stdout)?.[1])).toEqual(programs);
  });

  it('says how to set up an integration, and writes no page of the sources', async () => {
    const SERVER_PUBLIC_URL = 'https://gate.example.com';
    expect(await runToEnd([command, 'catalog', '--setup', 'github'], { SERVER_PUBLIC_URL })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${SERVER_PUBLIC_URL}/api/auth/plugin/github/callback`),
    });
    expect(await runToEnd([command, 'catalog'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^usage: tool-gateway catalog /),
    });
  });

  it('names no script of the sources, in no text of the server and the portal', async () => {
    const dist = join(folder, 'prefix/lib/node_modules', NAME, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    );
    expect(files.some((name) => name.startsWith('portal'))).toBe(true);
    const naming = [];
    for (const name of files)
      if (/npm (?:run|start)/.test(await readFile(join(dist, name), 'utf8'))) naming.push(name);
    expect(naming).toEqual([]);
  });
});

describe('the package, run by npx from a registry on a Node that is new enough', () => {
  it('needs no other package, and serves', async () => {
    const env = {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      npm_config_omit: 'optional',
      DATA_DIR: join(folder, 'data-of-npx'),
    };
    expect(await serveOnce(['npx', '--yes', NAME], env)).toMatchObject(WORKS);
    const [cached = ''] = readdirSync(join(folder, 'cache/_npx'));
    const installed = readdirSync(join(folder, 'cache/_npx', cached, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual([NAME]);
  });
});
