// Tests that the rows of the audit log arrive at collectors: a program that reads what Elasticsearch and Splunk read, a webhook
// and a bucket. reference: Audit push
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFsBlobs } from '../../drivers/blobs/fs.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { readConfig } from '../../src/config/config.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { entry } from '../contracts/store/records.ts';
import { describeWith } from '../support/describe-with.ts';
import { startHttpServer } from '../support/http-server.ts';
import { freePort } from '../support/listen.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createTestApp, type Options, type TestApp } from '../support/test-app.ts';
import { waitUntil } from '../support/wait.ts';

let app: TestApp | undefined;
const running = (): TestApp => {
  if (app === undefined) throw new Error('No gateway was started');
  return app;
};
const closing: (() => Promise<unknown>)[] = [];
const start = async (env: Record<string, string>, ports: Options['ports'] = {}) =>
  (app = await createTestApp({ env, ports: { network: createUndiciNetwork(), ...ports } }));
afterEach(async () => {
  await app?.close();
  app = undefined;
  for (const close of closing.splice(0).toReversed()) await close();
});

async function sealRows(tool: string, count: number): Promise<void> {
  const { clock, store } = running().deps;
  const error = tool === 'a_fails' ? 'a “quoted”\nerror' : null;
  const rows = Array.from({ length: count }, () => entry({ tool, error, created_at: clock.now() }));
  await store.audit.append(rows);
  running().clock.advance(601);
  await maintainOnce(running().deps);
}

/** Starts a collector that answers when it has read the whole request. */
async function startHook(
  answer: (body: string, request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ port: number }> {
  const hook = await startHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => answer(body, request, response));
  });
  closing.push(hook.close);
  return hook;
}

const state = () => running().deps.auditPusher.state();

const BINARY = join(import.meta.dirname, '../collectors/.bin/victoria-logs');
const missing = existsSync(BINARY) ? undefined : `${BINARY} is missing; run npm run collectors`;

describeWith(
  'a collector of its own',
  missing,
  () => {
    let collector: ChildProcess;
    let folder: string;
    let port: number;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'collector-'));
      port = await freePort();
      const flags = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`];
      // The clock of the tests stands in another year than the machine.
      flags.push('-retentionPeriod=100y', '-futureRetention=100y');
      collector = spawn(BINARY, flags, { stdio: 'ignore' });
      await waitUntil('the collector', ready, () => 'it does not answer');
    });
    afterAll(async () => {
      collector.kill('SIGKILL');
      await once(collector, 'exit');
      await rm(folder, { recursive: true, force: true });
    });

    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const ready = () =>
      ask('/health').then(
        ({ ok }) => ok,
        () => false,
      );
    async function stored(field: string, tool: string): Promise<Record<string, string>[]> {
      const query = encodeURIComponent(`${field}:=${tool}`);
      const text = await (await ask(`/select/logsql/query?query=${query}`)).text();
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    }

    it('takes the rows as Elasticsearch takes them', async () => {
      await start({
        AUDIT_PUSH: `elastic+http://localhost:${port}/insert/elasticsearch/audit?_time_field=@timestamp`,
      });
      await sealRows('a_fails', 3);
      expect(await state()).toMatchObject({ kind: 'elastic', segments: 0, lagSeconds: 0 });
      await expect.poll(() => stored('tool', 'a_fails'), { timeout: 10_000 }).toHaveLength(3);
      const [row] = await stored('tool', 'a_fails');
      expect(row).toMatchObject({ tool: 'a_fails', error: 'a “quoted”\nerror' });
      expect(Date.parse(row?.['_time'] ?? '')).toBe((running().clock.now() - 601) * 1_000);
    });

    it('takes the rows as Splunk takes them', async () => {
      const path = 'insert/splunk/services/collector/event';
      await start({ AUDIT_PUSH: `splunk+http://localhost:${port}/${path}`, AUDIT_PUSH_TOKEN: 'hec-token' });
      await sealRows('a_splunk', 2);
      expect(await state()).toMatchObject({ kind: 'splunk', segments: 0 });
      await expect.poll(() => stored('"event.tool"', 'a_splunk'), { timeout: 10_000 }).toHaveLength(2);
      const [row] = await stored('"event.tool"', 'a_splunk');
      expect(row).toMatchObject({ sourcetype: 'tool-gateway:audit', host: 'localhost:3000' });
      expect(JSON.stringify(row)).not.toContain('hec-token');
    });
  },
  { excuse: process.env['WITHOUT_COLLECTOR'] },
);

describe('a webhook', () => {
  it('gets every row in order, again after it failed, and the state says how far behind it is', async () => {
    const ids: number[] = [];
    const seen: (string | undefined)[] = [];
    let status = 500;
    const hook = await startHook((body, request, response) => {
      seen.push(request.headers.authorization);
      if (status === 204)
        ids.push(
          ...body
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line).id as number),
        );
      response.writeHead(status).end();
    });
    await start({
      ...PROVIDER,
      AUDIT_PUSH: `http://localhost:${hook.port}/x?key=in-the-url`,
      AUDIT_PUSH_TOKEN: 'tok',
    });
    await sealRows('a_hook', 2);
    await sealRows('a_hook', 1);
    const admin = await userWithRole(running(), 'adam@example.com', 'administrator');
    const ask = () => send(running(), admin.sessionHeader, 'GET', '/api/admin/audit/push');
    expect((await ask()).body).toMatchObject({
      kind: 'webhook',
      segments: 2,
      lagSeconds: 601,
      error: 'The collector answered with status 500',
    });
    status = 204;
    for (let round = 0; round < 4; round++) await maintainOnce(running().deps);
    expect(ids).toEqual([1, 2, 3]);
    expect(seen.at(-1)).toBe('Bearer tok');
    const { body } = await ask();
    expect(body).toMatchObject({ segments: 0, lagSeconds: 0, pushedAt: running().clock.now() });
    expect(body).not.toHaveProperty('error');
    expect(JSON.stringify(running().lines)).not.toMatch(/in-the-url|Bearer tok/);
    const member = await running().user();
    expect((await send(running(), member.sessionHeader, 'GET', '/api/admin/audit/push')).status).toBe(403);
  });

  it('is sent nothing twice by two processes that take turns', async () => {
    const ids: number[] = [];
    const hook = await startHook((body, _request, response) => {
      ids.push(
        ...body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).id as number),
      );
      response.end();
    });
    await start({ AUDIT_PUSH: `http://localhost:${hook.port}/` });
    await sealRows('a_hook', 2);
    await Promise.all([running().deps.auditPusher.push(), running().deps.auditPusher.push()]);
    expect(ids).toEqual([1, 2]);
  });
});

it('writes a file of lines for each segment into a bucket or a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pushed-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  await start({ AUDIT_PUSH: `fs:${folder}` }, { auditPush: createFsBlobs(folder) });
  await sealRows('a_file', 2);
  await sealRows('a_file', 1);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ndjson'));
  const lines = await Promise.all(
    files.toSorted().map(async (name) => (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n')),
  );
  expect(lines.flat().map((line) => JSON.parse(line).id)).toEqual([1, 2, 3]);
});

describe('the configuration', () => {
  const problem = (env: Record<string, string>) => {
    try {
      readConfig(env, () => 'a'.repeat(64));
      return null;
    } catch (error) {
      return String(error);
    }
  };
  it.each([
    [{ AUDIT_PUSH: 'splunk+ftp://x' }, /AUDIT_PUSH must be an https URL, splunk\+https/],
    [{ AUDIT_PUSH: 'elastic+https://x' }, /AUDIT_PUSH must be/],
    [{ AUDIT_PUSH_TOKEN: 'x' }, /AUDIT_PUSH_TOKEN has no use without AUDIT_PUSH/],
    [
      { AUDIT_PUSH: 'https://x', AUDIT_LOG_DEST: 'none' },
      /AUDIT_PUSH sends the rows of AUDIT_LOG_DEST=database only/,
    ],
    [{ AUDIT_PUSH: 's3://rows?endpoint=https://y' }, /S3_ACCESS_KEY_ID must be set for a AUDIT_PUSH/],
    [
      { AUDIT_PUSH: 'https://x', SERVER_PUBLIC_URL: 'https://gate.example' },
      /AUDIT_SIGNING_KEY must be set for AUDIT_PUSH/,
    ],
  ])('refuses %o', (env, says) => {
    expect(problem(env)).toMatch(says);
  });

  it('knows where Splunk and Elasticsearch listen', () => {
    const read = (AUDIT_PUSH: string) => readConfig({ AUDIT_PUSH }, () => 'a'.repeat(64)).AUDIT_PUSH;
    expect(read('splunk+https://h:8088')).toEqual({
      kind: 'splunk',
      url: 'https://h:8088/services/collector/event',
    });
    expect(read('elastic+https://h/base/logs-x')).toEqual({
      kind: 'elastic',
      url: 'https://h/base/_bulk',
      index: 'logs-x',
    });
  });
});
