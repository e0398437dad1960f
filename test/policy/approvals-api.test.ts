// Tests what a person sees of the calls of agents: the list of approvals, and what one shows. reference: Approvals
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import type { ApprovalQuery } from '../../src/ports/policy.ts';
import { MANY_QUESTIONS } from '../contracts/store/records.ts';
import { fileIn, putFile } from '../support/files.ts';
import { smallWorld } from '../support/fixtures.ts';
import { askToShout, type Headers, makeKey, run, send, setRules, tokenHeader } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PATH = '/api/approvals';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const APPROVE = { decision: 'approve' };
const DENY = { decision: 'deny' };

/** A tool that sends one request, as most built-in tools do, and takes files. */
const desk = defineIntegration({
  name: 'desk',
  version: '1.0.0',
  displayName: 'Desk',
  description: 'A fixture',
  categories: [],
  logo: null,
  auth: { type: 'none' },
  tools: [
    {
      ...tool(
        'desk_send',
        'Sends a letter',
        () => ({ letter: z.looseObject({}) }),
        ({ letter }) => letter,
        'write',
      ),
      request: { method: 'POST', path: '/letters' },
    },
  ],
});

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp({ ports: { integrations: [...smallWorld, desk] } });
  ana = await app.user();
  await setRules(app, ana, [{ tool: 'shout', decision: 'ask' }]);
});
afterEach(() => app.close());

const asAna = (method: string, path: string, body?: unknown) =>
  send(app, ana.sessionHeader, method, path, body);
const decide = (id: string, decision: object) => asAna('POST', `${PATH}/${id}`, decision);
const show = async (id: string) => (await asAna('GET', `${PATH}/${id}`)).body;
const list = async (query = '') => (await asAna('GET', `${PATH}${query}`)).body.approvals;
const ask = (text = 'a', headers: Headers = ana.keyHeader) => askToShout(app, headers, text);

describe('the list of approvals', () => {
  it('has the newest first, those of some states, and no more than the limit', async () => {
    const texts = async (query: string) =>
      (await list(query)).map(({ args }: { args: { text: string } }) => args.text);
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c', 'd']) {
      ids.push(await ask(text));
      app.clock.advance(1);
    }
    await decide(ids[1] ?? '', APPROVE);
    await decide(ids[2] ?? '', DENY);
    expect(await texts('')).toEqual(['d', 'c', 'b', 'a']);
    expect(await texts('?limit=2')).toEqual(['d', 'c']);
    expect(await texts('?state=pending')).toEqual(['d', 'a']);
    expect(await texts('?state=approved,denied,approved')).toEqual(['c', 'b']);
    expect(await texts('?state=done')).toEqual([]);
  });

  it.each([
    ['state=', /state/],
    ['state=pending,nope', /state\.1/],
    ['limit=0', /limit/],
    ['limit=201', /limit/],
    ['limit=x', /limit/],
    ['limit=1.5', /limit/],
  ])('with %s is refused', async (query, message) => {
    expect(await asAna('GET', `${PATH}?${query}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(message) },
    });
  });

  it('ends early where the arguments are long', async () => {
    const length = 200 * 1024;
    for (let count = 0; count < 25; count++) await ask(String.fromCharCode(97 + count).repeat(length));
    const some = await list();
    expect(some.length).toBeGreaterThan(10);
    expect(some.length).toBeLessThan(25);
    expect(some[0].args.text).toHaveLength(length);
    const { results } = (
      await asAna('POST', PATH, { ids: some.map(({ id }: { id: string }) => id), ...DENY })
    ).body;
    expect(results).toHaveLength(some.length);
    expect((await list('?state=pending')).length).toBe(25 - some.length);
  });

  it('is read once at a time for a person, and twenty wait', async () => {
    await ask();
    const { store } = app.deps;
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    const approvals = {
      ...store.approvals,
      list: (query: ApprovalQuery) => isOpen.then(() => store.approvals.list(query)),
    };
    const slow = await createTestApp({ ports: { store: { ...store, approvals, close: async () => {} } } });
    const refused: number[] = [];
    const answers = Array.from({ length: 25 }, async () => {
      const answer = await send(slow, ana.sessionHeader, 'GET', PATH);
      if (answer.status === 429) refused.push(answer.status);
      return answer;
    });
    await expect.poll(() => refused.length).toBe(4);
    open();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(21);
    await slow.close();
  });
});

describe('a question', () => {
  it('shows the request of its tool and names the files of the person', async () => {
    const upload = async (user: TestUser, name: string) => {
      const { body } = await send(app, user.sessionHeader, 'POST', '/api/files', { name });
      return fileIn((await putFile(app, body.uploadUrl, 'abc')).body).handle;
    };
    const ben = await app.user('ben@example.com');
    const own = await upload(ana, 'letter.txt');
    const bare = await upload(ana, 'bare.txt');
    const foreign = await upload(ben, 'secret.txt');
    const gone = `f-zzzzzz-3-${'0'.repeat(32)}`;
    const letter = {
      file: `file:${own}`,
      again: { list: [`file:${own}`, bare, `file:${foreign}`, `file:${gone}`] },
      text: `not file:${own}`,
    };
    await setRules(app, ana, [{ integration: 'desk', decision: 'ask' }]);
    const { approval } = await run(app, ana.keyHeader, 'desk_send', { letter });
    const shown = await show(approval.id);
    const none = { name: null, mimeType: null, bytes: null };
    expect(shown).toMatchObject({
      args: { letter },
      access: 'write',
      description: 'Sends a letter',
      request: { method: 'POST', path: '/letters' },
    });
    expect(shown.files).toEqual([
      { handle: own, name: 'letter.txt', mimeType: 'text/plain', bytes: 3 },
      { handle: bare, name: 'bare.txt', mimeType: 'text/plain', bytes: 3 },
      { handle: foreign, ...none },
      { handle: gone, ...none },
    ]);
  });

  it('says who asks, in plain text', async () => {
    const client = { client_id: 'c1', client_name: 'Good\u202e\u0000 agent\u200b', redirect_uris: [] };
    await app.deps.store.clients.register({ ...client, created_at: 1 }, 10);
    const { header } = await makeKey(app, ana, { name: 'Named' });
    const callers: [Headers, object][] = [
      [ana.sessionHeader, { id: 'session', kind: 'session', name: null }],
      [ana.keyHeader, { id: 'key', kind: 'key', name: null }],
      [header, { id: expect.stringMatching(/^key:/), kind: 'agent-key', name: 'Named' }],
      [tokenHeader(app, ana, 'c1'), { id: 'client:c1', kind: 'client', name: 'Good   agent' }],
      [tokenHeader(app, ana, 'gone'), { id: 'client:gone', kind: 'client', name: null }],
    ];
    for (const [headers, caller] of callers) {
      const id = await ask('a', headers);
      expect((await show(id)).caller).toEqual(caller);
      await decide(id, APPROVE);
      expect(await run(app, headers, 'shout', { text: 'a' })).toEqual({ result: 'A' });
    }
  });

  it('is shown without a tool that is gone', async () => {
    const id = await ask();
    const row = await app.deps.store.approvals.get(ana.id, id);
    if (row === null) throw new Error('there is no such approval');
    const raw = { ...row, id: UNKNOWN, slot: UNKNOWN, tool: 'DELETE /letters/1' };
    await app.deps.store.approvals.ask(raw, MANY_QUESTIONS);
    expect(await show(UNKNOWN)).toMatchObject({
      tool: 'DELETE /letters/1',
      description: null,
      request: null,
    });
  });
});
