// Pipelines and their steps. reference: Upstream behaviours
import * as z from 'zod';
import { tail } from '../../src/kit/payload.ts';
import { addBraces, paging, REPOSITORY, repository, row, some, text } from './fields.ts';
import { slim, slimPage } from './pipeline-state.ts';
import { triggerPipeline } from './trigger-pipeline.ts';

const ONE = '/repositories/{workspace}/{repoSlug}/pipelines/{pipelineUuid}';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Only a uuid gets braces: a build number may be used in its place. */
const uuid = text.transform((id) => (UUID.test(id) ? addBraces(id) : id));
const pipeline = {
  ...repository,
  pipelineUuid: uuid.describe('`uuid` or `build_number` from bitbucket_list_pipelines'),
};

export const pipelines = [
  triggerPipeline,
  row(
    'bitbucket_list_pipelines',
    `GET ${REPOSITORY}/pipelines`,
    'List the pipelines of a repository, newest first, optionally of one status or branch',
    () => ({
      ...repository,
      sort: text.default('-created_on').describe('created_on, or -created_on for the newest first'),
      status: some.describe('Only in this status, e.g. PENDING, BUILDING, PASSED, FAILED or STOPPED'),
      branch: some.describe('Only of this branch'),
      ...paging(10),
    }),
    { names: { perPage: 'pagelen', branch: 'target.branch' }, result: slimPage },
  ),
  row('bitbucket_get_pipeline', `GET ${ONE}`, 'Get a pipeline with its state and result', () => pipeline, {
    result: slim,
  }),
  row('bitbucket_stop_pipeline', `POST ${ONE}/stopPipeline`, 'Stop a running pipeline', () => pipeline, {
    result: () => ({ stopped: true }),
  }),
  row(
    'bitbucket_list_pipeline_steps',
    `GET ${ONE}/steps`,
    'List the steps of a pipeline with their states, only the first page',
    () => pipeline,
  ),
  row(
    'bitbucket_get_pipeline_step_log',
    `GET ${ONE}/steps/{stepUuid}/log`,
    'Get the last lines of the log of a pipeline step',
    () => ({
      ...pipeline,
      stepUuid: uuid.describe('`uuid` from bitbucket_list_pipeline_steps'),
      tailLines: z.int().default(200).describe('Lines to return from the end of the log'),
    }),
    {
      // Bitbucket refuses this request with an Accept header for JSON.
      headers: { accept: '*/*' },
      local: ['tailLines'],
      result: (payload, { tailLines }) => tail(payload, tailLines),
    },
  ),
];
