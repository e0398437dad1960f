// Tests Sentry, Datadog and Grafana: tool, arguments → expected request.
import { describe, expect, it } from 'vitest';
import { datadog } from '../../integrations/datadog/manifest.ts';
import { grafana } from '../../integrations/grafana/manifest.ts';
import { sentry } from '../../integrations/sentry/manifest.ts';
import type { Integration, UpstreamCall } from '../../src/kit/integration.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

type Row = readonly [name: string, args: object, request: string];

function table(integration: Integration, rows: readonly Row[]): void {
  it.each(rows)('%s', async (name, args, request) => {
    expect(await sent(integration, name, args)).toEqual([request]);
  });
  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(integration.tools.map(({ name }) => name)));
  });
}

const noFetch = () => Promise.reject(new Error('none'));
const org = { organizationSlug: 'acme' };

describe('sentry', () => {
  table(sentry, [
    ['sentry_list_organizations', { owner: true }, 'GET /api/0/organizations/?owner=true'],
    ['sentry_list_projects', org, 'GET /api/0/organizations/acme/projects/'],
    ['sentry_list_teams', { ...org, cursor: '0:1:0' }, 'GET /api/0/organizations/acme/teams/?cursor=0:1:0'],
    ['sentry_get_project', { ...org, projectSlug: 'web app' }, 'GET /api/0/projects/acme/web%20app/'],
    [
      'sentry_search_issues',
      { ...org, query: 'is:unresolved', project: [1, 2], environment: ['prod'], statsPeriod: '24h' },
      'GET /api/0/organizations/acme/issues/?query=is:unresolved&project=1&project=2&environment=prod&statsPeriod=24h&limit=20',
    ],
    ['sentry_get_issue', { ...org, issueId: '5' }, 'GET /api/0/organizations/acme/issues/5/'],
    [
      'sentry_update_issue',
      { ...org, issueId: '5', status: 'resolved' },
      'PUT /api/0/organizations/acme/issues/5/ {"status":"resolved"}',
    ],
    [
      'sentry_list_issue_events',
      { ...org, issueId: '5', full: true },
      'GET /api/0/organizations/acme/issues/5/events/?full=true',
    ],
    [
      'sentry_get_issue_event',
      { ...org, issueId: '5' },
      'GET /api/0/organizations/acme/issues/5/events/latest/',
    ],
    [
      'sentry_list_issue_tag_values',
      { ...org, issueId: '5', key: 'os' },
      'GET /api/0/organizations/acme/issues/5/tags/os/',
    ],
    [
      'sentry_query_events',
      { ...org, field: ['title', 'count()'] },
      'GET /api/0/organizations/acme/events/?dataset=errors&field=title&field=count()&per_page=20',
    ],
    [
      'sentry_get_event',
      { ...org, projectSlug: 'web', eventId: 'e' },
      'GET /api/0/projects/acme/web/events/e/',
    ],
    ['sentry_list_releases', org, 'GET /api/0/organizations/acme/releases/'],
    [
      'sentry_create_release',
      { ...org, version: 'app@1.0', projects: ['web'], dateReleased: '2026-01-01' },
      'POST /api/0/organizations/acme/releases/ {"version":"app@1.0","projects":["web"],"dateReleased":"2026-01-01"}',
    ],
    [
      'sentry_list_deploys',
      { ...org, version: 'app@1/0' },
      'GET /api/0/organizations/acme/releases/app%401%2F0/deploys/',
    ],
    [
      'sentry_create_deploy',
      { ...org, version: '1', environment: 'prod' },
      'POST /api/0/organizations/acme/releases/1/deploys/ {"environment":"prod"}',
    ],
    [
      'sentry_list_replays',
      { ...org, statsPeriod: '7d' },
      'GET /api/0/organizations/acme/replays/?statsPeriod=7d',
    ],
  ]);

  describe("the cursor in a tool's example", () => {
    const rows = Array.from({ length: 150 }, (_, index) => index);
    // Sentry counts the offset of a cursor `value:offset:is_previous` in one of two ways: by page or by row.
    const byPage = (value: number, offset: number) =>
      rows.slice(value * offset, value * offset + (value || 100));
    const byRow = (_: number, offset: number) => rows.slice(offset, offset + 100);

    it.each([
      ['sentry_list_organizations', {}, byRow],
      ['sentry_list_projects', org, byPage],
      ['sentry_list_teams', org, byPage],
      ['sentry_search_issues', org, byRow],
      ['sentry_list_issue_events', { ...org, issueId: '5' }, byRow],
      ['sentry_query_events', { ...org, field: ['title'] }, byRow],
      ['sentry_list_releases', org, byPage],
      ['sentry_list_deploys', { ...org, version: '1' }, byPage],
      ['sentry_list_replays', org, byRow],
    ])('%s', async (name, args, pages) => {
      const { schema } = sentry.tools.find((each) => each.name === name) ?? {};
      const [cursor = ''] = /\d+:\d+:\d+/.exec(JSON.stringify(schema)) ?? [];
      const upstream = async ({ query }: UpstreamCall) => {
        const [value = 0, offset = 0] = query?.get('cursor')?.split(':').map(Number) ?? [];
        return Response.json(pages(value, offset));
      };
      const context = {
        userId: 'u',
        clock: createFakeClock(),
        files: createMemoryFiles(),
        upstream,
        fetch: noFetch,
      };
      expect(await run(sentry, name, { ...args, cursor }, context)).toEqual(rows.slice(100));
    });
  });

  it.each([
    [{}, 'https://us.sentry.io'],
    [{ region: 'de' }, 'https://de.sentry.io'],
    [{ region: 'de', instanceUrl: 'https://sentry.corp.example' }, 'https://sentry.corp.example'],
  ])('calls the address for %j', (config, base) => {
    expect(resolveBase(sentry, config)).toEqual({ ok: true, base });
  });
});

describe('datadog', () => {
  table(datadog, [
    ['datadog_validate_key', {}, 'GET /api/v1/validate'],
    [
      'datadog_list_monitors',
      { monitorTags: 'team:a' },
      'GET /api/v1/monitor?monitor_tags=team:a&page_size=50',
    ],
    ['datadog_get_monitor', { monitorId: 7 }, 'GET /api/v1/monitor/7'],
    [
      'datadog_create_monitor',
      { type: 'query alert', query: 'q', tags: ['a'] },
      'POST /api/v1/monitor {"type":"query alert","query":"q","tags":["a"]}',
    ],
    ['datadog_update_monitor', { monitorId: 7, name: 'n' }, 'PUT /api/v1/monitor/7 {"name":"n"}'],
    [
      'datadog_mute_scope',
      { scope: ['env:x'], monitorId: 7 },
      'POST /api/v1/downtime {"scope":["env:x"],"monitor_id":7}',
    ],
    ['datadog_search_monitors', { query: 'x' }, 'GET /api/v1/monitor/search?query=x&per_page=20'],
    [
      'datadog_query_metrics',
      { from: 1, to: 2, query: 'avg:x{*}' },
      'GET /api/v1/query?from=1&to=2&query=avg:x{*}',
    ],
    ['datadog_list_active_metrics', { from: 1, tagFilter: 'a' }, 'GET /api/v1/metrics?from=1&tag_filter=a'],
    ['datadog_get_metric_metadata', { metricName: 'a.b/c' }, 'GET /api/v1/metrics/a.b%2Fc'],
    [
      'datadog_submit_events',
      { title: 't', text: 'x', alertType: 'info' },
      'POST /api/v1/events {"title":"t","text":"x","alert_type":"info"}',
    ],
    ['datadog_list_events', { start: 1, end: 2, tags: 'a,b' }, 'GET /api/v1/events?start=1&end=2&tags=a,b'],
    ['datadog_list_dashboards', {}, 'GET /api/v1/dashboard?count=50'],
    ['datadog_get_dashboard', { dashboardId: 'd' }, 'GET /api/v1/dashboard/d'],
    ['datadog_list_hosts', { sortField: 'cpu' }, 'GET /api/v1/hosts?count=50&sort_field=cpu'],
    ['datadog_list_slos', {}, 'GET /api/v1/slo?limit=20'],
    [
      'datadog_get_slo_history',
      { sloId: 's', fromTs: 1, toTs: 2 },
      'GET /api/v1/slo/s/history?from_ts=1&to_ts=2',
    ],
    [
      'datadog_list_synthetics',
      { pageSize: 5, pageNumber: 1 },
      'GET /api/v1/synthetics/tests?page_size=5&page_number=1',
    ],
  ]);

  it('calls the site of the account', () => {
    expect(resolveBase(datadog, { site: 'datadoghq.eu' })).toEqual({
      ok: true,
      base: 'https://api.datadoghq.eu',
    });
    expect(resolveBase(datadog, { site: 'us2.ddog-gov.com' })).toEqual({
      ok: true,
      base: 'https://api.us2.ddog-gov.com',
    });
    expect(resolveBase(datadog, {})).toMatchObject({ ok: false });
    expect(resolveBase(datadog, { site: '__proto__' })).toMatchObject({ ok: false });
  });
});

describe('grafana', () => {
  table(grafana, [
    ['grafana_whoami', {}, 'GET /api/user'],
    [
      'grafana_search_dashboards',
      { query: 'cpu', folderUids: 'f' },
      'GET /api/search?query=cpu&limit=50&folderUIDs=f',
    ],
    ['grafana_get_dashboard', { uid: 'u' }, 'GET /api/dashboards/uid/u'],
    ['grafana_get_dashboard_queries', { uid: 'u' }, 'GET /api/dashboards/uid/u'],
    [
      'grafana_save_dashboard',
      { dashboard: { title: 't' }, folderUid: 'f' },
      'POST /api/dashboards/db {"dashboard":{"title":"t"},"folderUid":"f"}',
    ],
    ['grafana_list_datasources', {}, 'GET /api/datasources'],
    [
      'grafana_query_datasource',
      { queries: [{ refId: 'A' }], from: 'now-1h', to: 'now' },
      'POST /api/ds/query {"queries":[{"refId":"A"}],"from":"now-1h","to":"now"}',
    ],
    [
      'grafana_query_prometheus',
      { uid: 'p', query: 'up', start: '1', end: '2', step: '15s' },
      'GET /api/datasources/proxy/uid/p/api/v1/query_range?query=up&start=1&end=2&step=15s',
    ],
    [
      'grafana_query_loki',
      { uid: 'l', query: '{a="b"}' },
      'GET /api/datasources/proxy/uid/l/loki/api/v1/query_range?query={a="b"}&limit=100',
    ],
    ['grafana_list_alert_rules', {}, 'GET /api/v1/provisioning/alert-rules'],
    ['grafana_list_alerts', { active: true }, 'GET /api/alertmanager/grafana/api/v2/alerts?active=true'],
    [
      'grafana_create_silence',
      { matchers: [{ name: 'a' }], startsAt: 's', endsAt: 'e', comment: 'c' },
      'POST /api/alertmanager/grafana/api/v2/silences {"matchers":[{"name":"a"}],"startsAt":"s","endsAt":"e","comment":"c","createdBy":"Tool gateway"}',
    ],
    [
      'grafana_create_silence',
      { matchers: [], startsAt: 's', endsAt: 'e', comment: 'c', createdBy: 'Ana' },
      'POST /api/alertmanager/grafana/api/v2/silences {"matchers":[],"startsAt":"s","endsAt":"e","comment":"c","createdBy":"Ana"}',
    ],
    [
      'grafana_create_annotation',
      { text: 't', dashboardUID: 'd' },
      'POST /api/annotations {"text":"t","dashboardUID":"d"}',
    ],
    ['grafana_list_annotations', { from: 1 }, 'GET /api/annotations?from=1&limit=50'],
  ]);

  it('returns the queries of panels and of rows of panels', async () => {
    const payload = {
      dashboard: {
        panels: [
          {
            title: 'CPU',
            datasource: { uid: 'p' },
            targets: [{ expr: 'up' }, { query: 'x', datasource: 'own' }],
          },
          { title: null, targets: [{ expr: null, query: { a: 1 } }, { target: 'a.b.c' }], panels: null },
          { title: 'Row', panels: [{ title: 'In', targets: [{ rawSql: 'select 1' }] }] },
          5,
        ],
      },
    };
    const nowhere = () => Promise.reject(new Error('none'));
    const context = {
      userId: 'u',
      clock: createFakeClock(),
      files: createMemoryFiles(),
      upstream: async () => Response.json(payload),
      fetch: nowhere,
    };
    expect(await run(grafana, 'grafana_get_dashboard_queries', { uid: 'u' }, context)).toEqual([
      { title: 'CPU', expr: 'up', datasource: { uid: 'p' } },
      { title: 'CPU', expr: 'x', datasource: 'own' },
      { title: '', expr: '', datasource: null },
      { title: '', expr: 'a.b.c', datasource: null },
      { title: 'In', expr: 'select 1', datasource: null },
    ]);
  });
});
