// Tests Discourse: tool, arguments → expected requests; and its session, CSRF tokens and renewed cookies,
// through the engine.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discourse } from '../../integrations/discourse/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { sent } from '../support/capture.ts';
import { type FakeDiscourse, startDiscourse } from '../support/fake-discourse.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const CSRF = 'GET /session/csrf.json';
const csrf = { csrf: 'c' };

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /session/current.json'],
  ['search', { query: 'größe #support', page: 2 }, 'GET /search.json?q=größe #support&page=2'],
  [
    'list_latest_topics',
    { order: 'created', ascending: 'true', perPage: 10, page: 1 },
    'GET /latest.json?order=created&ascending=true&per_page=10&page=1',
  ],
  ['list_top_topics', { period: 'weekly' }, 'GET /top.json?period=weekly'],
  ['get_topic', { id: '7' }, 'GET /t/7.json'],
  ['list_topic_posts', { id: '7', postIds: [21, 22] }, 'GET /t/7/posts.json?post_ids[]=21&post_ids[]=22'],
  ['get_post', { id: '21' }, 'GET /posts/21.json'],
  [
    'create_post',
    { raw: 'Grüße', title: 'Neues Thema', category: 4 },
    [CSRF, 'POST /posts.json {"raw":"Grüße","title":"Neues Thema","category":4}'],
    [csrf],
  ],
  ['create_post', { raw: 'r', topicId: 7 }, [CSRF, 'POST /posts.json {"raw":"r","topic_id":7}'], [csrf]],
  [
    'update_post',
    { id: '21', post: { raw: 'r', edit_reason: 'typo' } },
    [CSRF, 'PUT /posts/21.json {"post":{"raw":"r","edit_reason":"typo"}}'],
    [csrf],
  ],
  ['list_categories', { includeSubcategories: true }, 'GET /categories.json?include_subcategories=true'],
  ['list_category_topics', { slug: 'support/linux', id: 5, page: 1 }, 'GET /c/support/linux/5.json?page=1'],
  ['get_user', { username: 'ana.b' }, 'GET /u/ana.b.json'],
];

describe('discourse', () => {
  for (const [name, args, requests, answers] of rows) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      expect(await sent(discourse, `discourse_${name}`, args, answers)).toEqual([requests].flat());
    });
  }

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `discourse_${name}`));
    expect(names).toEqual(new Set(discourse.tools.map(({ name }) => name)));
  });

  it('accepts an instance below a path', () => {
    const instanceUrl = 'https://example.com/forum';
    expect(resolveBase(discourse, { instanceUrl })).toEqual({ ok: true, base: instanceUrl });
    expect(resolveBase(discourse, {}).ok).toBe(false);
  });
});

describe('a session at Discourse', () => {
  let forum: FakeDiscourse;
  let app: TestApp;
  let ana: Person;

  beforeAll(async () => {
    forum = await startDiscourse();
    app = await createTestApp();
    ana = await createPerson(app);
  });
  afterAll(async () => {
    await app.close();
    await forum.close();
  });
  beforeEach(async () => {
    Object.assign(forum, { token: 'first', renew: false, gate: false, requests: [] });
    const imported = { session: forum.cookies, instanceUrl: forum.url };
    expect((await ana.post('/api/integrations/discourse/session/import', imported)).status).toBe(200);
  });

  it('posts and edits with the token of its own session', async () => {
    const post = await ana.run('discourse_create_post', { raw: 'Grüße aus Köln 🙂', topicId: 7 });
    expect(post).toMatchObject({ raw: 'Grüße aus Köln 🙂', topic_id: 7 });
    const { id } = post as { id: number };
    await ana.run('discourse_update_post', { id: String(id), post: { raw: 'Viele Grüße' } });
    expect(await ana.run('discourse_get_post', { id: String(id) })).toMatchObject({ raw: 'Viele Grüße' });
  });

  it('continues with the cookies that the forum has renewed', async () => {
    forum.renew = true;
    for (let turn = 0; turn < 2; turn++)
      expect(await ana.run('discourse_whoami')).toEqual({ current_user: { id: 5, username: 'ana' } });
    expect(forum.token).toBe('first-renewed');
  });

  it('reports a session that has ended, and writes nothing', async () => {
    forum.token = 'another';
    for (const [tool, args] of [
      ['discourse_whoami', {}],
      ['discourse_get_post', { id: '1' }],
      ['discourse_create_post', { raw: 'hello there' }],
    ] as const) {
      await expect(ana.run(tool, args), tool).rejects.toThrow(/session at Discourse has ended/);
    }
    expect(forum.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    forum.gate = true;
    for (const [tool, args] of [
      ['discourse_list_categories', {}],
      ['discourse_create_post', { raw: 'hello there' }],
    ] as const)
      await expect(ana.run(tool, args), tool).rejects.toThrow(/session has ended/);
  });

  it('is not imported when the forum does not know it', async () => {
    forum.token = 'another';
    const imported = { session: forum.cookies, instanceUrl: forum.url };
    expect(await ana.post('/api/integrations/discourse/session/import', imported)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('answered 404') },
    });
  });

  it("passes on the forum's own error messages", async () => {
    await expect(ana.run('discourse_create_post', { raw: 'hi' })).rejects.toThrow(/Post is too short/);
    await expect(ana.run('discourse_get_post', { id: '999' })).rejects.toThrow(/could not be found/);
    await expect(ana.run('discourse_get_topic', { id: '..' })).rejects.toThrow(/cannot be part of/);
  });
});
