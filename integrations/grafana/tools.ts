// The tools of Grafana's HTTP API.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'camelCase', lists: 'repeat' });

const text = z.string();
const some = text.optional();
const int = z.int().optional();
const object = z.record(text, z.unknown());
const objects = z.array(object);
const uid = text.describe('`uid` from grafana_list_datasources');
const DASHBOARD = '`uid` from grafana_search_dashboards';
const MILLISECONDS = 'in Unix milliseconds, such as 1772355600000';

const PROXY = '/api/datasources/proxy/uid/{uid}';

export const tools = [
  row('grafana_whoami', 'GET /api/user', 'Get the Grafana account that the token belongs to', () => ({})),
  row(
    'grafana_search_dashboards',
    'GET /api/search',
    'Search dashboards and folders by title, tag or folder, in pages',
    () => ({
      query: some.describe('Words of the title'),
      tag: some.describe('Only dashboards with this tag'),
      type: some.describe('dash-db for dashboards only, dash-folder for folders only'),
      limit: z.int().default(50).describe('Results per page, at most 5000'),
      page: int.describe('Page to return, from 1'),
      folderUids: some.describe('`uid` of the folder to search in'),
    }),
    { names: { folderUids: 'folderUIDs' } },
  ),
  row(
    'grafana_get_dashboard',
    'GET /api/dashboards/uid/{uid}',
    'Get a dashboard with all its panels',
    () => ({
      uid: text.describe(DASHBOARD),
    }),
  ),
  row(
    'grafana_get_dashboard_queries',
    'GET /api/dashboards/uid/{uid}',
    'Get only the queries of a dashboard: title, expression and data source of each panel',
    () => ({ uid: text.describe(DASHBOARD) }),
    { result: queriesOf },
  ),
  row('grafana_save_dashboard', 'POST /api/dashboards/db', 'Create or change a dashboard', () => ({
    dashboard: object.describe(
      'As grafana_get_dashboard returns it in `dashboard`; without id for a new one',
    ),
    folderUid: some.describe('`uid` of the folder, from grafana_search_dashboards with type dash-folder'),
    message: some.describe('What changed, for the history of the dashboard'),
    overwrite: z
      .boolean()
      .optional()
      .describe('True to replace a newer version, or another dashboard with the same uid or title'),
  })),
  row(
    'grafana_list_datasources',
    'GET /api/datasources',
    'List all data sources with their uid and type',
    () => ({}),
  ),
  row(
    'grafana_query_datasource',
    'POST /api/ds/query',
    'Run queries against data sources of any type. grafana_query_prometheus and grafana_query_loki are simpler for theirs',
    () => ({
      queries: objects.describe(
        'Each {refId, datasource: {uid}} and the fields of its data source, such as expr or rawSql',
      ),
      from: text.describe('Start of the time range, such as now-1h, or in Unix milliseconds'),
      to: text.describe('End of the time range, such as now, or in Unix milliseconds'),
    }),
    { access: 'read' },
  ),
  row(
    'grafana_query_prometheus',
    `GET ${PROXY}/api/v1/query_range`,
    'Run a PromQL query over a time range',
    () => ({
      uid,
      query: text.describe('PromQL, such as sum(rate(http_requests_total[5m])) by (code)'),
      start: text.describe('Start of the range: 2026-03-01T09:00:00Z, or Unix seconds'),
      end: text.describe('End of the range, in the format of start'),
      step: text.describe('Time between two points: 5m, or seconds'),
    }),
  ),
  row(
    'grafana_query_loki',
    `GET ${PROXY}/loki/api/v1/query_range`,
    'Run a LogQL query over a time range',
    () => ({
      uid,
      query: text.describe('LogQL, such as {app="web"} |= "error"'),
      start: some.describe('2026-03-01T09:00:00Z, or Unix nanoseconds; an hour ago unless given'),
      end: some.describe('End of the range, in the format of start; now unless given'),
      limit: z.int().default(100).describe('How many log lines to return, newest first'),
    }),
  ),
  row(
    'grafana_list_alert_rules',
    'GET /api/v1/provisioning/alert-rules',
    'List all alert rules; grafana_list_alerts lists the alerts that fire',
    () => ({}),
  ),
  row(
    'grafana_list_alerts',
    'GET /api/alertmanager/grafana/api/v2/alerts',
    'List all alerts that fire now',
    () => ({
      active: z.boolean().optional().describe('False to list only silenced and inhibited alerts'),
      filter: some.describe('Matcher of a label, such as alertname="HighLoad"'),
    }),
  ),
  row(
    'grafana_create_silence',
    'POST /api/alertmanager/grafana/api/v2/silences',
    'Silence the alerts with certain labels for a time',
    () => ({
      matchers: objects.describe(
        'Each {name, value, isRegex, isEqual}, such as {"name": "alertname", "value": "HighLoad", "isRegex": false}',
      ),
      startsAt: text.describe('When the silence starts, such as 2026-03-01T09:00:00Z'),
      endsAt: text.describe('When the silence ends, such as 2026-03-01T11:00:00Z'),
      comment: text.describe('Why the alerts are silenced'),
      // Grafana refuses a silence without an author.
      createdBy: some
        .describe('Name of the author; Tool gateway unless given')
        .transform((name) => name ?? 'Tool gateway'),
    }),
  ),
  row(
    'grafana_create_annotation',
    'POST /api/annotations',
    'Put an annotation on one dashboard or on all of them',
    () => ({
      text: text.describe('What happened, such as Deployed 1.4.2'),
      tags: z.array(text).optional().describe('Tags to find it by, such as deploy'),
      time: int.describe(`When it happened, ${MILLISECONDS}; now unless given`),
      dashboardUID: some.describe(`${DASHBOARD}; all dashboards unless given`),
      panelId: int.describe('`id` of the panel, from grafana_get_dashboard'),
    }),
  ),
  row(
    'grafana_list_annotations',
    'GET /api/annotations',
    'List annotations of a time range, newest first. Call it again with an earlier `to` for older ones',
    () => ({
      from: int.describe(`Start of the range, ${MILLISECONDS}`),
      to: int.describe(`End of the range, ${MILLISECONDS}`),
      tags: some.describe('Only annotations with this tag'),
      limit: z.int().default(50).describe('How many annotations to list'),
    }),
  ),
];

// Each kind of data source has its own name for the query, and may use another kind's name for something
// else.
const word = some.catch(undefined);
const Target = z.lazy(() =>
  z.looseObject({
    expr: word,
    target: word,
    query: word,
    rawSql: word,
    rawSQL: word,
    expression: word,
    datasource: z.unknown().optional(),
  }),
);
const Panel = z.lazy(() =>
  z.looseObject({
    title: z.string().catch(''),
    targets: z.array(Target).catch([]),
    datasource: z.unknown().optional(),
    panels: z.array(z.unknown()).catch([]),
  }),
);
const Dashboard = z.lazy(() =>
  z.looseObject({ dashboard: z.looseObject({ panels: z.array(z.unknown()).default([]) }) }),
);

/** A row of panels contains panels of its own. */
function queriesOf(payload: unknown): unknown {
  const parsed = Dashboard.safeParse(payload);
  return parsed.success ? parsed.data.dashboard.panels.flatMap(ofPanel) : [];
}

function ofPanel(value: unknown): object[] {
  const panel = Panel.safeParse(value).data;
  if (panel === undefined) return [];
  const own = panel.targets.map(({ datasource, ...target }) => ({
    title: panel.title,
    expr: expressionOf(target),
    datasource: datasource ?? panel.datasource ?? null,
  }));
  return [...own, ...panel.panels.flatMap(ofPanel)];
}

function expressionOf({ expr, target, query, rawSql, rawSQL, expression }: z.infer<typeof Target>): string {
  return expr ?? target ?? query ?? rawSql ?? rawSQL ?? expression ?? '';
}
