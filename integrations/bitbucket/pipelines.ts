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
const pipeline = { ...repository, pipelineUuid: uuid };

export const pipelines = [
  triggerPipeline,
  row(
    'bitbucket_list_pipelines',
    `GET ${REPOSITORY}/pipelines`,
    'List the pipelines of a repository by page, the newest first, by status or branch',
    () => ({
      ...repository,
      sort: text.default('-created_on'),
      status: some.describe('Such as BUILDING, PASSED, FAILED or STOPPED'),
      branch: some,
      ...paging(10),
    }),
    { names: { perPage: 'pagelen', branch: 'target.branch' }, result: slimPage },
  ),
  row('bitbucket_get_pipeline', `GET ${ONE}`, 'Get one pipeline with its state and result', () => pipeline, {
    result: slim,
  }),
  row('bitbucket_stop_pipeline', `POST ${ONE}/stopPipeline`, 'Stop a pipeline that runs', () => pipeline, {
    result: () => ({ stopped: true }),
  }),
  row(
    'bitbucket_list_pipeline_steps',
    `GET ${ONE}/steps`,
    'List the steps of a pipeline with their states, as the first page',
    () => pipeline,
  ),
  row(
    'bitbucket_get_pipeline_step_log',
    `GET ${ONE}/steps/{stepUuid}/log`,
    'Get the last lines of the log of a pipeline step',
    () => ({ ...pipeline, stepUuid: uuid, tailLines: z.int().default(200) }),
    {
      // Bitbucket refuses this request with an Accept header for JSON.
      headers: { accept: '*/*' },
      local: ['tailLines'],
      result: (payload, { tailLines }) => tail(payload, tailLines),
    },
  ),
];
