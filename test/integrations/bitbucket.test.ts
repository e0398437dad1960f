// Tests Bitbucket through the whole engine, against a fake Bitbucket. reference: Upstream behaviours
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeBitbucket, startBitbucket } from '../support/fake-bitbucket.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let fake: FakeBitbucket;
let app: TestApp;
let ana: TestUser;

beforeEach(async () => {
  fake = await startBitbucket();
  app = await createTestApp({
    env: {
      BITBUCKET_CLIENT_ID: 'id',
      BITBUCKET_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: `https://api.bitbucket.org=${fake.url},https://bitbucket.org=${fake.url}`,
    },
  });
  ana = await app.user();
  await app.deps.vault.save(ana.id, 'bitbucket', { accessToken: fake.token });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all([app.close(), fake.close()]);
});

async function use(tool: string, args: object = {}) {
  const executions = [{ tool: `bitbucket_${tool}`, args }];
  const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
  return results[0].error === undefined ? results[0].result : `error: ${results[0].error}`;
}

const web = { workspace: 'acme', repoSlug: 'web' };
const requests = () =>
  fake.calls.map(({ method, path }) => `${method} ${path.replace('/2.0/repositories/acme/web', '')}`);
const ANA = '{0a000000-0000-4000-8000-00000000000a}';
const BO = '{0b000000-0000-4000-8000-00000000000b}';
const CY = '{0c000000-0000-4000-8000-00000000000c}';
const bare = (uuid: string) => uuid.slice(1, -1);

describe('every call', () => {
  it('carries the token in its header and nowhere else', async () => {
    expect(await use('whoami')).toMatchObject({ uuid: ANA });
    expect(fake.calls).toMatchObject([
      { path: '/2.0/user', headers: { authorization: 'Bearer bitbucket-token' }, body: '' },
    ]);
    expect(fake.calls[0]?.query.size).toBe(0);
  });

  it('refreshes the token with the client in a Basic header', async () => {
    await app.deps.vault.save(ana.id, 'bitbucket', {
      accessToken: 'old',
      refreshToken: 'refresh',
      expiresAt: app.clock.now(),
    });
    expect(await use('whoami')).toMatchObject({ uuid: ANA });
    expect(fake.calls[0]).toMatchObject({
      path: '/site/oauth2/access_token',
      headers: { authorization: `Basic ${btoa('id:secret')}` },
    });
    expect(Object.fromEntries(new URLSearchParams(fake.calls[0]?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh',
    });
  });
});

describe('pipelines', () => {
  it('triggers, finds, reads and stops a pipeline, and always returns uuid, number, state and result', async () => {
    const started = await use('trigger_pipeline', {
      ...web,
      branch: 'feat/a',
      pattern: 'deploy*',
      variables: { TOKEN: 's3cret', ENV: 'test' },
      secured: ['TOKEN'],
    });
    const uuid = '{00000001-0000-4000-8000-000000000000}';
    expect(started).toEqual({ uuid, build_number: 1, state: 'PENDING', result: null });
    expect(fake.pipelines[0]).toMatchObject({
      target: {
        ref_type: 'branch',
        type: 'pipeline_ref_target',
        ref_name: 'feat/a',
        selector: { type: 'custom', pattern: 'deploy*' },
      },
      variables: [
        { key: 'TOKEN', value: 's3cret', secured: true },
        { key: 'ENV', value: 'test', secured: false },
      ],
    });
    await use('trigger_pipeline', { ...web, branch: 'main' });
    Object.assign(fake.pipelines.at(-1) ?? {}, {
      state: { name: 'IN_PROGRESS', stage: { name: 'RUNNING' } },
    });

    const found = await use('list_pipelines', { ...web, branch: 'feat/a' });
    expect(found).toEqual({
      pagelen: 10,
      page: 1,
      size: 1,
      values: [
        {
          uuid,
          build_number: 1,
          state: 'IN_PROGRESS',
          result: 'RUNNING',
          ref_name: 'feat/a',
          pattern: 'deploy*',
          commit: null,
          created_on: '2026-11-20T10:00:00Z',
          completed_on: null,
        },
      ],
    });
    const pipeline = { ...web, pipelineUuid: uuid };
    expect(await use('get_pipeline', pipeline)).toEqual(found.values[0]);
    expect(await use('stop_pipeline', pipeline)).toEqual({ stopped: true });
    expect(await use('get_pipeline', { ...web, pipelineUuid: bare(uuid) })).toMatchObject({
      uuid,
      state: 'COMPLETED',
      result: 'STOPPED',
      completed_on: '2026-11-20T10:01:00Z',
    });
    const encoded = '%7B00000001-0000-4000-8000-000000000000%7D';
    expect(requests()).toEqual([
      'POST /pipelines/',
      'POST /pipelines/',
      'GET /pipelines',
      `GET /pipelines/${encoded}`,
      `POST /pipelines/${encoded}/stopPipeline`,
      `GET /pipelines/${encoded}`,
    ]);
  });

  it('passes on that a complete pipeline cannot be stopped', async () => {
    const { uuid } = await use('trigger_pipeline', { ...web, branch: 'main' });
    await use('stop_pipeline', { ...web, pipelineUuid: uuid });
    expect(await use('stop_pipeline', { ...web, pipelineUuid: uuid })).toMatch(
      /^error: 400: .*already completed/,
    );
  });

  it('passes on that pipelines are not enabled', async () => {
    fake.enabled = false;
    expect(await use('trigger_pipeline', { ...web, branch: 'main' })).toMatch(/^error: 400: .*not enabled/);
  });

  it("returns the end of a step's log", async () => {
    const { uuid: pipelineUuid } = await use('trigger_pipeline', { ...web, branch: 'main' });
    fake.log = 'one\ntwo\nthree\n';
    const { values } = await use('list_pipeline_steps', { ...web, pipelineUuid });
    const step = { ...web, pipelineUuid, stepUuid: values[0].uuid };
    expect(await use('get_pipeline_step_log', { ...step, tailLines: 1 })).toEqual({
      log: 'three',
      truncated: true,
    });
    expect(await use('get_pipeline_step_log', step)).toEqual({ log: fake.log, truncated: false });
  });
});

describe('bitbucket_create_pull_request', () => {
  const wanted = { ...web, sourceBranch: 'feat/a', title: 'A' };
  const warnings = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

  it('opens a pull request, with reviewers named with or without braces', async () => {
    const warn = warnings();
    expect(await use('create_pull_request', { ...wanted, reviewers: [BO, bare(CY)] })).toMatchObject({
      id: 1,
      title: 'A',
      reviewers: [{ uuid: BO }, { uuid: CY }],
      destination: { branch: { name: 'main' } },
    });
    expect(requests()).toEqual(['GET /pullrequests', 'GET /2.0/user', 'POST /pullrequests']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('removes the author from the reviewers with one warning, because Bitbucket would drop them all', async () => {
    const warn = warnings();
    const reviewers = [bare(ANA), BO, ANA];
    expect(await use('create_pull_request', { ...wanted, reviewers })).toMatchObject({
      reviewers: [{ uuid: BO }],
    });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatch(/^\[bitbucket\] .*author/);
  });

  it.each(['feat/a', 'say "hi"', 'back\\slash', 'ü {x} & y=z'])(
    'updates the open pull request of the branch %s, and adds reviewers',
    async (sourceBranch) => {
      await use('create_pull_request', { ...wanted, sourceBranch });
      const again = { ...wanted, sourceBranch, title: 'B', destinationBranch: 'next', reviewers: [bare(BO)] };
      expect(await use('create_pull_request', again)).toMatchObject({
        id: 1,
        title: 'B',
        reviewers: [{ uuid: BO }],
        destination: { branch: { name: 'next' } },
      });
      expect(fake.pullRequests).toHaveLength(1);
    },
  );

  it('updates the pull request with the same destination when the branch has two', async () => {
    await use('create_pull_request', { ...wanted, destinationBranch: 'next' });
    const [first] = fake.pullRequests;
    if (first === undefined) throw new Error('nothing was made');
    fake.pullRequests.push({
      ...first,
      id: 2,
      destination: { ...first.destination, branch: { name: 'main' } },
    });
    const again = { ...wanted, title: 'B', destinationBranch: 'main' };
    expect(await use('create_pull_request', again)).toMatchObject({ id: 2, title: 'B' });
    expect(fake.pullRequests[0]).toMatchObject({ title: 'A', destination: { branch: { name: 'next' } } });
  });

  it('removes the author of the existing pull request from its reviewers on an update', async () => {
    const warn = warnings();
    await use('create_pull_request', wanted);
    Object.assign(fake.pullRequests[0] ?? {}, { author: { uuid: BO } });
    expect(await use('create_pull_request', { ...wanted, reviewers: [ANA, BO, CY] })).toMatchObject({
      reviewers: [{ uuid: ANA }, { uuid: CY }],
    });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('keeps the reviewers when none are given, and removes them when asked', async () => {
    await use('create_pull_request', { ...wanted, reviewers: [BO] });
    expect(await use('create_pull_request', { ...wanted, title: 'B' })).toMatchObject({
      reviewers: [{ uuid: BO }],
    });
    expect(await use('create_pull_request', { ...wanted, reviewers: [] })).toMatchObject({ reviewers: [] });
  });

  it('does not touch the pull request of a fork whose branch has the same name', async () => {
    await use('create_pull_request', wanted);
    Object.assign(fake.pullRequests[0]?.source ?? {}, { repository: { uuid: '{another}' } });
    expect(await use('create_pull_request', wanted)).toMatchObject({ id: 2 });
  });

  it('opens a new pull request when the former is no longer open', async () => {
    await use('create_pull_request', wanted);
    Object.assign(fake.pullRequests[0] ?? {}, { state: 'MERGED' });
    expect(await use('create_pull_request', wanted)).toMatchObject({ id: 2 });
  });
});

describe('bitbucket_update_pull_request', () => {
  it('keeps the title and the reviewers when they are not given', async () => {
    await use('create_pull_request', { ...web, sourceBranch: 'feat/a', title: 'A', reviewers: [BO, CY] });
    const changed = { ...web, pullRequestId: 1, description: 'why', destinationBranch: 'next' };
    expect(await use('update_pull_request', changed)).toMatchObject({
      title: 'A',
      description: 'why',
      reviewers: [{ uuid: BO }, { uuid: CY }],
      destination: { branch: { name: 'next' } },
    });
  });

  it('keeps the description, the draft flag and the branch setting when they are not given', async () => {
    const kept = { description: 'why', closeSourceBranch: true, draft: true };
    await use('create_pull_request', { ...web, sourceBranch: 'feat/a', title: 'A', ...kept });
    const shown = { description: 'why', close_source_branch: true, draft: true };
    expect(await use('update_pull_request', { ...web, pullRequestId: 1, title: 'B' })).toMatchObject({
      title: 'B',
      ...shown,
    });
    const ready = { ...web, pullRequestId: 1, draft: false, description: '' };
    expect(await use('update_pull_request', ready)).toMatchObject({
      title: 'B',
      description: '',
      close_source_branch: true,
      draft: false,
    });
  });
});

describe('bitbucket_get_file', () => {
  beforeEach(() => {
    fake.branches = { 'feat/a': 'abc' };
    fake.files = {
      'main src/ü {a}.ts': { type: 'text/plain', content: 'let a;\n' },
      'main package.json': { type: 'application/json', content: '{ "values": [] }\n' },
      'main empty': { type: 'text/plain', content: '' },
      'main logo.png': { type: 'image/png', content: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0) },
      'abc a.md': { type: 'text/plain', content: '# A' },
      'main ': {
        type: 'application/json',
        content: '{"values":[{"type":"commit_directory","path":"src"}],"pagelen":10}',
      },
    };
  });

  it.each([
    ['main', 'src/ü {a}.ts', { content: 'let a;\n' }],
    ['main', 'package.json', { content: '{ "values": [] }\n' }],
    ['main', 'empty', { content: '' }],
    [
      'main',
      'logo.png',
      { file: expect.objectContaining({ name: 'logo.png', mimeType: 'image/png', bytes: 5 }) },
    ],
    ['main', '/', { values: [{ type: 'commit_directory', path: 'src' }], pagelen: 10 }],
    ['feat/a', 'a.md', { content: '# A' }],
    ['release/1.2', 'a.md', { content: '# A' }],
  ])('reads %s of %s', async (commit, path, expected) => {
    expect(await use('get_file', { ...web, commit, path })).toEqual(expected);
  });

  it('passes on that a file does not exist', async () => {
    const missing = await use('get_file', { ...web, commit: 'main', path: 'no.md' });
    expect(missing).toMatch(/^error: 404: .*No such file or directory: no.md/);
  });
});

describe('other Bitbucket tools', () => {
  it('commits files as a form, and returns an empty result', async () => {
    const files = { 'docs/ü b.md': 'x & y\n', branch: 'a file of that name' };
    expect(await use('commit_files', { ...web, files, message: 'm', branch: 'feat/a' })).toEqual({});
    const [sent] = fake.calls;
    expect(sent?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
      message: 'm',
      branch: 'feat/a',
      'docs/ü b.md': 'x & y\n',
      '/branch': 'a file of that name',
    });
  });

  it("follows the redirect of a pull request's diff with the credential", async () => {
    expect(await use('get_pull_request_diff', { ...web, pullRequestId: 7 })).toEqual({
      diff: 'diff of feat/7..main',
    });
  });

  it('merges, and says of a merge that continues where its status can be asked', async () => {
    expect(await use('merge_pull_request', { ...web, pullRequestId: 7 })).toEqual({ id: 7, state: 'MERGED' });
    expect(await use('merge_pull_request', { ...web, pullRequestId: 8 })).toEqual({
      merging: true,
      taskUrl: 'https://api.bitbucket.org/2.0/repositories/acme/web/pullrequests/8/merge/task-status/t1',
    });
  });

  it("passes on Bitbucket's own error messages", async () => {
    fake.token = 'another';
    expect(await use('whoami')).toMatch(/^error: 401: .*Token is invalid/);
  });
});
