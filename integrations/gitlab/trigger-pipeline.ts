// Starts a pipeline by hand. reference: Upstream behaviours
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { project, send, text } from './fields.ts';

export const triggerPipeline = tool(
  'gitlab_trigger_pipeline',
  'Start a pipeline on a branch or tag that has a CI configuration, with variables or inputs',
  () => ({
    ...project,
    ref: text,
    variables: z.record(text, text).optional().describe('Such as {"DEPLOY": "yes"}'),
    inputs: z.record(text, z.unknown()).optional().describe('Inputs that the CI configuration declares'),
  }),
  async ({ variables, ...args }, { upstream }) =>
    send(upstream, 'POST /projects/{projectId}/pipeline', {
      ...args,
      variables: variables && Object.entries(variables).map(([key, value]) => ({ key, value })),
    }),
  'write',
);
