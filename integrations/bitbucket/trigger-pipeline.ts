// Starts a pipeline by hand. reference: Upstream behaviours
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { REPOSITORY, repository, send, some, text } from './fields.ts';
import { stateOf } from './pipeline-state.ts';

export const triggerPipeline = tool(
  'bitbucket_trigger_pipeline',
  'Start the pipeline of a branch, or a custom one, with variables; pipelines have to be enabled',
  () => ({
    ...repository,
    branch: text,
    pattern: some.describe('Name of a custom pipeline'),
    variables: z.record(text, text).optional().describe('Such as {"DEPLOY": "yes"}'),
    secured: z.array(text).optional().describe('Names of variables whose values are kept out of the log'),
    commit: some.describe('A commit of the branch; its newest when left out'),
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
