// Tests Todoist: tool, arguments → expected request; and results, pages, files and refusals against a fake Todoist that
// is written from its documentation.
import { describe, expect, it } from 'vitest';
import { todoist } from '../../integrations/todoist/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { type RequestRow, runAgainst, testRequests } from '../support/tool-requests.ts';

const task = { taskId: 't1' };

const rows: readonly RequestRow[] = [
  ['todoist_whoami', {}, 'GET /user'],
  ['todoist_list_projects', { cursor: 'c' }, 'GET /projects?limit=50&cursor=c'],
  [
    'todoist_create_project',
    { name: 'Plan', parentId: 'p0', color: 'blue', isFavorite: true, viewStyle: 'board' },
    'POST /projects {"name":"Plan","parent_id":"p0","color":"blue","is_favorite":true,"view_style":"board"}',
  ],
  ['todoist_list_sections', { projectId: 'p1' }, 'GET /sections?project_id=p1&limit=50'],
  [
    'todoist_create_section',
    { projectId: 'p1', name: 'Soon' },
    'POST /sections {"name":"Soon","project_id":"p1"}',
  ],
  ['todoist_list_labels', { limit: 200 }, 'GET /labels?limit=200'],
  ['todoist_list_collaborators', { projectId: 'p1' }, 'GET /projects/p1/collaborators?limit=50'],
  [
    'todoist_list_tasks',
    { projectId: 'p1', label: 'größer', cursor: 'c' },
    'GET /tasks?project_id=p1&label=größer&limit=50&cursor=c',
  ],
  [
    'todoist_filter_tasks',
    { query: '(today | overdue) & #Work', lang: 'en' },
    'GET /tasks/filter?query=(today | overdue) & #Work&lang=en&limit=50',
  ],
  [
    'todoist_list_completed_tasks',
    { since: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z', filterQuery: '@phone' },
    'GET /tasks/completed/by_completion_date?since=2026-03-01T00:00:00Z&until=2026-04-01T00:00:00Z&filter_query=@phone&limit=50',
  ],
  ['todoist_get_task', task, 'GET /tasks/t1'],
  [
    'todoist_create_task',
    {
      content: 'Ship',
      projectId: 'p1',
      dueString: 'every friday',
      labels: ['a'],
      priority: 4,
      duration: 30,
      durationUnit: 'minute',
    },
    'POST /tasks {"content":"Ship","project_id":"p1","due_string":"every friday","labels":["a"],"priority":4,"duration":30,"duration_unit":"minute"}',
  ],
  [
    'todoist_quick_add_task',
    { text: 'Call Bo tomorrow p2', note: '**soon**', autoReminder: true },
    'POST /tasks/quick {"text":"Call Bo tomorrow p2","note":"**soon**","auto_reminder":true}',
  ],
  [
    'todoist_update_task',
    { ...task, content: 'Ship it', dueString: 'no date', deadlineDate: null },
    'POST /tasks/t1 {"content":"Ship it","due_string":"no date","deadline_date":null}',
  ],
  ['todoist_move_task', { ...task, sectionId: 's1' }, 'POST /tasks/t1/move {"section_id":"s1"}'],
  ['todoist_complete_task', task, 'POST /tasks/t1/close {}'],
  ['todoist_reopen_task', task, 'POST /tasks/t1/reopen {}'],
  ['todoist_delete_task', task, 'DELETE /tasks/t1'],
  ['todoist_list_comments', { ...task, limit: 10 }, 'GET /comments?task_id=t1&limit=10'],
  [
    'todoist_add_comment',
    { ...task, content: 'Well **done**' },
    'POST /comments {"content":"Well **done**","task_id":"t1"}',
  ],
  [
    'todoist_read_attachment',
    { commentId: 'n1' },
    ['GET /comments/n1', 'GET /f/a%20b.txt?v=1'],
    [{ file_attachment: { file_url: 'https://files.todoist.com/f/a%20b.txt?v=1' } }, new Response('x')],
  ],
];

describe('Todoist', () => testRequests(todoist, rows));

const BYTES = new Uint8Array([0, 1, 2, 255]);
const TASKS = ['One', 'Two', 'Three'].map((content, at) => ({
  id: `t${at}`,
  user_id: 'u1',
  content,
  priority: 4,
  checked: false,
  child_order: at,
  is_collapsed: false,
  day_order: -1,
}));

/** Answers as Todoist does, and refuses everything that its documentation does not describe. */
function createTodoist() {
  const comments = new Map<string, Record<string, unknown>>();
  const uploads = new Map<string, Uint8Array<ArrayBuffer>>();
  const refuse = (status: number, error: string) =>
    Response.json({ error, error_code: 1, error_tag: 'X', http_code: status }, { status });
  const answer = async ({ method, at, path, query, body, headers }: UpstreamCall): Promise<Response> => {
    const request = `${method} ${path}`;
    if (at === 'files') {
      const bytes = uploads.get(path);
      return bytes === undefined ? refuse(404, 'File not found') : new Response(bytes);
    }
    if (request === 'GET /user')
      return Response.json({ id: 'u1', full_name: 'Ana', email: 'ana@example.com', token: 'her-own-token' });
    if (request === 'GET /tasks') {
      const start = Number(query?.get('cursor') ?? 0);
      const end = start + Number(query?.get('limit'));
      return Response.json({
        results: TASKS.slice(start, end),
        next_cursor: end < TASKS.length ? String(end) : null,
      });
    }
    if (request === 'GET /tasks/filter')
      return refuse(400, `The search query is incorrect: ${query?.get('query')}`);
    if (request === 'GET /tasks/completed/by_completion_date')
      return Response.json({ items: [{ ...TASKS[0], checked: true }], next_cursor: null });
    if (request === 'POST /tasks/t1/close') return new Response(null, { status: 204 });
    if (request === 'POST /uploads') {
      const form = await new Response(body, { headers: { ...headers } }).formData();
      const file = form.get('file');
      if (!(file instanceof File)) return refuse(400, 'Required argument is missing: file');
      uploads.set('/f/1', new Uint8Array(await file.arrayBuffer()));
      return Response.json({
        file_url: 'https://files.todoist.com/f/1',
        file_name: form.get('file_name'),
        file_type: file.type,
        resource_type: 'file',
        upload_state: 'completed',
      });
    }
    if (request === 'POST /comments') {
      const { content, task_id, attachment } = JSON.parse(String(body));
      const made = { id: 'n1', content, item_id: task_id, file_attachment: attachment, is_deleted: false };
      comments.set('/comments/n1', made);
      return Response.json(made);
    }
    const comment = comments.get(path);
    if (method === 'GET' && comment !== undefined) return Response.json(comment);
    return refuse(404, 'Task not found');
  };
  return { answer, comments };
}

describe('tasks in Todoist', () => {
  const { answer: upstream } = createTodoist();
  const use = (name: string, args: object) => runAgainst(todoist, name, args, { upstream });

  it('are listed in pages, with what a reader needs', async () => {
    expect(await use('todoist_list_tasks', { limit: 2 })).toEqual({
      results: ['One', 'Two'].map((content, at) => ({ id: `t${at}`, content, priority: 4, checked: false })),
      next_cursor: '2',
    });
    expect(await use('todoist_list_tasks', { limit: 2, cursor: '2' })).toMatchObject({
      results: [{ content: 'Three' }],
      next_cursor: null,
    });
  });

  it('are listed in the same shape when they are completed', async () => {
    const args = { since: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' };
    expect(await use('todoist_list_completed_tasks', args)).toEqual({
      results: [{ id: 't0', content: 'One', priority: 4, checked: true }],
      next_cursor: null,
    });
  });

  it('are completed without an answer', async () => {
    expect(await use('todoist_complete_task', { taskId: 't1' })).toEqual({});
  });

  it("pass on Todoist's own errors", async () => {
    await expect(use('todoist_get_task', { taskId: 't9' })).rejects.toThrow('404: Task not found');
    await expect(use('todoist_filter_tasks', { query: '(' })).rejects.toThrow(
      '400: The search query is incorrect: (',
    );
  });
});

describe('a person in Todoist', () => {
  it('is shown without the token that Todoist sends with them', async () => {
    const { answer: upstream } = createTodoist();
    expect(await runAgainst(todoist, 'todoist_whoami', {}, { upstream })).toEqual({
      id: 'u1',
      full_name: 'Ana',
      email: 'ana@example.com',
    });
  });
});

describe('a comment in Todoist', () => {
  it('takes a kept file and hands it out as one', async () => {
    const { answer: upstream } = createTodoist();
    const files = createMemoryFiles();
    const { handle } = await files.save({ bytes: BYTES, name: 'a.bin', mimeType: 'application/x-a' });
    const args = { taskId: 't1', content: 'Look', file: `file:${handle}` };
    expect(await runAgainst(todoist, 'todoist_add_comment', args, { upstream, files })).toMatchObject({
      id: 'n1',
      item_id: 't1',
      file_attachment: { file_name: 'a.bin', file_type: 'application/x-a' },
    });
    const read = { commentId: 'n1' };
    expect(await runAgainst(todoist, 'todoist_read_attachment', read, { upstream, files })).toMatchObject({
      name: 'a.bin',
      mimeType: 'application/x-a',
      file: { bytes: 4 },
    });
  });

  it.each([
    [null, 'This comment has no file'],
    [
      { file_url: 'https://files.example/1' },
      'The file is not kept in Todoist but at https://files.example/1',
    ],
  ])('with the attachment %j is not read', async (file_attachment, message) => {
    const { answer: upstream, comments } = createTodoist();
    comments.set('/comments/n2', { id: 'n2', file_attachment });
    const read = runAgainst(todoist, 'todoist_read_attachment', { commentId: 'n2' }, { upstream });
    await expect(read).rejects.toThrow(message);
  });
});
