// Tests that three processes on one database run the approved call of a task exactly once, also when one of them is killed.
// reference: Tasks; decision: 055
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  email,
  type MailProcesses,
  type MakePlace,
  onEachDatabase,
  openMailProcesses,
  PROCESSES,
  TOOL,
} from '../support/mail-processes.ts';
import { createTaskClient, resultsIn, type ShownTask, type TaskClient } from '../support/task-client.ts';

const POLLS = 30;
const ROUNDS = 3;

function exactlyOnce(name: string, makePlace: MakePlace): void {
  describe(`a task on three processes with ${name}`, () => {
    let stand: MailProcesses;
    beforeAll(async () => {
      stand = await openMailProcesses(makePlace);
      expect(await asPerson(0, 'PUT', '/api/policy', { rules: [{ tool: TOOL, decision: 'ask' }] })).toBe(200);
    }, 180_000);
    afterAll(() => stand.close());

    const clientAt = (at: number): TaskClient => createTaskClient(stand.at(at), stand.headers);

    /** Sends a request of the person's portal to one of the processes. */
    async function asPerson(at: number, method: string, path: string, body: object): Promise<number> {
      const init = { method, headers: stand.session, body: JSON.stringify(body) };
      return (await stand.at(at).request(path, init)).status;
    }

    const approve = (at: number, id: string) =>
      asPerson(at, 'POST', `/api/approvals/${id}`, { decision: 'approve' });

    async function begin(at: number, subject: string) {
      const { taskId } = await clientAt(at).begin([{ tool: TOOL, args: email(subject) }]);
      const [row] = await stand.store.approvals.list({
        user_id: stand.userId,
        states: ['pending'],
        limit: 1,
      });
      if (row === undefined) throw new Error('nothing was asked');
      return { taskId, approval: row.id };
    }

    const settleAt = (at: number, taskId: string): Promise<ShownTask> => clientAt(at).settle(taskId);

    /** What a process that was killed holds is free once its time has passed. */
    async function letTimePass(approval: string): Promise<void> {
      const now = Math.floor(Date.now() / 1000);
      const row = await stand.store.approvals.get(stand.userId, approval);
      await stand.store.approvals.keepRunning(approval, row?.run ?? '', now - 1);
      for (const task of await stand.store.tasks.list(stand.userId, 100))
        await stand.store.tasks.keep(task, now - 1);
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
        expect(stand.sentWith(subject)).toHaveLength(1);
        expect((await stand.store.approvals.get(stand.userId, approval))?.state).toBe('done');
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
        expect(stand.sentWith(subject)).toHaveLength(task.status === 'completed' ? 1 : 0);
        if (status === 409) expect(task.status).toBe('cancelled');
      }
      expect(ends).toHaveLength(ROUNDS * 3);
    }, 120_000);

    it('is unknown when its process is killed at the upstream, and is never repeated', async () => {
      const subject = 'slow and killed';
      const { taskId, approval } = await begin(1, subject);
      expect(await approve(0, approval)).toBe(200);
      await stand.waitForUpstream(subject);
      stand.at(0).signal('SIGKILL', 'group');
      await stand.at(0).exited;
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
      expect(stand.sentWith(subject)).toHaveLength(1);
      expect((await stand.store.approvals.get(stand.userId, approval))?.state).toBe('unknown');
      const rows = await stand.store.audit.list({ user_id: stand.userId, tool: TOOL, limit: 1_000 });
      expect(rows.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(1);
      await stand.replace(0);
      expect(resultsIn(await clientAt(0).get(taskId))).toMatchObject([{ error: 'UNKNOWN_OUTCOME' }]);
    }, 120_000);

    it('is run by another process when its own was killed before it noticed the yes', async () => {
      const subject = 'taken over';
      const { taskId, approval } = await begin(0, subject);
      const row = await stand.store.approvals.get(stand.userId, approval);
      if (row === null) throw new Error('nothing was asked');
      // The process that took the decision is gone before it does anything else.
      const now = Math.floor(Date.now() / 1000);
      const decision = { state: 'approved', covers: 'once', decided_at: now, expires_at: now + 600 } as const;
      expect(await stand.store.approvals.move(row, decision)).toBe(true);
      const ended = await Promise.all(Array.from({ length: POLLS }, (_, at) => settleAt(at, taskId)));
      for (const task of ended) expect(resultsIn(task)).toEqual([{ result: { id: '1' } }]);
      expect(stand.sentWith(subject)).toHaveLength(1);
    }, 60_000);

    it('is finished by a process that is asked to stop', async () => {
      const subject = 'slow and stopped';
      const { taskId, approval } = await begin(1, subject);
      expect(await approve(0, approval)).toBe(200);
      await stand.waitForUpstream(subject);
      stand.at(0).signal('SIGTERM');
      stand.held.at(-1)?.end('{"id":"2"}');
      await stand.at(0).exited;
      expect(resultsIn(await settleAt(1, taskId))).toEqual([{ result: { id: '2' } }]);
      await stand.replace(0);
    }, 60_000);
  });
}

await onEachDatabase('tasks exactly once', exactlyOnce);
