// Starts a pipeline by hand. reference: Upstream behaviours
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { REPOSITORY, repository, send, some, text } from './fields.ts';
import { stateOf } from './pipeline-state.ts';

export const triggerPipeline = tool(
  'bitbucket_trigger_pipeline',
  'Start the pipeline of a branch, or a custom pipeline, with variables. Pipelines must be enabled in the repository',
  () => ({
    ...repository,
    branch: text.describe('Branch to run on'),
    pattern: some.describe(
      'Name of a custom pipeline in bitbucket-pipelines.yml; the one of the branch if left out',
    ),
    variables: z.record(text, text).optional().describe('Pipeline variables by name, e.g. {"DEPLOY": "yes"}'),
    secured: z.array(text).optional().describe('Names in `variables` whose values to hide in the log'),
    commit: some.describe('Commit hash on the branch; its newest if left out'),
  }),
  async ({ workspace, repoSlug, branch, pattern, variables, secured = [], commit }, { upstream }) => {
    const target = {
      ref_type: 'branch',
      type: 'pipeline_ref_target',
      ref_name: branch,
      ...(pattern === undefined ? {} : { selector: { type: 'custom', pattern } }),
      ...(commit === undefined ? {} : { commit: { type: 'commit', hash: commit } }),
    };
    const pipeline = await send(upstream, `POST ${REPOSITORY}/pipelines/`, {
      workspace,
      repoSlug,
      target,
      variables:
        variables &&
        Object.entries(variables).map(([key, value]) => ({ key, value, secured: secured.includes(key) })),
    });
    return stateOf(pipeline);
  },
  'write',
);
