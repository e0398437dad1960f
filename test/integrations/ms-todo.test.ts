// Tests Microsoft To Do: tool, arguments → expected requests; then tasks from the sign-in on, against a fake after the docs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { msTodo } from '../../integrations/ms_todo/manifest.ts';
import { sent } from '../support/capture.ts';
import type { ApiCall } from '../support/fake-oauth-api.ts';
import { type FakeGraph, refuse, startGraph } from '../support/fake-graph.ts';

const TASKS = '/me/todo/lists/l%3D/tasks';
const none = [{ value: [] }];
const task = { listId: 'l=', taskId: 't' };

type Row = readonly [name: string, args: object, request: string, answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', { select: 'id' }, 'GET /me?$select=id'],
  ['list_lists', {}, 'GET /me/todo/lists?$top=20', none],
  ['create_list', { displayName: 'Büro' }, 'POST /me/todo/lists {"displayName":"Büro"}'],
  ['rename_list', { listId: 'l=', displayName: 'B' }, 'PATCH /me/todo/lists/l%3D {"displayName":"B"}'],
  ['delete_list', { listId: 'l=' }, 'DELETE /me/todo/lists/l%3D'],
  ['list_tasks', { listId: 'l=' }, `GET ${TASKS}?$filter=status ne 'completed'&$top=20`, none],
  [
    'list_tasks',
    { listId: 'l=', status: 'deferred', pageSize: 2 },
    `GET ${TASKS}?$filter=status eq 'deferred'&$top=2`,
    none,
  ],
  ['list_tasks', { listId: 'l=', status: 'all' }, `GET ${TASKS}?$top=20`, none],
  ['get_task', task, `GET ${TASKS}/t?$expand=checklistItems,linkedResources`],
  [
    'create_task',
    {
      listId: 'l=',
      title: 'Größe',
      body: '*ü*',
      due: '2026-03-01',
      start: '2026-02-27',
      reminder: '2026-03-01T09:00',
      timeZone: 'Europe/Berlin',
      importance: 'high',
    },
    `POST ${TASKS} {"title":"Größe","importance":"high","body":{"contentType":"html","content":"<p><i>ü</i></p>"},"dueDateTime":{"dateTime":"2026-03-01T00:00:00","timeZone":"Europe/Berlin"},"startDateTime":{"dateTime":"2026-02-27T00:00:00","timeZone":"Europe/Berlin"},"isReminderOn":true,"reminderDateTime":{"dateTime":"2026-03-01T09:00","timeZone":"Europe/Berlin"}}`,
  ],
  ['update_task', { ...task, status: 'inProgress' }, `PATCH ${TASKS}/t {"status":"inProgress"}`],
  ['complete_task', task, `PATCH ${TASKS}/t {"status":"completed"}`],
  ['delete_task', task, `DELETE ${TASKS}/t`],
  ['list_steps', task, `GET ${TASKS}/t/checklistItems`, none],
  ['add_step', { ...task, displayName: 'ü' }, `POST ${TASKS}/t/checklistItems {"displayName":"ü"}`],
  [
    'update_step',
    { ...task, stepId: 's', isChecked: true },
    `PATCH ${TASKS}/t/checklistItems/s {"isChecked":true}`,
  ],
  ['delete_step', { ...task, stepId: 's' }, `DELETE ${TASKS}/t/checklistItems/s`],
  [
    'add_reference',
    { ...task, webUrl: 'https://x.org/1', displayName: 'One', applicationName: 'X' },
    `POST ${TASKS}/t/linkedResources {"webUrl":"https://x.org/1","displayName":"One","applicationName":"X"}`,
  ],
];

describe('the requests of Microsoft To Do', () => {
  it.each(rows.map(([name, args, request, answers]) => ({ name, args, request, answers })))(
    'ms_todo_$name $args',
    async ({ name, args, request, answers }) => {
      expect(await sent(msTodo, `ms_todo_${name}`, args, answers)).toEqual([request]);
    },
  );

  it('names every tool', () => {
    const named = new Set(rows.map(([name]) => `ms_todo_${name}`));
    expect(msTodo.tools.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('tasks at Microsoft To Do', () => {
  let graph: FakeGraph;
  beforeAll(async () => {
    graph = await startGraph('ms_todo', answer);
  });
  afterAll(() => graph?.close());

  const one = {
    '@odata.etag': 'W/"1"',
    id: 't1',
    title: 'Plan',
    status: 'notStarted',
    importance: 'normal',
    completedDateTime: null,
    body: { contentType: 'html', content: '<p>Bring <a href="https://x.org">cake</a></p>' },
  };

  function answer({ method, path, query }: ApiCall): Response {
    switch (`${method} ${path}`) {
      case 'GET /me/todo/lists/l1/tasks': {
        const link = 'https://graph.microsoft.com/v1.0/me/todo/lists/l1/tasks?$top=1&$skip=1';
        return Response.json({
          value: [
            query['$skip'] === '1' ? { ...one, id: 't2', body: { contentType: 'text', content: '' } } : one,
          ],
          ...(query['$skip'] === '1' ? {} : { '@odata.nextLink': link }),
        });
      }
      case 'PATCH /me/todo/lists/l1/tasks/t1':
        return Response.json({ ...one, status: 'completed' });
      default:
        return refuse(404, `no ${method} ${path}`);
    }
  }

  it('shows tasks without what is empty, page by page', async () => {
    const shown = { id: 't1', title: 'Plan', status: 'notStarted', importance: 'normal' };
    const first = await graph.ana.run('ms_todo_list_tasks', { listId: 'l1', pageSize: 1 });
    expect(first).toEqual({
      items: [{ ...shown, text: 'Bring [cake](https://x.org)' }],
      nextPage: '$top=1&$skip=1',
    });
    expect(await graph.ana.run('ms_todo_list_tasks', { listId: 'l1', page: Object(first).nextPage })).toEqual(
      {
        items: [{ ...shown, id: 't2' }],
      },
    );
  });

  it('completes a task, and says why in the words of Microsoft', async () => {
    expect(await graph.ana.run('ms_todo_complete_task', { listId: 'l1', taskId: 't1' })).toMatchObject({
      status: 'completed',
    });
    await expect(graph.ana.run('ms_todo_complete_task', { listId: 'l1', taskId: 'x' })).rejects.toThrow(
      'no PATCH /me/todo/lists/l1/tasks/x',
    );
  });
});
