// Tests how much was called: what people, named keys and administrators read. reference: Usage
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { causeOf } from '../../src/record/usage/causes.ts';
import { client, entry } from '../contracts/store/records.ts';
import { limitedKey } from '../support/depot.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let ana: TestUser;
let bea: TestUser;
let keyActor: string;
let keyHeader: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp({ env: PROVIDER });
  admin = await userWithRole(app, 'adam@example.com', 'administrator');
  ana = await app.user();
  bea = await app.user('bea@example.com');
  const key = await limitedKey(app, ana, {});
  keyHeader = key.header;
  keyActor = key.actorId;
  const created_at = app.clock.now();
  await app.deps.store.clients.put({ ...client(), client_id: 'agent-7', client_name: 'Clara\u202Ede' });
  const own = (changes: object) => entry({ user_id: ana.id, created_at, ...changes });
  await app.deps.store.audit.append([
    own({ integration: 'echo', tool: 'shout', actor: 'session' }),
    own({
      integration: 'echo',
      tool: 'shout',
      actor: 'client:agent-7',
      success: false,
      error: '429: Slow',
      outcome: 'error',
    }),
    own({ integration: 'time', tool: 'time_now', actor: keyActor }),
    own({
      integration: 'time',
      tool: 'time_now',
      actor: keyActor,
      success: false,
      error: 'BLOCKED',
      outcome: 'blocked',
    }),
    own({ integration: 'time', tool: 'time_now', created_at: created_at - 30 * 3_600 }),
    entry({ user_id: bea.id, created_at, integration: 'bea_only', tool: 'x' }),
  ]);
});
afterAll(() => app.close());

const ask = (path: string, headers: Record<string, string> = ana.sessionHeader) =>
  send(app, headers, 'GET', path);

describe('usage of agents', () => {
  it('counts the hours of each caller, and names what fails often', async () => {
    const { body } = await ask('/api/usage/agents');
    const key = body.agents.find(({ actor }: { actor: string }) => actor === keyActor);
    expect(key).toMatchObject({ ok: 1, failed: 0, refused: 1 });
    expect(key.hours).toHaveLength(24);
    expect(key.hours.at(-1)).toBe(2);
    expect(body.problems).toEqual([
      { integration: 'echo', tool: 'shout', cause: 'rate-limit', calls: 1, of: 2 },
    ]);
    expect(body.agents.some(({ actor }: { actor: string }) => actor === 'bea_only')).toBe(false);
  });

  it('takes a 403 about a limit for a limit, and any other for a refused sign-in', () => {
    const failed = { success: false, outcome: 'error' } as const;
    const limited = '403: API rate limit exceeded for user ID 1. Please try again in 42 seconds';
    expect(causeOf({ ...failed, error: limited })).toBe('rate-limit');
    expect(causeOf({ ...failed, error: '403: Forbidden' })).toBe('sign-in');
  });
});

describe('usage', () => {
  it('counts the own calls with the names of callers, before and after a round', async () => {
    const before = await ask('/api/usage');
    expect(before.status).toBe(200);
    expect(before.body).toMatchObject({
      range: '24h',
      bucketSeconds: 3_600,
      totals: { ok: 2, failed: 1, refused: 1 },
      before: { ok: 1, failed: 0, refused: 0 },
      integrations: [
        { integration: 'echo', ok: 1, failed: 1, refused: 0 },
        { integration: 'time', ok: 1, failed: 0, refused: 1 },
      ],
      causes: expect.arrayContaining([
        { cause: 'rate-limit', calls: 1 },
        { cause: 'blocked', calls: 1 },
      ]),
      isBehind: false,
    });
    expect(before.body.series).toHaveLength(24);
    expect(before.body.series.at(-1)).toMatchObject({ ok: 2, failed: 1, refused: 1 });
    expect(before.body.agents).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ actor: 'client:agent-7', kind: 'client', name: 'Clara de' }),
        expect.objectContaining({ actor: 'session', kind: 'session', name: null }),
        expect.objectContaining({ actor: keyActor, kind: 'agent-key', name: expect.any(String) }),
      ]),
    );
    expect(JSON.stringify(before.body)).not.toContain('bea_only');
    await app.deps.rollUsage.round();
    expect((await ask('/api/usage')).body).toEqual(before.body);
  });

  it('lists as many as the reader wants', async () => {
    const { body } = await ask('/api/usage?limit=1');
    expect([body.integrations.length, body.tools.length, body.agents.length]).toEqual([1, 1, 1]);
    expect((await ask('/api/usage')).body.tools.length).toBeGreaterThan(1);
    for (const limit of ['0', '51', 'x', '-1'])
      expect((await ask(`/api/usage?limit=${limit}`)).status).toBe(400);
  });

  it('filters by integration, tool and caller', async () => {
    const totals = async (query: string) => (await ask(`/api/usage?range=30d&${query}`)).body.totals;
    expect(await totals('integration=time')).toEqual({ ok: 2, failed: 0, refused: 1 });
    expect(await totals('integration=echo&actor=session')).toEqual({ ok: 1, failed: 0, refused: 0 });
    expect(await totals('tool=shout')).toEqual({ ok: 1, failed: 1, refused: 0 });
    expect(await totals('tool=nothing')).toEqual({ ok: 0, failed: 0, refused: 0 });
  });

  it('tells a named key about itself alone', async () => {
    for (const path of ['/api/usage', '/api/usage?actor=session']) {
      const { body } = await ask(path, keyHeader);
      expect(body.totals).toEqual({ ok: 1, failed: 0, refused: 1 });
      expect(body.agents).toHaveLength(1);
    }
    expect((await ask('/api/admin/usage', keyHeader)).status).toBe(403);
  });

  it('lets administrators, and nobody else, count the calls of everybody and of one person', async () => {
    const everybody = await ask('/api/admin/usage', admin.sessionHeader);
    expect(everybody.body.totals).toEqual({ ok: 3, failed: 1, refused: 1 });
    expect(everybody.body.agents).toContainEqual(expect.objectContaining({ actor: 'key:', name: null }));
    expect(JSON.stringify(everybody.body)).not.toContain(keyActor);
    const one = await ask(`/api/admin/usage?person=${bea.id}`, admin.sessionHeader);
    expect(one.body.integrations).toEqual([{ integration: 'bea_only', ok: 1, failed: 0, refused: 0 }]);
    expect((await ask('/api/admin/usage')).status).toBe(403);
    expect((await ask('/api/admin/usage', {})).status).toBe(401);
  });

  it.each(['range=1y', 'offset=x', 'offset=900', 'integration=', 'tool=%00', `actor=${'x'.repeat(1_001)}`])(
    'answers 400 for %s',
    async (query) => {
      expect((await ask(`/api/usage?${query}`)).status).toBe(400);
    },
  );

  it('begins days at the midnight of the reader', async () => {
    for (const offset of [-480, 0, 345]) {
      const { body } = await ask(`/api/usage?range=30d&offset=${offset}`);
      const hours = Math.floor(offset / 60);
      for (const { at } of body.series) expect((at + hours * 3_600) % 86_400).toBe(0);
      expect(body.series).toHaveLength(30);
    }
  });
});

describe('the cause of a failed call', () => {
  it.each([
    ['404: Not Found', 'not-found'],
    ['HTTP 503', 'service'],
    ['mcp.example.com answered with status 403: no', 'sign-in'],
    ['429: Slow down', 'rate-limit'],
    ['422: Validation failed', 'request'],
    ['NOT_CONNECTED', 'not-connected'],
    ['Invalid arguments: text is missing', 'arguments'],
    ['api.example.com did not answer within 30 seconds', 'timeout'],
    ['api.example.com could not be reached', 'unreachable'],
    ['Cancelled by the caller', 'cancelled'],
    ['caller-gone', 'cancelled'],
    ['something else', 'other'],
  ])('of %s is %s', (error, cause) => {
    expect(causeOf({ success: false, outcome: 'error', error })).toBe(cause);
  });
});
