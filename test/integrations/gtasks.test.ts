// Tests Google Tasks: the request of every tool, and what its API takes of days.
import { describe, expect, it } from 'vitest';
import { gtasks } from '../../integrations/gtasks/manifest.ts';
import { sent } from '../support/capture.ts';

const t = { tasklist: 'l1', task: 't1' };
const MIDNIGHT = 'T00:00:00.000Z';

const TABLE: [tool: string, args: object, request: string][] = [
  ['whoami', {}, 'GET /userinfo'],
  ['list_lists', {}, 'GET /users/@me/lists?maxResults=100'],
  ['list_lists', { maxResults: 5, pageToken: 'p2' }, 'GET /users/@me/lists?maxResults=5&pageToken=p2'],
  ['get_list', { tasklist: 'l1' }, 'GET /users/@me/lists/l1'],
  ['create_list', { title: 'Büro' }, 'POST /users/@me/lists {"title":"Büro"}'],
  ['rename_list', { tasklist: 'l1', title: 'Haus' }, 'PATCH /users/@me/lists/l1 {"title":"Haus"}'],
  ['delete_list', { tasklist: 'l1' }, 'DELETE /users/@me/lists/l1'],
  ['list_tasks', {}, 'GET /lists/%40default/tasks?showCompleted=false&showHidden=false&maxResults=50'],
  [
    'list_tasks',
    {
      tasklist: 'l1',
      showCompleted: true,
      showHidden: true,
      dueMin: '2026-03-01',
      dueMax: '2026-03-08',
      completedMin: '2026-02-01',
      completedMax: '2026-02-08',
      updatedMin: '2026-03-01T09:00:00Z',
      showAssigned: true,
      pageToken: 'p2',
    },
    `GET /lists/l1/tasks?showCompleted=true&showHidden=true&dueMin=2026-03-01${MIDNIGHT}&dueMax=2026-03-08${MIDNIGHT}&completedMin=2026-02-01${MIDNIGHT}&completedMax=2026-02-08${MIDNIGHT}&updatedMin=2026-03-01T09:00:00Z&showAssigned=true&maxResults=50&pageToken=p2`,
  ],
  ['get_task', t, 'GET /lists/l1/tasks/t1'],
  [
    'create_task',
    { title: 'Größe messen', notes: 'n', due: '2026-03-01', parent: 't1', previous: 't2' },
    `POST /lists/%40default/tasks?parent=t1&previous=t2 {"title":"Größe messen","notes":"n","due":"2026-03-01${MIDNIGHT}"}`,
  ],
  [
    'update_task',
    { ...t, title: 'neu', due: '2026-03-02' },
    `PATCH /lists/l1/tasks/t1 {"title":"neu","due":"2026-03-02${MIDNIGHT}"}`,
  ],
  ['update_task', { ...t, due: null }, 'PATCH /lists/l1/tasks/t1 {"due":null}'],
  ['complete_task', t, 'PATCH /lists/l1/tasks/t1 {"status":"completed"}'],
  [
    'complete_task',
    { ...t, done: false },
    'PATCH /lists/l1/tasks/t1 {"status":"needsAction","completed":null}',
  ],
  ['move_task', { ...t, previous: 't2' }, 'POST /lists/l1/tasks/t1/move?previous=t2 {}'],
  [
    'move_task',
    { ...t, parent: 't3', destinationTasklist: 'l2' },
    'POST /lists/l1/tasks/t1/move?parent=t3&destinationTasklist=l2 {}',
  ],
  ['delete_task', t, 'DELETE /lists/l1/tasks/t1'],
  ['clear_completed', { tasklist: 'l1' }, 'POST /lists/l1/clear {}'],
];

describe('the requests of Google Tasks', () => {
  it.each(TABLE)('gtasks_%s %j', async (name, args, request) => {
    expect(await sent(gtasks, `gtasks_${name}`, args)).toEqual([request]);
  });

  it('names every tool', () => {
    expect(new Set(TABLE.map(([name]) => `gtasks_${name}`))).toEqual(
      new Set(gtasks.tools.map(({ name }) => name)),
    );
  });
});

describe('a due day', () => {
  it.each(['tomorrow', '2026-02-30', '2026-03-01T09:00:00Z'])('refuses %s', async (due) => {
    await expect(sent(gtasks, 'gtasks_create_task', { title: 'x', due })).rejects.toThrow('due');
  });
});
