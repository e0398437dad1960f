// The tools of Jira's REST API, version 3, that read or need only one request.
import * as z from 'zod';
import { ISSUE, issueIdOrKey, row, some, text } from './fields.ts';

const issue = { issueIdOrKey };
const startAt = z.int().optional().describe('Number of results to skip');
const projectIdOrKey = text.describe('Project key such as WEB, or its id, from jira_list_projects');
const PER_PAGE = 'Results per page';
const PROJECT = '/rest/api/3/project/{projectIdOrKey}';

export const tools = [
  row('jira_whoami', 'GET /rest/api/3/myself', 'Show who is connected', () => ({})),
  row('jira_search_issues', 'GET /rest/api/3/search/jql', 'Search issues with JQL', () => ({
    jql: text.describe(
      'JQL with at least one condition, such as project = WEB AND status != Done ORDER BY created DESC',
    ),
    fields: some.describe(
      'Field ids separated by commas, such as summary,status; *navigable or *all; only issue ids by default',
    ),
    maxResults: z.int().default(25).describe(PER_PAGE),
    nextPageToken: some.describe('nextPageToken of the previous page'),
    expand: some.describe('Further parts, separated by commas, such as renderedFields,changelog'),
  })),
  row('jira_get_issue', `GET ${ISSUE}`, 'Get an issue with its fields', () => ({
    ...issue,
    fields: some.describe(
      'Field ids separated by commas, *navigable or *all (the default); -id leaves a field out',
    ),
    expand: some.describe('Further parts, separated by commas, such as renderedFields,changelog,transitions'),
  })),
  row('jira_delete_issue', `DELETE ${ISSUE}`, 'Delete an issue for good', () => ({
    ...issue,
    deleteSubtasks: z
      .enum(['true', 'false'])
      .optional()
      .describe('true deletes its subtasks too; without it Jira refuses to delete an issue with subtasks'),
  })),
  row(
    'jira_list_transitions',
    `GET ${ISSUE}/transitions`,
    'List all transitions that an issue can make from its current status',
    () => issue,
  ),
  row('jira_assign_issue', `PUT ${ISSUE}/assignee`, 'Assign an issue to a person, or to nobody', () => ({
    ...issue,
    accountId: text
      .nullable()
      .default(null)
      .describe('From jira_search_users; null for nobody, -1 for the default assignee of the project'),
  })),
  row('jira_list_comments', `GET ${ISSUE}/comment`, 'List the comments of an issue', () => ({
    ...issue,
    startAt,
    maxResults: z.int().default(50).describe(PER_PAGE),
    orderBy: z.enum(['created', '-created', '+created']).optional().describe('-created for newest first'),
  })),
  row('jira_list_worklogs', `GET ${ISSUE}/worklog`, 'List the time logged on an issue', () => ({
    ...issue,
    startAt,
    maxResults: z.int().optional().describe(PER_PAGE),
  })),
  row('jira_list_projects', 'GET /rest/api/3/project/search', 'List projects', () => ({
    query: some.describe('Part of a key or a name'),
    maxResults: z.int().default(25).describe(PER_PAGE),
    startAt,
  })),
  row('jira_get_project', `GET ${PROJECT}`, 'Get a project with its components and issue types', () => ({
    projectIdOrKey,
  })),
  row(
    'jira_list_issue_types',
    'GET /rest/api/3/issuetype',
    'List all issue types that the person can see, in every project',
    () => ({}),
  ),
  row(
    'jira_get_create_meta',
    'GET /rest/api/3/issue/createmeta',
    'Get the issue types of projects, with expand also the fields that each type has',
    () => ({
      projectKeys: some.describe('Project keys separated by commas, such as WEB,OPS'),
      issuetypeNames: some.describe('Issue type names separated by commas, such as Bug,Task'),
      expand: some.describe('projects.issuetypes.fields to include the fields'),
    }),
  ),
  row('jira_search_users', 'GET /rest/api/3/user/search', 'Search users', () => ({
    query: some.describe('Start of a name or an e-mail address'),
    maxResults: z.int().default(10).describe(PER_PAGE),
    startAt,
  })),
  row(
    'jira_list_fields',
    'GET /rest/api/3/field',
    'List all fields of issues with their ids, custom fields too',
    () => ({}),
  ),
  row('jira_list_versions', `GET ${PROJECT}/versions`, 'List all versions of a project', () => ({
    projectIdOrKey,
  })),
];
