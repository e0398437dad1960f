// Tests Discord: tool, arguments → expected requests; and messages as a model reads them, against a fake that knows
// only the documented requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { discord } from '../../integrations/discord/manifest.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const HANDLE = `f-0-0-${'0'.repeat(32)}`;
const ANA = { id: '7', username: 'ana', global_name: 'Ana', avatar: null, discriminator: '0' };
const CHANNEL = { id: '2', type: 0, name: 'general', topic: null, parent_id: '1', position: 3, flags: 0 };
const MESSAGE = {
  id: '3',
  channel_id: '2',
  type: 0,
  author: ANA,
  content: 'Größe <@7>',
  timestamp: '2026-03-01T09:00:00.000000+00:00',
  edited_timestamp: null,
  pinned: false,
  mentions: [ANA],
  mention_roles: [],
  attachments: [
    {
      id: '9',
      filename: 'a.txt',
      content_type: 'text/plain',
      size: 6,
      url: 'https://cdn.discordapp.com/attachments/2/9/a.txt?ex=1',
      proxy_url: 'https://media.discordapp.net/a.txt',
    },
  ],
  embeds: [],
  components: [],
  reactions: [
    { count: 2, me: false, emoji: { id: null, name: '👍' } },
    { count: 1, me: true, emoji: { id: '44', name: 'party' } },
  ],
  message_reference: { message_id: '1', channel_id: '2' },
};
const THREAD = { ...CHANNEL, id: '5', type: 11, thread_metadata: { archived: false, locked: false } };
const MEMBER = { user: ANA, nick: null, roles: ['8'], joined_at: '2026-01-01T00:00:00Z', mute: false };

const at = { channelId: '2' };
const on = { ...at, messageId: '3' };

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /users/@me', [ANA]],
  ['list_servers', { after: '4' }, 'GET /users/@me/guilds?with_counts=true&limit=50&after=4', [[]]],
  ['list_channels', { guildId: '1' }, 'GET /guilds/1/channels', [[CHANNEL]]],
  [
    'create_channel',
    { guildId: '1', name: 'größe', type: 'forum', topic: 't', parentId: '6' },
    'POST /guilds/1/channels {"name":"größe","topic":"t","parent_id":"6","type":15}',
    [CHANNEL],
  ],
  ['list_threads', { guildId: '1' }, 'GET /guilds/1/threads/active', [{ threads: [], members: [] }]],
  [
    'list_archived_threads',
    { ...at, before: '2026-03-01T09:00:00Z', limit: 2 },
    'GET /channels/2/threads/archived/public?limit=2&before=2026-03-01T09:00:00Z',
    [{ threads: [], members: [], has_more: false }],
  ],
  [
    'create_thread',
    { ...on, name: 'a', autoArchiveDuration: 60 },
    'POST /channels/2/messages/3/threads {"name":"a","auto_archive_duration":60}',
    [THREAD],
  ],
  ['create_thread', { ...at, name: 'a' }, 'POST /channels/2/threads {"name":"a","type":11}', [THREAD]],
  [
    'create_thread',
    { ...at, name: 'a', content: '**b**', appliedTags: ['6'] },
    'POST /channels/2/threads {"name":"a","applied_tags":["6"],"message":{"content":"**b**","allowed_mentions":{"parse":["users","roles"]}}}',
    [THREAD],
  ],
  ['list_members', { guildId: '1', after: '7' }, 'GET /guilds/1/members?limit=50&after=7', [[MEMBER]]],
  [
    'list_members',
    { guildId: '1', query: 'an', limit: 5 },
    'GET /guilds/1/members/search?limit=5&query=an',
    [[MEMBER]],
  ],
  ['list_roles', { guildId: '1' }, 'GET /guilds/1/roles', [[]]],
  ['add_role', { guildId: '1', userId: '7', roleId: '8' }, 'PUT /guilds/1/members/7/roles/8 {}'],
  ['remove_role', { guildId: '1', userId: '7', roleId: '8' }, 'DELETE /guilds/1/members/7/roles/8'],
  ['list_messages', { ...at, before: '9' }, 'GET /channels/2/messages?limit=30&before=9', [[MESSAGE]]],
  [
    'search_messages',
    { guildId: '1', content: 'größe', authorId: ['7', '8'], has: ['file'], pinned: true },
    'GET /guilds/1/messages/search?content=größe&author_id=7&author_id=8&has=file&pinned=true&sort_by=timestamp&limit=25&offset=0',
    [{ total_results: 0, messages: [], doing_deep_historical_index: false }],
  ],
  [
    'send_message',
    { ...at, content: '**a** @everyone', replyTo: '3' },
    'POST /channels/2/messages {"content":"**a** @everyone","allowed_mentions":{"parse":["users","roles"]},"message_reference":{"message_id":"3"}}',
    [MESSAGE],
  ],
  ['send_message', { ...at, files: [`file:${HANDLE}`] }, 'POST /channels/2/messages', [MESSAGE]],
  [
    'edit_message',
    { ...on, content: 'b', notify: 'nobody' },
    'PATCH /channels/2/messages/3 {"content":"b","allowed_mentions":{"parse":[]}}',
    [MESSAGE],
  ],
  ['delete_message', on, 'DELETE /channels/2/messages/3'],
  ['pin_message', on, 'PUT /channels/2/messages/pins/3 {}'],
  ['add_reaction', { ...on, emoji: 'party:44' }, 'PUT /channels/2/messages/3/reactions/party%3A44/@me {}'],
  [
    'list_reactions',
    { ...on, emoji: '👍' },
    'GET /channels/2/messages/3/reactions/%F0%9F%91%8D?limit=50',
    [[ANA]],
  ],
  [
    'read_attachment',
    { ...on, attachmentId: '9' },
    ['GET /channels/2/messages/3', 'GET https://cdn.discordapp.com/attachments/2/9/a.txt?ex=1'],
    [MESSAGE, new Response('größe')],
  ],
];

describe('discord', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, requests, answers] = row;
    const files = createMemoryFiles();
    await files.save({ bytes: new TextEncoder().encode('größe'), name: 'größe.txt', mimeType: 'text/plain' });
    expect(await sent(discord, `discord_${name}`, args, answers, files)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `discord_${name}`));
    expect(names).toEqual(new Set(discord.tools.map(({ name }) => name)));
  });

  it('refuses text for a thread on a message', async () => {
    const args = { ...on, name: 'a', content: 'b' };
    await expect(sent(discord, 'discord_create_thread', args)).rejects.toThrow('takes no content');
  });
});

const ORIGIN = 'https://discord.com';
const ANSWERS: Record<string, [status: number, answer: unknown]> = {
  'GET /api/v10/users/@me': [200, { ...ANA, bot: true }],
  'GET /api/v10/channels/2/messages?limit=30': [200, [MESSAGE]],
  'GET /api/v10/guilds/1/members?limit=50': [200, [MEMBER]],
  'GET /api/v10/guilds/1/threads/active': [200, { threads: [THREAD], members: [] }],
  'GET /api/v10/guilds/1/messages/search?sort_by=timestamp&limit=25&offset=0': [
    202,
    { message: 'Index not yet available. Try again later', code: 110_000, retry_after: 3 },
  ],
  'GET /api/v10/channels/4/messages?limit=30': [403, { message: 'Missing Access', code: 50_001 }],
};

interface Connected {
  person: Person;
  forms: FormData[];
}

/** Connects to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Connected> {
  const forms: FormData[] = [];
  const server = await startHttpServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = decodeURIComponent(`${request.method} ${request.url}`);
    const isBot =
      request.headers.authorization === 'Bot t-bot' &&
      request.headers['user-agent']?.startsWith('DiscordBot (https://') === true;
    if (line === 'POST /api/v10/channels/2/messages') {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      forms.push(await new Response(Buffer.concat(chunks), { headers }).formData());
    }
    const known = line === 'POST /api/v10/channels/2/messages' ? ([200, MESSAGE] as const) : ANSWERS[line];
    const [status, body] = known ?? [404, { message: 'Unknown', code: 0 }];
    response.writeHead(isBot ? status : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isBot ? body : { message: '401: Unauthorized', code: 0 }));
  }

  const app = await createTestApp({ env: { UPSTREAM_MAP: `${ORIGIN}=http://127.0.0.1:${server.port}` } });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const refused = await person.post('/api/auth/apikey/discord', { values: { token: 't-other' } });
  expect(refused.status).toBe(400);
  const connected = await person.post('/api/auth/apikey/discord', { values: { token: 't-bot' } });
  expect(connected).toMatchObject({ status: 200, body: { account: { id: '7', label: 'ana' } } });
  return { person, forms };
}

describe('a bot that is connected to Discord', () => {
  it('reads messages, members and threads without what says nothing', async () => {
    const { person } = await connect();
    expect(await person.run('discord_list_messages', at)).toEqual([
      {
        id: '3',
        channel_id: '2',
        author: { id: '7', username: 'ana', global_name: 'Ana' },
        content: 'Größe <@7>',
        timestamp: '2026-03-01T09:00:00.000000+00:00',
        attachments: [{ id: '9', filename: 'a.txt', content_type: 'text/plain', size: 6 }],
        mentions: { 7: 'ana' },
        reactions: { '👍': 2, 'party:44': 1 },
        reply_to: '1',
      },
    ]);
    expect(await person.run('discord_list_members', { guildId: '1' })).toEqual([
      { id: '7', username: 'ana', global_name: 'Ana', roles: ['8'], joined_at: '2026-01-01T00:00:00Z' },
    ]);
    expect(await person.run('discord_list_threads', { guildId: '1' })).toEqual({
      threads: [
        {
          id: '5',
          type: 'thread',
          name: 'general',
          parent_id: '1',
          position: 3,
          archived: false,
          locked: false,
        },
      ],
    });
  });

  it('uploads files together with the text', async () => {
    const { person, forms } = await connect();
    const kept = await person.run('upload_file', { name: 'größe.txt', content: 'größe' });
    const { handle } = (kept as { file: { handle: string } }).file;
    await person.run('discord_send_message', { ...at, content: 'hier', files: [`file:${handle}`] });
    const [form] = forms;
    const payload = form?.get('payload_json');
    expect(typeof payload === 'string' && JSON.parse(payload)).toEqual({
      content: 'hier',
      allowed_mentions: { parse: ['users', 'roles'] },
    });
    const file = form?.get('files[0]');
    if (!(file instanceof File)) throw new Error('no file');
    expect([file.name, await file.text()]).toEqual(['größe.txt', 'größe']);
  });

  it("says when the search is not ready, and passes on Discord's message", async () => {
    const { person } = await connect();
    await expect(person.run('discord_search_messages', { guildId: '1' })).rejects.toThrow(
      'try again in 3 seconds',
    );
    await expect(person.run('discord_list_messages', { channelId: '4' })).rejects.toThrow(
      '403: Missing Access',
    );
  });
});
