// The tools of Datadog's API, version 1. Times are Unix seconds.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'snake_case', lists: 'comma' });

const text = z.string();
const some = text.optional();
const texts = z.array(text).optional();
const int = z.int();
const from = int.describe('Start of the time range, in Unix seconds');
const to = int.describe('End of the time range, in Unix seconds');
const tags = texts.describe('Tags, each such as env:prod');
const page = int.optional().describe('Page to return, from 0');
const start = int.optional().describe('Number of results to skip');
const monitorId = int.describe('Monitor id, a number, from datadog_search_monitors');
const monitorName = some.describe('Title of the monitor');
const MONITOR_QUERY = 'Condition, such as avg(last_5m):avg:system.cpu.user{env:prod} > 90';
const details = () => ({
  message: some.describe('Text of the notification; @name in it notifies somebody'),
  tags,
  options: z
    .record(text, z.unknown())
    .optional()
    .describe('Other settings, such as {"thresholds":{"critical":90},"notify_no_data":true}'),
});

export const tools = [
  row('datadog_validate_key', 'GET /api/v1/validate', 'Check that the API key works', () => ({})),
  row('datadog_list_monitors', 'GET /api/v1/monitor', 'List monitors with their definitions', () => ({
    name: some.describe('Part of the name'),
    tags: some.describe('Tags of the monitored scope, separated by commas, such as host:web-1'),
    monitorTags: some.describe('Tags of the monitors themselves, separated by commas, such as team:web'),
    groupStates: some.describe('Group states to add, separated by commas: all, or alert, warn, no data'),
    pageSize: int.default(50).describe('Monitors per page, at most 1000'),
    page,
  })),
  row('datadog_get_monitor', 'GET /api/v1/monitor/{monitorId}', 'Get one monitor with its state', () => ({
    monitorId,
  })),
  row('datadog_create_monitor', 'POST /api/v1/monitor', 'Create a monitor', () => ({
    name: monitorName,
    type: text.describe('Such as metric alert, query alert, log alert or service check'),
    query: text.describe(MONITOR_QUERY),
    ...details(),
    priority: int.optional().describe('From 1 (high) to 5 (low)'),
  })),
  row(
    'datadog_update_monitor',
    'PUT /api/v1/monitor/{monitorId}',
    'Change a monitor; arguments left out stay as they are',
    () => ({
      monitorId,
      name: monitorName,
      query: some.describe(MONITOR_QUERY),
      ...details(),
    }),
  ),
  row(
    'datadog_mute_scope',
    'POST /api/v1/downtime',
    'Mute the alerts of a scope, or of one monitor, until a time',
    () => ({
      scope: texts.describe('Scopes, each such as env:staging; * for everything'),
      message: some.describe('Reason, for the notification'),
      end: int.optional().describe('End of the mute, in Unix seconds; no end without it'),
      monitorId: monitorId.optional(),
    }),
  ),
  row('datadog_search_monitors', 'GET /api/v1/monitor/search', 'Search monitors', () => ({
    query: some.describe(
      'Words of the title, or filters such as status:Alert, tag:"env:prod" or type:metric',
    ),
    page,
    perPage: int.default(20).describe('Monitors per page'),
    sort: some.describe('Field and direction, such as name,asc or status,desc'),
  })),
  row('datadog_query_metrics', 'GET /api/v1/query', 'Get the points of a metric over a time range', () => ({
    from,
    to,
    query: text.describe('Metric query, such as avg:system.cpu.user{env:prod} by {host}'),
  })),
  row(
    'datadog_list_active_metrics',
    'GET /api/v1/metrics',
    'List the names of all metrics that have reported since a time',
    () => ({
      from: int.describe('Start of the time range, in Unix seconds; it ends now'),
      host: some.describe('Only metrics of this host, by its name'),
      tagFilter: some.describe('Only metrics with these tags, such as env:prod; not together with host'),
    }),
  ),
  row(
    'datadog_get_metric_metadata',
    'GET /api/v1/metrics/{metricName}',
    'Get the type, unit and description of a metric',
    () => ({ metricName: text.describe('Such as system.cpu.user, from datadog_list_active_metrics') }),
  ),
  row('datadog_submit_events', 'POST /api/v1/events', 'Post an event to the event stream', () => ({
    title: text.describe('Title of the event'),
    text: text.describe('Body, at most 4000 characters; Markdown between lines of %%%'),
    tags,
    alertType: some.describe('Severity: error, warning, info or success'),
  })),
  row(
    'datadog_list_events',
    'GET /api/v1/events',
    'List at most 1,000 events of a time range, newest first; for older ones use an earlier end',
    () => ({
      start: from,
      end: to,
      tags: some.describe('Tags separated by commas, such as env:prod,host:web-1'),
      sources: some.describe('Sources separated by commas, such as jenkins,github'),
    }),
  ),
  row('datadog_list_dashboards', 'GET /api/v1/dashboard', 'List dashboards', () => ({
    count: int.default(50).describe('Dashboards per page'),
    start,
  })),
  row(
    'datadog_get_dashboard',
    'GET /api/v1/dashboard/{dashboardId}',
    'Get one dashboard with its widgets',
    () => ({
      dashboardId: text.describe('Such as abc-def-ghi, from datadog_list_dashboards'),
    }),
  ),
  row('datadog_list_hosts', 'GET /api/v1/hosts', 'List the hosts that report', () => ({
    filter: some.describe('Part of a name or an alias, or a tag such as env:prod'),
    count: int.default(50).describe('Hosts per page, at most 1000'),
    start,
    sortField: some.describe('status, apps, cpu, iowait or load'),
  })),
  row('datadog_list_slos', 'GET /api/v1/slo', 'List service level objectives (SLOs)', () => ({
    query: some.describe('Part of the name'),
    limit: int.default(20).describe('SLOs per page'),
    offset: start,
  })),
  row(
    'datadog_get_slo_history',
    'GET /api/v1/slo/{sloId}/history',
    'Get how well a service level objective (SLO) was met over a time range',
    () => ({ sloId: text.describe('From datadog_list_slos'), fromTs: from, toTs: to }),
  ),
  row('datadog_list_synthetics', 'GET /api/v1/synthetics/tests', 'List synthetic tests', () => ({
    pageSize: int.optional().describe('Tests per page, 100 by default'),
    pageNumber: page,
  })),
];
