// Tests Gmail through the whole engine, at Google's emulator: sign-in, refresh, and mail in both directions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gmail } from '../../integrations/gmail/manifest.ts';
import { run } from '../support/capture.ts';
import { connectAt } from '../support/emulators.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { downloadFile, fileIn, putFile } from '../support/files.ts';
import { ANA, type GoogleEmulator, startGoogle } from '../support/google-emulator.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452ff', 'hex');

let google: GoogleEmulator;
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  google = await startGoogle(['gmail'], {
    messages: [
      {
        id: 'msg_of_juergen',
        user_email: ANA,
        from: '=?iso-8859-1?q?J=FCrgen_Gro=DF?= <j@example.com>',
        to: ANA,
        subject: '=?UTF-8?B?R3LDtsOf?= =?UTF-8?B?ZSDlpKc=?=',
        body_html: '<p>Schöne <b>Grüße</b></p><p>Jürgen</p>',
        label_ids: ['INBOX', 'UNREAD'],
        date: '2026-01-04T10:00:00.000Z',
      },
    ],
  });
  app = await createTestApp({ env: google.env });
  ana = await createPerson(app);
  const end = await connectAt(google, { app, person: ana, integration: 'gmail', login: ANA });
  expect(end).toBe('http://localhost:3000#connected=gmail');
});
afterAll(async () => {
  await app?.close();
  await google?.close();
});

const use = async (tool: string, args: object = {}) => Object(await ana.run(`gmail_${tool}`, args));

describe('the inbox', () => {
  it('is searched, and its messages keep their letters', async () => {
    expect(await use('list_messages', { labelIds: ['INBOX'] })).toMatchObject({
      messages: [{ id: 'msg_of_juergen' }],
    });
    const message = await use('get_message', { id: 'msg_of_juergen' });
    expect(message).toMatchObject({
      id: 'msg_of_juergen',
      labelIds: ['INBOX', 'UNREAD'],
      headers: { From: 'Jürgen Groß <j@example.com>', Subject: 'Größe 大' },
      html: '<p>Schöne <b>Grüße</b></p><p>Jürgen</p>',
    });
    expect(message.text).toMatch(/^Schöne Grüße\s+Jürgen$/);
    expect(message).not.toHaveProperty('payload');
  });

  it('continues with a new token after the old one has expired', async () => {
    const before = google.requests.at(-1)?.authorization;
    app.clock.advance(3600);
    expect(await use('list_labels')).toMatchObject({ labels: expect.any(Array) });
    expect(google.requests.slice(-2).map(({ path }) => path)).toEqual([
      '/token',
      '/gmail/v1/users/me/labels',
    ]);
    expect(google.requests.at(-1)?.authorization).not.toBe(before);
  });

  it('is sorted by labels, and emptied into the trash', async () => {
    const { id } = await use('create_label', { name: 'Büro/Post' });
    const sorted = { id: 'msg_of_juergen', addLabelIds: [id], removeLabelIds: ['UNREAD'] };
    expect(await use('modify_message_labels', sorted)).toMatchObject({ labelIds: ['INBOX', id] });
    expect(await use('trash_message', { id: 'msg_of_juergen' })).toMatchObject({
      labelIds: expect.arrayContaining(['TRASH']),
    });
  });

  it("passes on Google's own errors", async () => {
    await expect(use('get_message', { id: 'none' })).rejects.toThrow('Requested entity was not found.');
  });
});

describe('a sent mail', () => {
  const body = 'Schöne Grüße,\n\nJürgen – 大小 😀\n.\n--=_a_part_of_the_mail';

  it('reads back as it was sent: names, subject, body and attachments', async () => {
    const { id } = await use('send_message', {
      to: ['"Groß, Jürgen" <j@example.com>', 'b@example.com'],
      cc: ['Ana Müller-Lüdenscheidt, Abteilung für sehr lange Namen <c@example.com>'],
      subject: 'Größe "falsch" – 大小 und noch viel mehr, was nicht in ein einziges Wort passt',
      body,
      attachments: [
        { filename: 'Übersicht (1).txt', mimeType: 'text/plain', contentBase64: btoa('plain') },
        { filename: 'Bild.png', mimeType: 'image/png', contentBase64: PNG.toString('base64') },
      ],
    });
    const message = await use('get_message', { id });
    expect(message).toMatchObject({
      labelIds: ['SENT'],
      headers: {
        To: '"Groß, Jürgen" <j@example.com>, b@example.com',
        Cc: '"Ana Müller-Lüdenscheidt, Abteilung für sehr lange Namen" <c@example.com>',
        Subject: 'Größe "falsch" – 大小 und noch viel mehr, was nicht in ein einziges Wort passt',
      },
      text: body,
      attachments: [
        { filename: 'Übersicht (1).txt', mimeType: 'text/plain', size: 5 },
        { filename: 'Bild.png', mimeType: 'image/png', size: PNG.length },
      ],
    });

    const [plain, image] = message.attachments;
    const fetched = await use('get_attachment', { messageId: id, id: plain.attachmentId });
    expect(fetched).toMatchObject({ size: 5, encoding: 'text', content: 'plain', truncated: false });
    expect(fetched).not.toHaveProperty('data');
    const shown = { messageId: id, id: image.attachmentId };
    expect(await ana.show('gmail_get_attachment', shown)).toEqual([
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
    ]);
  });

  it('carries a kept file, and gives it back as one', async () => {
    const bytes = Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * 7) % 256));
    const offer = Object(await ana.run('upload_file', { name: 'Übersicht.pdf' }));
    const kept = fileIn((await putFile(app, offer.uploadUrl, bytes)).body);
    const attachments = [{ file: `file:${kept.handle}` }];
    const { id } = await use('send_message', { to: [ANA], subject: 'x', body, attachments });
    const { attachments: found } = await use('get_message', { id });
    expect(found).toMatchObject([{ filename: 'Übersicht.pdf', mimeType: 'application/pdf', size: 9000 }]);
    const [{ attachmentId, filename }] = found;
    const fetched = await use('get_attachment', { messageId: id, id: attachmentId, filename });
    expect(fileIn(fetched)).toMatchObject({ name: 'Übersicht.pdf', sha256: kept.sha256 });
    expect((await downloadFile(app, fetched)).equals(bytes)).toBe(true);
  });

  it('keeps HTML when it is HTML', async () => {
    const html = '<p>Schöne <i>Grüße</i></p>';
    const { id } = await use('send_message', { to: [ANA], subject: 'x', body: html, html: true });
    expect(await use('get_message', { id })).toMatchObject({ html, text: 'Schöne Grüße' });
  });

  it('replies in its thread, with the headers that other programs use', async () => {
    const first = await use('send_message', { to: [ANA], subject: 'Plan', body: 'eins' });
    const { headers } = await use('get_message', { id: first.id, format: 'metadata' });
    const second = await use('send_message', {
      to: [ANA],
      subject: 'Re: Plan',
      body: 'zwei',
      threadId: first.threadId,
    });
    expect(second.threadId).toBe(first.threadId);
    expect(await use('get_message', { id: second.id })).toMatchObject({
      headers: { 'In-Reply-To': headers['Message-ID'], References: headers['Message-ID'] },
    });
    const third = { to: [ANA], subject: 'Re: Plan', body: 'drei', threadId: first.threadId };
    await use('send_message', third);
    const thread = await use('get_thread', { id: first.threadId, format: 'full' });
    expect(thread.messages.map(({ text }: { text: string }) => text)).toEqual(['eins', 'zwei', 'drei']);
    expect(thread.messages[2].headers.References.split(' ')).toHaveLength(2);
    expect(await use('list_threads', { query: 'Plan', maxResults: 1 })).toMatchObject({
      threads: [{ id: first.threadId }],
    });
  });

  it('starts as a draft, and is then sent', async () => {
    const { id } = await use('create_draft', { to: [ANA], subject: 'Entwürfe', body: 'später' });
    expect(await use('list_drafts')).toMatchObject({ drafts: [{ id }] });
    const sent = await use('send_draft', { id });
    expect(await use('get_message', { id: sent.id })).toMatchObject({
      labelIds: expect.arrayContaining(['SENT']),
      headers: { Subject: 'Entwürfe' },
      text: 'später',
    });
    expect(await use('list_drafts')).toMatchObject({ drafts: [] });
  });

  it('is found page by page', async () => {
    const first = await use('list_messages', { maxResults: 2 });
    expect(first.messages).toHaveLength(2);
    const second = await use('list_messages', { maxResults: 2, pageToken: first.nextPageToken });
    expect(second.messages[0].id).not.toBe(first.messages[0].id);
  });
});

describe("a message in Gmail's format", () => {
  const base64url = (text: string, encoding: BufferEncoding = 'utf8') =>
    Buffer.from(text, encoding).toString('base64url');
  const read = async (payload: object) => {
    const upstream = async () => Response.json({ id: 'm', payload });
    const context = {
      userId: 'u',
      clock: createFakeClock(),
      files: createMemoryFiles(),
      upstream,
      fetch: upstream,
    };
    return run(gmail, 'gmail_get_message', { id: 'm' }, context);
  };
  const part = (mimeType: string, data: string, more: object = {}) => ({
    mimeType,
    filename: '',
    headers: [{ name: 'Content-Type', value: mimeType }],
    body: { size: 1, data },
    ...more,
  });

  it('returns the plain text when it has both, and the attachments of nested parts', async () => {
    const alternative = [part('text/plain', base64url('Grüße\r\n')), part('text/html', base64url('<p>x'))];
    const attached = { filename: '=?UTF-8?Q?=C3=9C.pdf?=', body: { attachmentId: 'a1', size: 9 } };
    expect(
      await read({
        mimeType: 'multipart/mixed',
        headers: [
          { name: 'Received', value: 'one' },
          { name: 'Received', value: 'two' },
        ],
        parts: [
          { mimeType: 'multipart/alternative', parts: alternative },
          { mimeType: 'application/pdf', partId: '1', ...attached },
          part('text/plain', base64url('no body'), { filename: 'notes.txt' }),
          { mimeType: 'message/rfc822', filename: 'mail.eml', parts: alternative },
        ],
      }),
    ).toEqual({
      id: 'm',
      headers: { Received: 'one\ntwo' },
      text: 'Grüße\n',
      attachments: [
        { attachmentId: 'a1', filename: 'Ü.pdf', mimeType: 'application/pdf', size: 9, partId: '1' },
        { filename: 'notes.txt', mimeType: 'text/plain', size: 1 },
        { filename: 'mail.eml', mimeType: 'message/rfc822' },
      ],
    });
  });

  it.each([
    ['UTF-8, whatever the header says', 'text/plain; charset="iso-8859-1"', base64url('Grüße'), 'Grüße'],
    ['the charset of the header', 'text/plain; charset=ISO-8859-1', base64url('Grüße', 'latin1'), 'Grüße'],
    ['escapes', 'text/plain; charset=iso-2022-jp', base64url('\x1b$B$"\x1b(B'), 'あ'],
    ['a charset nobody knows', 'text/plain; charset=x-none', base64url('Grüße', 'latin1'), 'Gr\ufffd\ufffde'],
  ])('decodes %s', async (_, type, data, text) => {
    const headers = [{ name: 'content-type', value: type }];
    expect(await read(part('text/plain', data, { headers }))).toMatchObject({ text });
  });

  it.each([
    ['=?utf-8?q?a=5Fb_c?=', 'a_b c'],
    ['=?ISO-8859-1?Q?Andr=E9?= Pirard', 'André Pirard'],
    ['=?UTF-8?B?w7w=?=  =?utf-8?b?w7w=?=', 'üü'],
    // This letter was split over two words.
    ['=?UTF-8?B?ww==?= =?UTF-8?B?vA==?=', 'ü'],
    ['=?utf-8*de?Q?=C3=BC?=!', 'ü!'],
    ['=?x-none?Q?a?= =?broken', 'a =?broken'],
    ['no words at all', 'no words at all'],
  ])('decodes the header %j to %j', async (value, text) => {
    expect(await read({ headers: [{ name: 'Subject', value }] })).toMatchObject({
      headers: { Subject: text },
    });
  });

  it('decodes a header of any length', async () => {
    const headers = [{ name: 'Subject', value: `=?UTF-8?B?${'QUFB'.repeat(100_000)}?=` }];
    expect(await read({ headers })).toMatchObject({ headers: { Subject: 'A'.repeat(300_000) } });
  });
});
