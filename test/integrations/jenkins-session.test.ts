// Tests Jenkins through an imported session: crumbs, folders, the queue, growing logs, and a session that
// ends.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeJenkins, startJenkins } from '../support/fake-jenkins.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let jenkins: FakeJenkins;
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  jenkins = await startJenkins();
  app = await createTestApp();
  ana = await createPerson(app);
});

afterAll(async () => {
  await app.close();
  await jenkins.close();
});

const importSession = (cookies: object[]) =>
  ana.post('/api/integrations/jenkins/session/import', { session: cookies, instanceUrl: `${jenkins.url}/` });

beforeEach(async () => {
  Object.assign(jenkins, { protected: true, gate: false, requests: [], sessions: new Set(['session-0']) });
  jenkins.jobs = new Map([
    ['plain', { parameters: null, builds: [] }],
    ['team/app', { parameters: ['BRANCH'], builds: [] }],
    ['repo/feature%2Flogin', { parameters: null, builds: [] }],
  ]);
  expect((await importSession(jenkins.cookies)).status).toBe(200);
});

/** Waits until the build runs. */
async function start(args: object): Promise<unknown> {
  const { queueUrl } = (await ana.run('jenkins_trigger_build', args)) as { queueUrl: string };
  const id = /\/queue\/item\/(\d+)\/$/.exec(queueUrl)?.[1] ?? '';
  expect(await ana.run('jenkins_get_queue_item', { id })).toMatchObject({ why: 'In the quiet period' });
  return ana.run('jenkins_get_queue_item', { id });
}

describe('a Jenkins build', () => {
  it('is triggered with parameters in a folder, queued, and runs', async () => {
    const item = await start({ jobPath: 'team/app', parameters: { BRANCH: 'fix/ü & more' } });
    expect(item).toMatchObject({ executable: { number: 1, url: `${jenkins.url}/job/team/job/app/1/` } });
    const build = await ana.run('jenkins_get_build', { jobPath: 'team/app', number: 'lastBuild' });
    expect(build).toMatchObject({ building: true, parameters: { BRANCH: 'fix/ü & more' } });
    expect(await ana.run('jenkins_get_test_report', { jobPath: 'team/app', number: '1' })).toMatchObject({
      passCount: 41,
    });
    expect(await ana.run('jenkins_list_artifacts', { jobPath: 'team/app', number: '1' })).toMatchObject({
      artifacts: [{ relativePath: 'target/app.jar' }],
    });
  });

  it.each(['plain', 'team/app', 'repo/feature%2Flogin'])(
    'is triggered for %s without parameters, whether the job has some or not',
    async (jobPath) => {
      for (const number of [1, 2, 3])
        expect(await start({ jobPath })).toMatchObject({ executable: { number } });
      const list = await ana.run('jenkins_list_builds', { jobPath, limit: 2 });
      expect(list).toMatchObject({ builds: [{ number: 3 }, { number: 2 }] });
    },
  );

  it('is stopped, even where Jenkins issues no crumb', async () => {
    for (const [index, isProtected] of [true, false].entries()) {
      jenkins.protected = isProtected;
      await start({ jobPath: 'plain' });
      const args = { jobPath: 'plain', number: String(index + 1) };
      expect(await ana.run('jenkins_stop_build', args)).toEqual({ stopped: true });
      expect(await ana.run('jenkins_get_build', args)).toMatchObject({ building: false, result: 'ABORTED' });
    }
  });

  it('has a log that can be read from its end, and followed', async () => {
    await start({ jobPath: 'plain' });
    const [build] = jenkins.jobs.get('plain')?.builds ?? [];
    if (build === undefined) throw new Error('no build');
    build.log = Array.from({ length: 1_000 }, (_, line) => `Zeile ${line} ü\n`).join('');
    const args = { jobPath: 'plain', number: '1' };
    const size = Buffer.byteLength(build.log);
    expect(await ana.run('jenkins_get_build_log', { ...args, tailLines: 2 })).toEqual({
      log: 'Zeile 998 ü\nZeile 999 ü',
      truncated: true,
      next: size,
      more: true,
    });
    build.log += 'done\n';
    build.building = false;
    expect(await ana.run('jenkins_get_build_log', { ...args, start: size })).toEqual({
      log: 'done\n',
      truncated: false,
      next: size + 5,
      more: false,
    });
  });
});

describe('a Jenkins session', () => {
  it('is renewed by the remember-me cookie, stored, and matches its crumb', async () => {
    const [, remember] = jenkins.cookies;
    await importSession([remember ?? {}]);
    expect(await ana.run('jenkins_trigger_build', { jobPath: 'plain' })).toHaveProperty('queueUrl');
    const { body } = await ana.get('/api/integrations/jenkins/session/export');
    expect(body).toMatchObject({
      session: { cookies: [{ name: 'remember-me' }, { name: 'JSESSIONID.5f3a' }] },
    });
    expect(await ana.run('jenkins_whoami')).toMatchObject({ id: 'ana' });
    expect(jenkins.sessions.size).toBe(2);
  });

  it.each([
    ['jenkins_whoami', {}],
    ['jenkins_get_build_log', { jobPath: 'plain', number: '1' }],
    ['jenkins_trigger_build', { jobPath: 'plain' }],
    ['jenkins_stop_build', { jobPath: 'plain', number: '1' }],
  ])('says so in %s when a sign-in page is in front of Jenkins', async (tool, args) => {
    jenkins.gate = true;
    await expect(ana.run(tool, args)).rejects.toThrow(/session has ended/);
    expect(jenkins.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it("passes on Jenkins' message when it is no longer known", async () => {
    await importSession(jenkins.cookies.filter(({ name }) => name !== 'remember-me'));
    jenkins.sessions.clear();
    await expect(ana.run('jenkins_list_nodes')).rejects.toThrow(/403: Authentication required/);
    await expect(ana.run('jenkins_stop_build', { jobPath: 'plain', number: '1' })).rejects.toThrow(/403/);
  });
});

it('imports no session that Jenkins takes for anonymous', async () => {
  const old = [{ name: 'JSESSIONID.5f3a', value: 'old', domain: '127.0.0.1', path: '/jenkins' }];
  expect(await importSession(old)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('not signed in') },
  });
});

describe('a request that Jenkins refuses', () => {
  it.each([
    ['a job that is not there', 'jenkins_get_job', { jobPath: 'nowhere' }, /404: Not Found/],
    ['a log that is not there', 'jenkins_get_build_log', { jobPath: 'plain', number: '9' }, /404: Not Found/],
    [
      'parameters where there are none',
      'jenkins_trigger_build',
      { jobPath: 'plain', parameters: { A: '1' } },
      /500: This build is not parameterized!/,
    ],
  ])('%s', async (_what, tool, args, message) => {
    await expect(ana.run(tool, args)).rejects.toThrow(message);
  });
});
