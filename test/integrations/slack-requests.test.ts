// Lists what each Slack tool sends, one line per tool.
import { describe, expect, it } from 'vitest';
import { slack } from '../../integrations/slack/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const c = { channel: 'C1' };
const ts = '1700000000.000100';
const blocks = [{ type: 'divider' }];

const TABLE: [tool: string, args: object, request: string][] = [
  ['whoami', {}, 'GET /auth.test'],
  ['list_channels', {}, 'GET /conversations.list?types=public_channel&exclude_archived=true&limit=100'],
  [
    'list_channels',
    { types: 'im,mpim', excludeArchived: false, limit: 5, cursor: 'dXNlcg==' },
    'GET /conversations.list?types=im,mpim&exclude_archived=false&limit=5&cursor=dXNlcg==',
  ],
  [
    'get_channel',
    { ...c, includeNumMembers: true },
    'GET /conversations.info?channel=C1&include_num_members=true',
  ],
  [
    'create_channel',
    { name: 'neu', isPrivate: true },
    'POST /conversations.create {"name":"neu","is_private":true}',
  ],
  [
    'invite_to_channel',
    { ...c, users: 'U1,U2' },
    'POST /conversations.invite {"channel":"C1","users":"U1,U2"}',
  ],
  [
    'get_channel_history',
    { ...c, cursor: 'n', oldest: '1', latest: '2', inclusive: true },
    'GET /conversations.history?channel=C1&limit=30&cursor=n&oldest=1&latest=2&inclusive=true',
  ],
  ['get_thread_replies', { ...c, ts }, `GET /conversations.replies?channel=C1&ts=${ts}&limit=50`],
  ['list_channel_members', { ...c, cursor: 'n' }, 'GET /conversations.members?channel=C1&limit=100&cursor=n'],
  ['open_dm', { users: 'U1' }, 'POST /conversations.open {"users":"U1"}'],
  ['mark_channel_read', { ...c, ts }, `POST /conversations.mark {"channel":"C1","ts":"${ts}"}`],
  [
    'post_message',
    { ...c, text: 'Größe', threadTs: ts, blocks, unfurlLinks: false },
    `POST /chat.postMessage {"channel":"C1","text":"Größe","thread_ts":"${ts}","blocks":[{"type":"divider"}],"unfurl_links":false}`,
  ],
  ['update_message', { ...c, ts, text: 'x' }, `POST /chat.update {"channel":"C1","ts":"${ts}","text":"x"}`],
  ['delete_message', { ...c, ts }, `POST /chat.delete {"channel":"C1","ts":"${ts}"}`],
  [
    'schedule_message',
    { ...c, text: 'x', postAt: '1800000000' },
    'POST /chat.scheduleMessage {"channel":"C1","text":"x","post_at":"1800000000"}',
  ],
  ['get_permalink', { ...c, messageTs: ts }, `GET /chat.getPermalink?channel=C1&message_ts=${ts}`],
  [
    'search_messages',
    { query: 'from:@ana Büro', sort: 'timestamp', page: 2 },
    'GET /search.messages?query=from:@ana Büro&count=20&page=2&sort=timestamp',
  ],
  [
    'add_reaction',
    { ...c, name: 'tada', timestamp: ts },
    `POST /reactions.add {"channel":"C1","name":"tada","timestamp":"${ts}"}`,
  ],
  ['remove_reaction', { name: 'tada', ...c }, 'POST /reactions.remove {"name":"tada","channel":"C1"}'],
  ['list_users', { cursor: 'n' }, 'GET /users.list?limit=100&cursor=n'],
  ['get_user', { user: 'U1' }, 'GET /users.info?user=U1'],
  ['lookup_user_by_email', { email: 'a+b@example.com' }, 'GET /users.lookupByEmail?email=a+b@example.com'],
  [
    'list_files',
    { ...c, types: 'images,pdfs', page: 2 },
    'GET /files.list?channel=C1&types=images,pdfs&count=20&page=2',
  ],
  [
    'set_status',
    { profile: '{"a":"ü&"}' },
    'POST /users.profile.set profile=%7B%22a%22%3A%22%C3%BC%26%22%7D',
  ],
  ['pin_message', { ...c, timestamp: ts }, `POST /pins.add {"channel":"C1","timestamp":"${ts}"}`],
];

describe('the requests of Slack', () => {
  it.each(TABLE)('slack_%s %j', async (name, args, request) => {
    expect(await sent(slack, `slack_${name}`, args)).toEqual([request]);
  });

  it('names every tool, with the two that are more than one request', () => {
    expect(new Set([...TABLE.map(([name]) => name), 'read_file', 'upload_file'])).toEqual(
      new Set(slack.tools.map(({ name }) => name.replace('slack_', ''))),
    );
  });
});

describe('Slack files', () => {
  it('are uploaded in three steps, the second to the given address without a credential', async () => {
    const upload_url = 'https://files.slack.com/upload/v1/abc';
    const args = { filename: 'ü.txt', content: 'ü', channel: 'C1', threadTs: ts, comment: 'bitte' };
    expect(await sent(slack, 'slack_upload_file', args, [{ ok: true, upload_url, file_id: 'F1' }])).toEqual([
      'GET /files.getUploadURLExternal?filename=ü.txt&length=2',
      `POST ${upload_url}`,
      `POST /files.completeUploadExternal {"files":[{"id":"F1","title":"ü.txt"}],"channel_id":"C1","thread_ts":"${ts}","initial_comment":"bitte"}`,
    ]);
  });

  it("are read only from Slack's own file host", async () => {
    const calls: UpstreamCall[] = [];
    const read = (url_private: string, name: string | null = 'x', ...more: Response[]) => {
      const file = { name, mimetype: 'text/plain', url_private };
      const answers = [Response.json({ ok: true, file }), ...more];
      const upstream = async (call: UpstreamCall) => {
        calls.push(call);
        return answers.shift() ?? new Response('hello');
      };
      const context = {
        userId: 'u',
        clock: createFakeClock(),
        files: createMemoryFiles(),
        upstream,
        fetch: () => Promise.reject(new Error()),
      };
      return run(slack, 'slack_read_file', { file: 'F1', maxBytes: 3 }, context);
    };
    expect(await read('https://files.slack.com/files-pri/T1-F1/%C3%BC.txt?t=1')).toEqual({
      name: 'x',
      mimeType: 'text/plain',
      encoding: 'text',
      content: 'hel',
      truncated: true,
    });
    expect(calls[1]).toMatchObject({ at: 'files', method: 'GET', path: '/files-pri/T1-F1/%C3%BC.txt' });
    for (const url of ['https://docs.example.com/d/1', 'https://files.slack.com.evil.example/x', 'nothing'])
      await expect(read(url)).rejects.toThrow('is not kept in Slack');
    expect(calls).toHaveLength(5);
    const here = 'https://files.slack.com/files-pri/T1-F1/x';
    expect(await read(here, null)).toMatchObject({ name: 'unnamed', content: 'hel' });
    const page = new Response('<!DOCTYPE html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    await expect(read(here, 'x', page)).rejects.toThrow('page to sign in at');
  });
});
