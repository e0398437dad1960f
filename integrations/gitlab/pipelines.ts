// Pipelines and their jobs. reference: Upstream behaviours
import * as z from 'zod';
import { tail } from '../../src/kit/payload.ts';
import { flag, job, paging, pipeline, project, row, some, text } from './fields.ts';
import { triggerPipeline } from './trigger-pipeline.ts';

const PIPELINE = '/projects/{projectId}/pipelines/{pipelineId}';
const JOB = '/projects/{projectId}/jobs/{jobId}';

export const pipelines = [
  triggerPipeline,
  row(
    'gitlab_list_pipelines',
    'GET /projects/{projectId}/pipelines',
    'List the pipelines of a project by page, by ref, status, source, commit or person',
    () => ({
      ...project,
      ref: some,
      status: some.describe('Such as running, success or failed'),
      source: some.describe('Such as push, api or schedule'),
      sha: some,
      username: some,
      orderBy: some,
      sort: some,
      ...paging(10),
    }),
  ),
  row('gitlab_get_pipeline', `GET ${PIPELINE}`, 'Get one pipeline with its status', () => pipeline),
  row(
    'gitlab_retry_pipeline',
    `POST ${PIPELINE}/retry`,
    'Run the failed jobs of a pipeline again',
    () => pipeline,
  ),
  row('gitlab_cancel_pipeline', `POST ${PIPELINE}/cancel`, 'Cancel the jobs of a pipeline', () => pipeline),
  row('gitlab_list_pipeline_jobs', `GET ${PIPELINE}/jobs`, 'List the jobs of a pipeline by page', () => ({
    ...pipeline,
    scope: z.array(text).optional().describe('Only jobs of these statuses, such as failed'),
    includeRetried: flag,
    ...paging(50),
  })),
  row(
    'gitlab_get_job_log',
    `GET ${JOB}/trace`,
    'Get the last lines of the log of a job',
    () => ({ ...job, tailLines: z.int().default(200) }),
    { local: ['tailLines'], result: (payload, { tailLines }) => tail(payload, tailLines) },
  ),
  row('gitlab_play_job', `POST ${JOB}/play`, 'Start a manual job', () => job),
  row('gitlab_retry_job', `POST ${JOB}/retry`, 'Run a job again', () => job),
  row(
    'gitlab_lint_ci',
    'POST /projects/{projectId}/ci/lint',
    'Check a CI configuration for a project',
    () => ({
      ...project,
      content: text.describe('The YAML of the configuration'),
      ref: some,
      dryRun: flag,
    }),
    { access: 'read' },
  ),
];
