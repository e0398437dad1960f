// Tests that three processes on one database run the approved call of a task exactly once, also when one of them is killed.
// reference: Tasks; decision: 055
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqlStore } from '../../drivers/sql/store.ts';
import type { Store } from '../../src/ports/store.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { createTaskClient, resultsIn, type ShownTask, type TaskClient } from '../support/task-client.ts';
import { waitUntil } from '../support/wait.ts';

const PROCESSES = 3;
const POLLS = 30;
const ROUNDS = 3;
const TOOL = 'resend_send_email';

interface Place {
  url: string;
  remove(): Promise<void>;
}

function exactlyOnce(name: string, makePlace: (site: Site) => Promise<Place>): void {
  describe(`a task on three processes with ${name}`, () => {
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
      await gatewayAt(0).request('/api/auth/apikey/resend', {
        method: 'POST',
        headers,
        body: JSON.stringify({ values: { apiKey: 're_1' } }),
      });
      expect(await asPerson(0, 'PUT', '/api/policy', { rules: [{ tool: TOOL, decision: 'ask' }] })).toBe(200);
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

    function gatewayAt(at: number): Gateway {
      const gateway = gateways[at % gateways.length];
      if (gateway === undefined) throw new Error('there is no such process');
      return gateway;
    }

    const clientAt = (at: number): TaskClient => createTaskClient(gatewayAt(at), headers);

    /** Sends a request of the person's portal to one of the processes. */
    async function asPerson(at: number, method: string, path: string, body: object): Promise<number> {
      const init = { method, headers: session, body: JSON.stringify(body) };
      return (await gatewayAt(at).request(path, init)).status;
    }

    const approve = (at: number, id: string) =>
      asPerson(at, 'POST', `/api/approvals/${id}`, { decision: 'approve' });

    const email = (subject: string) => ({ from: 'a@b.example', to: ['c@d.example'], subject });

    async function begin(at: number, subject: string) {
      const { taskId } = await clientAt(at).begin([{ tool: TOOL, args: email(subject) }]);
      const [row] = await store.approvals.list({ user_id: userId, states: ['pending'], limit: 1 });
      if (row === undefined) throw new Error('nothing was asked');
      return { taskId, approval: row.id };
    }

    const settleAt = (at: number, taskId: string): Promise<ShownTask> => clientAt(at).settle(taskId);
    const sentWith = (subject: string) => sent.filter((each) => each === subject);
    const atUpstream = (subject: string) =>
      waitUntil(
        'the call at the upstream',
        () => sentWith(subject).length > 0,
        () => sent,
      );

    /** What a process that was killed holds is free once its time has passed. */
    async function letTimePass(approval: string): Promise<void> {
      const now = Math.floor(Date.now() / 1000);
      const row = await store.approvals.get(userId, approval);
      await store.approvals.keepRunning(approval, row?.run ?? '', now - 1);
      for (const task of await store.tasks.list(userId, 100)) await store.tasks.keep(task, now - 1);
    }

    it('runs once after one of many parallel yes, and every process gives the result', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const subject = `round ${round}`;
        const { taskId, approval } = await begin(round, subject);
        const [decided, polled] = await Promise.all([
          Promise.all(Array.from({ length: PROCESSES * 2 }, (_, at) => approve(at, approval))),
          Promise.all(Array.from({ length: POLLS }, (_, at) => settleAt(at, taskId))),
        ]);
        expect(decided.filter((status) => status === 200)).toHaveLength(1);
        for (const task of polled) expect(resultsIn(task)).toEqual([{ result: { id: '1' } }]);
        expect(sentWith(subject)).toHaveLength(1);
        expect((await store.approvals.get(userId, approval))?.state).toBe('done');
      }
    }, 120_000);

    it('runs at most once when a yes and a cancel come at the same time', async () => {
      const ends: string[] = [];
      for (let round = 0; round < ROUNDS * 3; round++) {
        const subject = `cancelled ${round}`;
        const { taskId, approval } = await begin(round, subject);
        const [status] = await Promise.all([approve(round, approval), clientAt(round + 1).cancel(taskId)]);
        const task = await settleAt(round + 2, taskId);
        ends.push(task.status);
        expect(['completed', 'cancelled']).toContain(task.status);
        expect(sentWith(subject)).toHaveLength(task.status === 'completed' ? 1 : 0);
        if (status === 409) expect(task.status).toBe('cancelled');
      }
      expect(ends).toHaveLength(ROUNDS * 3);
    }, 120_000);

    it('is unknown when its process is killed at the upstream, and is never repeated', async () => {
      const subject = 'slow and killed';
      const { taskId, approval } = await begin(1, subject);
      expect(await approve(0, approval)).toBe(200);
      await atUpstream(subject);
      gatewayAt(0).signal('SIGKILL', 'group');
      await gatewayAt(0).exited;
      expect(await clientAt(1).get(taskId)).toMatchObject({ status: 'working' });
      await letTimePass(approval);
      const ended = await Promise.all(
        Array.from({ length: POLLS }, (_, at) => settleAt(1 + (at % 2), taskId)),
      );
      for (const task of ended)
        expect(resultsIn(task)).toEqual([
          {
            error: 'UNKNOWN_OUTCOME',
            integration: 'resend',
            message: expect.stringContaining('Check first'),
          },
        ]);
      expect(sentWith(subject)).toHaveLength(1);
      expect((await store.approvals.get(userId, approval))?.state).toBe('unknown');
      const rows = await store.audit.list({ user_id: userId, tool: TOOL, limit: 1_000 });
      expect(rows.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(1);
      gateways[0] = await site.start({ env });
      expect(resultsIn(await clientAt(0).get(taskId))).toMatchObject([{ error: 'UNKNOWN_OUTCOME' }]);
    }, 120_000);

    it('is run by another process when its own was killed before it noticed the yes', async () => {
      const subject = 'taken over';
      const { taskId, approval } = await begin(0, subject);
      const row = await store.approvals.get(userId, approval);
      if (row === null) throw new Error('nothing was asked');
      // The process that took the decision is gone before it does anything else.
      const now = Math.floor(Date.now() / 1000);
      const decision = { state: 'approved', covers: 'once', decided_at: now, expires_at: now + 600 } as const;
      expect(await store.approvals.move(row, decision)).toBe(true);
      const ended = await Promise.all(Array.from({ length: POLLS }, (_, at) => settleAt(at, taskId)));
      for (const task of ended) expect(resultsIn(task)).toEqual([{ result: { id: '1' } }]);
      expect(sentWith(subject)).toHaveLength(1);
    }, 60_000);

    it('is finished by a process that is asked to stop', async () => {
      const subject = 'slow and stopped';
      const { taskId, approval } = await begin(1, subject);
      expect(await approve(0, approval)).toBe(200);
      await atUpstream(subject);
      gatewayAt(0).signal('SIGTERM');
      held.at(-1)?.end('{"id":"2"}');
      await gatewayAt(0).exited;
      expect(resultsIn(await settleAt(1, taskId))).toEqual([{ result: { id: '2' } }]);
      gateways[0] = await site.start({ env });
    }, 60_000);
  });
}

exactlyOnce('SQLite', async ({ dataDir }) => ({
  url: `sqlite:${dataDir}/service.db`,
  remove: async () => {},
}));
await describeService('tasks exactly once', postgresUrl(), () =>
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
