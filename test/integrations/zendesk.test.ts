// Tests Zendesk: tool, arguments → expected requests; and tickets as a model reads them, against a fake that knows only
// the documented requests.
import { describe, expect, it, onTestFinished } from 'vitest';
import { zendesk } from '../../integrations/zendesk/manifest.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const ticket = { ticket: { id: 35 } };
const user = { user: { id: 7 } };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452ff0d0a', 'hex');
const HANDLE = `f-0-0-${'0'.repeat(32)}`;

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /users/me', [user]],
  [
    'search',
    { query: 'type:ticket status<solved "größe"', sortBy: 'updated_at', sortOrder: 'asc', page: 2 },
    'GET /search?query=type:ticket status<solved "größe"&sort_by=updated_at&sort_order=asc&page=2&per_page=25',
    [{ results: [] }],
  ],
  ['get_ticket', { ticketId: 35 }, 'GET /tickets/35?include=users', [ticket]],
  [
    'list_comments',
    { ticketId: 35, after: 'c==' },
    'GET /tickets/35/comments?include=users?page[size]=25&page[after]=c==',
    [{ comments: [] }],
  ],
  [
    'read_attachment',
    { attachmentId: 9 },
    ['GET /attachments/9', 'GET https://acme.zendesk.com/attachments/token/x/?name=a.txt'],
    [
      {
        attachment: {
          file_name: 'a.txt',
          content_type: 'text/plain',
          content_url: 'https://acme.zendesk.com/attachments/token/x/?name=a.txt',
        },
      },
      new Response('größe'),
    ],
  ],
  ['list_views', {}, 'GET /views?active=true?page[size]=25', [{ views: [] }]],
  ['list_view_tickets', { viewId: 5, pageSize: 1 }, 'GET /views/5/tickets?page[size]=1', [{ tickets: [] }]],
  ['list_macros', { after: 'c' }, 'GET /macros?active=true?page[size]=25&page[after]=c', [{ macros: [] }]],
  [
    'preview_macro',
    { ticketId: 35, macroId: 4 },
    'GET /tickets/35/macros/4/apply',
    [{ result: { ticket: {} } }],
  ],
  [
    'create_ticket',
    {
      subject: 'Größe',
      body: '**a** < b',
      requesterEmail: 'ana@example.com',
      requesterName: 'Ana',
      priority: 'high',
      tags: ['vip'],
      assigneeId: 3,
      customFields: [{ id: 1, value: 'x' }],
    },
    'POST /tickets {"ticket":{"subject":"Größe","comment":{"html_body":"<p><strong>a</strong> &lt; b</p>","public":true},"requester":{"email":"ana@example.com","name":"Ana"},"priority":"high","tags":["vip"],"assignee_id":3,"custom_fields":[{"id":1,"value":"x"}]}}',
    [ticket],
  ],
  [
    'create_ticket',
    { subject: 's', body: 'b', public: false, files: [`file:${HANDLE}`] },
    [
      'POST /uploads?filename=größe.png',
      'POST /tickets {"ticket":{"subject":"s","comment":{"html_body":"<p>b</p>","public":false,"uploads":["t1"]}}}',
    ],
    [{ upload: { token: 't1' } }, ticket],
  ],
  [
    'update_ticket',
    { ticketId: 35, status: 'solved', groupId: 2 },
    'PUT /tickets/35 {"ticket":{"status":"solved","group_id":2}}',
    [ticket],
  ],
  [
    'add_comment',
    { ticketId: 35, body: '- a\n- b', public: false, status: 'pending' },
    'PUT /tickets/35 {"ticket":{"comment":{"html_body":"<ul><li>a</li><li>b</li></ul>","public":false},"status":"pending"}}',
    [ticket],
  ],
  [
    'search_users',
    { query: 'ana', perPage: 1 },
    'GET /users/search?query=ana&page=1&per_page=1',
    [{ users: [] }],
  ],
  ['get_user', { userId: 7 }, 'GET /users/7', [user]],
  [
    'create_user',
    { name: 'Ana Müller', email: 'ana@example.com', organizationId: 2 },
    'POST /users {"user":{"name":"Ana Müller","email":"ana@example.com","role":"end-user","organization_id":2}}',
    [user],
  ],
  [
    'search_organizations',
    { name: 'Grö' },
    'GET /organizations/autocomplete?name=Grö&page=1&per_page=25',
    [{ organizations: [] }],
  ],
  ['list_groups', {}, 'GET /groups?page[size]=25', [{ groups: [] }]],
];

describe('zendesk', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, requests, answers] = row;
    const files = createMemoryFiles();
    await files.save({ bytes: new Uint8Array(PNG), name: 'größe.png', mimeType: 'image/png' });
    expect(await sent(zendesk, `zendesk_${name}`, args, answers, files)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `zendesk_${name}`));
    expect(names).toEqual(new Set(zendesk.tools.map(({ name }) => name)));
  });
});

const ORIGIN = 'https://acme.zendesk.com';
const ANA = { id: 7, name: 'Ana', email: 'ana@example.com', role: 'agent', photo: null, active: true };
const TICKET = {
  id: 35,
  url: `${ORIGIN}/api/v2/tickets/35.json`,
  subject: 'Größe',
  raw_subject: 'Größe',
  description: 'It is too small',
  status: 'open',
  priority: null,
  requester_id: 7,
  assignee_id: null,
  tags: [],
  custom_fields: [
    { id: 1, value: null },
    { id: 2, value: 'refund' },
  ],
};
const ANSWERS: Record<string, unknown> = {
  'GET /api/v2/users/me': { user: ANA },
  'GET /api/v2/tickets/35?include=users': { ticket: TICKET, users: [ANA] },
  'GET /api/v2/tickets/35/comments?include=users&page[size]=25': {
    comments: [
      {
        id: 1,
        type: 'Comment',
        author_id: 7,
        public: true,
        created_at: '2026-03-01T09:00:00Z',
        body: 'a b',
        html_body: '<div class="zd-comment" dir="auto"><p>a <strong>b</strong></p><pre>c\n d</pre></div>',
        attachments: [{ id: 9, file_name: 'a.png', content_type: 'image/png', size: 20, thumbnails: [] }],
      },
    ],
    users: [ANA],
    meta: { has_more: true, after_cursor: 'c==' },
    links: { next: 'x' },
  },
  'GET /api/v2/search?query=größe&page=1&per_page=25': {
    results: [
      { ...TICKET, result_type: 'ticket' },
      { ...ANA, result_type: 'user' },
      { id: 2, name: 'Acme', domain_names: [], result_type: 'organization' },
    ],
    count: 30,
    next_page: `${ORIGIN}/api/v2/search.json?page=2`,
  },
  'GET /api/v2/tickets/35/macros/4/apply': {
    result: {
      ticket: { id: 35, status: 'solved', fields: [], comment: { html_body: '<p>Done</p>', public: true } },
    },
  },
};

/** Connects to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Person> {
  const expected = `Basic ${Buffer.from('ana@example.com/token:t-ana').toString('base64')}`;
  const server = await startHttpServer((request, response) => {
    const known = ANSWERS[decodeURIComponent(`${request.method} ${request.url}`)];
    const status = request.headers.authorization === expected ? (known === undefined ? 404 : 200) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    const refusal = { error: 'RecordNotFound', description: 'Not found' };
    response.end(JSON.stringify(status === 200 ? known : refusal));
  });
  const app = await createTestApp({ env: { UPSTREAM_MAP: `${ORIGIN}=http://127.0.0.1:${server.port}` } });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const values = { email: 'ana@example.com', token: 't-ana', instanceUrl: ORIGIN };
  const connected = await person.post('/api/auth/apikey/zendesk', { values });
  expect(connected).toMatchObject({ status: 200, body: { account: { id: '7', label: 'ana@example.com' } } });
  return person;
}

describe('a connection to Zendesk', () => {
  it('shows a ticket with the names of its people and without empty fields', async () => {
    const person = await connect();
    expect(await person.run('zendesk_get_ticket', { ticketId: 35 })).toEqual({
      id: 35,
      subject: 'Größe',
      status: 'open',
      requester_id: 7,
      description: 'It is too small',
      requester: 'Ana',
      custom_fields: [{ id: 2, value: 'refund' }],
    });
  });

  it('shows comments in Markdown, and the cursor of the next page', async () => {
    const person = await connect();
    expect(await person.run('zendesk_list_comments', { ticketId: 35 })).toEqual({
      comments: [
        {
          id: 1,
          public: true,
          created_at: '2026-03-01T09:00:00Z',
          author: 'Ana',
          body: 'a **b**\n\n```\nc\n d\n```',
          attachments: [{ id: 9, file_name: 'a.png', content_type: 'image/png', size: 20 }],
        },
      ],
      after: 'c==',
    });
    expect(await person.run('zendesk_preview_macro', { ticketId: 35, macroId: 4 })).toEqual({
      id: 35,
      status: 'solved',
      comment: { body: 'Done', public: true },
    });
  });

  it('shows what a search finds by its kind, and that there is more', async () => {
    const person = await connect();
    expect(await person.run('zendesk_search', { query: 'größe' })).toEqual({
      count: 30,
      results: [
        { id: 35, subject: 'Größe', status: 'open', requester_id: 7, result_type: 'ticket' },
        { id: 7, name: 'Ana', email: 'ana@example.com', role: 'agent', active: true, result_type: 'user' },
        { id: 2, name: 'Acme', result_type: 'organization' },
      ],
      hasMore: true,
    });
  });

  it("passes on Zendesk's message", async () => {
    const person = await connect();
    await expect(person.run('zendesk_get_user', { userId: 8 })).rejects.toThrow('404: RecordNotFound');
  });
});
