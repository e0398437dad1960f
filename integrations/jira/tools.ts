// The tools of Jira's REST API, version 3, that read or need only one request.
import * as z from 'zod';
import { ISSUE, issueIdOrKey, row, some, text } from './fields.ts';

const issue = { issueIdOrKey };
const fields = some.describe('Names separated by commas, *navigable or *all; -name leaves one out');
const startAt = z.int().optional();
const projectIdOrKey = text.describe('Such as WEB');
const PROJECT = '/rest/api/3/project/{projectIdOrKey}';

export const tools = [
  row('jira_whoami', 'GET /rest/api/3/myself', 'Who the connection belongs to', () => ({})),
  row(
    'jira_search_issues',
    'GET /rest/api/3/search/jql',
    'Search issues with JQL; the page after this one is at nextPageToken',
    () => ({
      jql: text.describe('Such as project = WEB AND status != Done ORDER BY created DESC; it has to filter'),
      fields: fields.describe('Names separated by commas, *navigable or *all; only ids unless given'),
      maxResults: z.int().default(25),
      nextPageToken: some,
      expand: some,
    }),
  ),
  row('jira_get_issue', `GET ${ISSUE}`, 'Get an issue', () => ({
    ...issue,
    fields,
    expand: some.describe('Such as renderedFields, changelog, transitions'),
  })),
  row('jira_delete_issue', `DELETE ${ISSUE}`, 'Delete an issue', () => ({
    ...issue,
    deleteSubtasks: z.enum(['true', 'false']).optional().describe('An issue that has some stays without it'),
  })),
  row(
    'jira_list_transitions',
    `GET ${ISSUE}/transitions`,
    'List all transitions an issue can make from where it is',
    () => issue,
  ),
  row('jira_assign_issue', `PUT ${ISSUE}/assignee`, 'Assign an issue to a person, or to nobody', () => ({
    ...issue,
    accountId: text
      .nullable()
      .default(null)
      .describe('From jira_search_users; nobody unless given, -1 for who gets them by default'),
  })),
  row('jira_list_comments', `GET ${ISSUE}/comment`, 'List comments of an issue, paged by startAt', () => ({
    ...issue,
    startAt,
    maxResults: z.int().default(50),
    orderBy: z.enum(['created', '-created', '+created']).optional(),
  })),
  row('jira_list_worklogs', `GET ${ISSUE}/worklog`, 'List time logged on an issue, paged by startAt', () => ({
    ...issue,
    startAt,
    maxResults: z.int().optional(),
  })),
  row('jira_list_projects', 'GET /rest/api/3/project/search', 'List projects, paged by startAt', () => ({
    query: some.describe('Part of a key or a name'),
    maxResults: z.int().default(25),
    startAt,
  })),
  row('jira_get_project', `GET ${PROJECT}`, 'Get a project, with its components and issue types', () => ({
    projectIdOrKey,
  })),
  row(
    'jira_list_issue_types',
    'GET /rest/api/3/issuetype',
    'List all issue types a person can see',
    () => ({}),
  ),
  row(
    'jira_get_create_meta',
    'GET /rest/api/3/issue/createmeta',
    'Get which issue types projects have, with projects.issuetypes.fields in expand also their fields',
    () => ({
      projectKeys: some.describe('Separated by commas'),
      issuetypeNames: some.describe('Separated by commas'),
      expand: some.describe('projects.issuetypes.fields'),
    }),
  ),
  row('jira_search_users', 'GET /rest/api/3/user/search', 'Search users, paged by startAt', () => ({
    query: some.describe('Part of a name or an e-mail address'),
    maxResults: z.int().default(10),
    startAt,
  })),
  row(
    'jira_list_fields',
    'GET /rest/api/3/field',
    'List all fields of issues, custom ones too, by id',
    () => ({}),
  ),
  row('jira_list_versions', `GET ${PROJECT}/versions`, 'List all versions of a project', () => ({
    projectIdOrKey,
  })),
];
