// Tests Redmine: tool, arguments → expected request.
import { describe, expect, it } from 'vitest';
import { redmine } from '../../integrations/redmine/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { sent } from '../support/capture.ts';

type Row = [name: string, args: object, request: string];

const rows: Row[] = [
  ['redmine_whoami', {}, 'GET /users/current.json'],
  ['redmine_list_projects', { offset: 25 }, 'GET /projects.json?offset=25&limit=25'],
  ['redmine_get_project', { id: 'web', include: 'trackers' }, 'GET /projects/web.json?include=trackers'],
  [
    'redmine_list_issues',
    { projectId: 'web', statusId: '*', assignedToId: 'me', sort: 'id:desc', limit: 5 },
    'GET /issues.json?project_id=web&status_id=*&assigned_to_id=me&sort=id:desc&limit=5',
  ],
  ['redmine_get_issue', { id: 3, include: 'journals' }, 'GET /issues/3.json?include=journals'],
  [
    'redmine_create_issue',
    { projectId: 'web', subject: 'Größe', trackerId: 2, issue: { due_date: '2026-03-01' } },
    'POST /issues.json {"issue":{"project_id":"web","subject":"Größe","tracker_id":2,"due_date":"2026-03-01"}}',
  ],
  [
    'redmine_create_issue',
    { projectId: 'web', subject: 's', description: 'd', priorityId: 4, assignedToId: 5 },
    'POST /issues.json {"issue":{"project_id":"web","subject":"s","description":"d","priority_id":4,"assigned_to_id":5}}',
  ],
  [
    'redmine_update_issue',
    { id: 3, statusId: 2, notes: 'n', issue: { done_ratio: 50 } },
    'PUT /issues/3.json {"issue":{"status_id":2,"notes":"n","done_ratio":50}}',
  ],
  [
    'redmine_list_time_entries',
    { userId: 'me', from: '2026-01-01', to: '2026-01-31' },
    'GET /time_entries.json?user_id=me&from=2026-01-01&to=2026-01-31&limit=25',
  ],
  [
    'redmine_log_time',
    { issueId: 3, hours: '1:30', activityId: 9, comments: 'c', timeEntry: { spent_on: '2026-03-01' } },
    'POST /time_entries.json {"time_entry":{"issue_id":3,"hours":"1:30","activity_id":9,"comments":"c","spent_on":"2026-03-01"}}',
  ],
  ['redmine_list_statuses', {}, 'GET /issue_statuses.json'],
  ['redmine_list_trackers', {}, 'GET /trackers.json'],
  ['redmine_search', { query: 'a & b' }, 'GET /search.json?q=a & b&limit=25'],
  [
    'redmine_get_wiki_page',
    { projectId: 'web', title: 'Über/uns v1.2' },
    'GET /projects/web/wiki/%C3%9Cber%2Funs%20v1.2.json',
  ],
];

describe('redmine', () => {
  it.each(rows)('%s %j', async (name, args, request) => {
    expect(await sent(redmine, name, args)).toEqual([request]);
  });

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(redmine.tools.map(({ name }) => name)));
  });

  it('calls an instance, which may be below a path', () => {
    const instanceUrl = 'https://dev.example/redmine';
    expect(resolveBase(redmine, { instanceUrl })).toEqual({ ok: true, base: instanceUrl });
    expect(resolveBase(redmine, {}).ok).toBe(false);
  });
});
