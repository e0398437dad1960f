// Tests that three processes on one database run a call with a key exactly once, also when one of them is killed or stopped.
// reference: Keys of executions; decision: 053
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { KEY_RUN_SECONDS } from '../../src/calls/once/limits.ts';
import type { ExecutionKey } from '../../src/ports/execution-keys.ts';
import type { Store } from '../../src/ports/store.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { waitUntil } from '../support/wait.ts';

const PROCESSES = 3;
const REPEATS = 50;
const ROUNDS = 3;
const TOOL = 'resend_send_email';

interface Place {
  url: string;
  remove(): Promise<void>;
}

interface Answer {
  error?: string;
  result?: unknown;
  replayed?: true;
}

function onceOn(name: string, makePlace: (site: Site) => Promise<Place>): void {
  describe(`a call with a key on three processes with ${name}`, () => {
    let site: Site;
    let place: Place;
    let store: Store;
    let upstream: HttpServer;
    let gateways: Gateway[];
    let headers: Record<string, string>;
    let userId: string;
    let env: Record<string, string>;
    /** The keys of the provider and the subjects of the e-mails that have reached the upstream, in order. */
    const sent: { subject: string; key: unknown }[] = [];
    /** The requests that the upstream has not answered. */
    const held: ServerResponse[] = [];

    beforeAll(async () => {
      upstream = await startHttpServer((request, response) => void serve(request, response));
      site = await openSite();
      place = await makePlace(site);
      env = {
        DATABASE_URL: place.url,
        PENDING_STORE: 'database',
        SERVER_PUBLIC_URL: 'http://localhost:3000',
        UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream.port}`,
      };
      const seeded = await site.seed(['--email', 'ana@example.com', '--json'], env);
      headers = {
        'x-service-api-key': JSON.parse(seeded.stdout).apiKey,
        'content-type': 'application/json',
      };
      gateways = await Promise.all(Array.from({ length: PROCESSES }, () => site.start({ env })));
      store = createSqlStore(openAt(place.url));
      userId = (await store.users.byEmail('ana@example.com'))?.id ?? '';
      const body = JSON.stringify({ values: { apiKey: 're_1' } });
      await gatewayAt(0).request('/api/auth/apikey/resend', { method: 'POST', headers, body });
    }, 180_000);
    afterAll(async () => {
      for (const response of held) response.end('{}');
      await store.close();
      await site.close();
      await place.remove();
      await upstream.close();
    });

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      response.setHeader('content-type', 'application/json');
      if (request.method !== 'POST') return void response.end('{}');
      const subject = String(JSON.parse(body).subject);
      sent.push({ subject, key: request.headers['idempotency-key'] });
      if (subject.startsWith('slow')) held.push(response);
      else response.end('{"id":"1"}');
    }

    function gatewayAt(at: number): Gateway {
      const gateway = gateways[at];
      if (gateway === undefined) throw new Error('there is no such process');
      return gateway;
    }

    const email = (subject: string) => ({ from: 'a@b.example', to: ['c@d.example'], subject });
    const sentWith = (subject: string) => sent.filter((each) => each.subject === subject);
    const now = () => Math.floor(Date.now() / 1000);

    async function overMcp(gateway: Gateway, subject: string): Promise<Answer> {
      const executions = [{ tool: TOOL, args: email(subject), key: subject }];
      return (await call(gateway, headers, 'execute_tools', { executions })).results[0];
    }

    async function overRest(gateway: Gateway, subject: string): Promise<Answer> {
      const response = await gateway.request('/rest/resend', {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': subject },
        body: JSON.stringify({ tool: TOOL, args: email(subject) }),
      });
      const { error, result } = await response.json();
      expect([200, 409]).toContain(response.status);
      if (error !== undefined) return { error };
      return response.headers.has('idempotent-replayed') ? { result, replayed: true } : { result };
    }

    /** Sends the same call to the processes in turn, half of them over MCP. */
    const repeat = (subject: string, processes: readonly Gateway[]): Promise<Answer[]> =>
      Promise.all(
        Array.from({ length: REPEATS }, (_, at) => {
          const gateway = processes[at % processes.length] ?? gatewayAt(0);
          return at % 2 === 0 ? overMcp(gateway, subject) : overRest(gateway, subject);
        }),
      );

    async function rowOf(subject: string): Promise<ExecutionKey> {
      const before = new Set(known.keys());
      const rows = await store.executionKeys.list(userId, 0, null, 1_000);
      const row = rows.find(({ id }) => known.get(id) === subject || !before.has(id));
      if (row === undefined) throw new Error('there is no row');
      known.set(row.id, subject);
      return row;
    }
    const known = new Map<string, string>();

    async function atUpstream(subject: string): Promise<ExecutionKey> {
      await waitUntil(
        'the call at the upstream',
        () => sentWith(subject).length > 0,
        () => sent,
      );
      return rowOf(subject);
    }

    async function answer(): Promise<void> {
      const response = held.pop();
      if (response === undefined) throw new Error('nothing is held');
      response.end('{"id":"2"}');
      await once(response, 'finish');
    }

    const errorsOf = (answers: readonly Answer[]) => [
      ...new Set(answers.map(({ error }) => error ?? 'none')),
    ];
    /** Nobody keeps the run alive for as long as a lost one is waited for. */
    const loseRun = ({ id, run }: ExecutionKey) => store.executionKeys.keepRunning(id, run, now() - 1);

    it(`runs for one of ${REPEATS} repeats, and is replayed for all that come later`, async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const subject = `round ${round}`;
        const answers = await repeat(subject, gateways);
        expect(sentWith(subject)).toHaveLength(1);
        expect(answers.filter(({ result, replayed }) => result !== undefined && !replayed)).toHaveLength(1);
        for (const { error, result } of answers)
          expect(error ?? result).toEqual(error === undefined ? { id: '1' } : 'IN_PROGRESS');
        const later = await repeat(subject, gateways);
        expect(later).toEqual(later.map(() => ({ result: { id: '1' }, replayed: true })));
        expect(sentWith(subject)).toHaveLength(1);
        await rowOf(subject);
      }
    }, 120_000);

    it('is not known when its process is killed, and never runs again', async () => {
      const subject = 'slow and killed';
      const running = overMcp(gatewayAt(0), subject).catch(() => 'gone');
      const row = await atUpstream(subject);
      gatewayAt(0).signal('SIGKILL', 'group');
      await gatewayAt(0).exited;
      expect(await running).toBe('gone');
      const others = gateways.slice(1);
      expect(errorsOf(await repeat(subject, others))).toEqual(['IN_PROGRESS']);
      expect(row.running_until).toBeLessThanOrEqual(now() + KEY_RUN_SECONDS);
      await loseRun(row);
      expect(errorsOf(await repeat(subject, others))).toEqual(['UNKNOWN_OUTCOME']);
      gateways[0] = await site.start({ env });
      expect(errorsOf(await repeat(subject, gateways))).toEqual(['UNKNOWN_OUTCOME']);
      expect(sentWith(subject)).toHaveLength(1);
      held.pop()?.end('{}');
    }, 120_000);

    it('is not known when its process is killed between the answer and the row', async () => {
      const subject = 'slow and answered';
      const running = overMcp(gatewayAt(0), subject).catch(() => 'gone');
      const row = await atUpstream(subject);
      gatewayAt(0).signal('SIGSTOP', 'group');
      await answer();
      gatewayAt(0).signal('SIGKILL', 'group');
      await gatewayAt(0).exited;
      expect(await running).toBe('gone');
      await loseRun(row);
      expect(errorsOf(await repeat(subject, gateways.slice(1)))).toEqual(['UNKNOWN_OUTCOME']);
      gateways[0] = await site.start({ env });
      expect(sentWith(subject)).toHaveLength(1);
    }, 120_000);

    it('has its answer when a process that was paused for long comes to the end after all', async () => {
      // A process that is stopped in the middle of a write to SQLite holds up all others.
      if (name === 'SQLite') return;
      const subject = 'slow and stopped';
      const running = overRest(gatewayAt(0), subject);
      const row = await atUpstream(subject);
      gatewayAt(0).signal('SIGSTOP', 'group');
      await loseRun(row);
      expect(errorsOf(await repeat(subject, gateways.slice(1)))).toEqual(['UNKNOWN_OUTCOME']);
      await answer();
      gatewayAt(0).signal('SIGCONT', 'group');
      expect(await running).toEqual({ result: { id: '2' } });
      const later = await repeat(subject, gateways);
      expect(later).toEqual(later.map(() => ({ result: { id: '2' }, replayed: true })));
      expect(sentWith(subject)).toHaveLength(1);
    }, 120_000);

    it('has had a key of the provider for each call', () => {
      expect(sent.length).toBeGreaterThan(ROUNDS);
      expect(new Set(sent.map(({ key }) => key)).size).toBe(new Set(sent.map(({ subject }) => subject)).size);
      for (const { key } of sent) expect(key).toMatch(/^[\w-]{43}$/);
    });
  });
}

onceOn('SQLite', async ({ dataDir }) => ({
  url: `sqlite:${dataDir}/service.db`,
  remove: async () => {},
}));
await describeService('keys of executions', postgresUrl(), () =>
  onceOn('PostgreSQL', async () => {
    const { url, drop } = await createPostgresSchema();
    return { url, remove: drop };
  }),
);
