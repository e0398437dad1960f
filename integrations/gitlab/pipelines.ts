// Pipelines and their jobs. reference: Upstream behaviours
import * as z from 'zod';
import { tail } from '../../src/kit/payload.ts';
import { flag, job, orderBy, paging, pipeline, project, row, some, sort, text, username } from './fields.ts';
import { triggerPipeline } from './trigger-pipeline.ts';

const PIPELINE = '/projects/{projectId}/pipelines/{pipelineId}';
const JOB = '/projects/{projectId}/jobs/{jobId}';

export const pipelines = [
  triggerPipeline,
  row(
    'gitlab_list_pipelines',
    'GET /projects/{projectId}/pipelines',
    'List the pipelines of a project, newest first, filtered by ref, status, source, commit or person',
    () => ({
      ...project,
      ref: some.describe('Only of this branch or tag'),
      status: some.describe('Only in this status, e.g. running, pending, success, failed or canceled'),
      source: some.describe('Only with this trigger, e.g. push, web, api, schedule or merge_request_event'),
      sha: some.describe('Only of the commit with this full SHA'),
      username: username('Only started by this person'),
      orderBy: orderBy('id (default), status, ref, updated_at or user_id'),
      sort,
      ...paging(10),
    }),
  ),
  row(
    'gitlab_get_pipeline',
    `GET ${PIPELINE}`,
    'Get a pipeline with its status and duration',
    () => pipeline,
  ),
  row(
    'gitlab_retry_pipeline',
    `POST ${PIPELINE}/retry`,
    'Run the failed and canceled jobs of a pipeline again',
    () => pipeline,
  ),
  row(
    'gitlab_cancel_pipeline',
    `POST ${PIPELINE}/cancel`,
    'Cancel the running jobs of a pipeline',
    () => pipeline,
  ),
  row(
    'gitlab_list_pipeline_jobs',
    `GET ${PIPELINE}/jobs`,
    'List the jobs of a pipeline with their statuses',
    () => ({
      ...pipeline,
      scope: z.array(text).optional().describe('Only jobs in these statuses, e.g. failed, running or manual'),
      includeRetried: flag.describe('true also lists runs of a job that was retried'),
      ...paging(50),
    }),
  ),
  row(
    'gitlab_get_job_log',
    `GET ${JOB}/trace`,
    'Get the last lines of the log of a pipeline job',
    () => ({ ...job, tailLines: z.int().default(200).describe('Lines to return from the end of the log') }),
    { local: ['tailLines'], result: (payload, { tailLines }) => tail(payload, tailLines) },
  ),
  row('gitlab_play_job', `POST ${JOB}/play`, 'Start a manual job, which waits with status manual', () => job),
  row('gitlab_retry_job', `POST ${JOB}/retry`, 'Run one job of a pipeline again', () => job),
  row(
    'gitlab_lint_ci',
    'POST /projects/{projectId}/ci/lint',
    'Check the YAML of a CI configuration for errors, without saving it',
    () => ({
      ...project,
      content: text.describe('YAML of the configuration, as in .gitlab-ci.yml'),
      ref: some.describe('Branch or tag to simulate with dryRun; the default branch if left out'),
      dryRun: flag.describe('true simulates creating a pipeline; otherwise a static check only'),
    }),
    { access: 'read' },
  ),
];
