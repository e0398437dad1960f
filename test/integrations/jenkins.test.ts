// Tests Jenkins: tool, arguments → expected requests.
import { describe, expect, it } from 'vitest';
import { jenkins } from '../../integrations/jenkins/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { sent } from '../support/capture.ts';

const job = { jobPath: 'team/app' };
const build = { ...job, number: '7' };
const AT = '/job/team/job/app';
const CRUMB = 'GET /crumbIssuer/api/json';
const crumb = { crumb: 'c', crumbRequestField: 'Jenkins-Crumb' };
const created = () =>
  new Response(null, { status: 201, headers: { location: 'https://ci.example/queue/item/3/' } });

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['jenkins_whoami', {}, 'GET /me/api/json'],
  ['jenkins_list_jobs', {}, 'GET /api/json?tree=jobs[name,url,color]'],
  ['jenkins_list_jobs', { tree: 'jobs[name]' }, 'GET /api/json?tree=jobs[name]'],
  ['jenkins_get_job', job, `GET ${AT}/api/json`],
  ['jenkins_get_job', { jobPath: '/a b//c/', tree: 'url' }, 'GET /job/a%20b/job/c/api/json?tree=url'],
  ['jenkins_get_job', { jobPath: 'repo/feature%2Flogin' }, 'GET /job/repo/job/feature%252Flogin/api/json'],
  [
    'jenkins_list_builds',
    job,
    `GET ${AT}/api/json?tree=builds[number,url,displayName,result,building,timestamp,duration]{0,20}`,
  ],
  ['jenkins_get_build', build, `GET ${AT}/7/api/json`],
  ['jenkins_get_build_log', { ...build, start: 90 }, `GET ${AT}/7/logText/progressiveText?start=90`],
  ['jenkins_get_test_report', build, `GET ${AT}/7/testReport/api/json`],
  [
    'jenkins_list_artifacts',
    { ...job, number: 'lastBuild' },
    `GET ${AT}/lastBuild/api/json?tree=url%2Cartifacts%5BfileName%2CrelativePath%5D`,
  ],
  [
    'jenkins_trigger_build',
    { ...job, parameters: { BRANCH: 'a&b', DEEP: 'ü' } },
    [CRUMB, `POST ${AT}/buildWithParameters BRANCH=a%26b&DEEP=%C3%BC`],
    [crumb, created()],
  ],
  [
    'jenkins_trigger_build',
    job,
    [`GET ${AT}/api/json?tree=property[parameterDefinitions[name]]`, CRUMB, `POST ${AT}/build `],
    [{ property: [{}] }, crumb, created()],
  ],
  ['jenkins_stop_build', build, [CRUMB, `POST ${AT}/7/stop `], [crumb, new Response(null, { status: 302 })]],
  ['jenkins_get_queue_item', { id: '3' }, 'GET /queue/item/3/api/json'],
  ['jenkins_list_nodes', {}, 'GET /computer/api/json'],
];

describe('jenkins', () => {
  for (const [name, args, requests, answers] of rows) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      expect(await sent(jenkins, name, args, answers)).toEqual([requests].flat());
    });
  }

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(jenkins.tools.map(({ name }) => name)));
  });

  it.each(['', '..', 'a/../b', './a'])('refuses the job name "%s"', async (jobPath) => {
    await expect(sent(jenkins, 'jenkins_get_job', { jobPath })).rejects.toThrow(/jobPath|cannot be part of/);
  });

  it('accepts an instance below a path', () => {
    const instanceUrl = 'https://ci.example/jenkins';
    expect(resolveBase(jenkins, { instanceUrl })).toEqual({ ok: true, base: instanceUrl });
    expect(resolveBase(jenkins, {}).ok).toBe(false);
  });
});
