// Tests the routes that probes ask: whether the process answers, and whether it can serve. reference: Health and metrics
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../support/memory-blobs.ts';
import type { GatewayPorts } from '../../src/deps.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import type { PendingConnections } from '../../src/ports/pending.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { smallWorld } from '../support/fixtures.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { waitUntil } from '../support/wait.ts';

const REASON = '[redis] connect ECONNREFUSED 10.1.2.3:6379';
const refuses = () => Promise.reject(new Unavailable(REASON));
const isSilent = () => new Promise<never>(() => {});

const apps = new Set<TestApp>();
afterEach(async () => {
  for (const app of apps) await close(app);
});

async function close(app: TestApp): Promise<void> {
  apps.delete(app);
  await app.close();
}

async function open(ports: Partial<GatewayPorts> = {}) {
  const clock = createManualClock();
  const app = await createTestApp({ ports: { integrations: smallWorld, clock, ...ports } });
  apps.add(app);
  const ready = async () => {
    const response = await app.request('/api/health/ready');
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  return { app, clock, ready };
}

const blobsThat = (get: Blobs['get']): Blobs => ({ ...createMemoryBlobs(), get });
const pendingThat = (get: PendingConnections['get']): PendingConnections => ({
  put: async () => [],
  get,
  count: async () => 0,
  connect: async () => false,
  forget: () => Promise.resolve(),
  expire: async () => {},
  sweep: async () => false,
  close: async () => {},
});

describe('GET /api/health', () => {
  it('answers while nothing else does', async () => {
    const { app } = await open({ blobs: blobsThat(refuses), pending: pendingThat(isSilent) });
    await close(app);
    const response = await app.request('/api/health');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('GET /api/health/ready', () => {
  it('answers 200 when store, pending connections and blobs answer', async () => {
    const { ready } = await open();
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('names the parts that fail, and only the log says why', async () => {
    const { app, ready } = await open({ blobs: blobsThat(refuses), pending: pendingThat(refuses) });
    const { status, body, headers } = await ready();
    expect([status, body]).toEqual([503, { status: 'unavailable', failed: ['pending', 'blobs'] }]);
    expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['5', 'no-store']);
    expect(app.lines.filter(({ event }) => event === 'not ready')).toMatchObject([
      { level: 'warn', part: 'pending', error: expect.stringContaining(REASON) },
      { level: 'warn', part: 'blobs', error: expect.stringContaining(REASON) },
    ]);
  });

  it('names a store that is closed', async () => {
    const { app, ready } = await open();
    await close(app);
    expect(await ready()).toMatchObject({ status: 503, body: { failed: ['store'] } });
  });

  it('waits two seconds for a part that says nothing, and asks it only once meanwhile', async () => {
    let asked = 0;
    const { clock, ready } = await open({ blobs: blobsThat(() => (asked++, isSilent())) });
    for (let probes = 0; probes < 3; probes++) {
      const probed = ready();
      await waitUntil('the wait', () => clock.asleep() === 1, clock.asleep);
      await clock.pass(2_000);
      expect(await probed).toMatchObject({ status: 503, body: { failed: ['blobs'] } });
      await clock.pass(1_000);
    }
    expect(asked).toBe(1);
  });

  it('asks each part at most once a second, however many probes there are', async () => {
    let asked = 0;
    const { clock, ready } = await open({ blobs: blobsThat(async () => (asked++, null)) });
    const probes = () => Promise.all(Array.from({ length: 50 }, ready));
    expect(new Set((await probes()).map(({ status }) => status))).toEqual(new Set([200]));
    await clock.pass(999);
    await probes();
    expect(asked).toBe(1);
    await clock.pass(1);
    await probes();
    expect(asked).toBe(2);
  });

  it('logs a failure once, and once that it is over', async () => {
    let isAway = true;
    const { app, clock, ready } = await open({
      blobs: blobsThat(() => (isAway ? refuses() : Promise.resolve(null))),
    });
    const statuses: number[] = [];
    for (let probe = 0; probe < 4; probe++) {
      if (probe === 2) isAway = false;
      statuses.push((await ready()).status);
      await clock.pass(1_000);
    }
    expect(statuses).toEqual([503, 503, 200, 200]);
    const events = app.lines.map(({ event }) => event).filter((event) => event.includes('ready'));
    expect(events).toEqual(['not ready', 'ready again']);
  });
});
