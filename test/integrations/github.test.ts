// Tests GitHub through the whole engine, against a fake GitHub. reference: Upstream behaviours
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeGithub, startGithub } from '../support/fake-github.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let fake: FakeGithub;
let app: TestApp;
let ana: TestUser;

const HOME = 'https://github.example.com';

beforeEach(async () => {
  fake = await startGithub();
  app = await createTestApp({
    env: {
      GITHUB_CLIENT_ID: 'id',
      GITHUB_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: `https://api.github.com=${fake.url},${HOME}=${fake.url}`,
    },
  });
  ana = await app.user();
  await app.deps.vault.save(ana.id, 'github', { accessToken: fake.token });
});
afterEach(async () => {
  await app.close();
  await fake.close();
});

async function use(tool: string, args: object = {}) {
  const executions = [{ tool, args }];
  const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
  return results[0].error === undefined ? results[0].result : `error: ${results[0].error}`;
}

const web = { owner: 'acme', repo: 'web' };
const paths = () => fake.calls.map(({ method, path }) => `${method} ${path.replace('/repos/acme/web', '')}`);
const last = () => fake.calls.at(-1);

describe('every call', () => {
  it('carries the token, the media type and the version', async () => {
    expect(await use('github_whoami')).toEqual({ id: 1, login: 'ana' });
    expect(last()).toMatchObject({
      path: '/user',
      headers: {
        authorization: `Bearer ${fake.token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
    });
  });

  it("goes below the instance's own address on an Enterprise Server", async () => {
    fake.enterprise = true;
    await app.deps.vault.save(ana.id, 'github', {
      accessToken: fake.token,
      config: { instanceUrl: HOME },
    });
    expect(await use('github_whoami')).toEqual({ id: 1, login: 'ana' });
    expect(last()?.path).toBe('/api/v3/user');
  });

  it('can be a raw request', async () => {
    expect(await use('github_request', { path: '/user' })).toEqual({ id: 1, login: 'ana' });
  });

  it.each([
    '//evil.example/user',
    '/..',
    '/../user',
    '/../v3x/user',
    '/repos/%2E%2e/%2e./..\\user',
    '/repos/./x',
    '/user#x',
    '/user%0d%0aX: y',
    '/user/ü',
    '/user/%zz',
    '/user?q=a b',
  ])('refuses a raw request to %s', async (path) => {
    fake.enterprise = true;
    await app.deps.vault.save(ana.id, 'github', { accessToken: fake.token, config: { instanceUrl: HOME } });
    expect(await use('github_request', { path })).toBe('error: Invalid arguments');
    expect(fake.calls).toEqual([]);
  });
});

describe('a CI run, from start to end', () => {
  const workflow = 'deploy.yml';

  it('triggers a workflow, finds the run, reads it, reruns it and cancels it', async () => {
    const start = { ...web, workflow, ref: 'feature/one', inputs: { target: 'staging' } };
    expect(await use('github_trigger_workflow', start)).toEqual({
      dispatched: true,
      workflow,
      ref: 'feature/one',
    });
    expect(last()?.body).toEqual({ ref: 'feature/one', inputs: { target: 'staging' } });
    // Starts two other runs, which the filters leave out.
    await use('github_trigger_workflow', { ...web, workflow: '11', ref: 'main' });
    const [first] = fake.runs;
    if (first === undefined) throw new Error('no run');
    fake.runs.push({ ...first, id: 7, event: 'push' });

    const filter = { ...web, event: 'workflow_dispatch', branch: 'feature/one' };
    const listed = await use('github_list_workflow_runs', filter);
    expect(listed).toMatchObject({ total_count: 1, workflow_runs: [{ id: first.id, status: 'queued' }] });
    expect(await use('github_list_workflow_runs', { ...filter, workflow: 'ci.yml' })).toMatchObject({
      total_count: 0,
    });

    const run = { ...web, runId: first.id };
    expect(await use('github_rerun_workflow_run', run)).toBe('error: 403: This workflow is already running');
    first.status = 'completed';
    first.conclusion = 'failure';
    expect(await use('github_get_workflow_run', run)).toMatchObject({ conclusion: 'failure' });
    expect(await use('github_rerun_workflow_run', { ...run, failedOnly: true })).toEqual({ rerun: true });
    expect(paths().at(-1)).toBe(`POST /actions/runs/${first.id}/rerun-failed-jobs`);
    expect(first).toMatchObject({ status: 'queued', run_attempt: 2 });

    expect(await use('github_cancel_workflow_run', run)).toEqual({ cancelled: true });
    expect(await use('github_cancel_workflow_run', run)).toBe(
      'error: 409: Cannot cancel a workflow run that is completed.',
    );
    expect(await use('github_rerun_workflow_run', { ...run, enableDebugLogging: true })).toEqual({
      rerun: true,
    });
    expect(last()?.body).toEqual({ enable_debug_logging: true });
  });

  it('returns the run where the server supports that', async () => {
    const start = { ...web, workflow, ref: 'main', returnRunDetails: true };
    expect(await use('github_trigger_workflow', start)).toEqual({
      workflow_run_id: 1000,
      run_url: 'https://api.github.com/repos/acme/web/actions/runs/1000',
      html_url: 'https://github.com/acme/web/actions/runs/1000',
    });
    expect(last()?.body).toEqual({ ref: 'main', return_run_details: true });
  });

  it('never asks an Enterprise Server for the run', async () => {
    fake.enterprise = true;
    await app.deps.vault.save(ana.id, 'github', { accessToken: fake.token, config: { instanceUrl: HOME } });
    const start = { ...web, workflow, ref: 'main', returnRunDetails: true };
    expect(await use('github_trigger_workflow', start)).toEqual({ dispatched: true, workflow, ref: 'main' });
    expect(last()?.body).toEqual({ ref: 'main' });
  });

  it.each([
    [{ workflow: 'ci.yml', ref: 'main' }, "422: Workflow does not have 'workflow_dispatch' trigger"],
    [{ workflow: 'none.yml', ref: 'main' }, '404: Not Found'],
    [{ workflow, ref: 'gone' }, '422: No ref found for: gone'],
    [{ workflow, ref: 'main', inputs: { odd: 1 } }, '422: Unexpected inputs provided: ["odd"]'],
  ])('passes on why %o was refused', async (args, why) => {
    expect(await use('github_trigger_workflow', { ...web, ...args })).toBe(`error: ${why}`);
  });
});

describe('the log of a job', () => {
  const job = { ...web, jobId: 5 };

  it('is fetched from another origin without the token', async () => {
    fake.logs['5'] = Array.from({ length: 300 }, (_, line) => `line ${line}\n`).join('');
    const { log, truncated } = await use('github_get_job_logs', job);
    expect(truncated).toBe(true);
    expect(log.split('\n')).toHaveLength(200);
    expect(log).toMatch(/^line 100\n.*\nline 299$/s);
    expect(fake.downloads).toHaveLength(1);
    expect(fake.downloads[0]?.headers).not.toHaveProperty('authorization');
    expect(JSON.stringify(fake.downloads)).not.toContain(fake.token);
  });

  it('is returned completely when it is short', async () => {
    fake.logs['5'] = 'one\ntwo\n';
    expect(await use('github_get_job_logs', job)).toEqual({ log: 'one\ntwo\n', truncated: false });
    expect(await use('github_get_job_logs', { ...job, tailLines: 1 })).toEqual({
      log: 'two',
      truncated: true,
    });
    expect(await use('github_get_job_logs', { ...job, jobId: 6 })).toBe('error: 404: Not Found');
  });
});

describe('a pull request', () => {
  const wish = { ...web, title: 'One', head: 'feature/one', base: 'main' };

  it('opens, and requests reviews from everyone but its author', async () => {
    const pull = await use('github_create_pull_request', { ...wish, reviewers: ['Ana', 'bo'] });
    expect(pull).toMatchObject({ number: 1, state: 'open', requested_reviewers: [{ login: 'bo' }] });
    expect(paths()).toEqual(['POST /pulls', 'POST /pulls/1/requested_reviewers']);
    expect(last()?.body).toEqual({ reviewers: ['bo'] });
  });

  it('is updated when one from the same branch is open', async () => {
    fake.login = 'bo';
    await use('github_create_pull_request', wish);
    fake.login = 'ana';
    const again = { ...wish, title: 'Two', body: 'more', reviewers: ['bo', 'ana', 'cy'] };
    const pull = await use('github_create_pull_request', again);
    expect(pull).toMatchObject({ number: 1, title: 'Two', body: 'more', user: { login: 'bo' } });
    expect(pull.requested_reviewers).toEqual([{ login: 'ana' }, { login: 'cy' }]);
    expect(fake.pulls).toHaveLength(1);
    expect(fake.calls.at(-2)?.body).toEqual({ title: 'Two', body: 'more' });
    expect(Object.fromEntries(fake.calls.at(-3)?.query ?? [])).toEqual({
      state: 'open',
      head: 'acme:feature/one',
      base: 'main',
    });
  });

  it('requests nothing when the author is the only reviewer', async () => {
    await use('github_create_pull_request', { ...wish, reviewers: ['ana'] });
    expect(paths()).toEqual(['POST /pulls']);
  });

  it('opens again after the first is closed', async () => {
    await use('github_create_pull_request', wish);
    await use('github_update_pull_request', { ...web, pullNumber: 1, state: 'closed' });
    expect(await use('github_create_pull_request', wish)).toMatchObject({ number: 2 });
    expect(await use('github_list_pull_requests', web)).toMatchObject([{ number: 2 }]);
    expect(await use('github_list_pull_requests', { ...web, state: 'all' })).toHaveLength(2);
  });

  it('stays open when its reviewers are refused, and the result says so', async () => {
    expect(await use('github_create_pull_request', { ...wish, reviewers: ['nobody'] })).toBe(
      'error: Pull request 1 is open, but its reviewers were refused: 422: Reviews may only be requested from collaborators.',
    );
  });

  it('passes on the message of any other refusal', async () => {
    expect(await use('github_create_pull_request', { ...wish, head: 'gone' })).toMatch(
      /^error: 422: Validation Failed .*"code":"invalid"/,
    );
    expect(paths()).toEqual(['POST /pulls']);
  });

  it('returns its diff as text', async () => {
    await use('github_create_pull_request', wish);
    expect(await use('github_get_pull_request_diff', { ...web, pullNumber: 1 })).toEqual({
      diff: 'diff --git a/1 b/x\n',
    });
  });
});

describe('a request that GitHub refuses', () => {
  it("passes on GitHub's own message", async () => {
    expect(await use('github_get_pull_request', { ...web, pullNumber: 9 })).toBe('error: 404: Not Found');
    const message = 'API rate limit exceeded for user ID 1.';
    fake.script.push((response) => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.writeHead(403, { 'x-ratelimit-remaining': '0' }).end(JSON.stringify({ message }));
    });
    expect(await use('github_whoami')).toBe(`error: 403: ${message}`);
  });

  it('has a readable message when a proxy answers with HTML', async () => {
    const page =
      '<!DOCTYPE html>\n<html><head><title>Unicorn!</title><style>p { color: red }</style></head><body><!-- hi -->\n<p>We could not <b>respond</b>.</p></body></html>';
    fake.script.push((response) => {
      response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    expect(await use('github_whoami')).toBe('error: 503: Unicorn! We could not respond .');
  });

  it("passes on GitHub's message for a revoked token", async () => {
    fake.token = 'another';
    expect(await use('github_whoami')).toBe('error: 401: Bad credentials');
  });

  it('has a message when the response has no body', async () => {
    expect(await use('github_mark_notification_read', { threadId: '3' })).toEqual({});
  });
});
