// Runs the cron example with the shell, and reads its crontab.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXAMPLES, type ExampleStand, ISSUE, openExampleStand } from '../support/example-stand.ts';

const SCRIPT = 'examples/cron/redmine-report.sh';

let stand: ExampleStand;
let folder: string;
let keyFile: string;
let key: string;
beforeAll(async () => {
  stand = await openExampleStand();
  await stand.connectRedmine();
  folder = await mkdtemp(join(tmpdir(), 'cron-example-'));
  keyFile = join(folder, 'report.key');
  key = await stand.makeKey('cron', { integrations: ['redmine'], access: 'read' });
  await writeFile(keyFile, `x-service-api-key: ${key}\n`, { mode: 0o600 });
});
afterAll(async () => {
  await stand?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  stand.asked.length = 0;
});

const report = (env: Record<string, string> = {}) => stand.run(['sh', SCRIPT], { KEY_FILE: keyFile, ...env });

const ISSUES = 'GET /issues.json?sort=updated_on%3Adesc&limit=10';
const NEWS = 'GET /news.json?limit=5';

describe('the example for cron', () => {
  it('runs a tool, calls an address of the API, and prints both answers', async () => {
    const { code, stdout, stderr } = await report();
    expect([code, stderr]).toEqual([0, '']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { integration: 'redmine', tool: 'redmine_list_issues', result: { issues: [ISSUE], total_count: 1 } },
      { news: [{ id: 3, title: 'Version 2 is out' }] },
    ]);
    expect(stand.asked).toEqual([ISSUES, NEWS]);
    await expect
      .poll(() => stand.auditOf('cron'))
      .toMatchObject([
        { integration: 'redmine', tool: 'redmine_list_issues', success: true, access: 'read' },
        { integration: 'redmine', success: true, access: 'read' },
      ]);
  });

  it('shows neither the key nor the token in the list of processes', async () => {
    const log = join(folder, 'arguments');
    const real = '$(PATH=${PATH#*:}; command -v curl)';
    await writeFile(join(folder, 'curl'), `#!/bin/sh\necho "$@" >> '${log}'\nexec ${real} "$@"\n`, {
      mode: 0o755,
    });
    const { code } = await report({ PATH: [folder, process.env['PATH']].join(delimiter) });
    const seen = await readFile(log, 'utf8');
    expect([code, seen.match(/\/c\/redmine\/news\.json/g)?.length]).toEqual([0, 1]);
    expect(seen).not.toMatch(/agk_|Bearer|eyJ/);
  });

  it('repeats what was answered with 429 or 503, when Retry-After says', async () => {
    stand.failNext(200, 503, 429);
    const { code, stdout } = await report();
    expect([code, stdout.split('\n').length]).toEqual([0, 3]);
    expect(stand.asked).toEqual([ISSUES, NEWS, NEWS, NEWS]);
  });

  it('prints the answer to standard error, and fails, when Redmine is not connected', async () => {
    await stand.disconnectRedmine();
    const { code, stdout, stderr } = await report();
    await stand.connectRedmine();
    expect([code, stdout]).toEqual([22, '']);
    expect(stderr).toMatch(/error: 409[\s\S]*"NOT_CONNECTED"/);
  });

  it('fails when the answer that it wants last is an error', async () => {
    stand.failNext(200, 404);
    const { code, stdout, stderr } = await report();
    expect([code, stdout.split('\n').length]).toEqual([22, 2]);
    expect(stderr).toMatch(/error: 404[\s\S]*status 404/);
  });

  it('fails when the key gets no token', async () => {
    const blocked = await stand.makeKey('cron, one tool', {
      rules: [{ decision: 'block' }, { tool: 'redmine_list_issues', decision: 'allow' }],
    });
    const file = join(folder, 'blocked.key');
    await writeFile(file, `x-service-api-key: ${blocked}\n`, { mode: 0o600 });
    const { code, stderr } = await report({ KEY_FILE: file });
    expect(code).toBe(1);
    expect(stderr).toContain('BLOCKED');
  });

  it('fails when nothing listens at the address', async () => {
    const { code, stderr } = await report({ GATEWAY_URL: 'http://127.0.0.1:1' });
    expect(code).toBe(7);
    expect(stderr).toMatch(/^curl: \(7\) /);
  });

  it('refuses a key file that others can read', async () => {
    await chmod(keyFile, 0o644);
    const { code, stderr } = await report();
    await chmod(keyFile, 0o600);
    expect([code, stderr]).toEqual([2, `Other users can read ${keyFile}. Run: chmod 600 ${keyFile}\n`]);
    expect(stand.asked).toEqual([]);
  });

  it.each(['GATEWAY_URL', 'KEY_FILE'])('says that %s is missing', async (name) => {
    const { code, stderr } = await report({ [name]: '' });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${name} is missing: .+\\n$`));
  });

  it('has a crontab that sets these variables and starts this script', async () => {
    const lines = (await readFile(join(EXAMPLES, 'cron/crontab'), 'utf8')).split('\n');
    const names = lines.flatMap((line) => /^(\w+)=./.exec(line)?.[1] ?? []);
    expect(names).toEqual(['MAILTO', 'GATEWAY_URL', 'KEY_FILE']);
    expect(lines.filter((line) => /^[\d*]/.test(line))).toEqual([
      expect.stringMatching(/^0 6 \* \* 1-5 sh \S+\/redmine-report\.sh >> \S+$/),
    ]);
  });
});
