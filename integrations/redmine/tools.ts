// The tools of Redmine's REST API.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const int = z.int().optional();
const include = (values: string) => some.describe(`What to include, separated by commas: ${values}`);
const others = (thing: string, example: string) =>
  z
    .record(text, z.unknown())
    .optional()
    .describe(`Other fields of the ${thing} in snake_case, such as ${example}`);
const page = () => ({
  offset: int.describe('How many results to skip'),
  limit: z.int().default(25).describe('Results per page, at most 100'),
});
const PROJECT = 'Number or identifier of a project, from redmine_list_projects';
const ISSUE = '`id` from redmine_list_issues';
const STATUS = '`id` from redmine_list_statuses';
const TRACKER = '`id` from redmine_list_trackers';
const PROJECT_PARTS = 'trackers, issue_categories, enabled_modules, time_entry_activities';

export const tools = [
  row(
    'redmine_whoami',
    'GET /users/current.json',
    'Get the Redmine account that the API key belongs to',
    () => ({}),
  ),
  row('redmine_list_projects', 'GET /projects.json', 'List projects, in pages by offset', () => ({
    ...page(),
    include: include(PROJECT_PARTS),
  })),
  row(
    'redmine_get_project',
    'GET /projects/{id}.json',
    'Get a project; `include` adds its trackers, categories and activities',
    () => ({
      id: text.describe(PROJECT),
      include: include(PROJECT_PARTS),
    }),
  ),
  row(
    'redmine_list_issues',
    'GET /issues.json',
    'List issues that match all given filters, in pages by offset',
    () => ({
      projectId: some.describe(PROJECT),
      statusId: some.describe(`open (the default), closed, * for all, or ${STATUS}`),
      trackerId: some.describe(TRACKER),
      assignedToId: some.describe('Number of a user, or me'),
      subject: some.describe('The whole subject, or ~word for subjects that contain the word'),
      sort: some.describe('Field to sort by, such as updated_on:desc'),
      ...page(),
      include: include('attachments, relations'),
    }),
  ),
  row(
    'redmine_get_issue',
    'GET /issues/{id}.json',
    'Get an issue; `include` adds its notes (journals), files and relations',
    () => ({
      id: z.int().describe(ISSUE),
      include: include('children, attachments, relations, changesets, journals, watchers'),
    }),
  ),
  tool(
    'redmine_create_issue',
    'Create an issue in a project',
    () => ({
      projectId: text.describe(PROJECT),
      subject: text.describe('One line that sums up the issue'),
      description: some.describe('Text in the format of the instance, Textile or Markdown'),
      trackerId: int.describe(TRACKER),
      priorityId: int.describe('`id` of a priority, as in `priority` of another issue'),
      assignedToId: int.describe('Number of the user who works on it, as in `assigned_to` of another issue'),
      issue: others('issue', 'due_date or custom_fields'),
    }),
    ({ projectId, subject, description, trackerId, priorityId, assignedToId, issue }, { upstream }) =>
      send(upstream, 'POST /issues.json', {
        issue: {
          project_id: projectId,
          subject,
          description,
          tracker_id: trackerId,
          priority_id: priorityId,
          assigned_to_id: assignedToId,
          ...issue,
        },
      }),
    'write',
  ),
  tool(
    'redmine_update_issue',
    'Change fields of an issue, or add a note to it',
    () => ({
      id: z.int().describe(ISSUE),
      statusId: int.describe(STATUS),
      notes: some.describe('Note to add below the issue'),
      subject: some.describe('New subject; unchanged unless given'),
      issue: others('issue', 'due_date or custom_fields'),
    }),
    ({ id, statusId, notes, subject, issue }, { upstream }) =>
      send(upstream, 'PUT /issues/{id}.json', {
        id,
        issue: { status_id: statusId, notes, subject, ...issue },
      }),
    'write',
  ),
  row(
    'redmine_list_time_entries',
    'GET /time_entries.json',
    'List logged time entries, in pages by offset',
    () => ({
      projectId: some.describe(PROJECT),
      userId: some.describe('Number of a user, or me'),
      from: some.describe('First day, such as 2026-03-01'),
      to: some.describe('Last day, such as 2026-03-31'),
      ...page(),
    }),
  ),
  tool(
    'redmine_log_time',
    'Log time that was spent on an issue. For a project, leave out issueId and put project_id into timeEntry',
    () => ({
      issueId: int.describe(ISSUE),
      hours: text.describe('Time that was spent, such as 1.5 or 1:30'),
      activityId: int.describe('`id` from redmine_get_project with include time_entry_activities'),
      comments: some.describe('What was done, in one line'),
      timeEntry: others('time entry', 'spent_on: 2026-03-01'),
    }),
    ({ issueId, hours, activityId, comments, timeEntry }, { upstream }) =>
      send(upstream, 'POST /time_entries.json', {
        time_entry: { issue_id: issueId, hours, activity_id: activityId, comments, ...timeEntry },
      }),
    'write',
  ),
  row(
    'redmine_list_statuses',
    'GET /issue_statuses.json',
    'List all statuses that issues can have, with their ids',
    () => ({}),
  ),
  row(
    'redmine_list_trackers',
    'GET /trackers.json',
    'List all trackers, which are the kinds of issues, with their ids',
    () => ({}),
  ),
  row(
    'redmine_search',
    'GET /search.json',
    'Search issues, wiki pages, news and more for words, in pages by offset',
    () => ({ query: text.describe('Words to find; all of them have to match'), ...page() }),
    { names: { query: 'q' } },
  ),
  row(
    'redmine_get_wiki_page',
    'GET /projects/{projectId}/wiki/{title}.json',
    'Get the text of a wiki page of a project',
    () => ({
      projectId: text.describe(PROJECT),
      title: text.describe('Title as in the address of the page, such as Getting_started'),
      include: include('attachments'),
    }),
  ),
];
