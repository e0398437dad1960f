// The tools of Redmine's REST API.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const int = z.int().optional();
const include = (values: string) => some.describe(`Separated by commas: ${values}`);
const others = (thing: string) =>
  z.record(text, z.unknown()).optional().describe(`Other fields of the ${thing}, as Redmine spells them`);
const page = { offset: int, limit: z.int().default(25).describe('At most 100') };

export const tools = [
  row('redmine_whoami', 'GET /users/current.json', 'Who the API key belongs to', () => ({})),
  row('redmine_list_projects', 'GET /projects.json', 'List projects, paged by offset', () => ({
    ...page,
    include: include('trackers, issue_categories, enabled_modules, time_entry_activities'),
  })),
  row('redmine_get_project', 'GET /projects/{id}.json', 'Get a project', () => ({
    id: text.describe('Number or identifier'),
    include: include('trackers, issue_categories, enabled_modules, time_entry_activities'),
  })),
  row('redmine_list_issues', 'GET /issues.json', 'List issues by filters, paged by offset', () => ({
    projectId: some,
    statusId: some.describe('open (when not given), closed, * for all, or the number of a status'),
    trackerId: some,
    assignedToId: some.describe('The number of a user, or me'),
    subject: some.describe('Exactly, or ~word for subjects that contain it'),
    sort: some.describe('Such as updated_on:desc'),
    ...page,
    include: include('attachments, relations'),
  })),
  row('redmine_get_issue', 'GET /issues/{id}.json', 'Get an issue', () => ({
    id: z.int(),
    include: include('children, attachments, relations, changesets, journals, watchers'),
  })),
  tool(
    'redmine_create_issue',
    'Create an issue in a project',
    () => ({
      projectId: text.describe('Number or identifier'),
      subject: text,
      description: some,
      trackerId: int,
      priorityId: int,
      assignedToId: int,
      issue: others('issue'),
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
    () => ({ id: z.int(), statusId: int, notes: some, subject: some, issue: others('issue') }),
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
    'List time that was logged, paged by offset',
    () => ({
      projectId: some,
      userId: some.describe('The number of a user, or me'),
      from: some.describe('Such as 2026-03-01'),
      to: some,
      ...page,
    }),
  ),
  tool(
    'redmine_log_time',
    'Log time that was spent on an issue; for a project instead, give project_id in timeEntry',
    () => ({
      issueId: int,
      hours: text.describe('Such as 1.5 or 1:30'),
      activityId: int,
      comments: some,
      timeEntry: others('time entry'),
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
    'List all statuses that issues can have',
    () => ({}),
  ),
  row('redmine_list_trackers', 'GET /trackers.json', 'List all trackers: the kinds of issues', () => ({})),
  row(
    'redmine_search',
    'GET /search.json',
    'Search issues, wiki pages, news and more for words, paged by offset',
    () => ({ query: text, ...page }),
    { names: { query: 'q' } },
  ),
  row('redmine_get_wiki_page', 'GET /projects/{projectId}/wiki/{title}.json', 'Get a wiki page', () => ({
    projectId: text,
    title: text,
    include: include('attachments'),
  })),
];
