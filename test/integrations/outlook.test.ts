// Tests Outlook: tool, arguments → expected requests; then mail from the sign-in on, against a fake after the docs of Microsoft Graph.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outlook } from '../../integrations/outlook/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { type ApiCall } from '../support/fake-oauth-api.ts';
import { type FakeGraph, keepFile, refuse, startGraph } from '../support/fake-graph.ts';
import { downloadFile, fileIn } from '../support/files.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const SHOWN =
  'id,conversationId,subject,from,toRecipients,receivedDateTime,isRead,isDraft,importance,flag,categories,hasAttachments,bodyPreview,webLink';
const NEWEST = '$orderby=receivedDateTime desc';
const body = (html: string) => `"body":{"contentType":"html","content":"<p>${html}</p>"}`;
const person = (address: string, name?: string) =>
  JSON.stringify({ emailAddress: { address, ...(name === undefined ? {} : { name }) } });
const draft = {
  id: 'd1',
  body: { contentType: 'html', content: '<html><body dir="ltr"><hr>old</body></html>' },
};

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /me?$select=id,displayName,mail,userPrincipalName,jobTitle'],
  [
    'list_messages',
    {},
    `GET /me/mailFolders/inbox/messages?${NEWEST}&$top=20&$select=${SHOWN}`,
    [{ value: [] }],
  ],
  [
    'list_messages',
    { folder: 'all', unread: true, from: "o'neil@x.org", hasAttachments: true, pageSize: 5 },
    `GET /me/messages?$filter=receivedDateTime ge 1970-01-01T00:00:00Z and isRead eq false and hasAttachments eq true and from/emailAddress/address eq 'o''neil@x.org'&${NEWEST}&$top=5&$select=${SHOWN}`,
    [{ value: [] }],
  ],
  [
    'list_messages',
    { since: '2026-03-01T00:00:00+01:00', before: '2026-04-01T00:00:00Z' },
    `GET /me/mailFolders/inbox/messages?$filter=receivedDateTime ge 2026-03-01T00:00:00+01:00 and receivedDateTime lt 2026-04-01T00:00:00Z&${NEWEST}&$top=20&$select=${SHOWN}`,
    [{ value: [] }],
  ],
  ['list_messages', { page: '%24skip=20' }, 'GET /me/mailFolders/inbox/messages?$skip=20', [{ value: [] }]],
  [
    'search_messages',
    { query: 'subject:"Größe"' },
    `GET /me/messages?$search="subject:\\"Größe\\""&$top=20&$select=${SHOWN}`,
    [{ value: [] }],
  ],
  [
    'get_message',
    { id: 'm/1=' },
    `GET /me/messages/m%2F1%3D?$select=${SHOWN.replace(',bodyPreview', '')},sender,ccRecipients,bccRecipients,replyTo,sentDateTime,parentFolderId,body&$expand=attachments($select=id,name,contentType,size,isInline)`,
    [{ id: 'm' }],
  ],
  [
    'get_conversation',
    { conversationId: "c'1" },
    `GET /me/messages?$filter=conversationId eq 'c''1'&$top=20&$select=${SHOWN.replace(',bodyPreview', '')},sender,ccRecipients,bccRecipients,replyTo,sentDateTime,parentFolderId,uniqueBody`,
    [{ value: [] }],
  ],
  [
    'get_attachment',
    { messageId: 'm', attachmentId: 'a' },
    [
      'GET /me/messages/m/attachments/a?$select=id,name,contentType,size',
      'GET /me/messages/m/attachments/a/$value',
    ],
    [{ '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.txt' }, new Response('ü')],
  ],
  [
    'send_message',
    { to: ['Bob <bob@x.org>'], subject: 'Größe', body: '**ü**', cc: ['c@x.org'], importance: 'high' },
    `POST /me/sendMail {"message":{"subject":"Größe","importance":"high",${body('<b>ü</b>')},"toRecipients":[${person('bob@x.org', 'Bob')}],"ccRecipients":[${person('c@x.org')}]}}`,
  ],
  [
    'send_message',
    { to: ['b@x.org'], subject: 's', body: 'b', attachments: [{ name: 'a.txt', content: 'ü' }] },
    `POST /me/sendMail {"message":{"subject":"s",${body('b')},"toRecipients":[${person('b@x.org')}],"attachments":[{"@odata.type":"#microsoft.graph.fileAttachment","name":"a.txt","contentType":"application/octet-stream","contentBytes":"w7w="}]}}`,
  ],
  [
    'create_draft',
    {
      to: ['b@x.org'],
      subject: 's',
      body: 'b',
      attachments: [{ name: 'a.pdf', contentType: 'application/pdf', content: 'x' }],
    },
    [
      `POST /me/messages {"subject":"s",${body('b')},"toRecipients":[${person('b@x.org')}]}`,
      'POST /me/messages/d1/attachments {"@odata.type":"#microsoft.graph.fileAttachment","name":"a.pdf","contentType":"application/pdf","contentBytes":"eA=="}',
    ],
    [draft],
  ],
  [
    'reply',
    { id: 'm', body: 'Yes, **fine**' },
    [
      'POST /me/messages/m/createReply {}',
      'PATCH /me/messages/d1 {"body":{"contentType":"html","content":"<html><body dir=\\"ltr\\"><p>Yes, <b>fine</b></p>\\n<hr>old</body></html>"}}',
      'POST /me/messages/d1/send {}',
    ],
    [draft],
  ],
  [
    'reply',
    { id: 'm', body: 'b', all: true, cc: ['new@x.org'], draft: true },
    [
      'POST /me/messages/m/createReplyAll {}',
      `PATCH /me/messages/d1 {"body":{"contentType":"text","content":"b\\n\\nold"},"ccRecipients":[${person('kept@x.org')},${person('new@x.org')}]}`,
    ],
    [
      {
        id: 'd1',
        body: { contentType: 'text', content: 'old' },
        ccRecipients: [JSON.parse(person('kept@x.org'))],
      },
      { id: 'd1' },
    ],
  ],
  [
    'forward',
    { id: 'm', to: ['b@x.org'], body: 'FYI' },
    [
      `POST /me/messages/m/createForward {"toRecipients":[${person('b@x.org')}]}`,
      'PATCH /me/messages/d1 {"body":{"contentType":"html","content":"<html><body dir=\\"ltr\\"><p>FYI</p>\\n<hr>old</body></html>"}}',
      'POST /me/messages/d1/send {}',
    ],
    [draft],
  ],
  ['send_draft', { id: 'd1' }, 'POST /me/messages/d1/send {}'],
  [
    'update_message',
    { id: 'm', isRead: true, flag: 'flagged', categories: ['Rot'], importance: 'low' },
    'PATCH /me/messages/m {"isRead":true,"categories":["Rot"],"importance":"low","flag":{"flagStatus":"flagged"}}',
    [{ id: 'm' }],
  ],
  [
    'move_message',
    { id: 'm', destinationId: 'archive' },
    'POST /me/messages/m/move {"destinationId":"archive"}',
    [{ id: 'm' }],
  ],
  ['delete_message', { id: 'm' }, 'DELETE /me/messages/m'],
  [
    'list_folders',
    {},
    'GET /me/mailFolders?$top=20&$select=id,displayName,childFolderCount,unreadItemCount,totalItemCount',
    [{ value: [] }],
  ],
  [
    'list_folders',
    { parentId: 'inbox', pageSize: 3 },
    'GET /me/mailFolders/inbox/childFolders?$top=3&$select=id,displayName,childFolderCount,unreadItemCount,totalItemCount',
    [{ value: [] }],
  ],
  ['create_folder', { displayName: 'Büro' }, 'POST /me/mailFolders {"displayName":"Büro"}'],
  [
    'create_folder',
    { displayName: 'Büro', parentId: 'inbox' },
    'POST /me/mailFolders/inbox/childFolders {"displayName":"Büro"}',
  ],
];

describe('the requests of Outlook', () => {
  it.each(rows.map(([name, args, requests, answers]) => ({ name, args, requests, answers })))(
    'outlook_$name $args',
    async ({ name, args, requests, answers }) => {
      expect(await sent(outlook, `outlook_${name}`, args, answers)).toEqual([requests].flat());
    },
  );

  it('names every tool', () => {
    const named = new Set(rows.map(([name]) => `outlook_${name}`));
    expect(outlook.tools.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it('asks for a time with a zone, so that a filter holds nothing else', async () => {
    await expect(
      sent(outlook, 'outlook_list_messages', { since: "2026-01-01T00:00:00Z or subject eq 'x'" }),
    ).rejects.toThrow('since');
  });
});

const ANA = { emailAddress: { name: 'Ana', address: 'ana@x.org' } };
const BOB = { emailAddress: { name: 'bob@x.org', address: 'bob@x.org' } };
const MAIL = {
  '@odata.etag': 'W/"1"',
  id: 'm1',
  conversationId: 'c1',
  subject: 'Größe',
  from: ANA,
  toRecipients: [BOB],
  ccRecipients: [],
  receivedDateTime: '2026-03-02T09:00:00Z',
  isRead: false,
  isDraft: false,
  importance: 'normal',
  flag: { flagStatus: 'notFlagged' },
  categories: [],
  hasAttachments: true,
  webLink: 'https://outlook.office365.com/owa/?ItemID=m1',
};
const SHOWN_MAIL = {
  id: 'm1',
  conversationId: 'c1',
  subject: 'Größe',
  from: 'Ana <ana@x.org>',
  to: ['bob@x.org'],
  receivedDateTime: '2026-03-02T09:00:00Z',
  isRead: false,
  hasAttachments: true,
  webLink: 'https://outlook.office365.com/owa/?ItemID=m1',
};

describe('mail at Outlook', () => {
  let graph: FakeGraph;
  let pieces: HttpServer;
  let received: { range: string; authorization: string | undefined; bytes: Buffer }[] = [];

  beforeAll(async () => {
    pieces = await startHttpServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { 'content-range': range = '', authorization } = request.headers;
        received.push({ range, authorization, bytes: Buffer.concat(parts) });
        const [, end, total] = /-(\d+)\/(\d+)$/.exec(range) ?? [];
        response.writeHead(Number(end) + 1 === Number(total) ? 201 : 200, {
          'content-type': 'application/json',
        });
        response.end('{}');
      });
    });
    const map = `https://outlook.office.com=http://127.0.0.1:${pieces.port}`;
    graph = await startGraph('outlook', answer, map);
  });
  afterAll(async () => {
    await graph?.close();
    await pieces?.close();
  });
  beforeEach(() => {
    received = [];
    graph.calls.length = 0;
  });

  function answer({ method, path, query, headers }: ApiCall): Response {
    // Ids stay the same only with this preference.
    if (path !== '/me' && headers.get('prefer') !== 'IdType="ImmutableId"')
      return refuse(400, 'no preference');
    switch (`${method} ${path}`) {
      case 'GET /me/mailFolders/inbox/messages': {
        const skip = Number(query['$skip'] ?? 0);
        const next = `https://graph.microsoft.com/v1.0/me/mailFolders/inbox/messages?%24top=1&%24skip=1`;
        return Response.json({
          value: [{ ...MAIL, id: `m${skip + 1}`, bodyPreview: 'Hi' }],
          ...(skip === 0 ? { '@odata.nextLink': next } : {}),
        });
      }
      case 'GET /me/messages/m1':
        return Response.json({
          ...MAIL,
          ccRecipients: [ANA],
          importance: 'high',
          flag: { flagStatus: 'flagged' },
          body: {
            contentType: 'html',
            content: '<html><body><p>Hello <b>Bob</b>,<br>fine.</p></body></html>',
          },
          attachments: [
            {
              '@odata.type': '#microsoft.graph.fileAttachment',
              id: 'a1',
              name: 'plan.pdf',
              contentType: 'application/pdf',
              size: 4,
              isInline: false,
            },
          ],
        });
      case 'GET /me/messages':
        return Response.json({
          value: [
            {
              ...MAIL,
              id: 'm2',
              receivedDateTime: '2026-03-03T09:00:00Z',
              uniqueBody: { contentType: 'html', content: 'late' },
            },
            { ...MAIL, uniqueBody: { contentType: 'html', content: 'early' } },
          ],
        });
      case 'GET /me/messages/m1/attachments/a1':
        return Response.json({
          '@odata.type': '#microsoft.graph.fileAttachment',
          id: 'a1',
          name: 'plan.pdf',
          contentType: 'application/pdf',
          size: 4,
        });
      case 'GET /me/messages/m1/attachments/a1/$value':
        return new Response(Buffer.from('%PDF\0'), { headers: { 'content-type': 'application/pdf' } });
      case 'GET /me/messages/m1/attachments/a2':
        return Response.json({
          '@odata.type': '#microsoft.graph.itemAttachment',
          id: 'a2',
          name: 'Fwd',
          contentType: null,
          size: 4,
        });
      case 'GET /me/messages/m1/attachments/a2/$value':
        return new Response('Subject: x\r\n\r\ny', { headers: { 'content-type': 'text/plain' } });
      case 'GET /me/messages/m1/attachments/a3':
        return Response.json({
          '@odata.type': '#microsoft.graph.referenceAttachment',
          id: 'a3',
          name: 'Plan.docx',
        });
      case 'POST /me/sendMail':
        return new Response(null, { status: 202 });
      case 'POST /me/messages':
        return Response.json({ ...MAIL, id: 'd1', isDraft: true }, { status: 201 });
      case 'POST /me/messages/d1/attachments':
        return Response.json({ id: 'x' }, { status: 201 });
      case 'POST /me/messages/d1/attachments/createUploadSession':
        return Response.json(
          { uploadUrl: 'https://outlook.office.com/api/Session?authtoken=t' },
          { status: 201 },
        );
      case 'POST /me/messages/d1/send':
        return new Response(null, { status: 202 });
      case 'DELETE /me/messages/m1':
        return new Response(null, { status: 204 });
      default:
        return refuse(404, `no ${method} ${path}`);
    }
  }

  it('lists messages without what is empty, and goes on to the next page', async () => {
    const first = await graph.ana.run('outlook_list_messages', { pageSize: 1 });
    expect(first).toEqual({
      items: [{ ...SHOWN_MAIL, preview: 'Hi' }],
      nextPage: '%24top=1&%24skip=1',
    });
    const second = await graph.ana.run('outlook_list_messages', { page: Object(first).nextPage });
    expect(second).toEqual({ items: [{ ...SHOWN_MAIL, id: 'm2', preview: 'Hi' }] });
  });

  it('reads a message as Markdown with its attachments', async () => {
    expect(await graph.ana.run('outlook_get_message', { id: 'm1' })).toEqual({
      ...SHOWN_MAIL,
      cc: ['Ana <ana@x.org>'],
      importance: 'high',
      flag: 'flagged',
      text: 'Hello Bob,\nfine.',
      attachments: [{ id: 'a1', name: 'plan.pdf', contentType: 'application/pdf', size: 4, isInline: false }],
    });
  });

  it('reads a conversation in the order in which it was written', async () => {
    const { items } = Object(await graph.ana.run('outlook_get_conversation', { conversationId: 'c1' }));
    expect(items.map(({ id, text }: Record<string, string>) => [id, text])).toEqual([
      ['m1', 'early'],
      ['m2', 'late'],
    ]);
  });

  it('keeps an attachment as a file, an attached mail too, and names the way to one in the cloud', async () => {
    const read = await graph.ana.run('outlook_get_attachment', { messageId: 'm1', attachmentId: 'a1' });
    expect(fileIn(read)).toMatchObject({ name: 'plan.pdf', mimeType: 'application/pdf', bytes: 5 });
    expect((await downloadFile(graph.app, read)).toString()).toBe('%PDF\0');
    expect(
      await graph.ana.run('outlook_get_attachment', { messageId: 'm1', attachmentId: 'a2' }),
    ).toMatchObject({
      name: 'Fwd.eml',
      mimeType: 'message/rfc822',
      content: 'Subject: x\r\n\r\ny',
    });
    await expect(
      graph.ana.run('outlook_get_attachment', { messageId: 'm1', attachmentId: 'a3' }),
    ).rejects.toThrow('onedrive_get_shared_file');
  });

  it('sends a kept file of any size, a large one in pieces without the token', async () => {
    const bytes = Buffer.alloc(4_000_000, 'ü');
    const kept = await keepFile(graph, 'big.bin', bytes);
    const mail = { to: ['bob@x.org'], subject: 's', body: 'b' };
    const attachments = [{ name: 'note.txt', content: 'x' }, { file: `file:${kept.handle}` }];
    expect(await graph.ana.run('outlook_send_message', { ...mail, attachments })).toEqual({ sent: true });
    expect(graph.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /me/messages',
      'POST /me/messages/d1/attachments',
      'POST /me/messages/d1/attachments/createUploadSession',
      'POST /me/messages/d1/send',
    ]);
    expect(graph.calls[2]?.body).toEqual({
      AttachmentItem: {
        attachmentType: 'file',
        name: 'big.bin',
        contentType: 'application/octet-stream',
        size: 4_000_000,
      },
    });
    expect(received.map(({ range, authorization }) => [range, authorization])).toEqual([
      ['bytes 0-3932159/4000000', undefined],
      ['bytes 3932160-3999999/4000000', undefined],
    ]);
    expect(Buffer.concat(received.map((piece) => piece.bytes)).equals(bytes)).toBe(true);
  });

  it('says why in the words of Microsoft', async () => {
    await expect(graph.ana.run('outlook_send_draft', { id: 'gone' })).rejects.toThrow(
      'no POST /me/messages/gone/send',
    );
  });

  it('refuses an attachment without a name, and one larger than Exchange takes', async () => {
    const mail = { to: ['b@x.org'], subject: 's', body: 'b' };
    const refused = sent(outlook, 'outlook_send_message', { ...mail, attachments: [{ content: 'x' }] });
    await expect(refused).rejects.toThrow('An attachment needs a name');
    const files = createMemoryFiles();
    const { handle } = await files.save({ bytes: new Uint8Array(25_000_001), name: 'a', mimeType: '' });
    const attachments = [{ file: `file:${handle}` }];
    await expect(
      sent(outlook, 'outlook_send_message', { ...mail, attachments }, [], files),
    ).rejects.toThrow();
  });

  it('writes no request with an address that is none', async () => {
    const context = {
      userId: 'u',
      clock: createFakeClock(),
      files: createMemoryFiles(),
      upstream: () => Promise.reject(new Error('nothing is sent')),
      fetch: () => Promise.reject(new Error('nothing is sent')),
    };
    const mail = { to: ['Ana'], subject: 's', body: 'b' };
    await expect(run(outlook, 'outlook_send_message', mail, context)).rejects.toThrow(
      '"Ana" is no mail address',
    );
  });
});
