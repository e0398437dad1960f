// GitHub Actions: workflows, their runs, jobs and artifacts.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { tail } from '../../src/kit/payload.ts';
import { at, flag, paging, repository, row, run, send, some, WORKFLOW } from './api.ts';
import { triggerWorkflow } from './trigger-workflow.ts';

const one = `${at}/actions/runs/{runId}` as const;

export const actions: readonly Tool[] = [
  row(
    'github_list_workflows',
    `GET ${at}/actions/workflows`,
    'List Actions workflows of a repository, in pages',
    () => ({
      ...repository,
      ...paging(30),
    }),
  ),
  triggerWorkflow,
  tool(
    'github_list_workflow_runs',
    'List Actions runs of a repository or of one workflow, newest first, in pages',
    () => ({
      ...repository,
      workflow: some.describe(WORKFLOW),
      event: some.describe('What started the run, such as push, pull_request or workflow_dispatch'),
      branch: some.describe('Branch that was pushed, such as main'),
      status: some.describe('Status or conclusion, such as in_progress, success or failure'),
      actor: some.describe('Login of the person whose push started the run'),
      headSha: some.describe('Full SHA of the commit that was run'),
      ...paging(10),
    }),
    (args, { upstream }) => {
      const within = args.workflow === undefined ? '' : '/workflows/{workflow}';
      return send(upstream, `GET ${at}/actions${within}/runs`, args);
    },
  ),
  row(
    'github_get_workflow_run',
    `GET ${one}`,
    'Get an Actions run with its status and conclusion',
    () => run,
  ),
  tool(
    'github_rerun_workflow_run',
    'Run a finished Actions run again: all of its jobs, or only those that failed',
    () => ({
      ...run,
      failedOnly: z.boolean().default(false).describe('True to run only the jobs that failed'),
      enableDebugLogging: flag.describe('True to log what the runner and each step do'),
    }),
    async ({ failedOnly, ...args }, { upstream }) => {
      await send(upstream, `POST ${one}/${failedOnly ? 'rerun-failed-jobs' : 'rerun'}`, args);
      return { rerun: true };
    },
    'write',
  ),
  row(
    'github_cancel_workflow_run',
    `POST ${one}/cancel`,
    'Cancel an Actions run that has not finished',
    () => run,
    { result: () => ({ cancelled: true }) },
  ),
  row(
    'github_list_workflow_run_jobs',
    `GET ${one}/jobs`,
    'List jobs of an Actions run with their steps, in pages',
    () => ({
      ...run,
      filter: z
        .enum(['latest', 'all'])
        .default('latest')
        .describe('Jobs of the latest attempt, or of all attempts'),
      ...paging(30),
    }),
  ),
  // GitHub redirects to a signed address on another host; the token is not sent there.
  row(
    'github_get_job_logs',
    `GET ${at}/actions/jobs/{jobId}/logs`,
    'Get the last lines of the log of an Actions job',
    () => ({
      ...repository,
      jobId: z.int().describe('`id` from github_list_workflow_run_jobs'),
      tailLines: z.int().min(1).default(200).describe('How many lines to return, from the end'),
    }),
    { local: ['tailLines'], result: (log, { tailLines }) => tail(log, tailLines) },
  ),
  row(
    'github_list_run_artifacts',
    `GET ${one}/artifacts`,
    'List artifacts of an Actions run, in pages',
    () => ({
      ...run,
      ...paging(30),
    }),
  ),
];
