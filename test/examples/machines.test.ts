// Runs the workflows of docs/machines.md with a local issuer in place of GitHub, GitLab and Kubernetes.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXAMPLES, type ExampleStand, openExampleStand } from '../support/example-stand.ts';
import { ROOT } from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { type Oidc, startOidc } from '../support/oidc.ts';

const FOLDER = join(EXAMPLES, 'machines');
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const GITHUB = 'repo:acme/web:ref:refs/heads/main';
const GITLAB = 'project_path:acme/web:ref_type:branch:ref:main';
const KUBERNETES = 'system:serviceaccount:jobs:report';

let stand: ExampleStand;
let oidc: Oidc;
let folder: string;
beforeAll(async () => {
  [stand, oidc] = await Promise.all([openExampleStand(), startOidc({ redirectUris: ['http://localhost/'] })]);
  folder = await mkdtemp(join(tmpdir(), 'machines-'));
  await stand.connectRedmine();
  await stand.makeKey('report', { integrations: ['redmine'], access: 'read' });
  const rules = [GITHUB, GITLAB, KUBERNETES].map((sub) => ({ sub, key: 'report' }));
  const trusted = { name: 'Local', issuer: oidc.issuer, rules };
  expect(await stand.api('POST', '/api/trusted-issuers', trusted)).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await stand?.close();
  await oidc?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  stand.asked.length = 0;
});

const signFor = (sub: string, audience = stand.base) => {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, nbf: now, exp: now + 600 };
  return oidc.sign({ iss: oidc.issuer, aud: audience, sub, jti: crypto.randomUUID(), ...times });
};

/** Runs lines as the runner of each platform does. */
const runLines = (lines: string, env: Record<string, string> = {}, shell = ['sh', '-e', '-c']) =>
  stand.run([...shell, lines], env, folder);

async function expectReport(stdout: string, sub: string): Promise<void> {
  expect(JSON.parse(stdout)).toMatchObject({ tool: 'redmine_list_issues', result: { total_count: 1 } });
  expect(stand.asked).toEqual(['GET /issues.json?limit=10']);
  await expect
    .poll(async () => (await stand.auditOf(`report by ${sub}`)).at(-1))
    .toMatchObject({ tool: 'redmine_list_issues', outcome: 'ok' });
}

it.each(['github-actions.yml', 'gitlab-ci.yml', 'kubernetes-cronjob.yaml', 'server.sh'])(
  'docs/machines.md shows %s as it is',
  async (file) => {
    expect(await readFile(join(ROOT, 'docs/machines.md'), 'utf8')).toContain(`\n${read(file)}\`\`\``);
  },
);

describe('the workflow of GitHub', () => {
  interface Job {
    env: Record<string, string>;
    steps: { run: string }[];
  }
  const text = read('github-actions.yml');
  const { jobs, permissions } = load(text) as { jobs: { report: Job }; permissions: object };
  let github: HttpServer;
  let sub = GITHUB;
  beforeAll(async () => {
    github = await startHttpServer((request, response) => void giveToken(request, response));
  });
  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://github');
    const isRight =
      pathname === '/token' &&
      request.headers.authorization === 'Bearer the runner' &&
      searchParams.get('api-version') === '2.0';
    const value = isRight ? await signFor(sub, searchParams.get('audience') ?? '') : undefined;
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ count: 1, value }));
  }
  afterAll(() => github.close());

  const runner = () => ({
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${github.port}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'the runner',
    GITHUB_ENV: join(folder, 'github-env'),
  });
  const [signIn, list] = jobs.report.steps.map(({ run }) => run);
  // The runner starts steps like this.
  const BASH = ['bash', '-e', '-c'];

  it('asks for no more than the token, and needs one variable and no secret', () => {
    expect(permissions).toEqual({ 'id-token': 'write' });
    expect(jobs.report.env).toEqual({ GATEWAY_URL: '${{ vars.GATEWAY_URL }}' });
    expect(text).not.toContain('secrets.');
  });

  it('signs in without a secret, hides the token in its log, and calls the tool', async () => {
    sub = GITHUB;
    const { code, stdout, stderr } = await runLines(signIn ?? '', runner(), BASH);
    expect([code, stderr]).toEqual([0, '']);
    const [, token = ''] = /^::add-mask::(\S+)\n$/.exec(stdout) ?? [];
    const env = await readFile(join(folder, 'github-env'), 'utf8');
    expect(env).toBe(`GATEWAY_TOKEN=${token}\n`);
    const listed = await runLines(list ?? '', { GATEWAY_TOKEN: token }, BASH);
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    await expectReport(listed.stdout, `${GITHUB} (Local)`);
  });

  it('gets nothing for another branch', async () => {
    sub = 'repo:acme/web:ref:refs/heads/other';
    const { code, stdout } = await runLines(signIn ?? '', runner(), BASH);
    expect(code).not.toBe(0);
    expect(stdout).not.toContain('add-mask');
    expect(stand.asked).toEqual([]);
  });
});

describe('the pipeline of GitLab', () => {
  const content = load(read('gitlab-ci.yml')) as {
    report: { id_tokens: object; script: string[] };
  };
  const { id_tokens, script } = content.report;

  it('asks for a token for the gateway', () => {
    expect(id_tokens).toEqual({ GATEWAY_ID_TOKEN: { aud: '$GATEWAY_URL' } });
  });

  it('has a script that runs', async () => {
    const env = { GATEWAY_ID_TOKEN: await signFor(GITLAB) };
    const { code, stdout, stderr } = await runLines(script.join('\n'), env);
    expect([code, stderr]).toEqual([0, '']);
    await expectReport(stdout, `${GITLAB} (Local)`);
  });

  it('fails for a token of another project', async () => {
    const env = { GATEWAY_ID_TOKEN: await signFor('project_path:evil/web:ref_type:branch:ref:main') };
    expect((await runLines(script.join('\n'), env)).code).not.toBe(0);
    expect(stand.asked).toEqual([]);
  });
});

describe('the CronJob of Kubernetes', () => {
  interface Pod {
    serviceAccountName: string;
    automountServiceAccountToken: boolean;
    containers: {
      env: { name: string; value: string }[];
      command: string[];
      args: string[];
      volumeMounts: { mountPath: string }[];
    }[];
    volumes: { projected: { sources: { serviceAccountToken: { path: string; audience: string } }[] } }[];
  }
  const [account, job] = loadAll(read('kubernetes-cronjob.yaml')) as [
    { metadata: { name: string } },
    { spec: { jobTemplate: { spec: { template: { spec: Pod } } } } },
  ];
  const pod = job.spec.jobTemplate.spec.template.spec;
  const [container] = pod.containers;
  const valueOf = (name: string) => container?.env.find((each) => each.name === name)?.value;

  it('mounts a token for the gateway where the script reads it, and no other', () => {
    const token = pod.volumes[0]?.projected.sources[0]?.serviceAccountToken;
    expect(token?.audience).toBe(valueOf('GATEWAY_URL'));
    expect(`${container?.volumeMounts[0]?.mountPath}/${token?.path}`).toBe(valueOf('TOKEN_FILE'));
    expect([pod.serviceAccountName, pod.automountServiceAccountToken]).toEqual([
      account.metadata.name,
      false,
    ]);
  });

  it('has a script that runs', async () => {
    const TOKEN_FILE = join(folder, 'token');
    await writeFile(TOKEN_FILE, await signFor(KUBERNETES));
    const { command = [], args = [] } = container ?? {};
    const { code, stdout, stderr } = await stand.run([...command, ...args], { TOKEN_FILE }, folder);
    expect([code, stderr]).toEqual([0, '']);
    await expectReport(stdout, `${KUBERNETES} (Local)`);
    // The same token counts once.
    stand.asked.length = 0;
    expect((await stand.run([...command, ...args], { TOKEN_FILE }, folder)).code).not.toBe(0);
    expect(stand.asked).toEqual([]);
  });
});

describe('the script of a server', () => {
  const script = join(FOLDER, 'server.sh');

  it('calls with the secret of its client, until the client ends', async () => {
    const made = await stand.api('POST', '/api/machine-clients', { name: 'Nightly', key: 'report' });
    const env = { CLIENT_ID: String(made.body['clientId']), SECRET_FILE: join(folder, 'secret') };
    await writeFile(env.SECRET_FILE, `${String(made.body['clientSecret'])}\n`, { mode: 0o600 });
    const { code, stdout, stderr } = await stand.run(['sh', script], env);
    expect([code, stderr]).toEqual([0, '']);
    await expectReport(stdout, 'Nightly');
    stand.asked.length = 0;
    await stand.api('DELETE', `/api/machine-clients/${env.CLIENT_ID}`);
    expect((await stand.run(['sh', script], env)).code).not.toBe(0);
    expect(stand.asked).toEqual([]);
  });

  it.each(['GATEWAY_URL', 'CLIENT_ID', 'SECRET_FILE'])('says that %s is missing', async (name) => {
    const env = { CLIENT_ID: 'x', SECRET_FILE: script, [name]: '' };
    const { code, stderr } = await stand.run(['sh', script], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${name} is missing: .+\\n$`));
  });
});
