// The tools of PostHog's REST API. Lists are paged by `limit` and `offset`.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const object = z.record(text, z.unknown());
const query = object.describe(
  'Such as {"kind":"HogQLQuery","query":"select event, count() from events group by 1"}',
);
/**
 * PostHog shows a saved query only inside a display node; without one it stores the query and shows nothing.
 */
const shownQuery = query.transform((asked) => {
  const kind = String(asked['kind']);
  if (kind === 'HogQLQuery') return { kind: 'DataVisualizationNode', source: asked };
  const isInsight = /^(Trends|Funnels|Retention|Paths|Stickiness|Lifecycle)Query$/.test(kind);
  return isInsight ? { kind: 'InsightVizNode', source: asked } : asked;
});
const search = some;
const project = { projectId: text.describe('A number, or @current for the one last used') };
const one = { ...project, id: text };
const paging = (limit: number) => ({ limit: z.int().default(limit), offset: z.int().optional() });
const filters = object.optional().describe('Such as {"groups":[{"properties":[],"rollout_percentage":20}]}');
const active = z.boolean().optional();

const PROJECT = '/api/projects/{projectId}';

export const tools = [
  row(
    'posthog_whoami',
    'GET /api/users/@me/',
    'Who is connected, with the organization and project last used',
    () => ({}),
  ),
  row('posthog_list_projects', 'GET /api/projects/', 'List projects, paged by limit and offset', () =>
    paging(20),
  ),
  row(
    'posthog_query',
    `POST ${PROJECT}/query/`,
    'Query events, people and more, in SQL (HogQL) or as an insight does; 100 rows unless a LIMIT says otherwise',
    () => ({ ...project, query }),
    { access: 'read' },
  ),
  row(
    'posthog_list_insights',
    `GET ${PROJECT}/insights/`,
    'List saved insights, paged by limit and offset',
    () => ({
      ...project,
      search,
      ...paging(20),
    }),
  ),
  row(
    'posthog_get_insight',
    // Without this parameter there is a result only if somebody has viewed the insight recently.
    `GET ${PROJECT}/insights/{id}/?refresh=blocking`,
    'Get an insight with its result',
    () => one,
  ),
  row('posthog_create_insight', `POST ${PROJECT}/insights/`, 'Save a query as an insight', () => ({
    ...project,
    name: some,
    query: shownQuery,
    description: some,
    dashboards: z.array(z.int()).optional().describe('Ids of dashboards to put it on'),
  })),
  row(
    'posthog_list_dashboards',
    `GET ${PROJECT}/dashboards/`,
    'List dashboards, paged by limit and offset',
    () => ({
      ...project,
      ...paging(20),
    }),
  ),
  row(
    'posthog_get_dashboard',
    `GET ${PROJECT}/dashboards/{id}/`,
    'Get a dashboard with its insights',
    () => one,
  ),
  row(
    'posthog_list_feature_flags',
    `GET ${PROJECT}/feature_flags/`,
    'List feature flags, paged by limit and offset',
    () => ({ ...project, search, active: some.describe('true, false or STALE'), ...paging(20) }),
  ),
  row('posthog_get_feature_flag', `GET ${PROJECT}/feature_flags/{id}/`, 'Get a feature flag', () => one),
  row('posthog_create_feature_flag', `POST ${PROJECT}/feature_flags/`, 'Create a feature flag', () => ({
    ...project,
    key: text.describe('What code asks for'),
    name: some.describe('What it is for'),
    filters,
    active,
  })),
  row(
    'posthog_update_feature_flag',
    `PATCH ${PROJECT}/feature_flags/{id}/`,
    'Change a feature flag, turn it on or off',
    () => ({ ...one, name: some.describe('What it is for'), filters, active }),
  ),
  row(
    'posthog_list_experiments',
    `GET ${PROJECT}/experiments/`,
    'List experiments, paged by limit and offset',
    () => ({ ...project, ...paging(20) }),
  ),
  row(
    'posthog_list_event_definitions',
    `GET ${PROJECT}/event_definitions/`,
    'List the kinds of events that have come in, paged by limit and offset',
    () => ({ ...project, search, ...paging(50) }),
  ),
  row('posthog_list_persons', `GET ${PROJECT}/persons/`, 'List people, paged by limit and offset', () => ({
    ...project,
    search: some.describe('In name, mail address and ids'),
    distinctId: some,
    ...paging(20),
  })),
  row(
    'posthog_create_annotation',
    `POST ${PROJECT}/annotations/`,
    'Note an event in time on the charts',
    () => ({
      ...project,
      content: text,
      dateMarker: text.describe('ISO 8601'),
      // PostHog's own default scope is one insight, but an annotation made here belongs to none.
      scope: some
        .transform((scope) => scope ?? 'project')
        .describe('project, when not given, or organization'),
    }),
  ),
];
