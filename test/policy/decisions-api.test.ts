// Tests how a person decides about the calls of agents. reference: Approvals; decision: 038
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import type { ApprovalChange } from '../../src/ports/policy.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { sqlitePlace } from '../contracts/store/open.ts';
import { askToShout, type Headers, makeKey, run, send, setRules } from '../support/policy.ts';
import { openRaceApp } from '../support/race-app.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PATH = '/api/approvals';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const ASK = [{ tool: 'shout', decision: 'ask' }];
const HOUR = 3_600;

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user();
  await setRules(app, ana, ASK);
});
afterEach(() => app.close());

const asAna = (method: string, path: string, body?: unknown) =>
  send(app, ana.sessionHeader, method, path, body);
const decide = (id: string, decision: object, user = ana) =>
  send(app, user.sessionHeader, 'POST', `${PATH}/${id}`, decision);
const show = async (id: string) => (await asAna('GET', `${PATH}/${id}`)).body;
const list = async (query = '') => (await asAna('GET', `${PATH}${query}`)).body.approvals;
const ask = (text = 'a', headers: Headers = ana.keyHeader) => askToShout(app, headers, text);
const shout = (text = 'a', headers: Headers = ana.keyHeader) => run(app, headers, 'shout', { text });
const APPROVE = { decision: 'approve' };
const DENY = { decision: 'deny' };

async function change(id: string, changes: ApprovalChange): Promise<void> {
  const row = await app.deps.store.approvals.get(ana.id, id);
  if (row === null || !(await app.deps.store.approvals.move(row, changes)))
    throw new Error('it was not changed');
}

describe('a named key, its question, the decision and the call', () => {
  it('go through MCP', async () => {
    const { id: keyId, header } = await makeKey(app, ana, { name: 'Writer', integrations: ['echo'] });
    const id = await ask('hello', header);
    const asked = {
      id,
      integration: 'echo',
      tool: 'shout',
      access: 'read',
      account: null,
      args: { text: 'hello' },
      subject: 'hello',
      caller: { id: `key:${keyId}`, kind: 'agent-key', name: 'Writer' },
      state: 'pending',
      covers: null,
      reason: null,
      files: [],
      description: 'Built in, without a prefix',
      request: null,
      createdAt: app.clock.now(),
      expiresAt: app.clock.now() + HOUR,
      decidedAt: null,
      ranAt: null,
      endedAt: null,
    };
    expect(await asAna('GET', PATH)).toEqual({
      status: 200,
      cacheControl: 'no-store',
      body: { approvals: [asked] },
    });
    expect(await asAna('GET', `${PATH}/${id}`)).toEqual({
      status: 200,
      cacheControl: 'no-store',
      body: asked,
    });

    app.clock.advance(100);
    const decidedAt = app.clock.now();
    const approved = { ...asked, state: 'approved', covers: 'once', decidedAt, expiresAt: decidedAt + HOUR };
    expect(await decide(id, APPROVE)).toEqual({ status: 200, cacheControl: 'no-store', body: approved });
    // The personal key is another caller.
    expect((await shout('hello')).approval.id).not.toBe(id);
    expect(await shout('hello', header)).toEqual({ result: 'HELLO' });
    expect(await show(id)).toMatchObject({
      state: 'done',
      args: { text: 'hello' },
      ranAt: expect.any(Number),
      endedAt: expect.any(Number),
    });
    expect((await shout('hello', header)).error).toBe('APPROVAL_REQUIRED');
  });

  it('go through REST', async () => {
    const { header } = await makeKey(app, ana);
    const call = () => send(app, header, 'POST', '/rest/echo/shout', { text: 'hello' });
    const asked = await call();
    expect(asked).toMatchObject({ status: 409, body: { error: 'APPROVAL_REQUIRED' } });
    await decide(asked.body.approval.id, APPROVE);
    expect(await call()).toMatchObject({ status: 200, body: { result: 'HELLO' } });
    expect((await call()).status).toBe(409);
  });

  it('end together when the key is deleted', async () => {
    const { id: keyId, header } = await makeKey(app, ana);
    const id = await ask('a', header);
    await asAna('DELETE', `/api/agent-keys/${keyId}`);
    expect(await show(id)).toMatchObject({ state: 'expired', args: null, caller: { kind: 'agent-key' } });
    expect((await decide(id, APPROVE)).status).toBe(409);
  });
});

describe('a decision', () => {
  it('for an hour covers the same call any number of times', async () => {
    const id = await ask();
    expect((await decide(id, { ...APPROVE, for: 'hour' })).body).toMatchObject({
      state: 'approved',
      covers: 'hour',
      expiresAt: app.clock.now() + HOUR,
    });
    for (let count = 0; count < 3; count++) expect(await shout()).toEqual({ result: 'A' });
    expect((await shout('b')).error).toBe('APPROVAL_REQUIRED');
    app.clock.advance(HOUR);
    expect((await shout()).error).toBe('APPROVAL_REQUIRED');
    expect((await show(id)).state).toBe('expired');
  });

  it('for an hour lasts an hour where questions wait for a day', async () => {
    await app.close();
    app = await createTestApp({ env: { APPROVAL_TTL_SECONDS: '86400' } });
    ana = await app.user();
    await setRules(app, ana, ASK);
    const [once, hour] = [await ask('a'), await ask('b')];
    const now = app.clock.now();
    expect((await decide(once, APPROVE)).body.expiresAt).toBe(now + 86_400);
    expect((await decide(hour, { ...APPROVE, for: 'hour' })).body.expiresAt).toBe(now + HOUR);
  });

  it('against a call tells the agent, with the reason in plain text, until it ends', async () => {
    const id = await ask();
    const denied = await decide(id, { ...DENY, reason: ' Not\u202e before\nMonday ' });
    expect(denied.body).toMatchObject({
      state: 'denied',
      reason: 'Not  before Monday',
      covers: null,
      args: { text: 'a' },
      decidedAt: app.clock.now(),
      expiresAt: app.clock.now() + HOUR,
    });
    const told = await shout();
    expect(told.error).toBe('DENIED');
    expect(told.message).toContain('Not  before Monday');
    expect((await send(app, ana.keyHeader, 'POST', '/rest/echo/shout', { text: 'a' })).status).toBe(403);
    app.clock.advance(HOUR);
    expect((await shout()).approval.id).not.toBe(id);
  });

  it('is made once: a second one says what it is', async () => {
    const [yes, no] = [await ask('a'), await ask('b')];
    await decide(yes, APPROVE);
    await decide(no, { ...DENY, reason: '' });
    for (const decision of [APPROVE, DENY]) {
      expect(await decide(yes, decision)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('approved already') },
      });
      expect(await decide(no, decision)).toMatchObject({
        status: 409,
        cacheControl: 'no-store',
        body: { error: expect.stringContaining('denied already') },
      });
    }
    expect((await show(no)).reason).toBeNull();
    await shout('a');
    expect((await decide(yes, DENY)).body.error).toContain('has run');
  });

  it('about a question whose time is over says that the agent can ask again', async () => {
    const [first, second] = [await ask('a'), await ask('b')];
    app.clock.advance(HOUR);
    const over = { status: 409, body: { error: 'This question has expired; the agent can ask again' } };
    expect(await decide(first, APPROVE)).toMatchObject(over);
    expect(await decide(first, APPROVE)).toMatchObject(over);
    expect(await list('?state=expired')).toMatchObject([
      { state: 'expired', args: null, endedAt: app.clock.now() },
      { state: 'expired', args: null, endedAt: app.clock.now() },
    ]);
    expect(await decide(second, DENY)).toMatchObject(over);
    const { entries } = (await asAna('GET', '/api/audit')).body;
    expect(entries.filter(({ outcome }: { outcome: string }) => outcome === 'expired')).toHaveLength(2);
    expect(await ask()).not.toBe(first);
  });

  it('about a question of former rules is too late', async () => {
    const id = await ask();
    await setRules(app, ana, [...ASK, { access: 'destroy', decision: 'block' }]);
    expect((await decide(id, APPROVE)).body.error).toContain('has expired');
  });

  it('for arguments that cannot be opened can only be a no', async () => {
    const id = await ask();
    await change(id, { sealed: 'v1.00000000.AAAA' });
    expect(await show(id)).toMatchObject({ state: 'pending', args: null, files: [] });
    expect(await decide(id, APPROVE)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('can only be denied') },
    });
    expect((await shout()).error).toBe('APPROVAL_REQUIRED');
    expect((await decide(id, DENY)).body).toMatchObject({ state: 'denied', args: null });
  });

  it('for the arguments of another question is none', async () => {
    const [one, other] = [await ask('a'), await ask('b')];
    const row = await app.deps.store.approvals.get(ana.id, other);
    await change(one, { sealed: row?.sealed ?? null });
    expect((await decide(one, APPROVE)).status).toBe(409);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', {}, /decision/],
    ['another word', { decision: 'maybe' }, /decision/],
    ['another length', { ...APPROVE, for: 'day' }, /for/],
    ['a length of a no', { ...DENY, for: 'hour' }, /for: goes with/],
    ['a reason of a yes', { ...APPROVE, reason: 'Fine' }, /reason: goes with/],
    ['a long reason', { ...DENY, reason: 'a'.repeat(201) }, /reason/],
    ['other arguments', { ...APPROVE, args: {} }, /args/],
    ['a list', [APPROVE], /./],
  ])('that is %s is refused and changes nothing', async (_kind, decision, message) => {
    const id = await ask();
    const refused = { status: 400, body: { error: expect.stringMatching(message) } };
    expect(await decide(id, Object(decision))).toMatchObject(refused);
    const batch = Array.isArray(decision) ? decision : { ids: [id], ...Object(decision) };
    expect(await asAna('POST', PATH, batch)).toMatchObject(refused);
    expect((await show(id)).state).toBe('pending');
  });
});

describe('several decisions at once', () => {
  it('are each made by itself', async () => {
    const ben = await app.user('ben@example.com');
    await setRules(app, ben, ASK);
    const [first, second, decided] = [await ask('a'), await ask('b'), await ask('c')];
    const foreign = await ask('a', ben.keyHeader);
    await decide(decided, DENY);
    const ids = [first, foreign, UNKNOWN, 'nope', decided, second, first];
    const missing = expect.stringContaining('no such approval');
    expect(await asAna('POST', PATH, { ids, ...APPROVE, for: 'hour' })).toEqual({
      status: 200,
      cacheControl: 'no-store',
      body: {
        results: [
          { id: first, state: 'approved' },
          { id: foreign, error: missing },
          { id: UNKNOWN, error: missing },
          { id: 'nope', error: missing },
          { id: decided, error: expect.stringContaining('denied already') },
          { id: second, state: 'approved' },
          { id: first, error: expect.stringContaining('approved already') },
        ],
      },
    });
    expect(await shout('a')).toEqual({ result: 'A' });
    expect((await shout('a', ben.keyHeader)).approval.id).toBe(foreign);
  });

  it('say no with one reason', async () => {
    const ids = [await ask('a'), await ask('b')];
    await asAna('POST', PATH, { ids, ...DENY, reason: 'Stop' });
    expect(await list('?state=denied')).toMatchObject([{ reason: 'Stop' }, { reason: 'Stop' }]);
  });

  it.each([
    ['none', []],
    ['too many', Array.from({ length: 101 }, () => UNKNOWN)],
    ['numbers', [1]],
    ['nothing', undefined],
  ])('about %s are refused', async (_kind, ids) => {
    expect(await asAna('POST', PATH, { ids, ...DENY })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('ids') },
    });
  });
});

describe('the approvals of another person', () => {
  it('are not listed, not shown and not decided', async () => {
    const id = await ask();
    const ben = await app.user('ben@example.com');
    const missing = { status: 404, body: { error: 'You have no such approval' } };
    expect((await send(app, ben.sessionHeader, 'GET', PATH)).body.approvals).toEqual([]);
    expect(await send(app, ben.sessionHeader, 'GET', `${PATH}/${id}`)).toMatchObject(missing);
    for (const decision of [APPROVE, DENY]) expect(await decide(id, decision, ben)).toMatchObject(missing);
    expect((await show(id)).state).toBe('pending');
  });

  it.each([UNKNOWN, 'nope', '%00', "'--"])('are not told from the unknown id %s', async (id) => {
    expect((await asAna('GET', `${PATH}/${id}`)).status).toBe(404);
    expect((await decide(id, APPROVE)).status).toBe(404);
  });
});

describe('a yes and a no at the same time, at two gateways on one database', () => {
  const ROUNDS = 10;

  it('have one winner, and the call runs once after a yes alone', async () => {
    const place = await sqlitePlace();
    const engine = openAt(place.url);
    await createSchema(engine);
    await engine.close();
    const one = await openRaceApp(place.url, {});
    const other = await openRaceApp(place.url, {});
    const bea = await one.user();
    await setRules(one, bea, ASK);
    for (let round = 0; round < ROUNDS; round++) {
      const text = `round ${round}`;
      const id = await askToShout(one, bea.keyHeader, text);
      // A no is quicker, because it opens no arguments.
      const others = round % 2 === 0 ? DENY : APPROVE;
      const decisions = [APPROVE, others, { ...APPROVE, for: 'hour' }, others, APPROVE, others];
      const answers = await Promise.all(
        decisions.map((decision, index) =>
          send(index % 2 === 0 ? one : other, bea.sessionHeader, 'POST', `${PATH}/${id}`, decision),
        ),
      );
      const [winner, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      const lost = answers.filter(({ status }) => status !== 200);
      for (const { status, body } of lost)
        expect([status, body.error]).toEqual([409, expect.stringContaining(`${winner?.body.state} already`)]);
      const stored = await send(other, bea.sessionHeader, 'GET', `${PATH}/${id}`);
      expect(stored.body).toEqual(winner?.body);
      const runs = await Promise.all(
        [one, other, one, other].map((gateway) => run(gateway, bea.keyHeader, 'shout', { text })),
      );
      const done = runs.filter((outcome) => 'result' in outcome);
      expect(done).toHaveLength({ null: 0, once: 1, hour: runs.length }[String(stored.body.covers)] ?? -1);
    }
    await one.close();
    await other.close();
    await place.remove();
  });
});
