// Tests Asana: tool, arguments → expected request; Markdown as rich text and back; and pages, files and refusals
// against a fake Asana that is written from its documentation.
import { describe, expect, it } from 'vitest';
import { asana } from '../../integrations/asana/manifest.ts';
import { fromRichText, toComment, toNotes } from '../../integrations/asana/rich-text.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { type RequestRow, runAgainst, testRequests } from '../support/tool-requests.ts';

const LINE =
  'name,completed,due_on,due_at,assignee.name,memberships.project.name,memberships.section.name,num_subtasks,permalink_url';
const ALL = `${LINE},html_notes,resource_subtype,start_on,completed_at,created_at,modified_at,created_by.name,parent.name,tags.name,followers.name,dependencies.name,custom_fields.name,custom_fields.display_value`;
const PROJECT =
  'name,html_notes,archived,completed,color,owner.name,team.name,due_on,start_on,current_status_update.title,current_status_update.status_type,members.name,custom_field_settings.custom_field.name,custom_field_settings.custom_field.type,custom_field_settings.custom_field.enum_options.name,permalink_url';
const STORY = 'html_text,created_at,created_by.name,resource_subtype,type';

const rows: readonly RequestRow[] = [
  ['asana_whoami', {}, 'GET /users/me?opt_fields=name,email,workspaces.name'],
  [
    'asana_list_users',
    { workspace: '1', offset: 'o' },
    'GET /users?opt_fields=name,email&workspace=1&limit=50&offset=o',
  ],
  [
    'asana_find',
    { workspaceGid: '1', resourceType: 'tag', query: 'grö' },
    'GET /workspaces/1/typeahead?opt_fields=name&resource_type=tag&query=grö&count=20',
  ],
  [
    'asana_list_projects',
    { workspace: '1', archived: false, limit: 5 },
    'GET /projects?opt_fields=name,archived,owner.name,team.name,due_on,permalink_url&workspace=1&archived=false&limit=5',
  ],
  ['asana_get_project', { projectGid: '2' }, `GET /projects/2?opt_fields=${PROJECT}`],
  [
    'asana_create_project',
    {
      name: 'Plan',
      workspace: '1',
      team: '9',
      notes: '*now*',
      owner: 'me',
      dueOn: '2026-03-31',
      defaultView: 'board',
    },
    `POST /projects?opt_fields=${PROJECT} {"data":{"name":"Plan","workspace":"1","team":"9","html_notes":"<body><em>now</em></body>","owner":"me","due_on":"2026-03-31","default_view":"board"}}`,
  ],
  ['asana_list_sections', { projectGid: '2' }, 'GET /projects/2/sections?opt_fields=name&limit=50'],
  [
    'asana_create_section',
    { projectGid: '2', name: 'Done' },
    'POST /projects/2/sections {"data":{"name":"Done"}}',
  ],
  [
    'asana_list_tasks',
    { project: '2', completedSince: 'now', limit: 10, offset: 'o' },
    `GET /tasks?opt_fields=${LINE}&project=2&completed_since=now&limit=10&offset=o`,
  ],
  [
    'asana_list_tasks',
    { assignee: 'me', workspace: '1', modifiedSince: '2026-03-01T00:00:00Z' },
    `GET /tasks?opt_fields=${LINE}&assignee=me&workspace=1&modified_since=2026-03-01T00:00:00Z&limit=50`,
  ],
  [
    'asana_search_tasks',
    {
      workspaceGid: '1',
      text: 'größer',
      assigneeAny: 'me',
      projectsAny: '2,3',
      completed: false,
      dueOnBefore: '2026-04-01',
      sortBy: 'due_date',
      sortAscending: true,
    },
    `GET /workspaces/1/tasks/search?opt_fields=${LINE}&text=größer&assignee.any=me&projects.any=2,3&completed=false&due_on.before=2026-04-01&sort_by=due_date&sort_ascending=true`,
  ],
  ['asana_get_task', { taskGid: '3' }, `GET /tasks/3?opt_fields=${ALL}`],
  ['asana_list_subtasks', { taskGid: '3' }, `GET /tasks/3/subtasks?opt_fields=${LINE}&limit=50`],
  [
    'asana_create_task',
    {
      name: 'Ship',
      notes: '**Now**',
      projects: ['2'],
      assignee: 'ana@example.com',
      dueOn: '2026-03-31',
      followers: ['me'],
      tags: ['8'],
      resourceSubtype: 'milestone',
      customFields: { '5': 'x' },
    },
    `POST /tasks?opt_fields=${ALL} {"data":{"name":"Ship","html_notes":"<body><strong>Now</strong></body>","projects":["2"],"assignee":"ana@example.com","due_on":"2026-03-31","followers":["me"],"tags":["8"],"resource_subtype":"milestone","custom_fields":{"5":"x"}}}`,
  ],
  [
    'asana_update_task',
    { taskGid: '3', completed: true, assignee: null, dueOn: null },
    `PUT /tasks/3?opt_fields=${ALL} {"data":{"completed":true,"assignee":null,"due_on":null}}`,
  ],
  ['asana_delete_task', { taskGid: '3' }, 'DELETE /tasks/3'],
  [
    'asana_add_task_to_project',
    { taskGid: '3', project: '2', section: '4' },
    'POST /tasks/3/addProject {"data":{"project":"2","section":"4"}}',
  ],
  [
    'asana_list_comments',
    { taskGid: '3', withHistory: true },
    `GET /tasks/3/stories?opt_fields=${STORY}&limit=50`,
  ],
  [
    'asana_add_comment',
    { taskGid: '3', text: '# Done', isPinned: true },
    `POST /tasks/3/stories?opt_fields=${STORY} {"data":{"html_text":"<body><strong>Done</strong></body>","is_pinned":true}}`,
  ],
  [
    'asana_list_attachments',
    { parent: '3' },
    'GET /attachments?opt_fields=name,size,host,created_at,permanent_url&parent=3&limit=50',
  ],
  [
    'asana_read_attachment',
    { attachmentGid: '6' },
    ['GET /attachments/6?opt_fields=name,host,download_url,view_url', 'GET https://files.example/6'],
    [{ data: { name: 'a.txt', host: 'asana', download_url: 'https://files.example/6' } }, new Response('x')],
  ],
  [
    'asana_add_attachment',
    { taskGid: '3', filename: 'a.txt', content: 'x' },
    'POST /attachments?opt_fields=name,size,permanent_url',
  ],
];

describe('Asana', () => testRequests(asana, rows));

describe("Asana's rich text", () => {
  it.each([
    ['one\ntwo\n\nthree', 'one\ntwo\n\nthree'],
    ['a < b & "c"', 'a &lt; b &amp; &quot;c&quot;'],
    ['[site](https://a.example/?b=1&c=2)', '<a href="https://a.example/?b=1&amp;c=2">site</a>'],
    ['[nowhere](/path)', 'nowhere'],
    ['~~old~~ `code`', '<s>old</s> <code>code</code>'],
    ['- a\n- b\n  1. c', '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>'],
    ['> said', '<blockquote>said</blockquote>'],
    ['```js\nif (a < b)\n  c\n```', '<pre>if (a &lt; b)\n  c</pre>'],
    ['a\u0001b', 'ab'],
  ])('writes %j for notes and comments', (markdown, inside) => {
    expect(toNotes(markdown)).toBe(`<body>${inside}</body>`);
    expect(toComment(markdown)).toBe(`<body>${inside}</body>`);
  });

  it('has headings and rules in notes only', () => {
    expect(toNotes('# A\n### B\n---\nc')).toBe('<body><h1>A</h1><h2>B</h2><hr/>c</body>');
    expect(toComment('# A\n### B\n---\nc')).toBe('<body><strong>A</strong>\n<strong>B</strong>\n\nc</body>');
  });

  it('writes a table as lines', () => {
    expect(toNotes('| A | B |\n|---|---|\n| 1 | 2 |')).toBe('<body>A | B\n1 | 2</body>');
  });

  it.each([
    'one\ntwo\n\nthree',
    '# A\n\n**b** *c* ~~d~~ `e` [f](https://f.example)',
    '- a\n- b\n  1. c',
    '> said',
    'before\n\n```\nif (a < b)\n  c\n```\n\nafter',
    'a\n\n---\n\nb',
  ])('returns %j as it was written', (markdown) => {
    expect(fromRichText(toNotes(markdown))).toBe(markdown);
  });

  it('shows a mention as a link', () => {
    const mention = '<body>Ask <a href="https://app.asana.com/0/5/list" data-asana-gid="4">Tim</a></body>';
    expect(fromRichText(mention)).toBe('Ask [Tim](https://app.asana.com/0/5/list)');
  });
});

const STORIES = [
  { gid: '1', type: 'system', html_text: '<body>Ana completed this task</body>' },
  { gid: '2', type: 'comment', html_text: '<body>Well <strong>done</strong></body>' },
  { gid: '3', type: 'comment', html_text: '<body>Thanks</body>' },
];
const BYTES = new Uint8Array([0, 1, 2, 255]);

/** Answers as Asana does, and refuses everything that its documentation does not describe. */
async function answer({ method, path, query, body, headers }: UpstreamCall): Promise<Response> {
  const refuse = (status: number, message: string) =>
    Response.json({ errors: [{ message, help: 'For more information …' }] }, { status });
  if (path === '/tasks/3/stories' && method === 'GET') {
    const start = Number(query?.get('offset') ?? 0);
    const end = start + Number(query?.get('limit') ?? 0);
    const next = end < STORIES.length ? { offset: String(end), path: '/…', uri: 'https://…' } : null;
    return Response.json({ data: STORIES.slice(start, end), next_page: next });
  }
  if (path === '/tasks/3/stories' && method === 'POST') {
    const { data } = JSON.parse(String(body));
    if (typeof data?.html_text !== 'string') return refuse(400, 'html_text: Missing input');
    return Response.json({ data: { gid: '9', html_text: data.html_text } }, { status: 201 });
  }
  if (path === '/attachments/6' && method === 'GET')
    return Response.json({
      data: { gid: '6', name: 'a.bin', host: 'asana', download_url: 'https://s3.example/6' },
    });
  if (path === '/attachments/7' && method === 'GET')
    return Response.json({ data: { gid: '7', name: 'plan', host: 'gdrive', download_url: null } });
  if (path === '/attachments' && method === 'POST') {
    const form = await new Response(body, { headers: { ...headers } }).formData();
    const file = form.get('file');
    if (form.get('parent') !== '3' || !(file instanceof File)) return refuse(400, 'file: Missing input');
    return Response.json({ data: { gid: '8', name: file.name, size: file.size } });
  }
  return refuse(404, `task: Not a recognized ID: ${path}`);
}

const use = (name: string, args: object, files = createMemoryFiles()): Promise<unknown> =>
  runAgainst(asana, name, args, {
    files,
    upstream: answer,
    fetch: async (url) =>
      String(url) === 'https://s3.example/6'
        ? new Response(BYTES, { headers: { 'content-type': 'application/octet-stream' } })
        : new Response(null, { status: 404 }),
  });

describe('a task in Asana', () => {
  it('shows its comments in pages as Markdown, and its history when asked', async () => {
    const comments = { taskGid: '3', limit: 2 };
    expect(await use('asana_list_comments', comments)).toEqual({
      results: [{ gid: '2', type: 'comment', text: 'Well **done**' }],
      nextOffset: '2',
    });
    expect(await use('asana_list_comments', { ...comments, offset: '2' })).toEqual({
      results: [{ gid: '3', type: 'comment', text: 'Thanks' }],
    });
    expect(await use('asana_list_comments', { ...comments, withHistory: true })).toMatchObject({
      results: [{ gid: '1', text: 'Ana completed this task' }, { gid: '2' }],
    });
  });

  it('gets a comment in Markdown and returns it so', async () => {
    expect(await use('asana_add_comment', { taskGid: '3', text: 'See **this**' })).toEqual({
      gid: '9',
      text: 'See **this**',
    });
  });

  it('takes a file and hands it out as a kept file', async () => {
    const files = createMemoryFiles();
    const { handle } = await files.save({
      bytes: BYTES,
      name: 'a.bin',
      mimeType: 'application/octet-stream',
    });
    const args = { taskGid: '3', filename: 'b.bin', file: `file:${handle}` };
    expect(await use('asana_add_attachment', args, files)).toEqual({ gid: '8', name: 'b.bin', size: 4 });
    expect(await use('asana_read_attachment', { attachmentGid: '6' }, files)).toMatchObject({
      name: 'a.bin',
      file: { name: 'a.bin', bytes: 4 },
    });
  });

  it('says where a file is that another service keeps', async () => {
    await expect(use('asana_read_attachment', { attachmentGid: '7' })).rejects.toThrow(
      'plan is kept at gdrive, not in Asana',
    );
  });

  it("passes on Asana's own error", async () => {
    await expect(use('asana_get_task', { taskGid: '404' })).rejects.toThrow('404: ');
    await expect(use('asana_get_task', { taskGid: '404' })).rejects.toThrow('Not a recognized ID');
  });
});
