// Organizations and projects, with their logs, edge functions and branches.
import * as z from 'zod';
import { encodeForm } from '../../src/kit/binary.ts';
import { givenContent, readGiven } from '../../src/kit/files.ts';
import { type Tool, tool, type UpstreamCall } from '../../src/kit/integration.ts';
import { pick } from '../../src/kit/pick.ts';
import { pickAll, PROJECT, ref, row, send, some, text } from './api.ts';

const SOURCES = [
  'edge_logs',
  'postgres_logs',
  'postgrest_logs',
  'function_logs',
  'function_edge_logs',
  'auth_logs',
  'storage_logs',
  'realtime_logs',
  'supavisor_logs',
] as const;
const HOUR = 3_600_000;

const Project = () => ({
  ref: some,
  id: some,
  name: text,
  region: some,
  status: some,
  organization_slug: some,
  organization_id: some,
  created_at: some,
  database: z.object({ host: some, version: some }).optional(),
});
const Function = () => ({
  id: text,
  slug: text,
  name: text,
  status: some,
  version: z.number().optional(),
  verify_jwt: z.boolean().optional(),
});
const Branch = () => ({
  id: text,
  name: text,
  project_ref: some,
  git_branch: z.string().nullish(),
  pr_number: z.number().nullish(),
  is_default: z.boolean().optional(),
  persistent: z.boolean().optional(),
  status: some,
  created_at: some,
});
const Advice = z.lazy(() =>
  z.object({
    lints: z.array(z.object({ name: text, level: text, detail: some, description: some, remediation: some })),
  }),
);
const Logs = z.lazy(() =>
  z.object({ result: z.array(z.unknown()).nullish(), error: z.unknown().optional() }),
);
const Word = z.object({ message: text });

const branchId = text.describe('`id` from supabase_list_branches');
const time = z.iso.datetime({ offset: true }).optional();

/** Supabase answers a query that fails with status 200. */
function readLogs(payload: unknown): unknown[] {
  const { result, error } = Logs.parse(payload);
  if (error === undefined || error === null) return result ?? [];
  const word = Word.safeParse(error);
  throw new Error(
    typeof error === 'string' ? error : word.success ? word.data.message : JSON.stringify(error),
  );
}

export const projects: readonly Tool[] = [
  row('supabase_list_organizations', 'GET /v1/organizations', 'List your organizations', () => ({}), {
    result: pickAll(() => ({ id: text, slug: some, name: text })),
  }),
  row('supabase_list_projects', 'GET /v1/projects', 'List the projects of all organizations', () => ({}), {
    result: pickAll(Project),
  }),
  row(
    'supabase_get_project',
    `GET ${PROJECT}`,
    'Get a project: status, region and database',
    () => ({ ref }),
    {
      result: pick(Project),
    },
  ),
  tool(
    'supabase_get_logs',
    'Show the logs of a project from one source, newest first, of the last hour by default',
    () => ({
      ref,
      source: z
        .enum(SOURCES)
        .describe('edge_logs are requests to the API; function_logs what functions print'),
      search: some.describe('Text in the message'),
      start: time.describe('From then on, such as 2026-03-01T09:00:00Z; at most 24 hours before end'),
      end: time.describe('Until then; now by default'),
      limit: z.int().min(1).max(1_000).default(100).describe('Lines to show'),
    }),
    async ({ source, search, start, end, limit, ...args }, { upstream, clock }) => {
      const until = end === undefined ? clock.millis() : Date.parse(end);
      const quoted = search?.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      const where = quoted === undefined ? '' : ` where strpos(event_message, '${quoted}') > 0`;
      return readLogs(
        await send(upstream, `GET ${PROJECT}/analytics/endpoints/logs.all`, {
          ...args,
          sql: `select id, timestamp, event_message from ${source}${where} order by timestamp desc limit ${limit}`,
          isoTimestampStart: start ?? new Date(until - HOUR).toISOString(),
          isoTimestampEnd: end ?? new Date(until).toISOString(),
        }),
      );
    },
  ),
  tool(
    'supabase_get_advisors',
    'Check a project for what is wrong with its security or its performance',
    () => ({ ref, type: z.enum(['security', 'performance']).describe('What to check') }),
    async (args, { upstream }) =>
      Advice.parse(await send(upstream, `GET ${PROJECT}/advisors/{type}`, args)).lints,
  ),
  row(
    'supabase_list_functions',
    `GET ${PROJECT}/functions`,
    'List the edge functions of a project',
    () => ({ ref }),
    { result: pickAll(Function) },
  ),
  tool(
    'supabase_deploy_function',
    'Deploy an edge function of one file; a function with this slug is replaced',
    () => ({
      ref,
      slug: text.describe('Name in the address, such as send-mail'),
      verifyJwt: z.boolean().default(true).describe('false lets everybody call it'),
      ...givenContent,
    }),
    async ({ ref: project, slug, verifyJwt, ...given }, { upstream, files }) => {
      const { bytes } = await readGiven(files, given);
      const metadata = { name: slug, entrypoint_path: 'index.ts', verify_jwt: verifyJwt };
      const form = new FormData();
      form.set('metadata', new Blob([JSON.stringify(metadata)], { type: 'application/json' }));
      form.set('file', new Blob([bytes], { type: 'application/typescript' }), 'index.ts');
      const encoded = await encodeForm(form);
      const sendForm = (call: UpstreamCall) => upstream({ ...call, ...encoded });
      const args = { ref: project, slug };
      return pick(Function)(
        await send(sendForm, `POST ${PROJECT}/functions/deploy`, args, { query: ['slug'] }),
      );
    },
    'write',
  ),
  row(
    'supabase_list_branches',
    `GET ${PROJECT}/branches`,
    'List the branches of a project; project_ref is the ref of a branch',
    () => ({ ref }),
    { result: pickAll(Branch) },
  ),
  row(
    'supabase_create_branch',
    `POST ${PROJECT}/branches`,
    'Create a branch of a project, with a database of its own that costs money',
    () => ({
      ref,
      branchName: text.describe('Its name, such as new-checkout'),
      gitBranch: some.describe('Branch of the Git repository that it belongs to'),
      persistent: z.boolean().optional().describe('true keeps it when the Git branch is merged'),
      withData: z.boolean().optional().describe('true copies the data too'),
    }),
    { result: pick(Branch) },
  ),
  row(
    'supabase_merge_branch',
    'POST /v1/branches/{branchId}/merge',
    'Merge the migrations and functions of a branch into production',
    () => ({ branchId }),
    { access: 'destroy' },
  ),
  row(
    'supabase_delete_branch',
    'DELETE /v1/branches/{branchId}',
    'Delete a branch with its database',
    () => ({
      branchId,
    }),
  ),
];
