// Starts a workflow that has `workflow_dispatch`. reference: Upstream behaviours
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { at, repository, send, text, WORKFLOW } from './api.ts';

const value = z.union([z.string(), z.number(), z.boolean()]);
const Details = z.lazy(() =>
  z.object({ workflow_run_id: z.int(), run_url: z.string(), html_url: z.string() }),
);
const Server = z.lazy(() => z.object({ installed_version: z.string() }));

export const triggerWorkflow = tool(
  'github_trigger_workflow',
  'Start an Actions workflow that has workflow_dispatch; find its run with github_list_workflow_runs',
  () => ({
    ...repository,
    workflow: text.describe(WORKFLOW),
    ref: text.describe('Branch or tag to run the workflow on, such as main'),
    inputs: z
      .record(z.string(), value)
      .optional()
      .describe('Inputs by name, as the workflow file declares them'),
    returnRunDetails: z
      .boolean()
      .default(false)
      .describe('Answer with the id and addresses of the run, where GitHub can'),
  }),
  async ({ returnRunDetails, ...args }, { upstream }) => {
    const details = returnRunDetails && !(await isEnterpriseServer(upstream)) ? { returnRunDetails } : {};
    const path = `POST ${at}/actions/workflows/{workflow}/dispatches`;
    const answer = await send(upstream, path, { ...args, ...details });
    // GitHub answers 200 with the run, or 204 with an empty body.
    return Details.safeParse(answer).data ?? { dispatched: true, workflow: args.workflow, ref: args.ref };
  },
  'write',
);

/** Only Enterprise Servers report a version, and they do not know `return_run_details`. */
async function isEnterpriseServer(upstream: Upstream): Promise<boolean> {
  return Server.safeParse(await send(upstream, 'GET /meta')).success;
}
