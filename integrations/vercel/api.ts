// The spelling of Vercel's API, and the team that a call is for.
import * as z from 'zod';
import type { ToolContext } from '../../src/kit/integration.ts';
import { createRows, type Method, type SendOptions } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

export const { send } = createRows({ names: 'camelCase', lists: 'comma' });

export const text = z.string();
export const some = text.optional();

export const teamId = some.describe(
  'Team, by `id` from vercel_list_teams; that of the connection by default',
);
export const project = text.describe('`id` or `name` from vercel_list_projects');
export const deploymentId = text.describe('`id` from vercel_list_deployments, such as dpl_89qy');
export const limit = () => z.int().min(1).max(100).default(20).describe('Results per page');

/** Sends a request for the team of the call, or else that of the connection. */
export async function ask(
  { upstream, readConfig }: ToolContext,
  request: `${Method} /${string}`,
  args: { teamId?: string | undefined } & Record<string, unknown>,
  options: SendOptions = {},
): Promise<unknown> {
  const team = args.teamId ?? readConfig?.()['teamId'];
  const query = ['teamId', ...(options.query ?? [])];
  return send(upstream, request, { ...args, teamId: team === '' ? undefined : team }, { ...options, query });
}

const Pages = z.lazy(() =>
  z.object({ pagination: z.object({ next: z.union([text, z.number()]).nullish() }).optional() }),
);

/** Shows a page of a list, and what the next page begins with. */
export function showPage(
  payload: unknown,
  member: string,
  cursor: string,
  show: (item: unknown) => unknown,
): object {
  const next = Pages.parse(payload).pagination?.next ?? undefined;
  const items = z.array(z.unknown()).parse(Reflect.get(Object(payload), member));
  return { [member]: items.map(show), ...(next === undefined ? {} : { [cursor]: next }) };
}

/** Vercel counts milliseconds. */
const time = z.lazy(() =>
  z
    .number()
    .nullish()
    .transform((millis) => (typeof millis === 'number' ? new Date(millis).toISOString() : undefined)),
);

const Project = z.lazy(() =>
  z.object({
    id: text,
    name: text,
    framework: z.string().nullish(),
    link: z
      .object({
        type: some,
        org: some,
        repo: some,
        productionBranch: some,
      })
      .nullish(),
    nodeVersion: some,
    rootDirectory: z.string().nullish(),
    buildCommand: z.string().nullish(),
    outputDirectory: z.string().nullish(),
    createdAt: time,
    updatedAt: time,
    targets: z
      .record(text, z.object({ id: some, alias: z.array(text).nullish(), readyState: some }).nullish())
      .nullish(),
  }),
);

export const showProject = (payload: unknown): unknown => withoutEmpty(Project.parse(payload));

/** What the Git provider has said about the commit. */
const COMMIT = /^(?:github|gitlab|bitbucket)Commit(Ref|Sha|Message|AuthorName)$/;
const Deployment = z.lazy(() =>
  z.object({
    uid: some,
    id: some,
    name: text,
    projectId: some,
    url: z.string().nullish(),
    inspectorUrl: z.string().nullish(),
    alias: z.array(text).nullish(),
    target: z.string().nullish(),
    readyState: some,
    readySubstate: some,
    errorCode: z.string().nullish(),
    errorMessage: z.string().nullish(),
    creator: z.object({ username: some }).nullish(),
    createdAt: time,
    ready: time,
    meta: z.record(text, z.unknown()).nullish(),
  }),
);

export function showDeployment(payload: unknown): unknown {
  const { uid, id, meta, creator, ...rest } = Deployment.parse(payload);
  const commit = Object.entries(meta ?? {}).flatMap(([name, value]) => {
    const [, part] = COMMIT.exec(name) ?? [];
    return part === undefined ? [] : [[part[0]?.toLowerCase() + part.slice(1), value] as const];
  });
  return withoutEmpty({
    id: id ?? uid,
    ...rest,
    creator: creator?.username,
    commit: Object.fromEntries(commit),
  });
}
