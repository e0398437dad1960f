// Teams and projects, with their environment variables and domains.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import { ask, limit, project, send, showPage, showProject, some, teamId, text } from './api.ts';

const User = z.lazy(() =>
  z.object({
    user: z.object({
      id: text,
      email: text,
      username: text,
      name: z.string().nullish(),
      defaultTeamId: z.string().nullish(),
    }),
  }),
);
const Team = z.lazy(() => z.object({ id: text, slug: text, name: z.string().nullish() }));

const VARIABLE = z.lazy(() =>
  z.object({
    id: some,
    key: text,
    type: text,
    value: some,
    target: z.union([text, z.array(text)]).nullish(),
    gitBranch: z.string().nullish(),
    comment: z.string().nullish(),
  }),
);
const Variables = z.lazy(() => z.object({ envs: z.array(z.unknown()) }));
const Created = z.lazy(() =>
  z.object({
    created: z.unknown(),
    failed: z.array(z.object({ error: z.object({ message: text }) })).default([]),
  }),
);

/** Vercel gives the value of every other type encrypted. */
function showVariable(payload: unknown): unknown {
  const { value, ...rest } = VARIABLE.parse(payload);
  return withoutEmpty({ ...rest, value: rest.type === 'plain' ? value : undefined });
}

const Domain = z.lazy(() =>
  z.object({
    name: text,
    apexName: some,
    redirect: z.string().nullish(),
    gitBranch: z.string().nullish(),
    verified: z.boolean().optional(),
    verification: z.array(z.object({ type: text, domain: text, value: text })).optional(),
  }),
);
const showDomain = (payload: unknown): unknown => withoutEmpty(Domain.parse(payload));

const idOrName = project;
const domain = text.describe('Its name, such as www.example.com, from vercel_list_domains');
const PROJECT = '/v9/projects/{idOrName}';
const ENVIRONMENTS = ['production', 'preview', 'development'] as const;

export const projects: readonly Tool[] = [
  tool(
    'vercel_whoami',
    'Show the account that is connected',
    () => ({}),
    async (_, { upstream }) => withoutEmpty(User.parse(await send(upstream, 'GET /v2/user')).user),
  ),
  tool(
    'vercel_list_teams',
    'List the teams of the account',
    () => ({ limit: limit(), until: z.number().optional().describe('`until` of the previous page') }),
    async (args, { upstream }) =>
      showPage(await send(upstream, 'GET /v2/teams', args), 'teams', 'until', (team) =>
        withoutEmpty(Team.parse(team)),
      ),
  ),
  tool(
    'vercel_list_projects',
    'List projects or find them by name',
    () => ({
      search: some.describe('Part of the name'),
      limit: limit(),
      from: z.union([text, z.number()]).optional().describe('`from` of the previous page'),
      teamId,
    }),
    async (args, context) =>
      showPage(await ask(context, 'GET /v10/projects', args), 'projects', 'from', showProject),
  ),
  tool(
    'vercel_get_project',
    'Get a project: repository, build settings and what it serves',
    () => ({ idOrName, teamId }),
    async (args, context) => showProject(await ask(context, `GET ${PROJECT}`, args)),
  ),
  tool(
    'vercel_list_env_vars',
    'List the environment variables of a project; values of the type plain only',
    () => ({ idOrName, gitBranch: some.describe('Only those for this branch'), teamId }),
    async (args, context) => {
      const payload = await ask(context, 'GET /v10/projects/{idOrName}/env', args);
      return Variables.parse(payload).envs.map(showVariable);
    },
  ),
  tool(
    'vercel_set_env_var',
    'Create an environment variable of a project, or replace the one with this key and target; the next deployment uses it',
    () => ({
      idOrName,
      key: text.describe('Its name, such as API_URL'),
      value: text.describe('Its value'),
      target: z.array(z.enum(ENVIRONMENTS)).min(1).describe('Environments that get it'),
      type: z
        .enum(['encrypted', 'plain', 'sensitive'])
        .default('encrypted')
        .describe('sensitive can never be read again, and is not for development'),
      gitBranch: some.describe('Branch that gets it; target has to be preview only'),
      comment: some.describe('What the variable is for'),
      teamId,
    }),
    async (args, context) => {
      const set = await ask(
        context,
        'POST /v10/projects/{idOrName}/env',
        { ...args, upsert: 'true' },
        { query: ['upsert'] },
      );
      const { created, failed } = Created.parse(set);
      if (failed[0] !== undefined) throw new Error(failed[0].error.message);
      return z.array(z.unknown()).parse([created].flat()).map(showVariable);
    },
    'write',
  ),
  tool(
    'vercel_delete_env_var',
    'Delete an environment variable of a project',
    () => ({ idOrName, id: text.describe('`id` from vercel_list_env_vars'), teamId }),
    async (args, context) => {
      await ask(context, `DELETE ${PROJECT}/env/{id}`, args);
      return { deleted: args.id };
    },
    'destroy',
  ),
  tool(
    'vercel_list_domains',
    'List the domains of a project, and whether they are verified',
    () => ({
      idOrName,
      limit: limit(),
      until: z.number().optional().describe('`until` of the previous page'),
      teamId,
    }),
    async (args, context) =>
      showPage(await ask(context, `GET ${PROJECT}/domains`, args), 'domains', 'until', showDomain),
  ),
  tool(
    'vercel_add_domain',
    'Add a domain to a project; verification shows the DNS record that is missing',
    () => ({
      idOrName,
      name: text.describe('Its name, such as www.example.com'),
      redirect: some.describe('Domain to redirect to'),
      gitBranch: some.describe('Branch that it serves; production by default'),
      teamId,
    }),
    async (args, context) => showDomain(await ask(context, 'POST /v10/projects/{idOrName}/domains', args)),
    'write',
  ),
  tool(
    'vercel_check_domain',
    'Check whether a domain points to Vercel, with the DNS records that it should have',
    () => ({ domain, projectIdOrName: project.optional(), teamId }),
    async (args, context) => ask(context, 'GET /v6/domains/{domain}/config', args),
  ),
  tool(
    'vercel_remove_domain',
    'Remove a domain from a project',
    () => ({ idOrName, domain, teamId }),
    async (args, context) => ask(context, `DELETE ${PROJECT}/domains/{domain}`, args),
    'destroy',
  ),
];
