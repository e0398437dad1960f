// What runs and is kept at Cloudflare: Workers, Pages, R2 and KV.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { asFile, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { pick } from '../../src/kit/pick.ts';
import { accountId, paging, resultOf, row, showList, showOne, some, text, toCall } from './api.ts';

const SCRIPTS = '/accounts/{accountId}/workers/scripts';
const PAGES = '/accounts/{accountId}/pages/projects';
const DEPLOYMENT = `${PAGES}/{projectName}/deployments/{deploymentId}` as const;
const KV = '/accounts/{accountId}/storage/kv/namespaces';

const scriptName = text.describe('`id` from cloudflare_list_workers');
const projectName = text.describe('`name` from cloudflare_list_pages_projects');
const deploymentId = text.describe('`id` from cloudflare_list_pages_deployments');
const namespaceId = text.describe('`id` from cloudflare_list_kv_namespaces');
const cursor = some.describe('`cursor` of the previous page');

const showScript = pick(() => ({
  id: text,
  compatibility_date: z.string().nullish(),
  handlers: z.array(text).nullish(),
  routes: z.array(z.object({ id: some, pattern: some })).nullish(),
  created_on: some,
  modified_on: some,
}));
const showWorkerDeployment = pick(() => ({
  id: text,
  created_on: some,
  source: some,
  author_email: some,
  annotations: z.record(text, z.unknown()).nullish(),
  versions: z.array(z.object({ version_id: text, percentage: z.number() })).optional(),
}));
const showPagesDeployment = pick(() => ({
  id: text,
  url: some,
  environment: some,
  created_on: some,
  aliases: z.array(text).nullish(),
  latest_stage: z.object({ name: some, status: some, ended_on: z.string().nullish() }).nullish(),
  deployment_trigger: z
    .object({
      type: some,
      metadata: z.object({ branch: some, commit_hash: some, commit_message: some }).optional(),
    })
    .nullish(),
}));
const showProject = pick(() => ({
  id: some,
  name: text,
  subdomain: some,
  domains: z.array(text).nullish(),
  production_branch: some,
  build_config: z
    .object({ build_command: z.string().nullish(), destination_dir: z.string().nullish() })
    .nullish(),
  latest_deployment: z.object({ id: text, url: some, environment: some }).nullish(),
}));
const Lines = z.lazy(() =>
  z.object({ data: z.array(z.object({ ts: some, line: text })), total: z.number().optional() }),
);

function showLog(payload: unknown): object {
  const { data, total } = Lines.parse(resultOf(payload));
  return { log: data.map(({ ts = '', line }) => `${ts} ${line}`.trim()).join('\n'), total };
}

export const developer: readonly Tool[] = [
  row('cloudflare_list_workers', `GET ${SCRIPTS}`, 'List the Workers of an account', () => ({ accountId }), {
    result: showList('workers', showScript),
  }),
  tool(
    'cloudflare_read_worker',
    'Read the code of a Worker, with all of its modules',
    () => ({ accountId, scriptName, asFile }),
    async ({ asFile: keep, ...args }, { upstream, files }) => {
      const answer = await upstream(toCall(`GET ${SCRIPTS}/{scriptName}/content/v2`, args));
      const type = answer.headers.get('content-type') ?? '';
      if (!answer.ok) await readPayload(answer);
      if (!type.startsWith('multipart/form-data')) {
        const content = { bytes: await readBytes(answer), name: `${args.scriptName}.js`, mimeType: type };
        return { modules: [{ name: content.name, ...(await renderFile(files, content, { asFile: keep })) }] };
      }
      const modules: object[] = [];
      for (const [name, value] of await answer.formData()) {
        const part = typeof value === 'string' ? new Blob([value], { type: 'text/javascript' }) : value;
        const content = { bytes: new Uint8Array(await part.arrayBuffer()), name, mimeType: part.type };
        modules.push({ name, ...(await renderFile(files, content, { asFile: keep })) });
      }
      return { modules };
    },
  ),
  row(
    'cloudflare_list_worker_deployments',
    `GET ${SCRIPTS}/{scriptName}/deployments`,
    'List the latest deployments of a Worker; the first one is live',
    () => ({ accountId, scriptName }),
    { result: showList('deployments', showWorkerDeployment) },
  ),
  row(
    'cloudflare_list_pages_projects',
    `GET ${PAGES}`,
    'List the Pages projects of an account, by page',
    () => ({ accountId, page: paging(10).page }),
    { result: showList('projects', showProject) },
  ),
  row(
    'cloudflare_list_pages_deployments',
    `GET ${PAGES}/{projectName}/deployments`,
    'List the deployments of a Pages project, newest first, by page',
    () => ({
      accountId,
      projectName,
      env: z.enum(['production', 'preview']).optional().describe('Only this environment'),
      ...paging(25),
    }),
    { result: showList('deployments', showPagesDeployment) },
  ),
  row(
    'cloudflare_get_pages_logs',
    `GET ${DEPLOYMENT}/history/logs`,
    'Show the build log of a Pages deployment',
    () => ({ accountId, projectName, deploymentId }),
    { result: showLog },
  ),
  row(
    'cloudflare_retry_pages_deployment',
    `POST ${DEPLOYMENT}/retry`,
    'Build a Pages deployment again',
    () => ({ accountId, projectName, deploymentId }),
    { result: showOne(showPagesDeployment) },
  ),
  row(
    'cloudflare_list_r2_buckets',
    'GET /accounts/{accountId}/r2/buckets',
    'List the R2 buckets of an account',
    () => ({
      accountId,
      nameContains: some.describe('Part of the name'),
      perPage: z.int().min(1).max(1_000).default(50).describe('Buckets per page'),
      cursor,
    }),
    {
      result: showList(
        'buckets',
        pick(() => ({ name: text, creation_date: some, location: some, storage_class: some })),
      ),
    },
  ),
  row(
    'cloudflare_list_kv_namespaces',
    `GET ${KV}`,
    'List the KV namespaces of an account, by page',
    () => ({ accountId, ...paging(100) }),
    {
      result: showList(
        'namespaces',
        pick(() => ({ id: text, title: text })),
      ),
    },
  ),
  row(
    'cloudflare_list_kv_keys',
    `GET ${KV}/{namespaceId}/keys`,
    'List the keys of a KV namespace',
    () => ({
      accountId,
      namespaceId,
      prefix: some.describe('Only keys that begin with this'),
      limit: z.int().min(10).max(1_000).default(100).describe('Keys per page'),
      cursor,
    }),
    {
      result: showList(
        'keys',
        pick(() => ({ name: text, expiration: z.number().nullish(), metadata: z.unknown().optional() })),
      ),
    },
  ),
  tool(
    'cloudflare_read_kv_value',
    'Read the value of a key of a KV namespace',
    () => ({ accountId, namespaceId, key: text.describe('`name` from cloudflare_list_kv_keys'), asFile }),
    async ({ asFile: keep, ...args }, { upstream, files }) => {
      const answer = await upstream(toCall(`GET ${KV}/{namespaceId}/values/{key}`, args));
      const bytes = await readBytes(answer);
      const mimeType = answer.headers.get('content-type') ?? '';
      return renderFile(files, { bytes, name: args.key, mimeType }, { asFile: keep });
    },
  ),
];
