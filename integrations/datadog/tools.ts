// The tools of Datadog's API, version 1. Times are Unix seconds.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'snake_case', lists: 'comma' });

const text = z.string();
const some = text.optional();
const texts = z.array(text).optional();
const int = z.int();
const seconds = int.describe('Unix seconds');
const object = z.record(text, z.unknown()).optional();
const tags = some.describe('Tags separated by commas');
const monitorId = int;

export const tools = [
  row('datadog_validate_key', 'GET /api/v1/validate', 'Check that the API key works', () => ({})),
  row('datadog_list_monitors', 'GET /api/v1/monitor', 'List monitors, by page from 0', () => ({
    name: some,
    tags,
    monitorTags: some,
    groupStates: some,
    pageSize: int.default(50),
    page: int.optional(),
  })),
  row('datadog_get_monitor', 'GET /api/v1/monitor/{monitorId}', 'Get one monitor', () => ({ monitorId })),
  row('datadog_create_monitor', 'POST /api/v1/monitor', 'Create a monitor', () => ({
    name: some,
    type: text.describe('Such as metric alert or query alert'),
    query: text,
    message: some,
    tags: texts,
    options: object,
    priority: int.optional(),
  })),
  row('datadog_update_monitor', 'PUT /api/v1/monitor/{monitorId}', 'Change a monitor', () => ({
    monitorId,
    name: some,
    query: some,
    message: some,
    tags: texts,
    options: object,
  })),
  row('datadog_mute_scope', 'POST /api/v1/downtime', 'Mute a scope, or one monitor, until a time', () => ({
    scope: texts.describe('Such as env:staging; * for everything'),
    message: some,
    end: int.optional().describe('Unix seconds; until it is lifted unless given'),
    monitorId: int.optional(),
  })),
  row('datadog_search_monitors', 'GET /api/v1/monitor/search', 'Search monitors, by page from 0', () => ({
    query: some,
    page: int.optional(),
    perPage: int.default(20),
    sort: some,
  })),
  row('datadog_query_metrics', 'GET /api/v1/query', 'Query a metric over a time range', () => ({
    from: seconds,
    to: seconds,
    query: text.describe('Such as avg:system.cpu.user{*}'),
  })),
  row(
    'datadog_list_active_metrics',
    'GET /api/v1/metrics',
    'List all metrics that have reported since a time',
    () => ({ from: seconds, host: some, tagFilter: some }),
  ),
  row(
    'datadog_get_metric_metadata',
    'GET /api/v1/metrics/{metricName}',
    'Get type, unit and description of a metric',
    () => ({ metricName: text }),
  ),
  row('datadog_submit_events', 'POST /api/v1/events', 'Post an event to the event stream', () => ({
    title: text,
    text,
    tags: texts,
    alertType: some.describe('error, warning, info or success'),
  })),
  row(
    'datadog_list_events',
    'GET /api/v1/events',
    'List the newest 1,000 events of a time range; an earlier end goes on',
    () => ({
      start: seconds,
      end: seconds,
      tags,
      sources: some,
    }),
  ),
  row(
    'datadog_list_dashboards',
    'GET /api/v1/dashboard',
    'List dashboards, paged by start and count',
    () => ({
      count: int.default(50),
      start: int.optional(),
    }),
  ),
  row(
    'datadog_get_dashboard',
    'GET /api/v1/dashboard/{dashboardId}',
    'Get one dashboard with its widgets',
    () => ({
      dashboardId: text,
    }),
  ),
  row('datadog_list_hosts', 'GET /api/v1/hosts', 'List hosts, paged by start and count', () => ({
    filter: some,
    count: int.default(50),
    start: int.optional(),
    sortField: some,
  })),
  row(
    'datadog_list_slos',
    'GET /api/v1/slo',
    'List service level objectives, paged by offset and limit',
    () => ({
      query: some,
      limit: int.default(20),
      offset: int.optional(),
    }),
  ),
  row(
    'datadog_get_slo_history',
    'GET /api/v1/slo/{sloId}/history',
    'Get how an objective did over a time range',
    () => ({ sloId: text, fromTs: seconds, toTs: seconds }),
  ),
  row(
    'datadog_list_synthetics',
    'GET /api/v1/synthetics/tests',
    'List synthetic tests, by page from 0',
    () => ({
      pageSize: int.optional(),
      pageNumber: int.optional(),
    }),
  ),
];
