// The tools of Jenkins' remote access API. Writes carry the crumb of the session.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { tail, UpstreamError } from '../../src/kit/payload.ts';
import { createRows, type Method } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'camelCase', read: asJson });
const plain = createRows({ names: 'camelCase' });

const text = z.string();
const jobPath = text
  .min(1)
  .describe('Full name of the job: app, or team/app when it is in a folder')
  .transform((path) => path.split('/').filter(Boolean).join('/job/'));
const number = text.describe('A number, or lastBuild, lastSuccessfulBuild, lastFailedBuild');
const tree = text.describe('Which fields, as Jenkins writes them: jobs[name,url,color]');

const JOB = '/job/{jobPath+}';
const BUILD = `${JOB}/{number}` as const;
const BUILDS = 'number,url,displayName,result,building,timestamp,duration';
const ARTIFACTS = encodeURIComponent('url,artifacts[fileName,relativePath]');

export const tools = [
  row('jenkins_whoami', 'GET /me/api/json', 'Who the session belongs to', () => ({})),
  row('jenkins_list_jobs', 'GET /api/json', 'List the jobs and folders at the top, all at once', () => ({
    tree: tree.default('jobs[name,url,color]'),
  })),
  row('jenkins_get_job', `GET ${JOB}/api/json`, 'Get a job, or a folder with its jobs', () => ({
    jobPath,
    tree: tree.optional(),
  })),
  row(
    'jenkins_list_builds',
    `GET ${JOB}/api/json`,
    'List the newest builds of a job, at most limit of them',
    () => ({
      jobPath,
      limit: z
        .int()
        .min(1)
        .default(20)
        .transform((most) => `builds[${BUILDS}]{0,${most}}`),
    }),
    { names: { limit: 'tree' } },
  ),
  row('jenkins_get_build', `GET ${BUILD}/api/json`, 'Get a build', () => ({ jobPath, number })),
  tool(
    'jenkins_get_build_log',
    'Read the end of a build log; while more comes, go on with start set to next',
    () => ({
      jobPath,
      number,
      start: z.int().optional().describe('Offset in bytes'),
      tailLines: z.int().default(200),
    }),
    async ({ tailLines, ...args }, { upstream }) => {
      let headers = new Headers();
      const log = await plain.send(
        async (call) => {
          const response = await upstream(call);
          ({ headers } = response);
          return response;
        },
        `GET ${BUILD}/logText/progressiveText`,
        args,
      );
      // Jenkins sends the log as text/plain, whatever it contains.
      if (/html/i.test(headers.get('content-type') ?? '')) throw sessionEnded();
      return {
        ...tail(log, tailLines),
        next: Number(headers.get('x-text-size')),
        more: headers.get('x-more-data') === 'true',
      };
    },
  ),
  row(
    'jenkins_get_test_report',
    `GET ${BUILD}/testReport/api/json`,
    'Get the test report of a build',
    () => ({
      jobPath,
      number,
    }),
  ),
  row(
    'jenkins_list_artifacts',
    `GET ${BUILD}/api/json?tree=${ARTIFACTS}`,
    'List all files a build has kept; each is at url, artifact/ and its relativePath',
    () => ({ jobPath, number }),
  ),
  tool(
    'jenkins_trigger_build',
    'Start a build; parameters that are not given have their defaults',
    () => ({ jobPath, parameters: z.record(text, text).default({}) }),
    async ({ jobPath: path, parameters }, { upstream }) => {
      // Each address serves one kind of job, and refuses the other.
      const parameterized = Object.keys(parameters).length > 0 || (await hasParameters(upstream, path));
      const action = parameterized ? 'buildWithParameters' : 'build';
      const { headers } = await post(upstream, `POST ${JOB}/${action}`, { jobPath: path }, parameters);
      const queueUrl = headers.get('location');
      if (queueUrl === null) throw new Error('Jenkins has not queued a build, and does not say why');
      return { queueUrl };
    },
    'write',
  ),
  tool(
    'jenkins_stop_build',
    'Stop a build that runs',
    () => ({ jobPath, number }),
    async (args, { upstream }) => {
      await post(upstream, `POST ${BUILD}/stop`, args);
      return { stopped: true };
    },
    'write',
  ),
  row(
    'jenkins_get_queue_item',
    'GET /queue/item/{id}/api/json',
    'Get what waits in the queue; once it runs, executable is its build',
    () => ({ id: text.describe('The number at the end of a queueUrl') }),
  ),
  row('jenkins_list_nodes', 'GET /computer/api/json', 'List all nodes that builds run on', () => ({})),
];

/** Sends a form with the crumb; only the headers of the response are used. */
async function post(
  upstream: Upstream,
  request: `${Method} /${string}`,
  args: Record<string, unknown>,
  form: Record<string, string> = {},
): Promise<Response> {
  const headers = {
    ...(await crumbOf(upstream)),
    'content-type': 'application/x-www-form-urlencoded',
  };
  let answer = new Response();
  const sendForm: Upstream = async (call) => {
    answer = await upstream({ ...call, headers, body: new URLSearchParams(form).toString() });
    if (answer.status >= 400) return answer;
    // Jenkins answered with a page for people, or a redirect to one.
    await answer.body?.cancel();
    return new Response();
  };
  await plain.send(sendForm, request, args);
  return answer;
}

const Crumb = z.object({ crumb: text, crumbRequestField: text });

async function crumbOf(upstream: Upstream): Promise<Record<string, string>> {
  try {
    const { crumb, crumbRequestField } = Crumb.parse(await send(upstream, 'GET /crumbIssuer/api/json'));
    return { [crumbRequestField]: crumb };
  } catch (error) {
    // The administrator has switched off the protection against forged requests.
    if (error instanceof UpstreamError && error.status === 404) return {};
    throw error;
  }
}

const Parameterized = z.object({
  property: z.array(z.object({ parameterDefinitions: z.array(z.unknown()).default([]) })).default([]),
});

async function hasParameters(upstream: Upstream, path: string): Promise<boolean> {
  const args = { jobPath: path, tree: 'property[parameterDefinitions[name]]' };
  const { property } = Parameterized.parse(await send(upstream, `GET ${JOB}/api/json`, args));
  return property.some(({ parameterDefinitions }) => parameterDefinitions.length > 0);
}

function asJson(payload: unknown): unknown {
  if (typeof payload === 'string') throw sessionEnded();
  return payload;
}

function sessionEnded(): Error {
  return new Error('Jenkins answered with a page instead of data: the session has ended. Reconnect Jenkins.');
}
