// Sees that features tell of what needs a person. reference: Notices
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { call } from '../support/mcp.ts';
import { startChangingServer, tool } from '../support/changing-server.ts';
import { type NoticeStand, openNotices } from '../support/notice-stand.ts';
import { openProbedStand } from '../support/probed-stand.ts';

const DAY = 24 * 3_600;

describe('a notice', () => {
  let stand: NoticeStand;
  beforeEach(async () => {
    stand = await openNotices();
    await stand.add({ channel: 'webhook', name: 'Server', url: stand.receiver.url });
  });
  afterEach(() => stand.close());
  const told = () => stand.receiver.got.map(({ body }) => JSON.parse(body.toString()).data);

  it('comes once, seven days before a named key expires', async () => {
    const made = await stand.send('POST', '/api/agent-keys', {
      name: 'CI',
      expiresAt: stand.app.clock.now() + 10 * DAY,
    });
    expect(made.status).toBe(201);
    await maintainOnce(stand.app.deps);
    expect(await stand.deliveries()).toEqual([]);
    stand.app.clock.advance(4 * DAY);
    for (let round = 0; round < 3; round++) await maintainOnce(stand.app.deps);
    await stand.receiver.until(1);
    await stand.untilStates(['done']);
    expect(told()).toMatchObject([{ kind: 'key', text: 'The key CI expires within 7 days.' }]);
  });

  it('comes when an import lists other tools', async () => {
    const server = await startChangingServer([tool('one')]);
    try {
      const made = await stand.send('POST', '/api/imports', { address: server.address, name: 'shop' });
      expect(made.status).toBe(201);
      server.tools = [tool('one'), tool('two')];
      expect((await stand.send('POST', '/api/imports/shop/check')).status).toBe(200);
      await stand.receiver.until(1);
      expect(told()).toMatchObject([{ kind: 'import', url: expect.stringContaining('/integrations/shop') }]);
      // The same changes are no news.
      await stand.send('POST', '/api/imports/shop/check');
      expect(await stand.deliveries()).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  it('comes when a service does not accept a credential any more, and waits for no sign-in that was made', async () => {
    const probed = await openProbedStand();
    try {
      const { app, ana, provider } = probed;
      provider.tokens.add('good-token');
      await probed.enter('good-token');
      const headers = { ...ana.sessionHeader, 'content-type': 'application/json' };
      const body = JSON.stringify({ channel: 'webhook', name: 'Server', url: stand.receiver.url });
      expect((await app.request('/api/notices/channels', { method: 'POST', headers, body })).status).toBe(
        201,
      );
      provider.tokens.clear();
      await probed.use();
      await stand.receiver.until(1);
      expect(told()).toMatchObject([
        { kind: 'connection', url: expect.stringContaining('/integrations/probed') },
      ]);
      await probed.use();
      expect((await app.deps.store.outbox.deliveries.list({ userId: ana.id, limit: 10 })).length).toBe(1);
    } finally {
      await probed.close();
    }
  });

  it('is not made by a call that asks nobody', async () => {
    await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'shout', args: { text: 'a' } }],
    });
    expect(await stand.deliveries()).toEqual([]);
  });
});
