// The tools of PostHog's REST API. Lists are paged by `limit` and `offset`.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const object = z.record(text, z.unknown());
const query = object.describe(
  'Query node, such as {"kind":"HogQLQuery","query":"select event, count() from events group by 1"}',
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
const project = {
  projectId: text.describe(
    'Project id, a number from posthog_list_projects, or @current for the one last used',
  ),
};
/** `source` names the tool that lists the ids. */
const one = (source: string) => ({ ...project, id: text.describe(`A number, from ${source}`) });
const paging = (limit: number) => ({
  limit: z.int().default(limit).describe('Results per page'),
  offset: z.int().optional().describe('Number of results to skip'),
});
const FLAGS = 'posthog_list_feature_flags';
const flag = () => ({
  name: some.describe('What the flag is for'),
  filters: object
    .optional()
    .describe('Who gets the flag, such as {"groups":[{"properties":[],"rollout_percentage":20}]}'),
  active: z.boolean().optional().describe('true turns the flag on, false off'),
});

const PROJECT = '/api/projects/{projectId}';

export const tools = [
  row(
    'posthog_whoami',
    'GET /api/users/@me/',
    'Show who is connected, with the organization and project last used',
    () => ({}),
  ),
  row('posthog_list_projects', 'GET /api/projects/', 'List projects', () => paging(20)),
  row(
    'posthog_query',
    `POST ${PROJECT}/query/`,
    'Query events, people and more with SQL (HogQL) or with the query of an insight; HogQL without a LIMIT returns 100 rows',
    () => ({ ...project, query }),
    { access: 'read' },
  ),
  row('posthog_list_insights', `GET ${PROJECT}/insights/`, 'List saved insights', () => ({
    ...project,
    search: some.describe('Part of a name or description'),
    ...paging(20),
  })),
  row(
    'posthog_get_insight',
    // Without this parameter there is a result only if somebody has viewed the insight recently.
    `GET ${PROJECT}/insights/{id}/?refresh=blocking`,
    'Get an insight with its result',
    () => one('posthog_list_insights'),
  ),
  row('posthog_create_insight', `POST ${PROJECT}/insights/`, 'Save a query as an insight', () => ({
    ...project,
    name: some.describe('Title of the insight'),
    query: shownQuery,
    description: some.describe('What the insight shows'),
    dashboards: z
      .array(z.int())
      .optional()
      .describe('Ids of dashboards to add it to, from posthog_list_dashboards'),
  })),
  row('posthog_list_dashboards', `GET ${PROJECT}/dashboards/`, 'List dashboards', () => ({
    ...project,
    ...paging(20),
  })),
  row('posthog_get_dashboard', `GET ${PROJECT}/dashboards/{id}/`, 'Get a dashboard with its insights', () =>
    one('posthog_list_dashboards'),
  ),
  row('posthog_list_feature_flags', `GET ${PROJECT}/feature_flags/`, 'List feature flags', () => ({
    ...project,
    search: some.describe('Part of a key or name'),
    active: some.describe('Only flags that are on (true), off (false) or no longer in use (STALE)'),
    ...paging(20),
  })),
  row('posthog_get_feature_flag', `GET ${PROJECT}/feature_flags/{id}/`, 'Get a feature flag', () =>
    one(FLAGS),
  ),
  row('posthog_create_feature_flag', `POST ${PROJECT}/feature_flags/`, 'Create a feature flag', () => ({
    ...project,
    key: text.describe('Name by which code asks for the flag, such as new-checkout'),
    ...flag(),
  })),
  row(
    'posthog_update_feature_flag',
    `PATCH ${PROJECT}/feature_flags/{id}/`,
    'Change a feature flag, turn it on or off',
    () => ({ ...one(FLAGS), ...flag() }),
  ),
  row('posthog_list_experiments', `GET ${PROJECT}/experiments/`, 'List experiments', () => ({
    ...project,
    ...paging(20),
  })),
  row(
    'posthog_list_event_definitions',
    `GET ${PROJECT}/event_definitions/`,
    'List the names of the events that the project has received',
    () => ({ ...project, search: some.describe('Part of an event name'), ...paging(50) }),
  ),
  row('posthog_list_persons', `GET ${PROJECT}/persons/`, 'List people', () => ({
    ...project,
    search: some.describe('Words of a name or an e-mail address, or an id'),
    distinctId: some.describe('Exact id that the application gave the person'),
    ...paging(20),
  })),
  row(
    'posthog_create_annotation',
    `POST ${PROJECT}/annotations/`,
    'Mark a point in time on the charts with a note, such as a release',
    () => ({
      ...project,
      content: text.describe('Text of the note'),
      dateMarker: text.describe('Time of the note, in ISO 8601, such as 2026-03-01T09:00:00Z'),
      // PostHog's own default scope is one insight, but an annotation made here belongs to none.
      scope: some
        .transform((scope) => scope ?? 'project')
        .describe('Where the note is shown: project (the default) or organization'),
    }),
  ),
];
