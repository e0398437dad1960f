// Tests what the log of the real program says while a database, Redis or a bucket fails. reference: Health and metrics
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { createPostgresSchema, describeService, postgresUrl, redisUrl } from '../support/services.ts';
import { startTcpProxy, type TcpProxy } from '../contracts/store/tcp-proxy.ts';
import { waitUntil } from '../support/wait.ts';

type Line = Record<string, unknown>;

const linesOf = ({ output }: Gateway): Line[] =>
  output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));

const loud = (gateway: Gateway): Line[] => linesOf(gateway).filter(({ level }) => level === 'error');
const SQL = /\b(select|insert into|update|delete from)\s+["'(]/i;

// A start, and outages that settle.
vi.setConfig({ testTimeout: 120_000 });

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

/** Sends requests until the log says that the outage is over. */
async function untilBack(gateway: Gateway, part: string, ask: () => Promise<unknown>): Promise<Line> {
  const back = () => linesOf(gateway).find(({ event }) => event === `${part} can be used again`);
  await waitUntil(
    `${part} again`,
    async () => {
      await ask();
      return back() !== undefined;
    },
    () => gateway.output.stdout.slice(-2_000),
  );
  return back() ?? {};
}

async function behind(url: string, defaultPort: number): Promise<{ relay: TcpProxy; url: string }> {
  const real = new URL(url);
  const relay = await startTcpProxy(real.hostname, Number(real.port) || defaultPort);
  real.host = `127.0.0.1:${relay.port}`;
  return { relay, url: real.href };
}

await describeService('PostgreSQL that goes away', postgresUrl(), () => {
  it('is one line, with the cause and without SQL, and one line when it is back', async () => {
    const schema = await createPostgresSchema();
    const { relay, url } = await behind(schema.url, 5432);
    const gateway = await site.start({ env: { DATABASE_URL: url } });
    const ask = async () => {
      const headers = { 'x-service-api-key': gateway.apiKey };
      return (await gateway.request('/api/auth/me', { headers })).status;
    };
    expect(await ask()).toBe(200);
    await relay.refuse();
    const statuses = await Promise.all(Array.from({ length: 40 }, ask));
    expect(new Set(statuses)).toEqual(new Set([503]));
    await waitUntil(
      'the line',
      () => loud(gateway).length > 0,
      () => gateway.output.stdout,
    );
    for (let more = 0; more < 10; more++) expect(await ask()).toBe(503);
    expect(loud(gateway)).toEqual([
      expect.objectContaining({
        event: 'database cannot be used',
        hint: expect.stringContaining('DATABASE_URL'),
        error: expect.stringMatching(/^Unavailable: \[postgres\] .*(ECONN|CONNECTION)/),
      }),
    ]);
    await relay.restore();
    const back = await untilBack(gateway, 'database', ask);
    expect(back).toMatchObject({ level: 'info', seconds: expect.any(Number), failedRequests: 50 });
    expect(loud(gateway)).toHaveLength(1);
    expect(gateway.output.stdout).not.toMatch(SQL);
    await relay.refuse();
    await ask();
    await waitUntil(
      'the second line',
      () => loud(gateway).length === 2,
      () => gateway.output.stdout,
    );
    await gateway.stop();
    await schema.drop();
  });

  it('says at a start why the database cannot be used, without SQL', async () => {
    const gateway = await site.spawn({ env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' } });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    expect(gateway.output.stderr).toBe(
      'The database of DATABASE_URL cannot be used: [postgres] connect ECONNREFUSED 127.0.0.1:1\n',
    );
  });
});

await describeService('Redis that goes away', redisUrl(), () => {
  it('is one line, and one when it is back', async () => {
    const { relay, url } = await behind(redisUrl(), 6379);
    const gateway = await site.start({ env: { PENDING_STORE: url } });
    const connect = async () => {
      const response = await gateway.request('/mcp', {
        method: 'POST',
        headers: {
          'x-service-api-key': gateway.apiKey,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'connect', arguments: { integration: 'github' } },
        }),
      });
      return response.text();
    };
    await connect();
    await relay.refuse();
    for (let call = 0; call < 5; call++) await connect();
    await waitUntil(
      'the line',
      () => loud(gateway).length > 0,
      () => gateway.output.stdout,
    );
    expect(loud(gateway)).toEqual([
      expect.objectContaining({
        event: 'redis cannot be used',
        hint: expect.stringContaining('PENDING_STORE'),
      }),
    ]);
    await relay.restore();
    await untilBack(gateway, 'redis', () => gateway.request('/api/health/ready'));
    expect(loud(gateway)).toHaveLength(1);
    await relay.close();
  });
});
