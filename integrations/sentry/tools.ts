// The tools of Sentry's web API, version 0. Lists are paged by `cursor`, of which there are two kinds.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'camelCase', lists: 'repeat' });

const text = z.string();
const some = text.optional();
const texts = z.array(text);
// Sentry names the next cursor in a header, which callers do not see, so the cursor is computed. One kind of
// cursor counts rows, the other pages: where pages are counted, a cursor of rows returns the first page
// again.
const cursor = some.describe('Where to continue, such as 0:100:0 after the first 100 results');
const pageCursor = some.describe('Page to return, such as 100:1:0 for the second page of 100 results');
const period = some.describe('How far back to look, such as 24h or 14d');
const organizationSlug = text.describe('Organization slug, from sentry_list_organizations');
const projectSlug = text.describe('Project slug, from sentry_list_projects');
const project = () =>
  z.array(z.int()).optional().describe('Project ids, from sentry_list_projects; all without it');
const version = text.describe('Release version, such as web@1.4.2 or a commit hash');
const issue = { organizationSlug, issueId: text.describe('Issue id, a number, from sentry_search_issues') };
const EVENT_ID = 'event id of 32 hexadecimal digits';
const EVENT_QUERY =
  'Sentry search query on event properties, such as environment:prod user.email:ana@example.com';
const DATASETS = ['errors', 'spans', 'logs', 'profile_functions', 'uptime_results'] as const;

const ORGANIZATION = '/api/0/organizations/{organizationSlug}';
const ISSUE = '/api/0/organizations/{organizationSlug}/issues/{issueId}';
const RELEASES = '/api/0/organizations/{organizationSlug}/releases';

export const tools = [
  row(
    'sentry_list_organizations',
    'GET /api/0/organizations/',
    'List the organizations that the token can see',
    () => ({
      owner: z.boolean().optional().describe('true for organizations that the caller owns'),
      cursor,
      query: some.describe('Sentry search query, such as slug:acme or status:active'),
      sortBy: some.describe('members, projects or events, largest first; creation date without it'),
    }),
  ),
  row(
    'sentry_list_projects',
    `GET ${ORGANIZATION}/projects/`,
    'List the projects of an organization',
    () => ({ organizationSlug, cursor: pageCursor }),
  ),
  row('sentry_list_teams', `GET ${ORGANIZATION}/teams/`, 'List the teams of an organization', () => ({
    organizationSlug,
    cursor: pageCursor,
  })),
  row(
    'sentry_get_project',
    'GET /api/0/projects/{organizationSlug}/{projectSlug}/',
    'Get one project with its settings',
    () => ({ organizationSlug, projectSlug }),
  ),
  row(
    'sentry_search_issues',
    `GET ${ORGANIZATION}/issues/`,
    'Search issues, which group the errors and exceptions of an application',
    () => ({
      organizationSlug,
      query: some.describe(
        'Sentry search query, such as level:error; is:unresolved without it, empty for all',
      ),
      project: project(),
      environment: texts.optional().describe('Environment names, such as production'),
      statsPeriod: period,
      limit: z.int().default(20).describe('Issues per page, at most 100'),
      cursor,
      sort: some.describe(
        'date (last seen, the default), new (first seen), freq (events), user (users) or trends',
      ),
    }),
  ),
  row('sentry_get_issue', `GET ${ISSUE}/`, 'Get one issue with its status, assignee and counts', () => issue),
  row('sentry_update_issue', `PUT ${ISSUE}/`, 'Resolve, ignore or assign an issue', () => ({
    ...issue,
    status: some.describe('New status: resolved, resolvedInNextRelease, unresolved or ignored'),
    assignedTo: some.describe('User name, e-mail address, or team:<id>; empty for nobody'),
  })),
  row(
    'sentry_list_issue_events',
    `GET ${ISSUE}/events/`,
    'List the events of an issue; sentry_get_issue_event returns one with its stack trace',
    () => ({
      ...issue,
      full: z.boolean().optional().describe('true for whole events with their stack traces'),
      query: some.describe(EVENT_QUERY),
      cursor,
    }),
  ),
  row(
    'sentry_get_issue_event',
    `GET ${ISSUE}/events/{eventId}/`,
    'Get one event of an issue with its stack trace, the latest by default',
    () => ({
      ...issue,
      eventId: text.default('latest').describe(`latest, oldest, recommended or an ${EVENT_ID}`),
    }),
  ),
  row(
    'sentry_list_issue_tag_values',
    `GET ${ISSUE}/tags/{key}/`,
    'Get the most frequent values of a tag of an issue',
    () => ({
      ...issue,
      key: text.describe('Tag key, such as browser, environment or release'),
    }),
  ),
  row(
    'sentry_query_events',
    `GET ${ORGANIZATION}/events/`,
    'Query events (errors, spans, logs) as a table of fields and aggregates',
    () => ({
      organizationSlug,
      dataset: z.enum(DATASETS).default('errors').describe('Kind of events, which decides the known fields'),
      field: texts.min(1).describe('Columns, at most 20, such as title, count() or p95(span.duration)'),
      query: some.describe(EVENT_QUERY),
      statsPeriod: period,
      project: project(),
      sort: some.describe('One of the columns in field; a - before it sorts descending, such as -count()'),
      perPage: z.int().default(20).describe('Rows per page, at most 100'),
      cursor,
    }),
    { names: { perPage: 'per_page' } },
  ),
  row(
    'sentry_get_event',
    'GET /api/0/projects/{organizationSlug}/{projectSlug}/events/{eventId}/',
    'Get one event of a project with its stack trace, when its issue is not known',
    () => ({
      organizationSlug,
      projectSlug,
      eventId: text.describe(`An ${EVENT_ID}, from sentry_list_issue_events or sentry_query_events`),
    }),
  ),
  row(
    'sentry_list_releases',
    `GET ${RELEASES}/`,
    'List the releases of an organization, newest first',
    () => ({
      organizationSlug,
      query: some.describe('Part of the release version'),
      cursor: pageCursor,
    }),
  ),
  row('sentry_create_release', `POST ${RELEASES}/`, 'Create a release', () => ({
    organizationSlug,
    version,
    projects: texts.describe('Slugs of the projects, from sentry_list_projects'),
    ref: some.describe('Commit hash or tag that was released'),
    url: some.describe('Link to the release, such as its page on a code host'),
    dateReleased: some.describe('Time it went live, such as 2026-03-01T09:00:00Z; now by default'),
    commits: z
      .array(z.record(text, z.unknown()))
      .optional()
      .describe('Commits, each such as {"id":"<hash>","repository":"acme/web","message":"Fix login"}'),
    refs: z
      .array(z.record(text, z.unknown()))
      .optional()
      .describe(
        'Newest commits, one per repository, each such as {"repository":"acme/web","commit":"<hash>"}',
      ),
  })),
  row('sentry_list_deploys', `GET ${RELEASES}/{version}/deploys/`, 'List the deploys of a release', () => ({
    organizationSlug,
    version,
    cursor: pageCursor,
  })),
  row('sentry_create_deploy', `POST ${RELEASES}/{version}/deploys/`, 'Record a deploy of a release', () => ({
    organizationSlug,
    version,
    environment: text.describe('Environment that was deployed to, such as production'),
    name: some.describe('Name of the deploy'),
    url: some.describe('Link to the deploy'),
  })),
  row(
    'sentry_list_replays',
    `GET ${ORGANIZATION}/replays/`,
    'List session replays of an organization',
    () => ({
      organizationSlug,
      query: some.describe('Sentry search query on replays, such as count_errors:>0'),
      statsPeriod: period,
      cursor,
    }),
  ),
];
