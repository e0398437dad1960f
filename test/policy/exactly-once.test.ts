// Tests that three processes on one database run an approved call exactly once, also when one of them is killed.
// reference: Approvals; decision: 038
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { APPROVAL_RUN_SECONDS } from '../../src/policy/model/limits.ts';
import type { ApprovalRecord } from '../../src/ports/policy.ts';
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

/** What one call was answered. */
interface Answer {
  error?: string;
  message?: string;
  result?: unknown;
  approval?: { id: string };
}

function exactlyOnce(name: string, makePlace: (site: Site) => Promise<Place>): void {
  describe(`an approved call on three processes with ${name}`, () => {
    let site: Site;
    let place: Place;
    let store: Store;
    let upstream: HttpServer;
    let gateways: Gateway[];
    let headers: Record<string, string>;
    let session: Record<string, string>;
    let userId: string;
    let env: Record<string, string>;
    /** The subjects of the e-mails that have reached the upstream, in order. */
    const sent: string[] = [];
    /** The requests that the upstream does not answer. */
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
      const { apiKey, session: token } = JSON.parse(seeded.stdout);
      session = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' };
      gateways = await Promise.all(Array.from({ length: PROCESSES }, () => site.start({ env })));
      store = createSqlStore(openAt(place.url));
      userId = (await store.users.byEmail('ana@example.com'))?.id ?? '';
      const connected = await gatewayAt(0).request('/api/auth/apikey/resend', {
        method: 'POST',
        headers,
        body: JSON.stringify({ values: { apiKey: 're_1' } }),
      });
      expect(await connected.json()).toMatchObject({ success: true });
      const rules = [{ tool: TOOL, decision: 'ask' }];
      expect(await asPerson(0, 'PUT', '/api/policy', { rules })).toEqual({ rules });
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
      const subject = request.method === 'POST' ? String(JSON.parse(body).subject) : '';
      if (subject !== '') sent.push(subject);
      if (subject.startsWith('slow')) held.push(response);
      else response.end('{"id":"1"}');
    }

    const now = () => Math.floor(Date.now() / 1000);

    function gatewayAt(at: number): Gateway {
      const gateway = gateways[at];
      if (gateway === undefined) throw new Error('there is no such process');
      return gateway;
    }

    /** Sends a request of the person's portal to one of the processes. */
    async function asPerson(at: number, method: string, path: string, body?: object): Promise<unknown> {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await gatewayAt(at).request(path, { method, headers: session, ...init });
      return response.json();
    }

    const email = (subject: string) => ({ from: 'a@b.example', to: ['c@d.example'], subject });

    async function overMcp(gateway: Gateway, subject: string): Promise<Answer> {
      const executions = [{ tool: TOOL, args: email(subject) }];
      return (await call(gateway, headers, 'execute_tools', { executions })).results[0];
    }

    async function overRest(gateway: Gateway, subject: string): Promise<Answer> {
      const body = JSON.stringify({ tool: TOOL, args: email(subject) });
      const response = await gateway.request('/rest/resend', { method: 'POST', headers, body });
      const answer: Answer = await response.json();
      expect([response.status, answer.error]).toEqual(
        response.status === 200 ? [200, undefined] : [409, 'APPROVAL_REQUIRED'],
      );
      return answer;
    }

    /** Sends the same call to the processes in turn, half of them over MCP. */
    const repeat = (subject: string, processes: readonly Gateway[]): Promise<Answer[]> =>
      Promise.all(
        Array.from({ length: REPEATS }, (_, at) => {
          const gateway = processes[at % processes.length] ?? gatewayAt(0);
          return at % 2 === 0 ? overMcp(gateway, subject) : overRest(gateway, subject);
        }),
      );

    /** Asks, and says yes. */
    async function approved(subject: string): Promise<ApprovalRecord> {
      const { approval } = await overMcp(gatewayAt(1), subject);
      const row = await store.approvals.get(userId, approval?.id ?? '');
      if (row === null) throw new Error('nothing was asked');
      const yes = { decision: 'approve', for: 'once' };
      expect(await asPerson(2, 'POST', `/api/approvals/${row.id}`, yes)).toMatchObject({ state: 'approved' });
      return row;
    }

    const sentWith = (subject: string) => sent.filter((each) => each === subject);
    const stateOf = async ({ id }: ApprovalRecord) => (await store.approvals.get(userId, id))?.state;
    const audited = async (outcome: string) =>
      (await store.audit.list({ user_id: userId, tool: TOOL, limit: 1_000 })).filter(
        (row) => row.outcome === outcome,
      );

    it(`runs for one of ${REPEATS} repeats, and asks in all others`, async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const subject = `round ${round}`;
        expect((await repeat(subject, gateways)).filter(({ error }) => error === undefined)).toEqual([]);
        const row = await approved(subject);
        const answers = await repeat(subject, gateways);
        const ran = answers.filter(({ error }) => error === undefined);
        expect(ran).toEqual([expect.objectContaining({ result: { id: '1' } })]);
        const asked = answers.filter(({ error }) => error === 'APPROVAL_REQUIRED');
        expect(asked).toHaveLength(REPEATS - 1);
        expect(sentWith(subject)).toHaveLength(1);
        expect(await stateOf(row)).toBe('done');
      }
      expect(await audited('ok')).toHaveLength(ROUNDS);
    }, 120_000);

    it('runs once when one batch holds the same call many times', async () => {
      const row = await approved('batch');
      const executions = Array.from({ length: 10 }, () => ({ tool: TOOL, args: email('batch') }));
      const batches = await Promise.all(
        gateways.map((gateway) => call(gateway, headers, 'execute_tools', { executions })),
      );
      const results: Answer[] = batches.flatMap((batch) => batch.results);
      expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
      expect(sentWith('batch')).toHaveLength(1);
      expect(await stateOf(row)).toBe('done');
    });

    it('is unknown when its process is killed, and is never repeated by itself', async () => {
      const subject = 'slow and killed';
      const row = await approved(subject);
      const running = overMcp(gatewayAt(0), subject).catch(() => 'gone');
      await waitUntil(
        'the call at the upstream',
        () => sentWith(subject).length > 0,
        () => sent,
      );
      const { run, running_until } = (await store.approvals.get(userId, row.id)) ?? {};
      gatewayAt(0).signal('SIGKILL', 'group');
      await gatewayAt(0).exited;
      expect(await running).toBe('gone');

      const others = gateways.slice(1);
      for (const { error, message } of await repeat(subject, others))
        expect([error, message]).toEqual([
          'APPROVAL_REQUIRED',
          `The approved call of ${TOOL} is running already. It was not run twice`,
        ]);
      // The process would have said within this time that it lives.
      expect(running_until).toBeLessThanOrEqual(now() + APPROVAL_RUN_SECONDS);
      expect(run).not.toBeNull();
      await store.approvals.keepRunning(row.id, run ?? '', now() - 1);

      const answers = await repeat(subject, others);
      expect(await asPerson(1, 'GET', `/api/approvals/${row.id}`)).toMatchObject({
        state: 'unknown',
        args: email(subject),
      });
      const lost = await audited('unknown');
      expect(lost).toMatchObject([{ success: false, actor: 'key', action: 'EXECUTE' }]);
      const [question] = answers;
      expect(question?.approval?.id).not.toBe(row.id);
      for (const { error, message, approval } of answers) {
        expect([error, approval]).toEqual(['APPROVAL_REQUIRED', question?.approval]);
        expect(message).toContain('It is not known whether the same call took effect before');
      }

      gateways[0] = await site.start({ env });
      expect(await overRest(gatewayAt(0), subject)).toMatchObject({ approval: question?.approval });
      expect(sentWith(subject)).toHaveLength(1);
      expect(await audited('unknown')).toHaveLength(1);
    }, 120_000);

    it('is kept alive at a slow upstream, and has the answer in the end', async () => {
      const subject = 'slow and alive';
      const row = await approved(subject);
      const running = overRest(gatewayAt(0), subject);
      await waitUntil(
        'the call at the upstream',
        () => sentWith(subject).length > 0,
        () => sent,
      );
      for (const { error } of await repeat(subject, gateways)) expect(error).toBe('APPROVAL_REQUIRED');
      held.at(-1)?.end('{"id":"2"}');
      expect(await running).toMatchObject({ result: { id: '2' } });
      expect(sentWith(subject)).toHaveLength(1);
      expect(await stateOf(row)).toBe('done');
    }, 60_000);
  });
}

exactlyOnce('SQLite', async ({ dataDir }) => ({
  url: `sqlite:${dataDir}/service.db`,
  remove: async () => {},
}));
await describeService('exactly once', postgresUrl(), () =>
  exactlyOnce('PostgreSQL', async () => {
    const { url, drop } = await createPostgresSchema();
    return {
      url,
      remove: async () => {
        await drop();
      },
    };
  }),
);
