// Runs Debian's MediaWiki on SQLite below /w, in its own folder, served by PHP.
import { appendFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSetCookie, type SetCookie } from '../../src/connections/cookies/set-cookie.ts';
import { runProgram } from './gateway-process.ts';
import { describeInstalled } from './installed.ts';

const PLACE = '/usr/share/mediawiki';
const PACKAGES = 'mediawiki php-cli php-sqlite3';

export interface Wiki {
  /** The URL with the script path. */
  url: string;
  /** Signs in and returns the cookies of a browser. */
  signIn(): Promise<(SetCookie & { domain: string })[]>;
  stop(): Promise<void>;
}

export function describeWithMediawiki(name: string, body: () => void): void {
  const files = [`${PLACE}/api.php`, '/usr/bin/php'];
  describeInstalled(name, { packages: PACKAGES, files }, body);
}

export const WIKI_USER = 'Admin';
export const WIKI_PASSWORD = 'a-password-of-tests';

export async function startMediawiki(): Promise<Wiki> {
  const folder = await mkdtemp(join(tmpdir(), 'wiki-'));
  const site = join(folder, 'site');
  const images = join(folder, 'images');
  const settings = join(folder, 'LocalSettings.php');
  await install(folder);
  await Promise.all([mkdir(site), mkdir(images)]);
  await symlink(PLACE, join(site, 'w'));
  await appendFile(
    settings,
    `$wgServer = WebRequest::detectServer(); $wgEnableUploads = true; $wgUploadDirectory = '${images}';\n`,
  );
  const php = runProgram(['sh', '-c', `exec php -S 127.0.0.1:0 -t ${site} 2>&1`], {
    MW_CONFIG_FILE: settings,
    // MediaWiki leaves files there that belong to its user.
    TMPDIR: folder,
  });
  await php.says('started');
  const url = `${/http:[^)]+/.exec(php.output.stdout)?.[0]}/w`;
  return {
    url,
    signIn: () => signIn(`${url}/api.php?format=json&formatversion=2`),
    async stop() {
      php.signal('SIGKILL', 'group');
      await php.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function install(folder: string): Promise<void> {
  const options = {
    dbtype: 'sqlite',
    dbpath: `${folder}/data`,
    scriptpath: '/w',
    server: 'http://127.0.0.1',
  };
  const flags = Object.entries({ ...options, confpath: folder, pass: WIKI_PASSWORD }).flatMap(
    ([name, value]) => [`--${name}`, value],
  );
  const script = `${PLACE}/maintenance/install.php`;
  const { exited, output } = runProgram(['php', script, ...flags, 'Test wiki', WIKI_USER], {
    TMPDIR: folder,
  });
  const { code } = await exited;
  if (code !== 0) throw new Error(`MediaWiki could not be installed:\n${output.stdout}${output.stderr}`);
}

async function signIn(api: string): Promise<(SetCookie & { domain: string })[]> {
  const start = await fetch(`${api}&action=query&meta=tokens&type=login`);
  const { query } = (await start.json()) as { query: { tokens: { logintoken: string } } };
  const [session = ''] = start.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const answer = await fetch(`${api}&action=clientlogin`, {
    method: 'POST',
    headers: { cookie: session },
    body: new URLSearchParams({
      username: WIKI_USER,
      password: WIKI_PASSWORD,
      rememberMe: '1',
      logintoken: query.tokens.logintoken,
      loginreturnurl: 'http://127.0.0.1/',
    }),
  });
  const said = await answer.text();
  if (!said.includes('PASS')) throw new Error(`MediaWiki did not let ${WIKI_USER} in: ${said}`);
  return answer.headers.getSetCookie().flatMap((line) => {
    const cookie = parseSetCookie(line, Math.floor(Date.now() / 1000));
    return cookie === null ? [] : [{ ...cookie, domain: '127.0.0.1' }];
  });
}
