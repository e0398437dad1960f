// Tests that three processes on one database run an approved call exactly once, also when one of them is killed.
// reference: Approvals; decision: 038
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPROVAL_RUN_SECONDS } from '../../src/policy/model/limits.ts';
import type { ApprovalRecord } from '../../src/ports/policy.ts';
import type { Gateway } from '../support/gateway-process.ts';
import {
  email,
  type MailProcesses,
  type MakePlace,
  onEachDatabase,
  openMailProcesses,
  TOOL,
} from '../support/mail-processes.ts';
import { call } from '../support/mcp.ts';

const REPEATS = 50;
const ROUNDS = 3;

/** What one call was answered. */
interface Answer {
  error?: string;
  message?: string;
  result?: unknown;
  approval?: { id: string };
}

function exactlyOnce(name: string, makePlace: MakePlace): void {
  describe(`an approved call on three processes with ${name}`, () => {
    let stand: MailProcesses;
    beforeAll(async () => {
      stand = await openMailProcesses(makePlace);
      const rules = [{ tool: TOOL, decision: 'ask' }];
      expect(await asPerson(0, 'PUT', '/api/policy', { rules })).toEqual({ rules });
    }, 180_000);
    afterAll(() => stand.close());

    const now = () => Math.floor(Date.now() / 1000);

    /** Sends a request of the person's portal to one of the processes. */
    async function asPerson(at: number, method: string, path: string, body?: object): Promise<unknown> {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await stand.at(at).request(path, { method, headers: stand.session, ...init });
      return response.json();
    }

    async function overMcp(gateway: Gateway, subject: string): Promise<Answer> {
      const executions = [{ tool: TOOL, args: email(subject) }];
      return (await call(gateway, stand.headers, 'execute_tools', { executions })).results[0];
    }

    async function overRest(gateway: Gateway, subject: string): Promise<Answer> {
      const body = JSON.stringify({ tool: TOOL, args: email(subject) });
      const response = await gateway.request('/rest/resend', {
        method: 'POST',
        headers: stand.headers,
        body,
      });
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
          const gateway = processes[at % processes.length] ?? stand.at(0);
          return at % 2 === 0 ? overMcp(gateway, subject) : overRest(gateway, subject);
        }),
      );

    /** Asks, and says yes. */
    async function approved(subject: string): Promise<ApprovalRecord> {
      const { approval } = await overMcp(stand.at(1), subject);
      const row = await stand.store.approvals.get(stand.userId, approval?.id ?? '');
      if (row === null) throw new Error('nothing was asked');
      const yes = { decision: 'approve', for: 'once' };
      expect(await asPerson(2, 'POST', `/api/approvals/${row.id}`, yes)).toMatchObject({ state: 'approved' });
      return row;
    }

    const stateOf = async ({ id }: ApprovalRecord) =>
      (await stand.store.approvals.get(stand.userId, id))?.state;
    const audited = async (outcome: string) =>
      (await stand.store.audit.list({ user_id: stand.userId, tool: TOOL, limit: 1_000 })).filter(
        (row) => row.outcome === outcome,
      );

    it(`runs for one of ${REPEATS} repeats, and asks in all others`, async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const subject = `round ${round}`;
        expect((await repeat(subject, stand.gateways)).filter(({ error }) => error === undefined)).toEqual(
          [],
        );
        const row = await approved(subject);
        const answers = await repeat(subject, stand.gateways);
        const ran = answers.filter(({ error }) => error === undefined);
        expect(ran).toEqual([expect.objectContaining({ result: { id: '1' } })]);
        const asked = answers.filter(({ error }) => error === 'APPROVAL_REQUIRED');
        expect(asked).toHaveLength(REPEATS - 1);
        expect(stand.sentWith(subject)).toHaveLength(1);
        expect(await stateOf(row)).toBe('done');
      }
      expect(await audited('ok')).toHaveLength(ROUNDS);
    }, 120_000);

    it('runs once when one batch holds the same call many times', async () => {
      const row = await approved('batch');
      const executions = Array.from({ length: 10 }, () => ({ tool: TOOL, args: email('batch') }));
      const batches = await Promise.all(
        stand.gateways.map((gateway) => call(gateway, stand.headers, 'execute_tools', { executions })),
      );
      const results: Answer[] = batches.flatMap((batch) => batch.results);
      expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
      expect(stand.sentWith('batch')).toHaveLength(1);
      expect(await stateOf(row)).toBe('done');
    });

    it('is unknown when its process is killed, and is never repeated by itself', async () => {
      const subject = 'slow and killed';
      const row = await approved(subject);
      const running = overMcp(stand.at(0), subject).catch(() => 'gone');
      await stand.waitForUpstream(subject);
      const { run, running_until } = (await stand.store.approvals.get(stand.userId, row.id)) ?? {};
      stand.at(0).signal('SIGKILL', 'group');
      await stand.at(0).exited;
      expect(await running).toBe('gone');

      const others = stand.gateways.slice(1);
      for (const { error, message } of await repeat(subject, others))
        expect([error, message]).toEqual([
          'APPROVAL_REQUIRED',
          `The approved call of ${TOOL} is running already. It was not run twice`,
        ]);
      // The process would have said within this time that it lives.
      expect(running_until).toBeLessThanOrEqual(now() + APPROVAL_RUN_SECONDS);
      expect(run).not.toBeNull();
      await stand.store.approvals.keepRunning(row.id, run ?? '', now() - 1);

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

      await stand.replace(0);
      expect(await overRest(stand.at(0), subject)).toMatchObject({ approval: question?.approval });
      expect(stand.sentWith(subject)).toHaveLength(1);
      expect(await audited('unknown')).toHaveLength(1);
    }, 120_000);

    it('is kept alive at a slow upstream, and has the answer in the end', async () => {
      const subject = 'slow and alive';
      const row = await approved(subject);
      const running = overRest(stand.at(0), subject);
      await stand.waitForUpstream(subject);
      for (const { error } of await repeat(subject, stand.gateways)) expect(error).toBe('APPROVAL_REQUIRED');
      stand.held.at(-1)?.end('{"id":"2"}');
      expect(await running).toMatchObject({ result: { id: '2' } });
      expect(stand.sentWith(subject)).toHaveLength(1);
      expect(await stateOf(row)).toBe('done');
    }, 60_000);
  });
}

await onEachDatabase('exactly once', exactlyOnce);
