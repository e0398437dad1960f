// Lists what each Gmail tool sends, one line per tool.
import { describe, expect, it } from 'vitest';
import { gmail } from '../../integrations/gmail/manifest.ts';
import { sent } from '../support/capture.ts';

const U = '/gmail/v1/users/me';

const TABLE: [tool: string, args: object, request: string][] = [
  ['whoami', {}, `GET ${U}/profile`],
  ['list_messages', {}, `GET ${U}/messages?maxResults=20`],
  [
    'list_messages',
    { query: 'from:jürgen', labelIds: ['INBOX', 'UNREAD'], pageToken: 'p2', includeSpamTrash: true },
    `GET ${U}/messages?q=from:jürgen&labelIds=INBOX&labelIds=UNREAD&maxResults=20&pageToken=p2&includeSpamTrash=true`,
  ],
  ['get_message', { id: 'm1' }, `GET ${U}/messages/m1?format=full`],
  [
    'get_message',
    { id: 'm1', format: 'metadata', metadataHeaders: ['From', 'To'] },
    `GET ${U}/messages/m1?format=metadata&metadataHeaders=From&metadataHeaders=To`,
  ],
  [
    'modify_message_labels',
    { id: 'm1', addLabelIds: ['STARRED'], removeLabelIds: ['UNREAD'] },
    `POST ${U}/messages/m1/modify {"addLabelIds":["STARRED"],"removeLabelIds":["UNREAD"]}`,
  ],
  ['trash_message', { id: 'm1' }, `POST ${U}/messages/m1/trash {}`],
  ['get_attachment', { messageId: 'm1', id: 'a/1' }, `GET ${U}/messages/m1/attachments/a%2F1`],
  ['list_threads', { query: 'x', pageToken: 'p2' }, `GET ${U}/threads?q=x&maxResults=20&pageToken=p2`],
  ['get_thread', { id: 't1' }, `GET ${U}/threads/t1?format=metadata`],
  ['list_labels', {}, `GET ${U}/labels`],
  [
    'create_label',
    { name: 'Büro/Post', labelListVisibility: 'labelShow' },
    `POST ${U}/labels {"name":"Büro/Post","labelListVisibility":"labelShow"}`,
  ],
  ['list_drafts', { query: 'x', pageToken: 'p2' }, `GET ${U}/drafts?q=x&maxResults=20&pageToken=p2`],
  ['send_draft', { id: 'd1' }, `POST ${U}/drafts/send {"id":"d1"}`],
];

describe('the requests of Gmail', () => {
  it.each(TABLE)('gmail_%s %j', async (name, args, request) => {
    expect(await sent(gmail, `gmail_${name}`, args)).toEqual([request]);
  });

  it('names every tool, with the two that write a mail', () => {
    expect(new Set([...TABLE.map(([name]) => name), 'send_message', 'create_draft'])).toEqual(
      new Set(gmail.tools.map(({ name }) => name.replace('gmail_', ''))),
    );
  });
});

const mail = { to: ['b@example.com'], subject: 'Hi', body: 'Hello\nyou' };

/** Returns the lines of the mail as they are sent. */
async function mime(args: object): Promise<string[]> {
  const [request = ''] = await sent(gmail, 'gmail_send_message', { ...mail, ...args });
  const { raw } = JSON.parse(request.slice(request.indexOf('{')));
  return Buffer.from(raw, 'base64url').toString('latin1').split('\r\n');
}

describe('a composed mail', () => {
  it('is a few lines of ASCII when it is simple', async () => {
    expect(await mime({})).toEqual([
      'To: b@example.com',
      'Subject: Hi',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('Hello\r\nyou').toString('base64'),
      '',
    ]);
  });

  it('goes to the address for mail, or to the one for drafts', async () => {
    expect(await sent(gmail, 'gmail_send_message', mail)).toEqual([
      expect.stringMatching(/^POST \/gmail\/v1\/users\/me\/messages\/send \{"raw":"[\w=-]+"\}$/),
    ]);
    expect(await sent(gmail, 'gmail_create_draft', {})).toEqual([
      expect.stringMatching(/^POST \/gmail\/v1\/users\/me\/drafts \{"message":\{"raw":"[\w=-]+"\}\}$/),
    ]);
  });

  it("replies to the last sent mail of its thread, with the sender's name", async () => {
    const message = (id: string, ...labelIds: string[]) => ({
      labelIds,
      payload: { headers: [{ name: 'Message-Id', value: `<${id}>` }] },
    });
    const nameless = { payload: { headers: [] } };
    const messages = [
      message('a'),
      message('b', 'INBOX'),
      nameless,
      message('c', 'TRASH'),
      message('d', 'DRAFT'),
    ];
    const [, request = ''] = await sent(gmail, 'gmail_send_message', { ...mail, threadId: 'T' }, [
      { messages },
    ]);
    const { raw } = JSON.parse(request.slice(request.indexOf('{')));
    expect(Buffer.from(raw, 'base64url').toString()).toContain('In-Reply-To: <b>\r\n');
  });

  it('has no line longer than 78 characters, whatever it contains', async () => {
    const lines = await mime({
      to: Array.from({ length: 9 }, (_, index) => `Ümlaut Nummer ${index} <person${index}@example.com>`),
      subject: 'Größe 大小 😀 '.repeat(20),
      body: 'ä'.repeat(5000),
      attachments: [{ filename: 'a b.bin', contentBase64: Buffer.alloc(3000, 255).toString('base64') }],
    });
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(78);
    expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/);
  });

  it('removes everything that would begin another header', async () => {
    const lines = await mime({
      subject: 'Hi\r\nBcc: everybody@example.com',
      attachments: [{ filename: 'a"\r\nX: y.txt', contentBase64: 'YQ==' }],
    });
    expect(lines).toContain('Subject: Hi Bcc: everybody@example.com');
    expect(lines.filter((line) => /^(Bcc|X):/.test(line))).toEqual([]);
    const long = `a${' '.repeat(200_000)}b`;
    for (const to of [
      long,
      'a@example.com\r\nBcc: b@example.com',
      'a@example.com, b@example.com',
      'nobody',
      '',
    ])
      await expect(mime({ to: [to] })).rejects.toThrow('is no mail address');
  });

  it('writes a non-ASCII domain in its ASCII form', async () => {
    expect(await mime({ to: ['Jürgen <j@büro.example>'] })).toContain(
      `To: =?UTF-8?B?${Buffer.from('Jürgen').toString('base64')}?= <j@xn--bro-hoa.example>`,
    );
  });
});
