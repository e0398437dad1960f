// Tests PostHog: tool, arguments → expected request; and the region of the account.
import { describe, expect, it } from 'vitest';
import { posthog } from '../../integrations/posthog/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createPerson } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

const project = { projectId: '7' };
const AT = '/api/projects/7';
const query = { kind: 'HogQLQuery', query: 'select 1' };
const asked = '{"kind":"HogQLQuery","query":"select 1"}';

const rows: readonly (readonly [name: string, args: object, request: string])[] = [
  ['posthog_whoami', {}, 'GET /api/users/@me/'],
  ['posthog_list_projects', { offset: 20 }, 'GET /api/projects/?limit=20&offset=20'],
  ['posthog_query', { ...project, query }, `POST ${AT}/query/ {"query":${asked}}`],
  [
    'posthog_query',
    { projectId: '@current', query },
    `POST /api/projects/%40current/query/ {"query":${asked}}`,
  ],
  ['posthog_list_insights', { ...project, search: 'a & b' }, `GET ${AT}/insights/?search=a & b&limit=20`],
  ['posthog_get_insight', { ...project, id: '3' }, `GET ${AT}/insights/3/?refresh=blocking`],
  [
    'posthog_create_insight',
    { ...project, name: 'n', query, description: 'd', dashboards: [1] },
    `POST ${AT}/insights/ {"name":"n","query":{"kind":"DataVisualizationNode","source":${asked}},"description":"d","dashboards":[1]}`,
  ],
  [
    'posthog_create_insight',
    { ...project, query: { kind: 'TrendsQuery', series: [] } },
    `POST ${AT}/insights/ {"query":{"kind":"InsightVizNode","source":{"kind":"TrendsQuery","series":[]}}}`,
  ],
  [
    'posthog_create_insight',
    { ...project, query: { kind: 'DataVisualizationNode', source: query } },
    `POST ${AT}/insights/ {"query":{"kind":"DataVisualizationNode","source":${asked}}}`,
  ],
  ['posthog_list_dashboards', { ...project, limit: 1 }, `GET ${AT}/dashboards/?limit=1`],
  ['posthog_get_dashboard', { ...project, id: '3' }, `GET ${AT}/dashboards/3/`],
  [
    'posthog_list_feature_flags',
    { ...project, active: 'STALE', offset: 5 },
    `GET ${AT}/feature_flags/?active=STALE&limit=20&offset=5`,
  ],
  ['posthog_get_feature_flag', { ...project, id: '3' }, `GET ${AT}/feature_flags/3/`],
  [
    'posthog_create_feature_flag',
    { ...project, key: 'new-nav', filters: { groups: [] }, active: false },
    `POST ${AT}/feature_flags/ {"key":"new-nav","filters":{"groups":[]},"active":false}`,
  ],
  [
    'posthog_update_feature_flag',
    { ...project, id: '3', active: true },
    `PATCH ${AT}/feature_flags/3/ {"active":true}`,
  ],
  ['posthog_list_experiments', project, `GET ${AT}/experiments/?limit=20`],
  ['posthog_list_event_definitions', project, `GET ${AT}/event_definitions/?limit=50`],
  [
    'posthog_list_persons',
    { ...project, distinctId: 'ana@example.com' },
    `GET ${AT}/persons/?distinct_id=ana@example.com&limit=20`,
  ],
  [
    'posthog_create_annotation',
    { ...project, content: 'Größer', dateMarker: '2026-03-01T00:00:00Z', scope: 'project' },
    `POST ${AT}/annotations/ {"content":"Größer","date_marker":"2026-03-01T00:00:00Z","scope":"project"}`,
  ],
  [
    'posthog_create_annotation',
    { ...project, content: 'a', dateMarker: '2026-03-01T00:00:00Z' },
    `POST ${AT}/annotations/ {"content":"a","date_marker":"2026-03-01T00:00:00Z","scope":"project"}`,
  ],
  [
    'posthog_create_annotation',
    { ...project, content: 'a', dateMarker: '2026-03-01T00:00:00Z', scope: 'organization' },
    `POST ${AT}/annotations/ {"content":"a","date_marker":"2026-03-01T00:00:00Z","scope":"organization"}`,
  ],
];

describe('posthog', () => {
  it.each(rows)('%s %j', async (name, args, request) => {
    expect(await sent(posthog, name, args)).toEqual([request]);
  });

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(posthog.tools.map(({ name }) => name)));
  });

  it.each([
    [{}, 'https://us.posthog.com'],
    [{ region: 'us' }, 'https://us.posthog.com'],
    [{ region: 'eu' }, 'https://eu.posthog.com'],
  ])('calls the region for %j', (config, base) => {
    expect(resolveBase(posthog, config)).toEqual({ ok: true, base });
  });

  it('says which field was refused', async () => {
    const refusal = {
      type: 'validation_error',
      code: 'unique',
      detail: 'There is already a feature flag with this key.',
      attr: 'key',
    };
    const answer = Response.json(refusal, { status: 400 });
    await expect(
      sent(posthog, 'posthog_create_feature_flag', { ...project, key: 'a' }, [answer]),
    ).rejects.toThrow('400: key: There is already a feature flag with this key.');
  });

  it('connects with a key and a region, and calls that region with the key', async () => {
    const calls: (string | undefined)[][] = [];
    let valid = 'Bearer phx_one';
    const server = await startHttpServer((request, response) => {
      const { authorization } = request.headers;
      calls.push([request.method, request.url, authorization]);
      response.setHeader('content-type', 'application/json');
      const known = authorization === valid;
      const refusal = { type: 'authentication_error', code: 'invalid', detail: 'Invalid personal API key.' };
      const isCheck = request.url === '/api/users/@me/';
      const answer = isCheck ? { uuid: 'u-7', email: 'ana@example.com' } : { count: 0, results: [] };
      response.writeHead(known ? 200 : 401).end(JSON.stringify(known ? answer : refusal));
    });
    const UPSTREAM_MAP = `https://eu.posthog.com=http://127.0.0.1:${server.port}`;
    const app = await createTestApp({ env: { UPSTREAM_MAP } });
    const ana = await createPerson(app);
    const connect = (values: object) => ana.post('/api/auth/apikey/posthog', { values });

    expect((await connect({ apiKey: 'phx_one', region: 'mars' })).status).toBe(400);
    expect((await connect({ apiKey: 'phx_one', region: 'eu' })).status).toBe(200);
    expect(await ana.run('posthog_list_projects')).toEqual({ count: 0, results: [] });
    expect(await connect({ apiKey: 'phx_two', region: 'eu' })).toEqual({
      status: 400,
      body: { error: 'PostHog answered 401: Invalid personal API key.' },
    });
    valid = '';
    await expect(ana.run('posthog_list_projects')).rejects.toThrow('401: Invalid personal API key.');
    expect(calls).toEqual([
      ['GET', '/api/users/@me/', 'Bearer phx_one'],
      ['GET', '/api/projects/?limit=20', 'Bearer phx_one'],
      ['GET', '/api/users/@me/', 'Bearer phx_two'],
      ['GET', '/api/projects/?limit=20', 'Bearer phx_one'],
      // After a refusal the check decides whether the key is still good.
      ['GET', '/api/users/@me/', 'Bearer phx_one'],
    ]);
    await app.close();
    await server.close();
  });
});
