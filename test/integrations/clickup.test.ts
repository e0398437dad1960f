// Tests ClickUp: tool, arguments → expected request; Markdown as parts of a comment; and results, times, files and
// refusals against a fake ClickUp that is written from its documentation.
import { describe, expect, it } from 'vitest';
import { toCommentParts } from '../../integrations/clickup/comment-text.ts';
import { clickup } from '../../integrations/clickup/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { type RequestRow, runAgainst, testRequests } from '../support/tool-requests.ts';

const task = { taskId: 't1' };
const workspace = { workspaceId: '7' };
const NOON = Date.UTC(2026, 2, 31, 12);
const THREE = Date.UTC(2026, 2, 31, 15);
const plain = (text: string) => ({ text, attributes: {} });
const file = { id: 'a1', title: 'a.txt', url: 'https://files.example/1', mimetype: 'text/plain' };

const rows: readonly RequestRow[] = [
  ['clickup_whoami', {}, 'GET /v2/user'],
  ['clickup_list_workspaces', {}, 'GET /v2/team'],
  ['clickup_list_spaces', { ...workspace, archived: false }, 'GET /v2/team/7/space?archived=false'],
  ['clickup_list_lists', { spaceId: '8' }, ['GET /v2/space/8/folder', 'GET /v2/space/8/list']],
  ['clickup_get_list', { listId: '9' }, 'GET /v2/list/9'],
  ['clickup_list_custom_fields', { listId: '9' }, 'GET /v2/list/9/field'],
  [
    'clickup_create_list',
    { name: 'Plan', folderId: '5', markdownContent: '*now*' },
    'POST /v2/folder/5/list {"name":"Plan","markdown_content":"*now*"}',
  ],
  ['clickup_create_list', { name: 'Plan', spaceId: '8' }, 'POST /v2/space/8/list {"name":"Plan"}'],
  [
    'clickup_list_tasks',
    { listId: '9', statuses: ['to do'], assignees: [1, 2], includeClosed: true, orderBy: 'updated', page: 1 },
    'GET /v2/list/9/task?statuses[]=to do&assignees[]=1&assignees[]=2&include_closed=true&order_by=updated&page=1',
  ],
  [
    'clickup_search_tasks',
    { ...workspace, folderIds: ['5'], listIds: ['9'], tags: ['größer'], dueDateLt: '2026-03-31T15:00:00Z' },
    `GET /v2/team/7/task?project_ids[]=5&list_ids[]=9&tags[]=größer&due_date_lt=${THREE}&page=0`,
  ],
  ['clickup_get_task', task, 'GET /v2/task/t1?include_markdown_description=true&include_subtasks=true'],
  [
    'clickup_create_task',
    {
      listId: '9',
      name: 'Ship',
      markdownContent: '**now**',
      priority: 1,
      dueDate: '2026-03-31T15:00:00Z',
      startDate: '2026-03-31',
      assignees: [1],
      tags: ['a'],
      customFields: [{ id: 'f1', value: 5 }],
    },
    `POST /v2/list/9/task {"name":"Ship","markdown_content":"**now**","priority":1,"assignees":[1],"tags":["a"],"custom_fields":[{"id":"f1","value":5}],"due_date":${THREE},"due_date_time":true,"start_date":${NOON},"start_date_time":false}`,
  ],
  [
    'clickup_update_task',
    { ...task, status: 'done', addAssignees: [1], removeAssignees: [2] },
    'PUT /v2/task/t1 {"status":"done","assignees":{"add":[1],"rem":[2]}}',
  ],
  ['clickup_delete_task', task, 'DELETE /v2/task/t1'],
  [
    'clickup_set_custom_field',
    { ...task, fieldId: 'f1', value: true },
    'POST /v2/task/t1/field/f1 {"value":true}',
  ],
  [
    'clickup_list_comments',
    { ...task, start: '2026-03-31T15:00:00.000Z', startId: 'c9' },
    `GET /v2/task/t1/comment?start=${THREE}&start_id=c9`,
  ],
  [
    'clickup_add_comment',
    { ...task, text: 'Hi', assignee: 3 },
    'POST /v2/task/t1/comment {"comment":[{"text":"Hi","attributes":{}}],"assignee":3,"notify_all":false}',
  ],
  ['clickup_list_replies', { commentId: 'c1' }, 'GET /v2/comment/c1/reply'],
  [
    'clickup_reply_to_comment',
    { commentId: 'c1', text: 'Yes', notifyAll: true },
    'POST /v2/comment/c1/reply {"comment":[{"text":"Yes","attributes":{}}],"notify_all":true}',
  ],
  [
    'clickup_read_attachment',
    { ...task, attachmentId: 'a1' },
    ['GET /v2/task/t1', 'GET https://files.example/1'],
    [{ attachments: [file] }, new Response('x')],
  ],
  ['clickup_add_attachment', { ...task, filename: 'a.txt', content: 'x' }, 'POST /v2/task/t1/attachment'],
  [
    'clickup_list_time_entries',
    { ...workspace, startDate: '2026-03-31', taskId: 't1' },
    `GET /v2/team/7/time_entries?start_date=${NOON}&task_id=t1`,
  ],
  [
    'clickup_create_time_entry',
    { ...workspace, start: '2026-03-31T15:00:00Z', duration: 60000, taskId: 't1', billable: true },
    `POST /v2/team/7/time_entries {"start":${THREE},"duration":60000,"tid":"t1","billable":true}`,
  ],
  [
    'clickup_start_timer',
    { ...workspace, taskId: 't1', description: 'Plan' },
    'POST /v2/team/7/time_entries/start {"tid":"t1","description":"Plan"}',
  ],
  ['clickup_stop_timer', workspace, 'POST /v2/team/7/time_entries/stop {}'],
];

describe('ClickUp', () => testRequests(clickup, rows));

describe('a comment in ClickUp', () => {
  const code = { text: '\n', attributes: { 'code-block': { 'code-block': 'plain' } } };
  const item = (list: string) => ({ text: '\n', attributes: { list: { list } } });
  it.each<[string, object[]]>([
    ['one\ntwo', [plain('one'), plain('\n'), plain('two')]],
    ['one\n\ntwo', [plain('one'), plain('\n'), plain('two')]],
    [
      'a **b** *c* `d` ~~e~~',
      [
        plain('a '),
        { text: 'b', attributes: { bold: true } },
        plain(' '),
        { text: 'c', attributes: { italic: true } },
        plain(' '),
        { text: 'd', attributes: { code: true } },
        plain(' '),
        plain('e'),
      ],
    ],
    ['# A\nb', [{ text: 'A', attributes: { bold: true } }, plain('\n'), plain('b')]],
    ['- a\n- b', [plain('a'), item('bullet'), plain('b'), item('bullet')]],
    ['1. a\n   - b', [plain('a'), item('ordered'), plain('b'), item('bullet')]],
    ['```\na\n\nb\n```', [plain('a'), code, code, plain('b'), code]],
    ['> said', [plain('> '), plain('said')]],
    [
      '[site](https://a.example) https://b.example',
      [plain('site (https://a.example)'), plain(' '), plain('https://b.example')],
    ],
  ])('has for %j the right parts', (markdown, parts) => {
    expect(toCommentParts(markdown)).toEqual(parts);
  });
});

const BYTES = new Uint8Array([0, 1, 2, 255]);
const PERSON = { id: 1, username: 'Ana', initials: 'A', color: '#000', profilePicture: null };
const TASK = {
  id: 't1',
  name: 'Ship',
  status: { status: 'to do', color: '#000', orderindex: 0 },
  date_updated: String(THREE),
  due_date: null,
  assignees: [PERSON],
  watchers: [PERSON],
  markdown_description: '**now**',
  custom_fields: [
    { id: 'f1', name: 'Size', type: 'number', type_config: { precision: 0 }, value: '5' },
    { id: 'f2', name: 'Other', type: 'text', type_config: {} },
  ],
};

/** Answers as ClickUp does, and refuses everything that its documentation does not describe. */
function createClickup() {
  const attachments: object[] = [];
  const answer = async ({ method, path, query, body, headers }: UpstreamCall): Promise<Response> => {
    const request = `${method} ${path}`;
    if (request === 'GET /v2/list/9/task') {
      const isLast = query?.get('page') === '1';
      return Response.json({ tasks: isLast ? [] : [TASK], last_page: isLast });
    }
    if (request === 'GET /v2/task/t1') return Response.json({ ...TASK, attachments });
    if (request === 'POST /v2/task/t1/attachment') {
      const form = await new Response(body, { headers: { ...headers } }).formData();
      const file = form.get('attachment');
      if (!(file instanceof File))
        return Response.json({ err: 'No file', ECODE: 'UPLOAD_002' }, { status: 400 });
      attachments.push({ id: 'a1', title: file.name, url: 'https://files.example/1', mimetype: file.type });
      return Response.json({ id: 'a1', title: file.name, date: THREE });
    }
    if (request === 'GET /v2/space/8/folder')
      return Response.json({ folders: [{ id: '5', name: 'Work', lists: [{ id: '9', name: 'Plan' }] }] });
    if (request === 'GET /v2/space/8/list') return Response.json({ lists: [{ id: '10', name: 'Loose' }] });
    return Response.json({ err: 'Task not found, deleted', ECODE: 'ITEM_013' }, { status: 404 });
  };
  return { answer };
}

describe('a task in ClickUp', () => {
  const { answer: upstream } = createClickup();
  const files = createMemoryFiles();
  const use = (name: string, args: object) =>
    runAgainst(clickup, name, args, { upstream, files, fetch: async () => new Response(BYTES) });

  it('is one line of a page, with its times readable', async () => {
    expect(await use('clickup_list_tasks', { listId: '9' })).toEqual({
      tasks: [
        {
          id: 't1',
          name: 'Ship',
          status: { status: 'to do' },
          date_updated: '2026-03-31T15:00:00.000Z',
          assignees: [{ id: 1, username: 'Ana' }],
        },
      ],
      last_page: false,
    });
    expect(await use('clickup_list_tasks', { listId: '9', page: 1 })).toEqual({ tasks: [], last_page: true });
  });

  it('shows the custom fields that have a value', async () => {
    expect(await use('clickup_get_task', task)).toMatchObject({
      markdown_description: '**now**',
      custom_fields: [{ id: 'f1', name: 'Size', type: 'number', value: '5' }],
    });
  });

  it('takes a kept file and hands it out as one', async () => {
    const { handle } = await files.save({ bytes: BYTES, name: 'a.bin', mimeType: 'application/x-a' });
    const args = { ...task, filename: 'b.bin', file: `file:${handle}` };
    expect(await use('clickup_add_attachment', args)).toMatchObject({ date: '2026-03-31T15:00:00.000Z' });
    expect(await use('clickup_read_attachment', { ...task, attachmentId: 'a1' })).toMatchObject({
      name: 'b.bin',
      mimeType: 'application/x-a',
      file: { bytes: 4 },
    });
    await expect(use('clickup_read_attachment', { ...task, attachmentId: 'a9' })).rejects.toThrow(
      'The task has no attachment "a9"',
    );
  });

  it('is in a list that has a folder or none', async () => {
    expect(await use('clickup_list_lists', { spaceId: '8' })).toEqual({
      folders: [{ id: '5', name: 'Work', lists: [{ id: '9', name: 'Plan' }] }],
      lists: [{ id: '10', name: 'Loose' }],
    });
  });

  it.each([
    ['clickup_create_list', { name: 'Plan' }, 'Give a folderId or a spaceId'],
    ['clickup_create_list', { name: 'Plan', folderId: '5', spaceId: '8' }, 'Give a folderId or a spaceId'],
    [
      'clickup_create_task',
      { listId: '9', name: 'x', dueDate: 'soon' },
      'dueDate: is neither a day nor a time',
    ],
    ['clickup_get_task', { taskId: 't9' }, '404: Task not found, deleted'],
  ])('is refused by %s for the arguments %j', async (name, args, message) => {
    await expect(use(name, args)).rejects.toThrow(message);
  });
});
