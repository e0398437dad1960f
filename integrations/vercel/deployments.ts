// Deployments: finding, reading, building again and going live.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { ask, deploymentId, limit, project, showDeployment, showPage, some, teamId, text } from './api.ts';

const Named = z.object({ id: text, name: text });
const Event = z.lazy(() =>
  z.object({
    type: some,
    created: z.number().optional(),
    text: some,
    payload: z.object({ text: some }).optional(),
  }),
);

/** Shows a line of a log with its time. A state that changes has no text. */
function showEvent(event: unknown): string[] {
  const { type, created = 0, text: line, payload } = Event.parse(event);
  const said = line ?? payload?.text;
  if (said === undefined) return [];
  const mark = type === 'stderr' || type === 'fatal' ? `${type}: ` : '';
  return [`${new Date(created).toISOString()} ${mark}${said}`];
}

export const deployments: readonly Tool[] = [
  tool(
    'vercel_list_deployments',
    'List deployments, newest first',
    () => ({
      projectId: some.describe('Project, by `id` from vercel_list_projects'),
      target: z.enum(['production', 'preview']).optional().describe('Only this environment'),
      state: z
        .array(z.enum(['BUILDING', 'ERROR', 'INITIALIZING', 'QUEUED', 'READY', 'CANCELED']))
        .optional()
        .describe('Only these states'),
      branch: some.describe('Only this branch'),
      limit: limit(),
      until: z.number().optional().describe('`until` of the previous page'),
      teamId,
    }),
    async (args, context) =>
      showPage(await ask(context, 'GET /v7/deployments', args), 'deployments', 'until', showDeployment),
  ),
  tool(
    'vercel_get_deployment',
    'Get a deployment with its state, addresses, commit and error',
    () => ({ idOrUrl: text.describe('`id` or `url` from vercel_list_deployments'), teamId }),
    async (args, context) => showDeployment(await ask(context, 'GET /v13/deployments/{idOrUrl}', args)),
  ),
  tool(
    'vercel_get_deployment_events',
    'Show the build log of a deployment, its end by default',
    () => ({
      idOrUrl: text.describe('`id` or `url` from vercel_list_deployments'),
      limit: z.int().min(1).max(1_000).default(100).describe('Events to read'),
      direction: z.enum(['backward', 'forward']).default('backward').describe('From the end or the start'),
      teamId,
    }),
    async (args, context) => {
      // With follow the answer would not end while it builds.
      const payload = await ask(context, 'GET /v3/deployments/{idOrUrl}/events', {
        ...args,
        builds: 1,
        follow: 0,
      });
      const lines = z.array(z.unknown()).parse(payload).flatMap(showEvent);
      // Each line begins with its time in ISO 8601.
      return { log: lines.toSorted().join('\n') };
    },
  ),
  tool(
    'vercel_redeploy',
    'Build a deployment again, with the same or the latest commit of its branch',
    () => ({
      deploymentId,
      target: z.enum(['production', 'preview']).default('preview').describe('Environment to deploy to'),
      withLatestCommit: z.boolean().default(false).describe('true takes the latest commit of the branch'),
      teamId,
    }),
    async ({ deploymentId: idOrUrl, target, withLatestCommit, teamId: team }, context) => {
      const read = await ask(context, 'GET /v13/deployments/{idOrUrl}', { idOrUrl, teamId: team });
      const { id, name } = Named.parse(read);
      // Without a target the deployment is a preview.
      const made = await ask(context, 'POST /v13/deployments', {
        name,
        deploymentId: id,
        target: target === 'production' ? target : undefined,
        withLatestCommit: withLatestCommit || undefined,
        teamId: team,
      });
      return showDeployment(made);
    },
    'write',
  ),
  tool(
    'vercel_promote_deployment',
    'Make a deployment the one that the production domains of its project serve',
    () => ({ projectId: project, deploymentId, teamId }),
    async (args, context) => ask(context, 'POST /v10/projects/{projectId}/promote/{deploymentId}', args),
    'write',
  ),
  tool(
    'vercel_cancel_deployment',
    'Cancel a deployment that is being built',
    () => ({ id: deploymentId, teamId }),
    async (args, context) => showDeployment(await ask(context, 'PATCH /v12/deployments/{id}/cancel', args)),
    'write',
  ),
];
