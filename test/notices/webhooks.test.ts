// Sends notices to signed webhooks, with somebody else's library as the judge of the signatures. reference: Notices
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewChannel } from '../../src/notices/operations.ts';
import { call } from '../support/mcp.ts';
import { type NoticeStand, openNotices, type Received } from '../support/notice-stand.ts';

const hook = (url: string, more: object = {}) =>
  ({ channel: 'webhook', name: 'Server', url, ...more }) as const;

function verified({ secret = '' }: NewChannel, received: Received | undefined): unknown {
  if (received === undefined) throw new TypeError('nothing was received');
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, String(received.headers[name])]));
  // The receiver reads the clock of the gateway.
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  try {
    return new Webhook(secret).verify(received.body.toString(), headers);
  } finally {
    vi.useRealTimers();
  }
}

describe('a signed webhook', () => {
  let stand: NoticeStand;
  beforeEach(async () => {
    stand = await openNotices();
  });
  afterEach(() => stand.close());

  it('is told of a call that waits, with a link and nothing of the call', async () => {
    const { app, ana, receiver, send } = stand;
    const channel = await stand.add(hook(receiver.url));
    expect(channel.secret).toMatch(/^whsec_/);
    await send('PUT', '/api/policy', { rules: [{ decision: 'ask' }] });
    const asked = await call(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'shout', args: { text: 'SECRET-ARGUMENT' } }],
    });
    expect(JSON.stringify(asked)).toContain('APPROVAL_REQUIRED');
    await receiver.until(1);
    const [received] = receiver.got;
    const [{ id } = { id: '' }] = await app.deps.store.approvals.list({ user_id: ana.id, limit: 1 });
    expect(verified(channel, received)).toMatchObject({
      type: 'notice.approval',
      data: { kind: 'approval', url: `http://localhost:3000/approvals/${id}` },
    });
    expect(received?.body.toString()).not.toContain('SECRET-ARGUMENT');
    const [delivery] = await stand.untilStates(['done']);
    expect(delivery).toMatchObject({ id: received?.headers['webhook-id'], lastStatus: 204, attempts: 1 });
  });

  it('shows its secret once and its host only', async () => {
    const { receiver, send } = stand;
    const { secret = '' } = await stand.add(hook(`${receiver.url}/with-token?key=abc`));
    const text = await (await send('GET', '/api/notices')).text();
    expect(text).toContain(new URL(receiver.url).host);
    for (const hidden of [secret, 'with-token', 'abc']) expect(text).not.toContain(hidden);
  });

  it('is tried again with the same id, and a later time, until it takes the notice', async () => {
    const { app, receiver } = stand;
    const channel = await stand.add(hook(receiver.url));
    receiver.answers((response) => response.writeHead(receiver.got.length < 3 ? 503 : 200).end());
    await stand.tell();
    for (const count of [1, 2, 3]) {
      await receiver.until(count);
      await (count < 3 ? untilFailures(stand, count) : stand.untilStates(['done']));
      app.clock.advance(60);
      await stand.round();
    }
    const ids = new Set(receiver.got.map(({ headers }) => headers['webhook-id']));
    const times = new Set(receiver.got.map(({ headers }) => headers['webhook-timestamp']));
    expect([ids.size, times.size]).toEqual([1, 3]);
    verified(channel, receiver.got[2]);
  });

  it('is disabled after a day of failures, and its owner hears of it elsewhere', async () => {
    const { app, receiver, send } = stand;
    const down = await stand.add(hook(`${receiver.url}/down`));
    const other = await stand.add(hook(`${receiver.url}/up`, { kinds: ['destination'] }));
    receiver.answers((response, { path }) => response.writeHead(path === '/down' ? 500 : 204).end());
    await stand.tell();
    await receiver.until(1);
    for (let minute = 0; minute < 24 * 60 + 5; minute += 20) {
      app.clock.advance(20 * 60);
      await stand.round();
      await stand.app.deps.clock.turn();
      // The attempts of a round end before the next one.
      await settled(stand);
    }
    await stand.untilStates(['done', 'failed']);
    const tries = receiver.got.filter(({ path }) => path === '/down').length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(30);
    const told = receiver.got.filter(({ path }) => path === '/up');
    expect(verified(other, told[0])).toMatchObject({ type: 'notice.destination' });
    const shown = await (await send('GET', '/api/notices')).json();
    expect(shown.channels).toContainEqual(expect.objectContaining({ id: down.id, state: 'disabled' }));
    // Nothing more is stored for it.
    await stand.tell();
    expect(await stand.deliveries()).toHaveLength(2);

    const [, failed] = await stand.deliveries();
    const again = `/api/notices/deliveries/${failed?.id}/send-again`;
    expect((await send('POST', again)).status).toBe(409);
    receiver.answers((response) => response.writeHead(200).end());
    expect((await send('PATCH', `/api/notices/channels/${down.id}`, { disabled: false })).status).toBe(200);
    expect((await send('POST', again)).status).toBe(202);
    await stand.untilStates(['done', 'done']);
    expect(receiver.got.at(-1)?.headers['webhook-id']).toBe(failed?.id);
  });

  it('is disabled at once by 410 Gone', async () => {
    const { receiver, send } = stand;
    await stand.add(hook(receiver.url));
    receiver.answers((response) => response.writeHead(410).end());
    await stand.tell();
    await stand.untilStates(['failed']);
    expect((await (await send('GET', '/api/notices')).json()).channels[0].state).toBe('disabled');
  });

  it('is not followed where it redirects, and its answer is read to a bound', async () => {
    const { receiver } = stand;
    await stand.add(hook(receiver.url));
    receiver.answers((response) => response.writeHead(302, { location: '/elsewhere' }).end());
    await stand.tell();
    await receiver.until(1);
    const [first] = await untilTried(stand, 1);
    expect(first?.lastError).toContain('redirects');
    receiver.answers((response) => response.writeHead(200).end(Buffer.alloc(4 * 1024 * 1024)));
    stand.app.clock.advance(60);
    await stand.round();
    await stand.untilStates(['done']);
    expect(receiver.got.map(({ path }) => path)).toEqual(['/', '/']);
  });

  it('does not hold up others while it is slow', async () => {
    const { receiver } = stand;
    await stand.add(hook(`${receiver.url}/slow`));
    await stand.add(hook(`${receiver.url}/quick`));
    const held: (() => void)[] = [];
    receiver.answers((response, { path }) => {
      if (path === '/slow') held.push(() => response.writeHead(200).end());
      else response.writeHead(200).end();
    });
    for (let each = 0; each < 5; each++) await stand.tell();
    await receiver.until(6);
    expect(receiver.got.filter(({ path }) => path === '/quick')).toHaveLength(5);
    // One at a time waits for the slow one.
    expect(held).toHaveLength(1);
    receiver.answers((response) => response.writeHead(200).end());
    held[0]?.();
    await stand.untilStates(Array.from({ length: 10 }, () => 'done' as const));
  });

  it('is told nothing of a kind that is switched off, and nothing is stored without a channel', async () => {
    const { receiver, send } = stand;
    await stand.tell();
    expect(await stand.deliveries()).toEqual([]);
    const { id } = await stand.add(hook(receiver.url, { kinds: ['key'] }));
    await stand.tell();
    expect(await stand.deliveries()).toEqual([]);
    await send('PATCH', `/api/notices/channels/${id}`, { kinds: ['approval'] });
    await stand.tell();
    await stand.untilStates(['done']);
  });

  it('is told once of the same thing', async () => {
    await stand.add(hook(stand.receiver.url));
    for (let each = 0; each < 3; each++) await stand.tell({ about: 'approval same' });
    await stand.untilStates(['done']);
    expect(stand.receiver.got).toHaveLength(1);
  });

  it('is told nothing in quiet hours, and after them of what still waits', async () => {
    const { app, receiver, send } = stand;
    await stand.add(hook(receiver.url));
    const now = app.clock.now();
    const at = (seconds: number) => new Date((now + seconds) * 1_000).toISOString().slice(11, 16);
    const quietHours = { from: at(-3_600), to: at(3_600), timeZone: 'UTC' };
    expect((await send('PATCH', '/api/notices', { quietHours })).status).toBe(200);
    await stand.tell({ about: 'approval decided' });
    await stand.tell({ about: 'approval open' });
    await stand.tell({ about: 'approval over', until: now + 600 });
    app.deps.features.forEach(({ approvalDecided }) =>
      approvalDecided?.(app.deps)({ userId: stand.ana.id, approval: 'decided' }),
    );
    await stand.round();
    expect(receiver.got).toEqual([]);
    app.clock.advance(3_700);
    await stand.round();
    await receiver.until(1);
    const states = async () => (await stand.deliveries()).map(({ state }) => state).toSorted();
    await expect.poll(states).toEqual(['done', 'dropped', 'dropped']);
    expect(receiver.got).toHaveLength(1);
  });

  it('can be tested by its owner, twenty times an hour', async () => {
    const { receiver, send } = stand;
    const { id } = await stand.add(hook(receiver.url));
    for (let each = 0; each < 20; each++)
      expect((await send('POST', `/api/notices/channels/${id}/test`)).status).toBe(202);
    expect((await send('POST', `/api/notices/channels/${id}/test`)).status).toBe(429);
    await receiver.until(20);
    expect(JSON.parse(receiver.got[0]?.body.toString() ?? '')).toMatchObject({ type: 'notice.test' });
  });
});

describe('the addresses of webhooks', () => {
  it('go through the guard when they are added', async () => {
    const stand = await openNotices({
      env: {
        SERVER_PUBLIC_URL: 'https://gateway.example',
        SESSION_SECRET: 'ab12'.repeat(16),
        ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
        EGRESS_ALLOW: '127.0.0.1',
      },
    });
    try {
      for (const url of [
        'http://10.0.0.1/x',
        'http://169.254.169.254/latest',
        'http://[::1]/',
        'file:///etc/passwd',
        'https://a:b@example.com/',
      ]) {
        const answer = await stand.send('POST', '/api/notices/channels', hook(url));
        expect([url, answer.status]).toEqual([url, 400]);
      }
      await stand.add(hook(stand.receiver.url));
    } finally {
      await stand.close();
    }
  });

  it('are changed by sessions only, and a stranger sees none of them', async () => {
    const stand = await openNotices();
    try {
      const { app, ana, send } = stand;
      const { id } = await stand.add(hook(stand.receiver.url));
      const byKey = await app.request('/api/notices/channels', {
        method: 'POST',
        headers: { ...ana.keyHeader, 'content-type': 'application/json' },
        body: JSON.stringify(hook(stand.receiver.url)),
      });
      expect(byKey.status).toBe(403);
      const ben = await app.user('ben@example.com');
      for (const [method, path] of [
        ['PATCH', `/api/notices/channels/${id}`],
        ['DELETE', `/api/notices/channels/${id}`],
        ['POST', `/api/notices/channels/${id}/test`],
      ] as const)
        expect((await send(method, path, { name: 'Mine' }, ben)).status).toBe(404);
      await stand.tell();
      const [delivery] = await stand.untilStates(['done']);
      expect(
        (await send('POST', `/api/notices/deliveries/${delivery?.id}/send-again`, undefined, ben)).status,
      ).toBe(404);
      expect(await stand.deliveries(ben)).toEqual([]);
    } finally {
      await stand.close();
    }
  });

  it('are at most ten for a person', async () => {
    const stand = await openNotices();
    try {
      for (let each = 0; each < 10; each++) await stand.add(hook(stand.receiver.url));
      expect((await stand.send('POST', '/api/notices/channels', hook(stand.receiver.url))).status).toBe(409);
    } finally {
      await stand.close();
    }
  });
});

/** Nothing is being sent. */
async function settled({ app, ana }: NoticeStand): Promise<void> {
  await expect
    .poll(async () => {
      const rows = await app.deps.store.outbox.deliveries.list({ userId: ana.id, limit: 10 });
      return rows.filter(({ running_until }) => running_until !== null).length;
    })
    .toBe(0);
}

async function untilTried(stand: NoticeStand, attempts: number) {
  await expect.poll(async () => (await stand.deliveries())[0]?.attempts).toBe(attempts);
  return stand.deliveries();
}

async function untilFailures({ app, ana }: NoticeStand, failures: number): Promise<void> {
  const failed = async () => (await app.deps.store.outbox.destinations.list(ana.id))[0]?.failures;
  await expect.poll(failed).toBe(failures);
}
