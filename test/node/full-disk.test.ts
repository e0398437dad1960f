// Fills the disk of the real program, and reads what it says and answers. reference: Health and metrics; Errors
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { openSite, type Site } from '../support/gateway-process.ts';
import { waitUntil } from '../support/wait.ts';

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder]).status === 0;
const filler = join(folder, 'filler');

/** The gateway may write meanwhile, so the last bytes are written until there is no space. */
function fill(): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    for (;;) appendFileSync(filler, Buffer.alloc(Math.max(bavail, 1) * bsize));
  } catch (error) {
    expect(error).toHaveProperty('code', 'ENOSPC');
  }
}

// A start, and an outage that settles.
vi.setConfig({ testTimeout: 120_000 });

afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

describeWith('a full disk', mounted ? undefined : 'mounting a tmpfs requires root', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  it('is not ready, answers 503 to what it cannot store, and goes on with the rest', async () => {
    const gateway = await site.start({ env: { DATA_DIR: folder } });
    const headers = { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' };
    const store = async (apiKey: string) => {
      const body = JSON.stringify({ values: { apiKey } });
      const response = await gateway.request('/api/auth/apikey/resend', { method: 'POST', headers, body });
      return { status: response.status, body: await response.json() };
    };
    const probe = async () => {
      const response = await gateway.request('/api/health/ready');
      return { status: response.status, body: await response.json() };
    };
    const time = async () => {
      const body = JSON.stringify({ tool: 'time_now', args: {} });
      const response = await gateway.request('/rest/time', {
        method: 'POST',
        headers: { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' },
        body,
      });
      return response.status;
    };
    expect([(await store('re_0')).status, await time()]).toEqual([200, 200]);
    expect(await probe()).toEqual({ status: 200, body: { status: 'ok' } });

    fill();
    const refused = await store('re_1');
    expect(refused).toEqual({
      status: 503,
      body: {
        error: expect.stringMatching(/^The disk of the gateway is full, .* make space, then try again\.$/),
      },
    });
    const unready = () => probe().then(({ status }) => status === 503);
    await waitUntil('a probe that notices', unready, () => gateway.output.stdout.slice(-2_000));
    expect(await probe()).toEqual({ status: 503, body: { status: 'unavailable', failed: ['disk'] } });
    expect((await gateway.request('/api/auth/me', { headers })).status).toBe(200);
    expect((await gateway.request('/rest', { headers })).status).toBe(200);
    expect(await time()).toBe(200);
    const lines = gateway.output.stdout.split('\n').filter((line) => line.includes('"level":"error"'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        event: 'disk of the database is full',
        hint: expect.stringContaining('make space'),
        error: expect.stringMatching(/^DiskFull: \[sqlite\] /),
      }),
    ]);

    rmSync(filler);
    await waitUntil(
      'a probe that is ready again',
      async () => (await probe()).status === 200,
      () => gateway.output.stdout.slice(-2_000),
    );
    expect((await store('re_2')).status).toBe(200);
    await waitUntil(
      'the end of the outage',
      async () => {
        await store('re_3');
        return gateway.output.stdout.includes('"event":"database can be used again"');
      },
      () => gateway.output.stdout.slice(-2_000),
    );
    expect(gateway.output.stdout).not.toContain('"status":500');
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  });
});
