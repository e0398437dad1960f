// Runs the example for CI: makes its key, runs the command of each workflow file, and tries what the key may not do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXAMPLES, type ExampleStand, openExampleStand } from '../support/example-stand.ts';

const NAME = 'CI of the website';
const NEEDS = ['GATEWAY_URL', 'GATEWAY_KEY', 'REDMINE_PROJECT', 'BUILD', 'BUILD_URL'];

let stand: ExampleStand;
let made: Record<string, unknown>;
beforeAll(async () => {
  stand = await openExampleStand();
  await stand.connectRedmine();
  const { code, stdout, stderr } = await stand.run(['sh', 'examples/ci/make-key.sh'], {
    SESSION: stand.session,
  });
  expect([code, stderr]).toEqual([0, '']);
  made = JSON.parse(stdout);
});
afterAll(() => stand?.close());
beforeEach(() => {
  stand.asked.length = 0;
});

const variables = (): Record<string, string> => ({
  GATEWAY_KEY: String(made['key']),
  REDMINE_PROJECT: 'web',
  BUILD: 'Build 41 of acme/website',
  BUILD_URL: 'https://ci.example.com/acme/website/41',
});

/** Runs a command line of a workflow file, as in a repository with the script in `ci`. */
const runStep = (line: string, env: Record<string, string> = {}) =>
  stand.run(['sh', '-c', line], { ...variables(), ...env }, EXAMPLES);

const open = (env: Record<string, string> = {}) => runStep('sh ci/open-issue.sh', env);

/** Sends a request of the job's key. */
async function ask(path: string, body: object): Promise<{ status: number; body: unknown }> {
  const headers = { 'x-service-api-key': String(made['key']), 'content-type': 'application/json' };
  const response = await fetch(new URL(path, stand.base), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

interface Step {
  run?: string;
  if?: string;
  env?: Record<string, string>;
}

const readYaml = (file: string) => {
  const text = readFileSync(join(EXAMPLES, 'ci', file), 'utf8');
  return { comment: text.split('\n').filter((line) => line.startsWith('#')), content: load(text) };
};

describe('the key of the example for CI', () => {
  it('has a name, one tool and an end', () => {
    expect(made).toMatchObject({
      name: NAME,
      integrations: ['redmine'],
      rules: [{ decision: 'block' }, { tool: 'redmine_create_issue', decision: 'allow' }],
      perMinute: 10,
      key: expect.stringMatching(/^agk_/),
    });
    const days = (Number(made['expiresAt']) - Number(made['createdAt'])) / 86_400;
    expect(Math.round(days)).toBe(90);
  });

  it.each([
    ['another tool of Redmine', '/rest/redmine/redmine_list_issues', {}],
    ['another integration', '/rest/time/time_now', {}],
  ])('may not run %s', async (_what, path, body) => {
    expect(await ask(path, body)).toMatchObject({ status: 403, body: { error: 'BLOCKED' } });
    expect(stand.asked).toEqual([]);
    await expect
      .poll(async () => (await stand.auditOf(NAME)).at(-1))
      .toMatchObject({
        tool: path.split('/').at(-1),
        outcome: 'blocked',
      });
  });

  it('gets no token for raw requests', async () => {
    const params = { name: 'curl_session', arguments: { integrations: ['redmine'], methods: ['POST'] } };
    const { body } = await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(JSON.stringify(body)).toContain('BLOCKED');
    expect(JSON.stringify(body)).not.toContain('token');
  });

  it('may not make another key', async () => {
    expect(await ask('/api/agent-keys', { name: 'more' })).toMatchObject({ status: 403 });
  });

  it('is not made without a session, and the script says where to get one', async () => {
    const { code, stderr } = await stand.run(['sh', 'examples/ci/make-key.sh']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^SESSION is missing: .*npm run link/);
  });
});

describe('the script of the example for CI', () => {
  it('opens an issue, and leaves a row with the name of the key', async () => {
    const { code, stdout, stderr } = await open();
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ tool: 'redmine_create_issue', result: { issue: { id: 8 } } });
    expect(stand.asked).toEqual(['POST /issues.json']);
    await expect
      .poll(async () => (await stand.auditOf(NAME)).at(-1))
      .toMatchObject({
        tool: 'redmine_create_issue',
        outcome: 'ok',
        access: 'write',
      });
  });

  it('fails with the answer of the gateway, and does not try again', async () => {
    stand.failNext(503);
    const { code, stdout, stderr } = await open();
    expect([code, stand.asked]).toEqual([22, ['POST /issues.json']]);
    expect(stdout).toContain('"error"');
    expect(stderr).toContain('error: 502');
  });

  it.each(NEEDS)('says that %s is missing', async (name) => {
    const { code, stderr } = await open({ [name]: '' });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${name} is missing: .+\\n$`));
  });

  it('refuses values that would change its JSON', async () => {
    const { code, stderr } = await open({ BUILD: '1", "trackerId": 9, "x": "' });
    expect([code, stand.asked]).toEqual([2, []]);
    expect(stderr).toContain('quotes');
  });
});

describe('the workflow of GitHub', () => {
  const { comment, content } = readYaml('github-actions.yml');
  const { jobs } = content as { jobs: Record<string, { steps: Step[] }> };
  const [step = {}, ...others] = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ run }) => run?.includes('open-issue'));

  it('calls the script after a failure, with all its variables', () => {
    expect([step.if, others]).toEqual(['failure()', []]);
    expect(Object.keys(step.env ?? {}).toSorted()).toEqual(NEEDS.toSorted());
  });

  it('takes from the settings what its comment names', () => {
    const values = Object.values(step.env ?? {}).join(' ');
    const named = [...values.matchAll(/\b(?:vars|secrets)\.(\w+)/g)].map(([, name]) => name);
    expect(named).toEqual(['GATEWAY_URL', 'GATEWAY_KEY', 'REDMINE_PROJECT']);
    for (const name of named) expect(comment.join(' ')).toContain(name);
    expect(step.env?.['GATEWAY_KEY']).toBe('${{ secrets.GATEWAY_KEY }}');
  });

  it('has a step that runs', async () => {
    expect(await runStep(step.run ?? '')).toMatchObject({ code: 0, stderr: '' });
    expect(stand.asked).toEqual(['POST /issues.json']);
  });
});

describe('the pipeline of GitLab', () => {
  const { comment, content } = readYaml('gitlab-ci.yml');
  const job = (content as Record<string, { when?: string; variables?: object; script?: string[] }>)[
    'open-issue'
  ];

  it('calls the script after a failure, with all its variables', () => {
    expect(job?.when).toBe('on_failure');
    const own = Object.keys(job?.variables ?? {});
    const named = NEEDS.filter((name) => new RegExp(`\\b${name}\\b`).test(comment.join(' ')));
    expect([...named, ...own].toSorted()).toEqual(NEEDS.toSorted());
  });

  it('has a script that runs', async () => {
    expect(await runStep((job?.script ?? []).join('\n'))).toMatchObject({ code: 0, stderr: '' });
    expect(stand.asked).toEqual(['POST /issues.json']);
  });
});
