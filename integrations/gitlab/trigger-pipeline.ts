// Starts a pipeline by hand. reference: Upstream behaviours
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { project, send, text } from './fields.ts';

export const triggerPipeline = tool(
  'gitlab_trigger_pipeline',
  'Start a new pipeline on a branch or tag that has a CI configuration, with variables or inputs',
  () => ({
    ...project,
    ref: text.describe('Branch or tag to run on'),
    variables: z.record(text, text).optional().describe('CI variables by name, e.g. {"DEPLOY": "yes"}'),
    inputs: z
      .record(text, z.unknown())
      .optional()
      .describe('Values of the inputs that the CI configuration declares, by name'),
  }),
  async ({ variables, ...args }, { upstream }) =>
    send(upstream, 'POST /projects/{projectId}/pipeline', {
      ...args,
      variables: variables && Object.entries(variables).map(([key, value]) => ({ key, value })),
    }),
  'write',
);
