// Tests Vercel: tool, arguments → expected requests; and deployments as a model reads them, against a fake that knows
// only the documented requests.
import { describe, expect, it, onTestFinished } from 'vitest';
import { vercel } from '../../integrations/vercel/manifest.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const USER = { user: { id: 'u1', email: 'ana@example.com', username: 'ana', name: 'Ana', softBlock: null } };
const PROJECT = {
  id: 'prj_1',
  name: 'shop',
  accountId: 'team_1',
  framework: 'nextjs',
  createdAt: 1_772_355_600_000,
};
const DEPLOYMENT = {
  id: 'dpl_1',
  name: 'shop',
  url: 'shop-1.vercel.app',
  projectId: 'prj_1',
  readyState: 'ERROR',
  errorMessage: 'Command "npm run build" exited with 1',
  target: null,
  createdAt: 1_772_355_600_000,
  creator: { uid: 'u1', username: 'ana' },
  meta: {
    githubCommitRef: 'main',
    githubCommitSha: 'abc',
    githubCommitMessage: 'größer',
    githubDeployment: '1',
  },
};
const VARIABLE = { id: 'e1', key: 'API_URL', type: 'encrypted', value: 'eyJ2IjoidjIi', target: ['preview'] };
const DOMAIN = { name: 'www.example.com', apexName: 'example.com', projectId: 'prj_1', verified: true };

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /v2/user', [USER]],
  ['list_teams', { until: 5 }, 'GET /v2/teams?limit=20&until=5', [{ teams: [] }]],
  [
    'list_projects',
    { search: 'größe', from: 5, teamId: 'team_1' },
    'GET /v10/projects?search=größe&limit=20&from=5&teamId=team_1',
    [{ projects: [] }],
  ],
  ['get_project', { idOrName: 'shop' }, 'GET /v9/projects/shop', [PROJECT]],
  [
    'list_deployments',
    { projectId: 'prj_1', target: 'production', state: ['READY', 'ERROR'], branch: 'main', until: 5 },
    'GET /v7/deployments?projectId=prj_1&target=production&state=READY,ERROR&branch=main&limit=20&until=5',
    [{ deployments: [] }],
  ],
  ['get_deployment', { idOrUrl: 'dpl_1' }, 'GET /v13/deployments/dpl_1', [DEPLOYMENT]],
  [
    'get_deployment_events',
    { idOrUrl: 'dpl_1', limit: 10 },
    'GET /v3/deployments/dpl_1/events?limit=10&direction=backward&builds=1&follow=0',
    [[]],
  ],
  [
    'redeploy',
    { deploymentId: 'dpl_1', target: 'production', withLatestCommit: true, teamId: 'team_1' },
    [
      'GET /v13/deployments/dpl_1?teamId=team_1',
      'POST /v13/deployments?teamId=team_1 {"name":"shop","deploymentId":"dpl_1","target":"production","withLatestCommit":true}',
    ],
    [DEPLOYMENT, DEPLOYMENT],
  ],
  [
    'redeploy',
    { deploymentId: 'dpl_1' },
    ['GET /v13/deployments/dpl_1', 'POST /v13/deployments {"name":"shop","deploymentId":"dpl_1"}'],
    [DEPLOYMENT, DEPLOYMENT],
  ],
  [
    'promote_deployment',
    { projectId: 'prj_1', deploymentId: 'dpl_1' },
    'POST /v10/projects/prj_1/promote/dpl_1 {}',
  ],
  ['cancel_deployment', { id: 'dpl_1' }, 'PATCH /v12/deployments/dpl_1/cancel {}', [DEPLOYMENT]],
  [
    'list_env_vars',
    { idOrName: 'shop', gitBranch: 'next' },
    'GET /v10/projects/shop/env?gitBranch=next',
    [{ envs: [] }],
  ],
  [
    'set_env_var',
    { idOrName: 'shop', key: 'A', value: 'größe', target: ['preview'], gitBranch: 'next', comment: 'c' },
    'POST /v10/projects/shop/env?upsert=true {"key":"A","value":"größe","target":["preview"],"type":"encrypted","gitBranch":"next","comment":"c"}',
    [{ created: VARIABLE, failed: [] }],
  ],
  ['delete_env_var', { idOrName: 'shop', id: 'e1' }, 'DELETE /v9/projects/shop/env/e1'],
  ['list_domains', { idOrName: 'shop' }, 'GET /v9/projects/shop/domains?limit=20', [{ domains: [] }]],
  [
    'add_domain',
    { idOrName: 'shop', name: 'www.example.com', redirect: 'example.com', gitBranch: 'next' },
    'POST /v10/projects/shop/domains {"name":"www.example.com","redirect":"example.com","gitBranch":"next"}',
    [DOMAIN],
  ],
  [
    'check_domain',
    { domain: 'www.example.com', projectIdOrName: 'shop' },
    'GET /v6/domains/www.example.com/config?projectIdOrName=shop',
  ],
  [
    'remove_domain',
    { idOrName: 'shop', domain: 'www.example.com' },
    'DELETE /v9/projects/shop/domains/www.example.com',
  ],
];

describe('vercel', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, requests, answers] = row;
    expect(await sent(vercel, `vercel_${name}`, args, answers)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `vercel_${name}`));
    expect(names).toEqual(new Set(vercel.tools.map(({ name }) => name)));
  });

  it('fails when a variable is refused with status 201', async () => {
    const args = { idOrName: 'shop', key: 'A', value: 'b', target: ['preview'] };
    const refused = { created: [], failed: [{ error: { code: 'X', message: 'The key is reserved' } }] };
    await expect(sent(vercel, 'vercel_set_env_var', args, [refused])).rejects.toThrow('The key is reserved');
  });
});

const ORIGIN = 'https://api.vercel.com';
const ANSWERS: Record<string, unknown> = {
  'GET /v2/user': USER,
  'GET /v13/deployments/dpl_1?teamId=team_1': DEPLOYMENT,
  'GET /v7/deployments?limit=20&teamId=team_2': {
    deployments: [{ ...DEPLOYMENT, id: undefined, uid: 'dpl_1' }],
    pagination: { count: 1, next: 1_772_355_500_000, prev: null },
  },
  'GET /v3/deployments/dpl_1/events?limit=100&direction=backward&builds=1&follow=0&teamId=team_1': [
    { type: 'stderr', created: 1_772_355_602_000, payload: { text: 'größe failed', deploymentId: 'dpl_1' } },
    { type: 'deployment-state', created: 1_772_355_601_500, payload: { deploymentId: 'dpl_1' } },
    { type: 'stdout', created: 1_772_355_601_000, text: 'Building', deploymentId: 'dpl_1' },
  ],
  'GET /v10/projects/shop/env?teamId=team_1': {
    envs: [VARIABLE, { ...VARIABLE, id: 'e2', key: 'REGION', type: 'plain', value: 'eu' }],
  },
};

/** Connects for a team to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Person> {
  const server = await startHttpServer((request, response) => {
    const known = ANSWERS[decodeURIComponent(`${request.method} ${request.url}`)];
    const status = request.headers.authorization === 'Bearer t-ana' ? (known === undefined ? 404 : 200) : 403;
    response.writeHead(status, { 'content-type': 'application/json' });
    const error = { code: 'not_found', message: 'Not found in the account' };
    response.end(JSON.stringify(status === 200 ? known : { error }));
  });
  const app = await createTestApp({ env: { UPSTREAM_MAP: `${ORIGIN}=http://127.0.0.1:${server.port}` } });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const refused = await person.post('/api/auth/apikey/vercel', { values: { token: 't-other' } });
  expect(refused.status).toBe(400);
  const values = { token: 't-ana', teamId: 'team_1' };
  const connected = await person.post('/api/auth/apikey/vercel', { values });
  expect(connected).toMatchObject({ status: 200, body: { account: { id: 'u1', label: 'ana@example.com' } } });
  return person;
}

describe('a connection to Vercel', () => {
  const shown = {
    id: 'dpl_1',
    name: 'shop',
    projectId: 'prj_1',
    url: 'shop-1.vercel.app',
    readyState: 'ERROR',
    errorMessage: 'Command "npm run build" exited with 1',
    creator: 'ana',
    createdAt: '2026-03-01T09:00:00.000Z',
    commit: { ref: 'main', sha: 'abc', message: 'größer' },
  };

  it('asks for its own team, or for the one that the call names', async () => {
    const person = await connect();
    expect(await person.run('vercel_get_deployment', { idOrUrl: 'dpl_1' })).toEqual(shown);
    expect(await person.run('vercel_list_deployments', { teamId: 'team_2' })).toEqual({
      deployments: [shown],
      until: 1_772_355_500_000,
    });
  });

  it('shows a build log in the order of time, and marks errors', async () => {
    const person = await connect();
    expect(await person.run('vercel_get_deployment_events', { idOrUrl: 'dpl_1' })).toEqual({
      log: '2026-03-01T09:00:01.000Z Building\n2026-03-01T09:00:02.000Z stderr: größe failed',
    });
  });

  it('shows no encrypted values', async () => {
    const person = await connect();
    expect(await person.run('vercel_list_env_vars', { idOrName: 'shop' })).toEqual([
      { id: 'e1', key: 'API_URL', type: 'encrypted', target: ['preview'] },
      { id: 'e2', key: 'REGION', type: 'plain', target: ['preview'], value: 'eu' },
    ]);
  });

  it("passes on Vercel's message", async () => {
    const person = await connect();
    await expect(person.run('vercel_get_project', { idOrName: 'other' })).rejects.toThrow(
      'Not found in the account',
    );
  });
});
