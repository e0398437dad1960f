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
const cursor = some.describe('Such as 0:100:0 for what follows the first 100');
const pageCursor = some.describe('Such as 100:1:0 for the second page of 100');
const period = some.describe('Such as 24h or 14d');
const organizationSlug = text.describe('Slug of the organization');
const issue = { organizationSlug, issueId: text };
const DATASETS = ['errors', 'spans', 'logs', 'profile_functions', 'uptime_results'] as const;

const ORGANIZATION = '/api/0/organizations/{organizationSlug}';
const ISSUE = '/api/0/organizations/{organizationSlug}/issues/{issueId}';
const RELEASES = '/api/0/organizations/{organizationSlug}/releases';

export const tools = [
  row(
    'sentry_list_organizations',
    'GET /api/0/organizations/',
    'List the organizations the token can see, paged by cursor',
    () => ({
      owner: z.boolean().optional(),
      cursor,
      query: some,
      sortBy: some,
    }),
  ),
  row(
    'sentry_list_projects',
    `GET ${ORGANIZATION}/projects/`,
    'List the projects of an organization, paged by cursor',
    () => ({ organizationSlug, cursor: pageCursor }),
  ),
  row(
    'sentry_list_teams',
    `GET ${ORGANIZATION}/teams/`,
    'List the teams of an organization, paged by cursor',
    () => ({ organizationSlug, cursor: pageCursor }),
  ),
  row(
    'sentry_get_project',
    'GET /api/0/projects/{organizationSlug}/{projectSlug}/',
    'Get one project',
    () => ({
      organizationSlug,
      projectSlug: text,
    }),
  ),
  row(
    'sentry_search_issues',
    `GET ${ORGANIZATION}/issues/`,
    'Search issues, the errors and exceptions that came up, with the query language of Sentry, paged by cursor',
    () => ({
      organizationSlug,
      query: some.describe('Such as level:error; is:unresolved unless given, so empty for all'),
      project: z.array(z.int()).optional(),
      environment: texts.optional(),
      statsPeriod: period,
      limit: z.int().default(20),
      cursor,
      sort: some.describe('date (last seen, when not given), new, freq, user or trends'),
    }),
  ),
  row('sentry_get_issue', `GET ${ISSUE}/`, 'Get one issue', () => issue),
  row('sentry_update_issue', `PUT ${ISSUE}/`, 'Resolve, ignore or assign an issue', () => ({
    ...issue,
    status: some.describe('resolved, resolvedInNextRelease, unresolved or ignored'),
    assignedTo: some.describe('Name or mail address of a user, or team:<id>; empty for nobody'),
  })),
  row(
    'sentry_list_issue_events',
    `GET ${ISSUE}/events/`,
    'List the events of an issue, paged by cursor',
    () => ({
      ...issue,
      full: z.boolean().optional(),
      query: some,
      cursor,
    }),
  ),
  row(
    'sentry_get_issue_event',
    `GET ${ISSUE}/events/{eventId}/`,
    'Get one event of an issue with its stack trace, the latest unless named',
    () => ({ ...issue, eventId: text.default('latest') }),
  ),
  row(
    'sentry_list_issue_tag_values',
    `GET ${ISSUE}/tags/{key}/`,
    'Get a tag of an issue with its most frequent values',
    () => ({
      ...issue,
      key: text,
    }),
  ),
  row(
    'sentry_query_events',
    `GET ${ORGANIZATION}/events/`,
    'Query events (errors, spans, logs) as a table of fields and aggregates, paged by cursor',
    () => ({
      organizationSlug,
      dataset: z.enum(DATASETS).default('errors'),
      field: texts.min(1).describe('Such as title, count(), p95(transaction.duration)'),
      query: some,
      statsPeriod: period,
      project: z.array(z.int()).optional(),
      sort: some,
      perPage: z.int().default(20),
      cursor,
    }),
    { names: { perPage: 'per_page' } },
  ),
  row(
    'sentry_get_event',
    'GET /api/0/projects/{organizationSlug}/{projectSlug}/events/{eventId}/',
    'Get one event of a project',
    () => ({ organizationSlug, projectSlug: text, eventId: text }),
  ),
  row(
    'sentry_list_releases',
    `GET ${RELEASES}/`,
    'List the releases of an organization, newest first, paged by cursor',
    () => ({
      organizationSlug,
      query: some,
      cursor: pageCursor,
    }),
  ),
  row('sentry_create_release', `POST ${RELEASES}/`, 'Create a release', () => ({
    organizationSlug,
    version: text,
    projects: texts,
    ref: some,
    url: some,
    dateReleased: some,
    commits: z.array(z.record(text, z.unknown())).optional(),
    refs: z.array(z.record(text, z.unknown())).optional(),
  })),
  row(
    'sentry_list_deploys',
    `GET ${RELEASES}/{version}/deploys/`,
    'List the deploys of a release, paged by cursor',
    () => ({
      organizationSlug,
      version: text,
      cursor: pageCursor,
    }),
  ),
  row('sentry_create_deploy', `POST ${RELEASES}/{version}/deploys/`, 'Record a deploy of a release', () => ({
    organizationSlug,
    version: text,
    environment: text,
    name: some,
    url: some,
  })),
  row(
    'sentry_list_replays',
    `GET ${ORGANIZATION}/replays/`,
    'List session replays of an organization, paged by cursor',
    () => ({
      organizationSlug,
      query: some,
      statsPeriod: period,
      cursor,
    }),
  ),
];
