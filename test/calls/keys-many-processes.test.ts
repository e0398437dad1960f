// Tests that three processes on one database run a call with a key exactly once, also when one of them is killed or stopped.
// reference: Keys of executions; decision: 053
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY_RUN_SECONDS } from '../../src/calls/once/limits.ts';
import type { ExecutionKey } from '../../src/ports/execution-keys.ts';
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

interface Answer {
  error?: string;
  result?: unknown;
  replayed?: true;
}

function onceOn(name: string, makePlace: MakePlace): void {
  describe(`a call with a key on three processes with ${name}`, () => {
    let stand: MailProcesses;
    beforeAll(async () => {
      stand = await openMailProcesses(makePlace);
    }, 180_000);
    afterAll(() => stand.close());

    const now = () => Math.floor(Date.now() / 1000);

    async function overMcp(gateway: Gateway, subject: string): Promise<Answer> {
      const executions = [{ tool: TOOL, args: email(subject), key: subject }];
      return (await call(gateway, stand.headers, 'execute_tools', { executions })).results[0];
    }

    async function overRest(gateway: Gateway, subject: string): Promise<Answer> {
      const response = await gateway.request('/rest/resend', {
        method: 'POST',
        headers: { ...stand.headers, 'idempotency-key': subject },
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
          const gateway = processes[at % processes.length] ?? stand.at(0);
          return at % 2 === 0 ? overMcp(gateway, subject) : overRest(gateway, subject);
        }),
      );

    async function rowOf(subject: string): Promise<ExecutionKey> {
      const before = new Set(known.keys());
      const rows = await stand.store.executionKeys.list(stand.userId, 0, null, 1_000);
      const row = rows.find(({ id }) => known.get(id) === subject || !before.has(id));
      if (row === undefined) throw new Error('there is no row');
      known.set(row.id, subject);
      return row;
    }
    const known = new Map<string, string>();

    async function atUpstream(subject: string): Promise<ExecutionKey> {
      await stand.waitForUpstream(subject);
      return rowOf(subject);
    }

    async function answer(): Promise<void> {
      const response = stand.held.pop();
      if (response === undefined) throw new Error('nothing is held');
      response.end('{"id":"2"}');
      await once(response, 'finish');
    }

    const errorsOf = (answers: readonly Answer[]) => [
      ...new Set(answers.map(({ error }) => error ?? 'none')),
    ];
    /** Nobody keeps the run alive for as long as a lost one is waited for. */
    const loseRun = ({ id, run }: ExecutionKey) => stand.store.executionKeys.keepRunning(id, run, now() - 1);

    it(`runs for one of ${REPEATS} repeats, and is replayed for all that come later`, async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const subject = `round ${round}`;
        const answers = await repeat(subject, stand.gateways);
        expect(stand.sentWith(subject)).toHaveLength(1);
        expect(answers.filter(({ result, replayed }) => result !== undefined && !replayed)).toHaveLength(1);
        for (const { error, result } of answers)
          expect(error ?? result).toEqual(error === undefined ? { id: '1' } : 'IN_PROGRESS');
        const later = await repeat(subject, stand.gateways);
        expect(later).toEqual(later.map(() => ({ result: { id: '1' }, replayed: true })));
        expect(stand.sentWith(subject)).toHaveLength(1);
        await rowOf(subject);
      }
    }, 120_000);

    it('is not known when its process is killed, and never runs again', async () => {
      const subject = 'slow and killed';
      const running = overMcp(stand.at(0), subject).catch(() => 'gone');
      const row = await atUpstream(subject);
      stand.at(0).signal('SIGKILL', 'group');
      await stand.at(0).exited;
      expect(await running).toBe('gone');
      const others = stand.gateways.slice(1);
      expect(errorsOf(await repeat(subject, others))).toEqual(['IN_PROGRESS']);
      expect(row.running_until).toBeLessThanOrEqual(now() + KEY_RUN_SECONDS);
      await loseRun(row);
      expect(errorsOf(await repeat(subject, others))).toEqual(['UNKNOWN_OUTCOME']);
      await stand.replace(0);
      expect(errorsOf(await repeat(subject, stand.gateways))).toEqual(['UNKNOWN_OUTCOME']);
      expect(stand.sentWith(subject)).toHaveLength(1);
      stand.held.pop()?.end('{}');
    }, 120_000);

    it('is not known when its process is killed between the answer and the row', async () => {
      const subject = 'slow and answered';
      const running = overMcp(stand.at(0), subject).catch(() => 'gone');
      const row = await atUpstream(subject);
      stand.at(0).signal('SIGSTOP', 'group');
      await answer();
      stand.at(0).signal('SIGKILL', 'group');
      await stand.at(0).exited;
      expect(await running).toBe('gone');
      await loseRun(row);
      expect(errorsOf(await repeat(subject, stand.gateways.slice(1)))).toEqual(['UNKNOWN_OUTCOME']);
      await stand.replace(0);
      expect(stand.sentWith(subject)).toHaveLength(1);
    }, 120_000);

    // A process that is stopped in the middle of a write to SQLite holds up all others.
    if (name !== 'SQLite')
      it('has its answer when a process that was paused for long comes to the end after all', async () => {
        const subject = 'slow and stopped';
        const running = overRest(stand.at(0), subject);
        const row = await atUpstream(subject);
        stand.at(0).signal('SIGSTOP', 'group');
        await loseRun(row);
        expect(errorsOf(await repeat(subject, stand.gateways.slice(1)))).toEqual(['UNKNOWN_OUTCOME']);
        await answer();
        stand.at(0).signal('SIGCONT', 'group');
        expect(await running).toEqual({ result: { id: '2' } });
        const later = await repeat(subject, stand.gateways);
        expect(later).toEqual(later.map(() => ({ result: { id: '2' }, replayed: true })));
        expect(stand.sentWith(subject)).toHaveLength(1);
      }, 120_000);

    it('has had a key of the provider for each call', () => {
      expect(stand.sent.length).toBeGreaterThan(ROUNDS);
      expect(new Set(stand.sent.map(({ key }) => key)).size).toBe(
        new Set(stand.sent.map(({ subject }) => subject)).size,
      );
      for (const { key } of stand.sent) expect(key).toMatch(/^[\w-]{43}$/);
    });
  });
}

await onEachDatabase('keys of executions', onceOn);
