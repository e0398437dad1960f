// Tests GitLab through the whole engine, against a fake GitLab. reference: Upstream behaviours
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeGitlab, startGitlab } from '../support/fake-gitlab.ts';
import { downloadFile } from '../support/files.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const HOME = 'https://gitlab.corp.example';

let fake: FakeGitlab;
let own: FakeGitlab;
let app: TestApp;
let ana: TestUser;

beforeEach(async () => {
  [fake, own] = await Promise.all([startGitlab(), startGitlab()]);
  app = await createTestApp({
    env: {
      GITLAB_CLIENT_ID: 'id',
      GITLAB_CLIENT_SECRET: 'secret',
      GITLAB_INSTANCES: JSON.stringify({ [HOME]: { clientId: 'own', clientSecret: 'own-secret' } }),
      UPSTREAM_MAP: `https://gitlab.com=${fake.url},${HOME}=${own.url}`,
    },
  });
  ana = await app.user();
  await app.deps.vault.save(ana.id, 'gitlab', { accessToken: fake.token });
});
afterEach(async () => {
  await Promise.all([app.close(), fake.close(), own.close()]);
});

async function use(tool: string, args: object = {}) {
  const executions = [{ tool: `gitlab_${tool}`, args }];
  const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
  return results[0].error === undefined ? results[0].result : `error: ${results[0].error}`;
}

const project = { projectId: 'acme/tools/web app' };
const requests = () => fake.calls.map(({ method, path }) => `${method} ${path}`);
const P = '/api/v4/projects/acme%2Ftools%2Fweb%20app';

describe('the address of a GitLab call', () => {
  it('is gitlab.com, with the token only in its header', async () => {
    expect(await use('whoami')).toEqual({ id: 1, username: 'ana' });
    expect(fake.calls).toMatchObject([
      { path: '/api/v4/user', headers: { authorization: 'Bearer gitlab-token' } },
    ]);
  });

  it("is the connection's instance, below /api/v4", async () => {
    own.token = 'own-token';
    await app.deps.vault.save(ana.id, 'gitlab', { accessToken: 'own-token', config: { instanceUrl: HOME } });
    expect(await use('get_project', { projectId: '42' })).toMatchObject({ id: 42 });
    expect(own.calls.map(({ path }) => path)).toEqual(['/api/v4/projects/42']);
    expect(fake.calls).toEqual([]);
  });
});

describe('connecting GitLab again', () => {
  const addressAt = async (query = '') => {
    const response = await app.request(`/api/auth/gitlab${query}`, { headers: ana.sessionHeader });
    return new URL((await response.json()).url).origin;
  };

  it("uses the connection's instance, for an agent and in the portal", async () => {
    await app.deps.vault.save(ana.id, 'gitlab', { accessToken: 'own-token', config: { instanceUrl: HOME } });
    const { url } = await call(app, ana.keyHeader, 'connect', { integration: 'gitlab' });
    expect(new URL(url).origin).toBe(HOME);
    expect(await addressAt()).toBe(HOME);
  });

  it('uses an instance that UPSTREAM_MAP maps, even if its name does not resolve', async () => {
    expect(await addressAt(`?instanceUrl=${HOME}`)).toBe(HOME);
  });

  it('uses the instance that the person names, and gitlab.com by default', async () => {
    expect(await addressAt()).toBe('https://gitlab.com');
    await app.deps.vault.save(ana.id, 'gitlab', { accessToken: 'own-token', config: { instanceUrl: HOME } });
    expect(await addressAt('?instanceUrl=https://gitlab.com')).toBe('https://gitlab.com');
  });
});

describe('an expired token', () => {
  it.each([
    ['gitlab.com', undefined, 'id'],
    ['an instance', { instanceUrl: HOME }, 'own'],
  ])('is refreshed at %s with the client in the body and the redirect URI again', async (_, config, id) => {
    const [home, other] = config === undefined ? [fake, own] : [own, fake];
    await app.deps.vault.save(ana.id, 'gitlab', {
      accessToken: 'old',
      refreshToken: 'refresh',
      expiresAt: app.clock.now(),
      config: config ?? {},
    });
    expect(await use('whoami')).toMatchObject({ username: 'ana' });
    expect(home.calls.map(({ path }) => path)).toEqual(['/oauth/token', '/api/v4/user']);
    expect(Object.fromEntries(new URLSearchParams(home.calls[0]?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh',
      client_id: id,
      client_secret: expect.any(String),
      redirect_uri: `${app.deps.config.SERVER_PUBLIC_URL}/api/auth/plugin/gitlab/callback`,
    });
    expect(other.calls).toEqual([]);
  });
});

describe('names as people write them', () => {
  it('finds a project by its number and by its full path', async () => {
    expect(await use('get_project', { projectId: '42' })).toMatchObject({ id: 42 });
    expect(await use('get_project', project)).toMatchObject({ id: 42 });
    expect(requests()).toEqual(['GET /api/v4/projects/42', `GET ${P}`]);
  });

  it('deletes a branch with a slash, spaces, braces and other letters, and returns {}', async () => {
    expect(await use('delete_branch', { ...project, branch: 'feat/{ü} 1%2F' })).toEqual({});
    expect(requests()).toEqual([`DELETE ${P}/repository/branches/feat%2F%7B%C3%BC%7D%201%252F`]);
  });

  it('returns a text file as text, and other files as kept files', async () => {
    fake.files['src/ü {a}.md'] = Buffer.from('# Grüße\n').toString('base64');
    fake.files['logo.png'] = Buffer.from([0x89, 0x50, 0xff]).toString('base64');
    expect(await use('get_file', { ...project, filePath: 'src/ü {a}.md', ref: 'main' })).toEqual({
      file_path: 'src/ü {a}.md',
      encoding: 'text',
      content: '# Grüße\n',
    });
    const logo = await use('get_file', { ...project, filePath: 'logo.png', ref: 'main' });
    expect(logo).toEqual({ file_path: 'logo.png', file: expect.objectContaining({ name: 'logo.png' }) });
    expect(await downloadFile(app, logo)).toEqual(Buffer.from([0x89, 0x50, 0xff]));
  });
});

describe('pipelines', () => {
  it('triggers, finds, reads, retries and cancels a pipeline', async () => {
    const started = await use('trigger_pipeline', {
      ...project,
      ref: 'main',
      variables: { DEPLOY: 'yes', TEXT: 'a=b' },
      inputs: { replicas: 3 },
    });
    expect(started).toMatchObject({
      id: 100,
      status: 'created',
      variables: [
        { key: 'DEPLOY', value: 'yes' },
        { key: 'TEXT', value: 'a=b' },
      ],
      inputs: { replicas: 3 },
    });
    fake.pipelines.push({ ...started, id: 7, ref: 'other' });

    const found = await use('list_pipelines', { ...project, ref: 'main', source: 'api' });
    expect(found).toMatchObject([{ id: 100 }]);
    const pipeline = { ...project, pipelineId: found[0].id };
    expect(await use('get_pipeline', pipeline)).toMatchObject({ id: 100, status: 'created' });
    expect(await use('retry_pipeline', pipeline)).toMatchObject({ id: 100, status: 'running' });
    expect(await use('cancel_pipeline', pipeline)).toMatchObject({ id: 100, status: 'canceled' });
    expect(await use('get_pipeline', pipeline)).toMatchObject({ id: 100, status: 'canceled' });
    expect(requests()).toEqual([
      `POST ${P}/pipeline`,
      `GET ${P}/pipelines`,
      `GET ${P}/pipelines/100`,
      `POST ${P}/pipelines/100/retry`,
      `POST ${P}/pipelines/100/cancel`,
      `GET ${P}/pipelines/100`,
    ]);
  });

  it('passes on why a pipeline cannot start without a CI configuration', async () => {
    expect(await use('trigger_pipeline', { ...project, ref: 'empty' })).toBe(
      'error: 400: {"base":["Missing CI config file"]}',
    );
  });

  it.each([
    [2, 'three\nfour', true],
    [4, 'one\ntwo\nthree\nfour\n', false],
    [200, 'one\ntwo\nthree\nfour\n', false],
    [0, '', true],
  ])('returns the last %i lines of a log', async (tailLines, log, truncated) => {
    fake.logs[9] = 'one\ntwo\nthree\nfour\n';
    expect(await use('get_job_log', { ...project, jobId: 9, tailLines })).toEqual({ log, truncated });
  });

  it('returns an empty log for a job that has not begun', async () => {
    fake.logs[9] = '';
    expect(await use('get_job_log', { ...project, jobId: 9 })).toEqual({ log: '', truncated: false });
  });
});

describe('gitlab_create_merge_request', () => {
  const wanted = { ...project, sourceBranch: 'feat/a', targetBranch: 'main', title: 'A' };

  it('opens a merge request', async () => {
    expect(await use('create_merge_request', { ...wanted, reviewerIds: [2] })).toMatchObject({
      iid: 1,
      title: 'A',
      reviewer_ids: [2],
    });
    expect(requests()).toEqual([`POST ${P}/merge_requests`]);
  });

  it('updates the open merge request', async () => {
    await use('create_merge_request', wanted);
    expect(await use('create_merge_request', { ...wanted, title: 'B', reviewerIds: [2] })).toMatchObject({
      iid: 1,
      title: 'B',
      reviewer_ids: [2],
    });
    expect(fake.mergeRequests).toHaveLength(1);
    expect(requests().slice(1)).toEqual([
      `POST ${P}/merge_requests`,
      `GET ${P}/merge_requests`,
      `PUT ${P}/merge_requests/1`,
    ]);
    expect(JSON.parse(fake.calls.at(-1)?.body ?? '')).toEqual({
      target_branch: 'main',
      title: 'B',
      reviewer_ids: [2],
    });
  });

  it('leaves merge requests to other targets and of forks alone', async () => {
    await use('create_merge_request', wanted);
    await use('create_merge_request', { ...wanted, targetBranch: 'next' });
    const [next, first] = fake.mergeRequests;
    if (next === undefined || first === undefined) throw new Error('two were opened');
    fake.mergeRequests.unshift({ ...first, iid: 9, source_project_id: 77 });
    expect(await use('create_merge_request', { ...wanted, title: 'B' })).toMatchObject({ iid: first.iid });
    expect(fake.mergeRequests.map(({ iid, title }) => [iid, title])).toEqual([
      [9, 'A'],
      [2, 'A'],
      [1, 'B'],
    ]);
  });

  it('opens a new merge request when the former is closed', async () => {
    await use('create_merge_request', wanted);
    await use('update_merge_request', { ...project, mergeRequestIid: 1, stateEvent: 'close' });
    expect(await use('create_merge_request', wanted)).toMatchObject({ iid: 2 });
  });

  it('passes on any other error', async () => {
    expect(await use('create_merge_request', { ...wanted, projectId: 'no/such' })).toBe(
      'error: 404: 404 Project Not Found',
    );
    expect(fake.calls).toHaveLength(1);
  });
});

describe('a request that GitLab refuses', () => {
  it("passes on GitLab's own message", async () => {
    expect(await use('get_pipeline', { ...project, pipelineId: 1 })).toBe('error: 404: 404 Not found');
    fake.token = 'another';
    expect(await use('whoami')).toBe('error: 401: 401 Unauthorized');
  });
});
