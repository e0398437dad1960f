// Tests three gateways on one PostgreSQL and Redis: everything that runs for a person on any of them ends when the person is
// disabled through one of them. reference: People; decision: 018
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type Person, type Running, type World } from '../contracts/app/world.ts';
import { browserProcesses } from '../support/browser-processes.ts';
import { describeInChromium } from '../support/chromium.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { tarball } from '../support/jots.ts';
import { createViewer } from '../support/live-viewer.ts';
import { call } from '../support/mcp.ts';
import { CALLBACK, refresh, registered, token } from '../support/oauth-client.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
  redisUrl,
} from '../support/services.ts';

const PUBLIC_URL = 'http://localhost:3000';
const json = { 'content-type': 'application/json' };

await describeService('a person who is disabled while they work', postgresUrl(), () => {
  describeInChromium('on three processes', () => {
    let schema: PostgresSchema;
    let world: World;
    let site: Site;
    let gateways: Gateway[];
    let upstream: HttpServer;
    let isSlow = false;
    const waiting: { request: IncomingMessage; response: ServerResponse }[] = [];

    beforeAll(async () => {
      schema = await createPostgresSchema();
      world = await openWorld();
      site = await openSite();
      upstream = await startHttpServer((request, response) => {
        if (!isSlow) return void response.end('{"data":[]}');
        waiting.push({ request, response });
        request.resume();
        if (request.url?.startsWith('/stream') === true) void flow(response);
      });
      const env = {
        ...world.env,
        UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream.port}`,
        DATABASE_URL: schema.url,
        PENDING_STORE: redisUrl(),
        SERVER_PUBLIC_URL: PUBLIC_URL,
      };
      // The first one makes the tables.
      const first = await site.start({ env });
      gateways = [first, await site.start({ env }), await site.start({ env })];
    }, 180_000);
    afterAll(async () => {
      await site.close();
      await upstream.close();
      await world.close();
      await schema.drop();
    });

    const at = (index: number): Gateway => {
      const gateway = gateways[index % gateways.length];
      if (gateway === undefined) throw new Error('no gateway runs');
      return gateway;
    };
    const front = (index = 0): Running => ({
      publicUrl: PUBLIC_URL,
      request: (path, init) => at(index).request(path, { redirect: 'manual', ...init }),
      proxies: true,
      close: async () => {},
    });

    async function flow(response: ServerResponse): Promise<void> {
      response.writeHead(200);
      while (!response.destroyed) {
        response.write('a piece\n');
        await delay(50);
      }
    }

    const post = (index: number, path: string, headers: Record<string, string>, body: object) =>
      at(index).request(path, {
        method: 'POST',
        headers: { ...headers, ...json },
        body: JSON.stringify(body),
      });

    const address = () => `http://127.0.0.1:${upstream.port}/read`;
    const read = () => ({ tool: 'web_fetch', args: { url: address() } });
    const write = () => ({ tool: 'resend_request', args: { method: 'POST', path: '/write', body: {} } });

    async function connect(person: Person): Promise<void> {
      const { status } = await post(0, '/api/auth/apikey/resend', person.session, {
        values: { apiKey: 're_1' },
      });
      expect(status).toBe(200);
    }

    async function curlTokenOf(person: Person): Promise<Record<string, string>> {
      const session = await call(front(), person.key, 'curl_session', { integrations: ['resend'] });
      return { authorization: `Bearer ${session.token}` };
    }

    /** The names of what has ended, with the milliseconds since the person was disabled. */
    const ended: [name: string, milliseconds: number][] = [];
    let disabledAt = Infinity;
    const note = (name: string) => void ended.push([name, Math.round(performance.now() - disabledAt)]);

    const statusOf = async (name: string, answer: Promise<Response>) => {
      const response = await answer;
      const body = await response.json();
      note(name);
      return { status: response.status, body };
    };

    it('ends all of it everywhere, keeps the work of others, and lets no credential in', async () => {
      const own = await world.person(front(), 'own');
      const ana = await world.person(front(1), 'ana');
      const bea = await world.person(front(2), 'bea');
      await connect(ana);
      await connect(bea);
      const credentials = await collectCredentials(ana);
      const { curl } = credentials;
      const beaCurl = await curlTokenOf(bea);
      const { connectionId } = await call(front(), ana.key, 'connect', { integration: 'github' });
      const viewer = createViewer(
        { base: at(0).base, origin: PUBLIC_URL },
        { sessionHeader: { ...ana.session, authorization: ana.session['authorization'] ?? '' } },
      );
      const live = await viewer.open();
      await viewer.ask(live, 'Page.getLayoutMetrics');
      expect(browserProcesses(site.dataDir).length).toBeGreaterThan(2);

      isSlow = true;
      const calls: Promise<{ status: number; body: unknown }>[] = [];
      const begin = (name: string, answer: Promise<Response>) => void calls.push(statusOf(name, answer));
      const run = (executions: object[]) => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'execute_tools', arguments: { executions } },
      });
      const keys = [ana.key, credentials.named, ana.session];
      for (let process = 0; process < 3; process++) {
        for (const key of keys) begin('REST read', post(process, '/rest/web', key, read()));
        for (const key of [ana.key, ana.session])
          begin('REST write', post(process, '/rest/resend', key, write()));
        for (const key of [ana.key, credentials.access])
          begin('MCP read', post(process, '/mcp', key, run([read()])));
        for (const key of [ana.key, credentials.named])
          begin('MCP write', post(process, '/mcp', key, run([write()])));
      }
      begin('batch', post(0, '/mcp', ana.key, run([read(), write(), read(), write(), read()])));
      const others = Promise.all(
        [0, 1, 2].map((process) => post(process, '/rest/web', bea.key, { executions: [read(), read()] })),
      );
      const othersWrite = post(1, '/rest/resend', bea.key, write());
      const othersStream = await at(2).request('/c/resend/stream', { headers: beaCurl });

      const download = await at(1).request('/c/resend/stream', { headers: curl });
      const downloaded = download.text().then(
        () => note('/c download ended'),
        () => note('/c download'),
      );
      /** The bytes of each body that were sent. */
      const bodies: number[] = [];
      const slowBody = () => {
        // It is an archive too, so that no upload is refused for its content.
        const bytes = tarball({ 'index.html': randomBytes(1024 * 1024) });
        const body = bodies.push(0) - 1;
        let sent = 0;
        return new ReadableStream({
          async pull(controller) {
            await delay(50);
            controller.enqueue(bytes.subarray(sent, (sent += 1024)));
            bodies[body] = sent;
          },
        });
      };
      const uploaded = at(2)
        .request('/c/resend/upload', {
          method: 'PUT',
          headers: curl,
          body: slowBody(),
          duplex: 'half',
        } as RequestInit)
        .then(
          ({ status }) => (note('/c upload'), status),
          () => (note('/c upload'), 401),
        );
      const uploads = [credentials.fileUnderWay, credentials.jotUnderWay].map((path, index) =>
        at(index)
          .request(path, { method: 'POST', body: slowBody(), duplex: 'half' } as RequestInit)
          .then(
            ({ status }) => (note('upload'), status),
            () => (note('upload'), 401),
          ),
      );
      const waited = statusOf(
        'wait_for_connection',
        post(1, '/mcp', ana.key, {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'wait_for_connection', arguments: { connectionId, timeoutSec: 900 } },
        }),
      );
      const closed = live.closed.then((reason) => (note('live view'), reason));
      // 32 executions and two raw requests of Ana; seven executions and one raw request of Bea.
      await expect.poll(() => waiting.length).toBe(42);
      // The upstream does not see the uploads. Each process answers this after it has let its upload in.
      await expect.poll(() => bodies.every((sent) => sent > 10 * 1024)).toBe(true);
      for (let index = 0; index < 3; index++) await at(index).request('/api/me', { headers: bea.session });

      const { people } = await (
        await at(2).request('/api/admin/people?query=ana', { headers: own.session })
      ).json();
      const path = `/api/admin/people/${people[0].id}`;
      const change = (disabled: boolean) =>
        at(2).request(path, {
          method: 'PATCH',
          headers: { ...own.session, ...json },
          body: JSON.stringify({ disabled }),
        });
      disabledAt = performance.now();
      expect((await change(true)).status).toBe(200);

      const answers = await Promise.all(calls);
      for (const { status, body } of answers)
        expect([status, JSON.stringify(body)]).toEqual([
          expect.toBeOneOf([200, 401]),
          expect.stringContaining('ACCESS_ENDED'),
        ]);
      await downloaded;
      expect(await uploaded).toBe(401);
      expect(await Promise.all(uploads)).toEqual([401, 401]);
      expect((await waited).body).toMatchObject({ error: { code: -32001 } });
      expect(await closed).toBe('access-ended');
      await expect.poll(() => browserProcesses(site.dataDir)).toEqual([]);
      note('browser');
      await expect.poll(() => waiting.filter(({ response }) => response.destroyed).length).toBe(34);
      note('upstream requests');
      console.log(showTimes(ended));

      // Nothing else has begun, and what Bea does goes on.
      expect(waiting).toHaveLength(42);
      isSlow = false;
      for (const { request, response } of waiting) if (request.url !== '/stream') response.end('{"ok":true}');
      for (const answer of await others) {
        const { results } = await answer.json();
        expect(results).toMatchObject([{ result: {} }, { result: {} }]);
      }
      expect((await othersWrite).status).toBe(200);
      expect(othersStream.status).toBe(200);
      await othersStream.body?.cancel();

      await expect
        .poll(() => countEnded(own, people[0].id), { timeout: 20_000 })
        .toEqual({ read: 18 + 1, unknown: 14 + 1 });

      for (let index = 0; index < 3; index++) await refuseEverything(index, ana, credentials);

      expect((await change(false)).status).toBe(200);
      // A session from the second of the ending is over.
      await expect
        .poll(async () => {
          const again = await world.person(front(1), 'ana');
          return (await post(0, '/rest/web', again.session, read())).status;
        })
        .toBe(200);
    }, 180_000);

    type Credentials = Awaited<ReturnType<typeof collectCredentials>>;

    async function collectCredentials(ana: Person) {
      const made = await post(0, '/api/agent-keys', ana.session, { name: 'an agent', access: 'destroy' });
      const { key } = await made.json();
      const client = await registered(front());
      const code = await world.authorize(front(), 'ana', client);
      const { body } = await token(front(), {
        grant_type: 'authorization_code',
        code,
        client_id: client,
        redirect_uri: CALLBACK,
        code_verifier: 'v'.repeat(43),
      });
      const { url } = await (await post(0, '/api/browser-session/live-url', ana.session, {})).json();
      const { results } = await call(front(), ana.key, 'execute_tools', {
        executions: [
          { tool: 'upload_file', args: {} },
          { tool: 'deploy_jot', args: { name: 'a-jot' } },
          { tool: 'upload_file', args: {} },
          { tool: 'deploy_jot', args: { name: 'another-jot' } },
        ],
      });
      return {
        named: { 'x-service-api-key': String(key) },
        access: { authorization: `Bearer ${body.access_token}` },
        client,
        refreshToken: body.refresh_token,
        curl: await curlTokenOf(ana),
        link: new URL(String(url)).searchParams.get('t') ?? '',
        file: new URL(results[0].result.uploadUrl).pathname,
        jot: new URL(results[1].result.uploadUrl).pathname,
        fileUnderWay: new URL(results[2].result.uploadUrl).pathname,
        jotUnderWay: new URL(results[3].result.uploadUrl).pathname,
      };
    }

    async function refuseEverything(index: number, ana: Person, all: Credentials): Promise<void> {
      const gateway = at(index);
      const statuses = await Promise.all([
        gateway.request('/api/me', { headers: ana.session }),
        post(index, '/rest/web', ana.session, read()),
        post(index, '/rest/web', ana.key, read()),
        post(index, '/rest/web', all.named, read()),
        post(index, '/mcp', all.access, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        gateway.request('/c/resend/x', { headers: all.curl }),
        post(index, '/api/connect/redeem', ana.session, { token: all.link }),
        gateway.request(all.file, { method: 'PUT', body: 'a file' }),
        gateway.request(all.jot, { method: 'POST', body: 'a jot' }),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401, 404, 404]);
      expect((await refresh(front(index), all.client, all.refreshToken)).status).toBe(400);
    }

    async function countEnded(own: Person, person: string) {
      const counts = { read: 0, unknown: 0 };
      for (let cursor = ''; ;) {
        const query = new URLSearchParams({ person, ...(cursor === '' ? {} : { cursor }) });
        const page = await (
          await at(0).request(`/api/admin/audit?${query}`, { headers: own.session })
        ).json();
        for (const { error, outcome } of page.entries)
          if (error === 'ACCESS_ENDED') counts[outcome === 'unknown' ? 'unknown' : 'read']++;
        if (page.nextCursor === undefined) return counts;
        cursor = String(page.nextCursor);
      }
    }
  });
});

function showTimes(ended: readonly (readonly [string, number])[]): string {
  const slowest = new Map<string, number>();
  for (const [name, milliseconds] of ended) slowest.set(name, Math.max(slowest.get(name) ?? 0, milliseconds));
  const lines = [...slowest].map(([name, milliseconds]) => `${name} ${milliseconds}`);
  return `milliseconds until everything has ended: ${lines.join(', ')}`;
}
