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
  .describe('Full name of the job, such as app, or team/app when it is in a folder')
  .transform((path) => path.split('/').filter(Boolean).join('/job/'));
const number = text.describe('Number of the build, or lastBuild, lastSuccessfulBuild or lastFailedBuild');
const tree = text.describe('Fields to return, as Jenkins spells them, such as jobs[name,url,color]');

const JOB = '/job/{jobPath+}';
const BUILD = `${JOB}/{number}` as const;
const BUILDS = 'number,url,displayName,result,building,timestamp,duration';
const ARTIFACTS = encodeURIComponent('url,artifacts[fileName,relativePath]');

export const tools = [
  row('jenkins_whoami', 'GET /me/api/json', 'Get the Jenkins user that the session belongs to', () => ({})),
  row(
    'jenkins_list_jobs',
    'GET /api/json',
    'List the jobs and folders at the top level; jenkins_get_job lists those of a folder',
    () => ({
      tree: tree.default('jobs[name,url,color]'),
    }),
  ),
  row('jenkins_get_job', `GET ${JOB}/api/json`, 'Get a job, or a folder with its jobs', () => ({
    jobPath,
    tree: tree.optional(),
  })),
  row(
    'jenkins_list_builds',
    `GET ${JOB}/api/json`,
    'List the newest builds of a job with their results',
    () => ({
      jobPath,
      limit: z
        .int()
        .min(1)
        .default(20)
        .describe('How many builds to list')
        .transform((most) => `builds[${BUILDS}]{0,${most}}`),
    }),
    { names: { limit: 'tree' } },
  ),
  row(
    'jenkins_get_build',
    `GET ${BUILD}/api/json`,
    'Get a build with its result, duration and causes',
    () => ({ jobPath, number }),
  ),
  tool(
    'jenkins_get_build_log',
    'Get the end of a build log. While `more` is true, call it again with start set to `next`',
    () => ({
      jobPath,
      number,
      start: z.int().optional().describe('Byte to start at: `next` of the answer before'),
      tailLines: z.int().default(200).describe('How many lines to return, from the end'),
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
    'Get the test report of a build: counts, and each case with its status',
    () => ({
      jobPath,
      number,
    }),
  ),
  row(
    'jenkins_list_artifacts',
    `GET ${BUILD}/api/json?tree=${ARTIFACTS}`,
    'List the files that a build kept. The address of a file is `url`, artifact/ and its `relativePath`',
    () => ({ jobPath, number }),
  ),
  tool(
    'jenkins_trigger_build',
    'Start a build of a job. Find its number with jenkins_get_queue_item',
    () => ({
      jobPath,
      parameters: z
        .record(text, text)
        .default({})
        .describe('Build parameters by name; those that are left out have their defaults'),
    }),
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
    'Stop a build that is running',
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
    'Get a build that waits in the queue; once it runs, `executable` has its number',
    () => ({ id: text.describe('Number at the end of `queueUrl` from jenkins_trigger_build') }),
  ),
  row(
    'jenkins_list_nodes',
    'GET /computer/api/json',
    'List all nodes that run builds, with their state',
    () => ({}),
  ),
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

const Crumb = z.lazy(() => z.object({ crumb: text, crumbRequestField: text }));

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

const Parameterized = z.lazy(() =>
  z.object({
    property: z.array(z.object({ parameterDefinitions: z.array(z.unknown()).default([]) })).default([]),
  }),
);

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
