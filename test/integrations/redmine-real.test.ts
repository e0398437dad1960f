// Tests a real Redmine: connected with its key and address, and used.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, type Person } from '../support/person.ts';
import { describeWithRedmine, type Redmine, startRedmine } from '../support/real-redmine.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

describeWithRedmine('a real Redmine', () => {
  let redmine: Redmine;
  let app: TestApp;
  let ana: Person;

  /** Sends a request for which there is no tool. */
  const administer = (method: string, path: string, body: object) =>
    fetch(`${redmine.url}${path}`, {
      method,
      headers: { 'x-redmine-api-key': redmine.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const connect = (values: object) => ana.post('/api/auth/apikey/redmine', { values });

  beforeAll(async () => {
    redmine = await startRedmine();
    app = await createTestApp();
    ana = await createPerson(app);
    await administer('POST', '/projects.json', {
      project: {
        name: 'Website',
        identifier: 'web',
        enabled_module_names: ['issue_tracking', 'time_tracking', 'wiki'],
      },
    });
    await administer('PUT', '/projects/web/wiki/%C3%9Cber_uns.json', {
      wiki_page: { text: 'h1. Größe & Maß', comments: 'first' },
    });
    const values = { instanceUrl: `${redmine.url}/`, apiKey: redmine.apiKey };
    expect(await connect(values)).toEqual({
      status: 200,
      body: { success: true, status: 'ok', account: { id: '1', label: 'admin' } },
    });
  });

  afterAll(async () => {
    await app?.close();
    await redmine?.stop();
  });

  it("knows whose key it is, and the person's projects", async () => {
    expect(await ana.run('redmine_whoami')).toMatchObject({ user: { login: 'admin', admin: true } });
    expect(await ana.run('redmine_list_projects', { include: 'trackers' })).toMatchObject({
      projects: [{ identifier: 'web', trackers: [{ name: 'Bug' }, {}, {}] }],
      total_count: 1,
      limit: 25,
    });
    expect(await ana.run('redmine_get_project', { id: 'web' })).toMatchObject({
      project: { name: 'Website' },
    });
    expect(await ana.run('redmine_list_trackers')).toMatchObject({ trackers: { length: 3 } });
  });

  it('creates an issue, changes it, and returns its history', async () => {
    const created = await ana.run('redmine_create_issue', {
      projectId: 'web',
      subject: 'Größe "falsch" – 大小',
      description: 'Zeile 1\nZeile 2',
      trackerId: 2,
      issue: { due_date: '2030-03-01', estimated_hours: 3 },
    });
    expect(created).toMatchObject({
      issue: {
        subject: 'Größe "falsch" – 大小',
        tracker: { id: 2 },
        due_date: '2030-03-01',
        estimated_hours: 3,
      },
    });
    const { id } = (created as { issue: { id: number } }).issue;
    const { issue_statuses } = (await ana.run('redmine_list_statuses')) as {
      issue_statuses: { id: number }[];
    };
    const statusId = issue_statuses.at(-1)?.id;
    expect(
      await ana.run('redmine_update_issue', { id, statusId, notes: 'Erledigt', issue: { done_ratio: 100 } }),
    ).toEqual({});
    expect(await ana.run('redmine_get_issue', { id, include: 'journals' })).toMatchObject({
      issue: { status: { id: statusId }, done_ratio: 100, journals: [{ notes: 'Erledigt' }] },
    });
    const listed = (args: object) => ana.run('redmine_list_issues', { projectId: 'web', ...args });
    expect(await listed({ statusId: '*', subject: '~falsch' })).toMatchObject({ total_count: 1 });
    expect(await listed({ statusId: '*', subject: '~richtig' })).toMatchObject({ total_count: 0 });
  });

  // Creates the issues one after the other: on SQLite, Redmine fails to create several at once.
  it('pages through issues, and answers several calls at once', async () => {
    for (const subject of ['one', 'two', 'three', 'four'])
      await ana.run('redmine_create_issue', { projectId: 'web', subject, trackerId: 1 });
    const pages = [0, 3].map((offset) => ({
      tool: 'redmine_list_issues',
      args: { trackerId: '1', sort: 'id', offset, limit: 3 },
    }));
    expect(await ana.runAll(pages)).toMatchObject([
      {
        result: { total_count: 4, issues: [{ subject: 'one' }, { subject: 'two' }, { subject: 'three' }] },
      },
      { result: { offset: 3, issues: [{ subject: 'four' }] } },
    ]);
  });

  it('logs time in hours or as hours and minutes, and finds it again', async () => {
    const { issue } = (await ana.run('redmine_create_issue', { projectId: 'web', subject: 'Arbeit' })) as {
      issue: { id: number };
    };
    const log = (hours: string, more: object = {}) =>
      ana.run('redmine_log_time', { issueId: issue.id, hours, activityId: 9, comments: 'c', ...more });
    expect(await log('1.5')).toMatchObject({ time_entry: { hours: 1.5, activity: { id: 9 } } });
    expect(await log('0:45', { timeEntry: { spent_on: '2026-03-01' } })).toMatchObject({
      time_entry: { hours: 0.75, spent_on: '2026-03-01' },
    });
    const march = { userId: 'me', from: '2026-03-01', to: '2026-03-31' };
    expect(await ana.run('redmine_list_time_entries', march)).toMatchObject({
      time_entries: [{ hours: 0.75, issue: { id: issue.id } }],
    });
  });

  it('reads and finds a wiki page', async () => {
    expect(await ana.run('redmine_get_wiki_page', { projectId: 'web', title: 'Über_uns' })).toMatchObject({
      wiki_page: { title: 'Über_uns', text: 'h1. Größe & Maß', version: 1 },
    });
    expect(await ana.run('redmine_search', { query: 'Maß' })).toMatchObject({
      results: [{ type: 'wiki-page', title: expect.stringContaining('Über') }],
    });
  });

  it('makes any other request', async () => {
    const request = { path: '/enumerations/issue_priorities.json' };
    expect(await ana.run('redmine_request', request)).toMatchObject({ issue_priorities: { length: 5 } });
  });

  it("passes on Redmine's own error messages", async () => {
    await expect(ana.run('redmine_create_issue', { projectId: 'web', subject: '' })).rejects.toThrow(
      /422: .*Subject cannot be blank/,
    );
    await expect(ana.run('redmine_get_issue', { id: 999 })).rejects.toThrow(/404/);
    await expect(ana.run('redmine_get_wiki_page', { projectId: 'web', title: '..' })).rejects.toThrow(
      /cannot be part of/,
    );
  });

  it('connects with no wrong key, and at no address with a query', async () => {
    const instanceUrl = redmine.url;
    expect(await connect({ instanceUrl: `${instanceUrl}?a=b`, apiKey: 'x' })).toMatchObject({ status: 400 });
    expect(await connect({ instanceUrl, apiKey: 'wrong' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Redmine answered 401') },
    });
    expect(await ana.run('redmine_whoami')).toMatchObject({ user: { login: 'admin' } });
  });
});
