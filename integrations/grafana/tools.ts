// The tools of Grafana's HTTP API.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'camelCase', lists: 'repeat' });

const text = z.string();
const some = text.optional();
const int = z.int().optional();
const moment = int.describe('Unix milliseconds');
const object = z.record(text, z.unknown());
const objects = z.array(object);
const uid = text.describe('uid of the data source');

const PROXY = '/api/datasources/proxy/uid/{uid}';

export const tools = [
  row('grafana_whoami', 'GET /api/user', 'Who the token belongs to', () => ({})),
  row(
    'grafana_search_dashboards',
    'GET /api/search',
    'Search dashboards and folders, in pages',
    () => ({
      query: some,
      tag: some,
      type: some,
      limit: z.int().default(50),
      page: z.int().optional(),
      folderUids: some,
    }),
    { names: { folderUids: 'folderUIDs' } },
  ),
  row(
    'grafana_get_dashboard',
    'GET /api/dashboards/uid/{uid}',
    'Get a dashboard with all its panels',
    () => ({
      uid: text,
    }),
  ),
  row(
    'grafana_get_dashboard_queries',
    'GET /api/dashboards/uid/{uid}',
    'Get only the queries of a dashboard: title, expression, data source',
    () => ({ uid: text }),
    { result: queriesOf },
  ),
  row('grafana_save_dashboard', 'POST /api/dashboards/db', 'Create or change a dashboard', () => ({
    dashboard: object,
    folderUid: some,
    message: some,
    overwrite: z.boolean().optional(),
  })),
  row('grafana_list_datasources', 'GET /api/datasources', 'List all data sources', () => ({})),
  row(
    'grafana_query_datasource',
    'POST /api/ds/query',
    'Run queries against data sources',
    () => ({ queries: objects, from: text.describe('Such as now-1h'), to: text }),
    { access: 'read' },
  ),
  row(
    'grafana_query_prometheus',
    `GET ${PROXY}/api/v1/query_range`,
    'Run a PromQL query over a time range',
    () => ({
      uid,
      query: text,
      start: text.describe('Unix seconds, or such as 2026-03-01T09:00:00Z'),
      end: text,
      step: text.describe('Seconds, or such as 5m'),
    }),
  ),
  row(
    'grafana_query_loki',
    `GET ${PROXY}/loki/api/v1/query_range`,
    'Run a LogQL query over a time range',
    () => ({
      uid,
      query: text,
      start: some.describe('Unix nanoseconds, or such as 2026-03-01T09:00:00Z; an hour ago unless given'),
      end: some,
      limit: z.int().default(100),
    }),
  ),
  row('grafana_list_alert_rules', 'GET /api/v1/provisioning/alert-rules', 'List all alert rules', () => ({})),
  row(
    'grafana_list_alerts',
    'GET /api/alertmanager/grafana/api/v2/alerts',
    'List all alerts that fire now',
    () => ({
      active: z.boolean().optional(),
      filter: some,
    }),
  ),
  row(
    'grafana_create_silence',
    'POST /api/alertmanager/grafana/api/v2/silences',
    'Silence alerts for a time',
    () => ({
      matchers: objects.describe('Each {name, value, isRegex, isEqual}, such as of the label alertname'),
      startsAt: text.describe('Such as 2026-03-01T09:00:00Z'),
      endsAt: text,
      comment: text,
      // Grafana refuses a silence without an author.
      createdBy: some.transform((name) => name ?? 'Tool gateway'),
    }),
  ),
  row(
    'grafana_create_annotation',
    'POST /api/annotations',
    'Put an annotation on a dashboard or everywhere',
    () => ({ text, tags: z.array(text).optional(), time: moment, dashboardUID: some, panelId: int }),
  ),
  row(
    'grafana_list_annotations',
    'GET /api/annotations',
    'List the newest limit annotations of a time range; an earlier to goes on',
    () => ({
      from: moment,
      to: moment,
      tags: some,
      limit: z.int().default(50),
    }),
  ),
];

// Each kind of data source has its own name for the query, and may use another kind's name for something
// else.
const word = some.catch(undefined);
const Target = z.looseObject({
  expr: word,
  target: word,
  query: word,
  rawSql: word,
  rawSQL: word,
  expression: word,
  datasource: z.unknown().optional(),
});
const Panel = z.looseObject({
  title: z.string().catch(''),
  targets: z.array(Target).catch([]),
  datasource: z.unknown().optional(),
  panels: z.array(z.unknown()).catch([]),
});
const Dashboard = z.looseObject({ dashboard: z.looseObject({ panels: z.array(z.unknown()).default([]) }) });

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
