// A feature is one value: everything that knows all features finds it in the list. decision: 002
import { Hono } from 'hono';
import * as z from 'zod';
import { expect, describe, it } from 'vitest';
import type { PortalEnv } from '../../src/auth/portal-user.ts';
import { requirePortalUser } from '../../src/auth/portal-user.ts';
import type { Identify } from '../../src/kit/actor.ts';
import type { ConnectionChange } from '../../src/kit/connection-change.ts';
import type { Feature, Round } from '../../src/kit/feature.ts';
import { makeParts } from '../../src/kit/parts.ts';
import { reply, type Operations } from '../../src/http/operation.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { rotateKeys } from '../../src/maintenance/rotate-keys.ts';
import type { Config } from '../../src/config/config.ts';
import type { Deps } from '../../src/deps.ts';
import { createErasures } from '../../src/people/erasures.ts';
import { placeOfApproval } from '../../src/policy/model/approvals.ts';
import { approval, MANY_QUESTIONS } from '../contracts/store/records.ts';
import { createTestApp } from '../support/test-app.ts';

/** Says what it was asked for. */
const said: string[] = [];

const greetings: Operations = () => ({
  'GET /api/greeting': {
    id: 'getGreeting',
    tag: 'Person',
    summary: 'A greeting',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The greeting', z.object({ greeting: z.string() })) },
  },
});

/** Has one of everything. It asks for a part of another feature, and that one is listed after it. */
const greetingFeature = {
  name: 'greeting',
  shared: { greeted: () => new Set<string>() },
  parts: {
    greet:
      ({ config, greeted }: { config: Config; greeted: Set<string> }) =>
      (id: string) => {
        greeted.add(id);
        return `Welcome to ${config.SERVER_PUBLIC_URL}`;
      },
  },
  guards: () => [
    {
      path: '/api/greeting',
      run: async (c, next) => {
        await next();
        c.header('X-Guarded', 'yes');
      },
    },
  ],
  routes: {
    portal: [
      ({ greet, identify }: { greet: (id: string) => string; identify: Identify }) =>
        new Hono<PortalEnv>().get('/api/greeting', requirePortalUser(identify), (c) =>
          c.json({ greeting: greet(c.var.userId) }),
        ),
    ],
  },
  operations: [greetings],
  chores: (_: object, { purge }: Round) => ({ greetings: async () => void said.push(`chore ${purge}`) }),
  sealed: [
    async function* () {
      yield [
        {
          values: [{ text: 'not sealed', place: ['someone', 'greeting', 'text'] as const }],
          lease: null,
          swap: async () => true,
          again: async () => null,
        },
      ];
    },
  ],
  personal: {
    export: () => (user) => ({ greetings: async () => [{ to: user.email }] }),
    erase: () => async (userId) => void said.push(`erase ${userId}`),
    rename: () => async (userIds) => void said.push(`rename ${userIds.join()}`),
    show: () => async () => ({ namedKeys: [{ name: 'shown by the greeting' }] }),
  },
  limits: () => async () => [{ name: 'keys', used: 7, limit: 8 }],
  connectionChanged: () => async (change: ConnectionChange) =>
    void said.push(`${change.kind} ${change.integration}`),
  approvalDecided:
    () =>
    ({ approval }: { approval: string }) =>
      void said.push(`decided ${approval}`),
} satisfies Feature;

describe('a feature added by one line', () => {
  // The one line. The type `Deps` is made of the list in src/features.ts, so it does not know the parts of this feature.
  const open = () => createTestApp({ features: [greetingFeature as unknown as Feature<Deps>] });

  it('has its routes and guards, behind the door that it names', async () => {
    const app = await open();
    const { sessionHeader } = await app.user();
    expect((await app.request('/api/greeting')).status).toBe(401);
    const answer = await app.request('/api/greeting', { headers: sessionHeader });
    expect(await answer.json()).toEqual({ greeting: 'Welcome to http://localhost:3000' });
    expect(answer.headers.get('x-guarded')).toBe('yes');
    await app.close();
  });

  it('is in the description of the gateway', async () => {
    const app = await open();
    const { paths } = await (await app.request('/openapi.json')).json();
    expect(paths['/api/greeting'].get.operationId).toBe('getGreeting');
    await app.close();
  });

  it('does its chores in a round of the maintenance', async () => {
    const app = await open();
    said.length = 0;
    await maintainOnce(app.deps);
    expect(said).toContain('chore true');
    await app.close();
  });

  it('has its sealed values in a rotation of keys', async () => {
    const app = await open();
    const { unreadable } = await rotateKeys(app.deps, () => {});
    expect(unreadable).toEqual([{ userId: 'someone', integration: 'greeting', column: 'text' }]);
    await app.close();
  });

  it('has its part in the limits and the export of a person, and in what administrators see', async () => {
    const app = await open();
    const { id, sessionHeader } = await app.user();
    const me = await (await app.request('/api/me', { headers: sessionHeader })).json();
    expect(me.limits).toContainEqual({ name: 'keys', used: 7, limit: 8 });
    const exported = await (await app.request('/api/me/export', { headers: sessionHeader })).json();
    expect(exported.greetings).toEqual([{ to: 'ana@example.com' }]);
    const owner = await app.deps.store.users.byEmail('first@example.com');
    if (owner === null) throw new Error('there is no owner');
    const authorization = `Bearer ${await app.deps.sessions.issue(owner)}`;
    const seen = await app.request(`/api/admin/people/${id}`, { headers: { authorization } });
    expect((await seen.json()).namedKeys).toEqual([{ name: 'shown by the greeting' }]);
    await app.close();
  });

  it('erases and renames what it keeps of a person who is deleted', async () => {
    const app = await open();
    const { id, sessionHeader } = await app.user();
    said.length = 0;
    const gone = await app.request('/api/me', {
      method: 'DELETE',
      headers: { ...sessionHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.com' }),
    });
    expect(gone.status).toBe(202);
    app.clock.advance(200);
    await createErasures(app.deps).goOn();
    expect(said).toEqual([`erase ${id}`, `rename ${id}`]);
    await app.close();
  });

  it('is told of connections that are stored and disconnected', async () => {
    const app = await open();
    const { id, sessionHeader } = await app.user();
    said.length = 0;
    await app.deps.vault.save(id, 'github', { accessToken: 'gho_secret' });
    await app.request('/api/connections/github', { method: 'DELETE', headers: sessionHeader });
    expect(said).toEqual(['saving github', 'saved github', 'disconnected github']);
    await app.close();
  });

  it('is told of a decision about a call', async () => {
    const app = await open();
    const { id: user_id, sessionHeader } = await app.user();
    const { clock, seal, store } = app.deps;
    const row = approval({ user_id, expires_at: clock.now() + 100 });
    const sealed = await seal.seal('{}', placeOfApproval(row));
    await store.approvals.ask({ ...row, sealed }, MANY_QUESTIONS);
    said.length = 0;
    const decided = await app.request(`/api/approvals/${row.id}`, {
      method: 'POST',
      headers: { ...sessionHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'deny' }),
    });
    expect(decided.status).toBe(200);
    expect(said).toEqual([`decided ${row.id}`]);
    await app.close();
  });
});

describe('the parts of a gateway', () => {
  it('are made when another part asks for them, whatever their order', () => {
    const parts = makeParts({ start: 1 }, [
      { sum: ({ start, next }: { start: number; next: number }) => start + next },
      { next: ({ start }: { start: number }) => start + 1 },
    ]);
    expect(parts).toEqual({ start: 1, next: 2, sum: 3 });
  });

  it('say which ones need each other to be made', () => {
    const makers = {
      egg: ({ hen }: { hen: string }) => `egg of ${hen}`,
      hen: ({ egg }: { egg: string }) => `hen of ${egg}`,
    };
    expect(() => makeParts({}, [makers])).toThrow(
      new TypeError('parts need each other to be made: egg > hen > egg'),
    );
  });

  it('have one name each', () => {
    expect(() => makeParts({ clock: 1 }, [{ clock: () => 2 }])).toThrow(
      new TypeError('two parts of the gateway are named "clock"'),
    );
  });
});
