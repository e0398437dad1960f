// Tests Slack through the whole engine, at its emulator: signed in as a person, refreshed, read and written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAt } from '../support/emulators.ts';
import { downloadFile, fileIn } from '../support/files.ts';
import { createPerson, type Person } from '../support/person.ts';
import { type SlackEmulator, startSlack } from '../support/slack-emulator.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let slack: SlackEmulator;
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  slack = await startSlack();
  app = await createTestApp({ env: slack.env });
  ana = await createPerson(app);
});
afterAll(async () => {
  await app?.close();
  await slack?.close();
});

const use = async (tool: string, args: object = {}) => Object(await ana.run(`slack_${tool}`, args));
const channelNamed = async (name: string): Promise<string> => {
  const { channels } = await use('list_channels');
  return channels.find((each: { name: string }) => each.name === name).id;
};

describe('connecting to Slack', () => {
  it("asks for a person's scopes, comma-separated, and for no bot scopes", async () => {
    const { body } = await ana.get('/api/auth/slack');
    const asked = new URL(Reflect.get(Object(body), 'url')).searchParams;
    expect(asked.get('user_scope')).toMatch(/^channels:read,groups:read,.*users\.profile:write$/);
    expect(asked.has('scope')).toBe(false);
  });

  it("stores the person's token, although a bot's is at the root of the response", async () => {
    const end = await connectAt(slack, { app, person: ana, integration: 'slack', login: 'ana' });
    expect(end).toBe('http://localhost:3000#connected=slack');
    expect(await use('whoami')).toMatchObject({ ok: true, user: 'ana', team: 'Größe AG' });
    expect(slack.requests.at(-1)?.authorization).toMatch(/^Bearer xoxe\.xoxp-1-/);
  });

  it('continues with a new pair of tokens each time the token has expired', async () => {
    const seen = new Set<unknown>();
    for (let round = 0; round < 3; round++) {
      app.clock.advance(43_200);
      expect(await use('whoami')).toMatchObject({ user: 'ana' });
      const [refresh, whoami] = slack.requests.slice(-2);
      expect([refresh?.path, whoami?.path]).toEqual(['/api/oauth.v2.access', '/api/auth.test']);
      seen.add(whoami?.authorization);
    }
    expect(seen.size).toBe(3);
  });
});

describe('Slack channels and messages', () => {
  it('are listed in pages, read, and written to', async () => {
    const first = await use('list_channels', { limit: 1 });
    expect(first.channels).toHaveLength(1);
    const second = await use('list_channels', { limit: 1, cursor: first.response_metadata.next_cursor });
    expect(second.channels[0].id).not.toBe(first.channels[0].id);

    const channel = await channelNamed('allgemein');
    expect(await use('get_channel', { channel })).toMatchObject({ channel: { name: 'allgemein' } });
    const text = 'Schöne Grüße – 大小 😀 *fett*';
    const { ts } = await use('post_message', { channel, text });
    await use('post_message', { channel, text: 'eine Antwort', threadTs: ts });
    expect(await use('get_channel_history', { channel })).toMatchObject({ messages: [{ text, ts }] });
    expect(await use('get_thread_replies', { channel, ts })).toMatchObject({
      messages: [{ text }, { text: 'eine Antwort' }],
    });
    await use('update_message', { channel, ts, text: 'geändert' });
    await use('add_reaction', { channel, name: 'thumbsup', timestamp: ts });
    expect(await use('get_channel_history', { channel, limit: 1 })).toMatchObject({
      messages: [{ text: 'geändert', reactions: [{ name: 'thumbsup', count: 1 }] }],
    });
    await use('remove_reaction', { channel, name: 'thumbsup', timestamp: ts });
    await use('pin_message', { channel, timestamp: ts });
    await use('mark_channel_read', { channel, ts });
    expect((await use('get_permalink', { channel, messageTs: ts })).permalink).toMatch(/^https?:/);
    await use('delete_message', { channel, ts });
    expect((await use('get_channel_history', { channel })).messages).not.toContainEqual(
      expect.objectContaining({ ts }),
    );
  });

  it('are created, filled with people, and written to later', async () => {
    const { user: ben } = await use('lookup_user_by_email', { email: 'ben@example.com' });
    const { channel } = await use('create_channel', { name: 'neu', isPrivate: true });
    expect(channel).toMatchObject({ name: 'neu', is_private: true });
    await use('invite_to_channel', { channel: channel.id, users: ben.id });
    expect(await use('list_channel_members', { channel: channel.id })).toMatchObject({
      members: expect.arrayContaining([ben.id]),
    });
    const dm = await use('open_dm', { users: ben.id });
    expect(await use('post_message', { channel: dm.channel.id, text: 'hallo' })).toMatchObject({ ok: true });
    const postAt = String(Math.floor(Date.now() / 1000) + 3600);
    expect(await use('schedule_message', { channel: channel.id, text: 'später', postAt })).toMatchObject({
      scheduled_message_id: expect.any(String),
    });
  });
});

describe('people of a Slack workspace', () => {
  it('are listed and looked up, and have a status', async () => {
    const { members } = await use('list_users');
    const found = members.find(({ name }: { name: string }) => name === 'ana');
    expect(await use('get_user', { user: found.id })).toMatchObject({ user: { real_name: 'Ana Müller' } });
    const profile = JSON.stringify({ status_text: 'Über Mittag & weg', status_emoji: ':sandwich:' });
    expect(await use('set_status', { profile })).toMatchObject({
      profile: { status_text: 'Über Mittag & weg', status_emoji: ':sandwich:' },
    });
  });
});

describe('uploaded Slack files', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452ff0d0a', 'hex');

  it('read back as they were uploaded, and are listed where they were shared', async () => {
    const channel = await channelNamed('zufall');
    const content = 'Größe;大小\r\n😀';
    const { files } = await use('upload_file', {
      filename: 'Übersicht.csv',
      content,
      channel,
      comment: 'bitte',
    });
    expect(await use('read_file', { file: files[0].id })).toMatchObject({
      name: 'Übersicht.csv',
      encoding: 'text',
      content,
    });
    expect(await use('list_files', { channel })).toMatchObject({ files: [{ id: files[0].id }] });
    expect(await use('get_channel_history', { channel, limit: 1 })).toMatchObject({
      messages: [{ text: 'bitte', files: [{ id: files[0].id }] }],
    });
    const upload = slack.requests.find(({ path }) => path.startsWith('/upload/'));
    expect(upload?.authorization).toBeNull();
  });

  it('are kept files, or image blocks', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 1]).toString('base64');
    const { files } = await use('upload_file', { filename: 'a.bin', contentBase64: bytes });
    const read = await use('read_file', { file: files[0].id });
    expect((await downloadFile(app, read)).toString('base64')).toBe(bytes);
    const handedOn = { filename: 'b.bin', file: `file:${fileIn(read).handle}` };
    const { files: copies } = await use('upload_file', handedOn);
    const copy = await use('read_file', { file: copies[0].id });
    expect(fileIn(copy)).toMatchObject({ name: 'b.bin', sha256: fileIn(read).sha256 });
    const image = await use('upload_file', { filename: 'a.png', contentBase64: PNG.toString('base64') });
    expect(await ana.show('slack_read_file', { file: image.files[0].id })).toEqual([
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
    ]);
  });
});

describe('a Slack error with status 200', () => {
  it("passes on Slack's message, also for a raw request", async () => {
    await expect(use('get_channel', { channel: 'C0' })).rejects.toThrow('400: channel_not_found');
    const request = { path: '/bookmarks.list', method: 'POST', body: { channel_id: 'C0' } };
    await expect(use('request', request)).rejects.toThrow('400: missing_scope bookmarks:read');
    expect(app.lines.filter(({ event }) => event === 'tool failed')).toMatchObject([
      { tool: 'slack_get_channel' },
      { tool: 'slack_request' },
    ]);
  });

  it('refreshes the token once when it is about the token', async () => {
    const { user } = await use('whoami');
    const stored = await app.deps.store.users.byEmail('ana@example.com');
    const connection = await app.deps.store.connections.get(stored?.id ?? '', 'slack', '');
    if (connection === null) throw new Error('not connected');
    const accessToken = await app.deps.vault.seal('xoxe.xoxp-1-withdrawn', connection, 'access_token');
    await app.deps.store.connections.swap(connection, { ...connection, access_token: accessToken });
    const before = slack.requests.length;
    expect(await use('whoami')).toMatchObject({ user });
    expect(slack.requests.slice(before).map(({ path }) => path)).toEqual([
      '/api/auth.test',
      '/api/oauth.v2.access',
      '/api/auth.test',
    ]);
  });
});
