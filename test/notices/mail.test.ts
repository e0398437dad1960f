// Sends mail to a real SMTP server, with TLS and a sign-in. reference: Notices
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSmtpMail } from '../../drivers/mail/smtp.ts';
import type { Mail } from '../../src/ports/mail.ts';
import { freePort } from '../support/listen.ts';
import { type NoticeStand, openNotices } from '../support/notice-stand.ts';
import { waitUntil } from '../support/wait.ts';
import { certificate, key } from '../contracts/network-certificate.ts';

interface Got {
  from: string;
  to: string[];
  text: string;
  isSecure: boolean;
  user: string | undefined;
}

interface MailServer {
  got: Got[];
  port: number;
  close(): Promise<void>;
}

async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const got: Got[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH'],
    key,
    cert: certificate,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        got.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          isSecure: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { got, port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

const FROM = { name: 'Gateway', address: 'gateway@example.com' };
const locate = async () => ({ address: '127.0.0.1', isOwnNetwork: true });
const mailTo = (port: number): Mail =>
  createSmtpMail({
    host: 'localhost',
    port,
    isSecure: false,
    user: undefined,
    password: undefined,
    from: FROM,
    locate,
  });
const MESSAGE = { to: 'ana@example.com', subject: 'A call waits', text: 'Hello', messageId: 'a@b' };
/** The header of a mail, with its folded lines joined. */
const headOf = (text: string): string => (text.split('\r\n\r\n')[0] ?? '').replaceAll(/\r\n\s+/g, ' ');

describe('the driver for SMTP', () => {
  const trust = { key, cert: certificate };

  it('encrypts by STARTTLS, signs in, and proves the name of the server', async () => {
    const server = await startMailServer({
      ...trust,
      disabledCommands: [],
      onAuth: ({ username, password }, _, done) =>
        password === 'p@ss' ? done(null, { user: username }) : done(new Error('no')),
    });
    try {
      const options = { host: 'upstream.test', port: server.port, isSecure: false, user: 'ana', from: FROM };
      const far = { locate: async () => ({ address: '127.0.0.1', isOwnNetwork: false }), ca: certificate };
      expect(await createSmtpMail({ ...options, ...far, password: 'p@ss' }).send(MESSAGE)).toEqual({
        ok: true,
      });
      expect(server.got[0]).toMatchObject({ isSecure: true, user: 'ana', to: ['ana@example.com'] });
      const wrong = await createSmtpMail({ ...options, ...far, password: 'secret-guess' }).send(MESSAGE);
      expect(wrong).toMatchObject({ ok: false, isFinal: false });
      expect(JSON.stringify(wrong)).not.toContain('secret-guess');
      const otherName = createSmtpMail({ ...options, ...far, host: 'mail.example', password: 'p@ss' });
      expect(await otherName.send(MESSAGE)).toMatchObject({ ok: false });
      const unknown = createSmtpMail({ ...options, locate: far.locate, password: 'p@ss' });
      expect(await unknown.send(MESSAGE)).toMatchObject({ ok: false });
      expect(server.got).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  it('sends nothing in plain text outside the network of the operator', async () => {
    const server = await startMailServer({ hideSTARTTLS: true });
    try {
      const far = async () => ({ address: '127.0.0.1', isOwnNetwork: false });
      const mail = createSmtpMail({
        host: 'localhost',
        port: server.port,
        isSecure: false,
        user: undefined,
        password: undefined,
        from: FROM,
        locate: far,
      });
      expect(await mail.send(MESSAGE)).toMatchObject({ ok: false, isFinal: false });
      expect(server.got).toEqual([]);
      expect(await mailTo(server.port).send(MESSAGE)).toEqual({ ok: true });
    } finally {
      await server.close();
    }
  });

  it('lets nobody add a header or a recipient', async () => {
    const server = await startMailServer();
    try {
      const mail = mailTo(server.port);
      const subject = 'Hi\r\nBcc: eve@example.com\r\n\r\nBody\u2028X-More: 1';
      expect(await mail.send({ ...MESSAGE, subject, text: 'x\r\n.\r\nMAIL FROM:<eve@example.com>' })).toEqual(
        { ok: true },
      );
      expect(server.got).toHaveLength(1);
      expect(server.got[0]?.to).toEqual(['ana@example.com']);
      expect(headOf(server.got[0]?.text ?? '')).not.toMatch(/^(bcc|x-more):/im);
      for (const to of ['a@b.c\r\nRCPT TO:<eve@x.y>', 'a@b.c,eve@x.y', '"x" <a@b.c>', 'a,eve@x.y', 'a@b.c;d'])
        expect(await mail.send({ ...MESSAGE, to })).toMatchObject({ ok: false, isFinal: true });
      expect(server.got).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});

describe('mails', () => {
  let server: MailServer;
  let stand: NoticeStand;
  beforeEach(async () => {
    server = await startMailServer();
    stand = await openNotices({
      env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Gateway <gateway@example.com>' },
      ports: { mail: mailTo(server.port) },
    });
  });
  afterEach(async () => {
    await stand.close();
    await server.close();
  });
  const until = (count: number) =>
    waitUntil(
      `mail ${count}`,
      () => server.got.length >= count,
      () => server.got,
    );

  /** Lets the time pass in which mails wait for each other. */
  async function pass(seconds: number): Promise<void> {
    stand.app.clock.advance(seconds);
    await stand.round();
  }

  it('go to the address of the person, many notices in one', async () => {
    await stand.add({ channel: 'email', name: 'Mail' });
    await stand.tell({ by: 'Claude' });
    await stand.tell({ kind: 'connection', about: 'connection github', page: '/integrations/github' });
    await stand.round();
    expect(server.got).toEqual([]);
    await pass(61);
    await until(1);
    await stand.untilStates(['done', 'done']);
    const [{ to, from, text } = { to: [], from: '', text: '' }] = server.got;
    expect([to, from]).toEqual([['ana@example.com'], 'gateway@example.com']);
    expect(headOf(text)).toMatch(/^Subject: 2 notices/m);
    expect(text).toContain('http://localhost:3000/approvals/1');
    expect(text).toContain('http://localhost:3000/integrations/github');
  });

  it('go to nobody else', async () => {
    const form = { channel: 'email', name: 'Mail', address: 'victim@example.com' } as const;
    expect((await stand.send('POST', '/api/notices/channels', form)).status).toBe(400);
    // Somebody whose address nobody has verified gets none.
    const { users } = stand.app.deps.store;
    const first = await users.byEmail('first@example.com');
    expect(first).not.toBeNull();
  });

  it('are at most twelve an hour', async () => {
    await stand.add({ channel: 'email', name: 'Mail' });
    // The next full hour begins far away.
    stand.app.clock.advance(3_600 - (stand.app.clock.now() % 3_600));
    for (let each = 0; each < 14; each++) {
      await stand.tell();
      await pass(61);
      await expect
        .poll(async () => (await stand.deliveries())[0]?.dueAt !== stand.app.clock.now() - 1)
        .toBe(true);
      if (each < 12) await until(each + 1);
    }
    expect(server.got).toHaveLength(12);
    await pass(3_600);
    await until(13);
    // The two that waited came in one mail.
    expect(headOf(server.got[12]?.text ?? '')).toMatch(/^Subject: 2 notices/m);
  });

  it('wait while the server is away, and disable no address', async () => {
    await stand.add({ channel: 'email', name: 'Mail' });
    await server.close();
    await stand.tell();
    await pass(61);
    await expect.poll(async () => (await stand.deliveries())[0]?.attempts).toBe(1);
    expect((await stand.deliveries())[0]).toMatchObject({
      state: 'queued',
      lastError: expect.stringContaining('mail server'),
    });
    expect((await (await stand.send('GET', '/api/notices')).json()).channels[0].state).toBe('new');
  });

  it('have a link that switches off mails of their kind, and nothing else', async () => {
    const { app } = stand;
    await stand.add({ channel: 'email', name: 'Mail' });
    await stand.tell();
    await pass(61);
    await until(1);
    const head = headOf(server.got[0]?.text ?? '');
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const [, link = ''] = /^List-Unsubscribe: <([^>]+)>/m.exec(head.replaceAll(' ', ' ')) ?? [];
    const { pathname, search } = new URL(link.replaceAll(' ', ''));
    const kinds = async () => (await (await stand.send('GET', '/api/notices')).json()).channels[0].kinds;
    // A program that looks at links changes nothing.
    const page = await app.request(`${pathname}${search}`, { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form method="post">')]);
    expect(await kinds()).toContain('approval');
    expect((await app.request(`${pathname}${search}`, { method: 'POST' })).status).toBe(200);
    expect(await kinds()).toEqual(['connection', 'import', 'key', 'destination']);
    for (const forged of [
      search.slice(0, -3),
      search.replace(/.{4}$/, 'AAAA'),
      '?token=',
      `?token=${'a'.repeat(5_000)}`,
    ])
      expect((await app.request(`${pathname}${forged}`, { method: 'POST' })).status).toBe(404);
  });

  it('bring an invitation, once', async () => {
    const { app } = stand;
    const first = await app.deps.store.users.byEmail('first@example.com');
    if (first === null) throw new Error('nobody is first');
    const email = 'new@example.com';
    const invited = await stand.send('POST', '/api/admin/people', { email }, first);
    expect([invited.status, (await invited.json()).mailed]).toEqual([201, true]);
    await until(1);
    expect(server.got[0]?.to).toEqual([email]);
    expect(server.got[0]?.text).toContain('You are invited');
    expect(headOf(server.got[0]?.text ?? '')).not.toContain('List-Unsubscribe');
    expect((await stand.send('POST', '/api/admin/people', { email }, first)).status).toBe(409);
    await pass(61);
    expect(server.got).toHaveLength(1);
  });
});

describe('a gateway without a mail server', () => {
  it('says so, and invites as before', async () => {
    const stand = await openNotices();
    try {
      const refused = await stand.send('POST', '/api/notices/channels', { channel: 'email', name: 'Mail' });
      expect(refused.status).toBe(409);
      expect(await (await stand.send('GET', '/api/notices')).json()).toMatchObject({ mail: null });
      const first = await stand.app.deps.store.users.byEmail('first@example.com');
      if (first === null) throw new Error('nobody is first');
      const answer = await stand.send('POST', '/api/admin/people', { email: 'new@example.com' }, first);
      expect(await answer.json()).not.toHaveProperty('mailed');
    } finally {
      await stand.close();
    }
  });
});
