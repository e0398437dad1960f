// Tests scripts on three processes with one database, which are killed at every step of a run: the service gets no call twice, and
// no call is lost. reference: Scripts; decision: 059
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type MailProcesses,
  type MakePlace,
  onEachDatabase,
  openMailProcesses,
} from '../support/mail-processes.ts';
import { createTaskClient, resultsIn } from '../support/task-client.ts';
import { waitUntil } from '../support/wait.ts';
import type { Ran } from '../support/script-stand.ts';

/** One call: a mail is sent at once, a contact has to be approved, and a read changes nothing. */
type Step = readonly ['mail' | 'contact' | 'read' | 'compute', string];

// Each call is a step of its own, so that the ledger has the calls before it.
const CODE = `const done = [];
for (const [kind, name] of input.steps) {
  try {
    if (kind === 'compute') for (let at = 0; at < 2e7; at++);
    else if (kind === 'mail')
      await tools.resend_send_email({ from: 'a@b.example', to: ['c@d.example'], subject: name });
    else if (kind === 'contact') await tools.resend_create_contact({ email: name });
    else await tools.resend_get_email({ emailId: name });
    done.push('ok');
  } catch (error) {
    done.push(error.code);
  }
}
return done;`;

function processDeath(name: string, makePlace: MakePlace): void {
  describe(`a script on three processes with ${name}`, () => {
    let stand: MailProcesses;
    beforeAll(async () => {
      stand = await openMailProcesses(makePlace);
      const rules = [{ tool: 'resend_create_contact', decision: 'ask' }];
      expect(await asPerson(0, 'PUT', '/api/policy', { rules })).toBe(200);
    }, 180_000);
    afterAll(() => stand.close());

    const now = () => Math.floor(Date.now() / 1000);
    const execution = (steps: readonly Step[]) => ({
      tool: 'script_run',
      args: { code: CODE, input: { steps } },
    });

    async function asPerson(at: number, method: string, path: string, body: object): Promise<number> {
      const init = { method, headers: stand.session, body: JSON.stringify(body) };
      return (await stand.at(at).request(path, init)).status;
    }

    /** Sends the script to a process, each time with the same call. */
    async function run(at: number, steps: readonly Step[]): Promise<Ran> {
      const body = JSON.stringify({ executions: [execution(steps)] });
      const response = await stand
        .at(at)
        .request('/rest/scripts', { method: 'POST', headers: stand.headers, body });
      return (await response.json()).results[0];
    }

    async function kill(at: number): Promise<void> {
      stand.at(at).signal('SIGKILL', 'group');
      await stand.at(at).exited;
    }

    /** What a process that was killed holds is free once its time has passed. */
    async function letTimePass(): Promise<void> {
      const { approvals, executionKeys, scriptRuns, tasks } = stand.store;
      const past = now() - 1;
      for (const run of await scriptRuns.list(stand.userId, 100)) await scriptRuns.keep(run, past);
      for (const key of await executionKeys.list(stand.userId, 0, null, 1_000))
        if (key.state === 'running') await executionKeys.keepRunning(key.id, key.run, past);
      for (const { id, run } of await approvals.list({
        user_id: stand.userId,
        states: ['running'],
        limit: 100,
      }))
        await approvals.keepRunning(id, run ?? '', past);
      for (const task of await tasks.list(stand.userId, 100))
        if (task.running_until !== null) await tasks.keep(task, past);
    }

    const isReached = (subject: string) => stand.waitForUpstream(subject);
    const isRead = (id: string) =>
      waitUntil(
        'the read at the service',
        () => stand.read.some((path) => path.endsWith(id)),
        () => stand.read,
      );

    async function answer(): Promise<void> {
      const response = stand.held.pop();
      if (response === undefined) throw new Error('nothing is held');
      response.end('{"id":"2"}');
      await once(response, 'finish');
    }

    /** How often each name has reached the service. */
    const counts = (steps: readonly Step[]): Record<string, number> =>
      Object.fromEntries(
        steps
          .filter(([kind]) => kind === 'mail' || kind === 'contact')
          .map(([, subject]) => [subject, stand.sentWith(subject).length]),
      );
    const each = (steps: readonly Step[]) =>
      Object.fromEntries(Object.keys(counts(steps)).map((subject) => [subject, 1]));

    /** Ends the run at a process, and counts. Process 0 is there again afterwards. */
    async function ends(at: number, steps: readonly Step[], wanted: readonly string[]): Promise<void> {
      await letTimePass();
      expect(await run(at, steps)).toMatchObject({ result: wanted });
      expect(counts(steps)).toEqual(each(steps));
    }

    async function asked(at: number, steps: readonly Step[]): Promise<string> {
      const ran = await run(at, steps);
      expect(ran.error).toBe('APPROVAL_REQUIRED');
      return ran.approval?.id ?? '';
    }

    const approve = async (at: number, id: string): Promise<void> =>
      expect(await asPerson(at, 'POST', `/api/approvals/${id}`, { decision: 'approve' })).toBe(200);

    it('is killed before its first call, and all its calls run in another process', async () => {
      const steps: Step[] = [
        ['compute', 'first'],
        ['mail', 'before 1'],
        ['mail', 'before 2'],
      ];
      const running = run(0, steps).catch(() => 'gone');
      await waitUntil(
        'the row of the run',
        async () => (await stand.store.scriptRuns.list(stand.userId, 1))[0]?.state === 'running',
        () => '',
      );
      await kill(0);
      expect(await running).toBe('gone');
      expect(counts(steps)).toEqual({ 'before 1': 0, 'before 2': 0 });
      await ends(1, steps, ['ok', 'ok', 'ok']);
      await stand.replace(0);
    }, 120_000);

    it('is killed while it reads, and only the read is repeated', async () => {
      const steps: Step[] = [
        ['mail', 'read 1'],
        ['read', 'slow-read'],
        ['mail', 'read 2'],
      ];
      const running = run(0, steps).catch(() => 'gone');
      await isRead('slow-read');
      await kill(0);
      expect(await running).toBe('gone');
      await letTimePass();
      const again = run(1, steps);
      await waitUntil(
        'the second read',
        () => stand.held.length === 2,
        () => stand.read,
      );
      await answer();
      expect(await again).toMatchObject({ result: ['ok', 'ok', 'ok'] });
      expect(counts(steps)).toEqual(each(steps));
      stand.held.length = 0;
      await stand.replace(0);
    }, 120_000);

    it('is killed while the service has its call, which is in doubt and not repeated', async () => {
      const steps: Step[] = [
        ['mail', 'at 1'],
        ['mail', 'slow at'],
        ['mail', 'at 2'],
      ];
      const running = run(0, steps).catch(() => 'gone');
      await isReached('slow at');
      await kill(0);
      expect(await running).toBe('gone');
      stand.held.pop()?.destroy();
      await ends(1, steps, ['ok', 'UNKNOWN_OUTCOME', 'ok']);
      await stand.replace(0);
    }, 120_000);

    it('is killed after the service has answered and before the ledger has it', async () => {
      const steps: Step[] = [
        ['mail', 'slow answered'],
        ['mail', 'answered 2'],
      ];
      const running = run(0, steps).catch(() => 'gone');
      await isReached('slow answered');
      stand.at(0).signal('SIGSTOP', 'group');
      await answer();
      await kill(0);
      expect(await running).toBe('gone');
      await ends(2, steps, ['UNKNOWN_OUTCOME', 'ok']);
      await stand.replace(0);
    }, 120_000);

    it('waits for a person, and goes on elsewhere when its process is gone', async () => {
      const steps: Step[] = [
        ['mail', 'waits 1'],
        ['contact', 'waits@ask'],
        ['mail', 'waits 2'],
      ];
      const id = await asked(0, steps);
      await kill(0);
      expect(counts(steps)).toEqual({ 'waits 1': 1, 'waits@ask': 0, 'waits 2': 0 });
      await approve(1, id);
      await ends(2, steps, ['ok', 'ok', 'ok']);
      await stand.replace(0);
    }, 120_000);

    it('goes on elsewhere when the process is killed that took the yes', async () => {
      const steps: Step[] = [
        ['contact', 'yes@ask'],
        ['mail', 'yes 2'],
      ];
      const id = await asked(1, steps);
      await approve(0, id);
      await kill(0);
      await ends(2, steps, ['ok', 'ok']);
      await stand.replace(0);
    }, 120_000);

    it('is killed while another process goes on with it, and a third one ends it', async () => {
      const steps: Step[] = [
        ['mail', 'third 1'],
        ['contact', 'slow-third@ask'],
        ['mail', 'third 2'],
      ];
      const id = await asked(1, steps);
      await approve(2, id);
      const running = run(0, steps).catch(() => 'gone');
      await isReached('slow-third@ask');
      await kill(0);
      expect(await running).toBe('gone');
      stand.held.pop()?.destroy();
      await ends(2, steps, ['ok', 'UNKNOWN_OUTCOME', 'ok']);
      await stand.replace(0);
    }, 120_000);

    it('goes on once when it is sent to all processes at the same time, and all of them say its end', async () => {
      const steps: Step[] = [
        ['mail', 'all 1'],
        ['contact', 'all@ask'],
        ['mail', 'all 2'],
      ];
      await approve(1, await asked(0, steps));
      const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((at) => run(at, steps)));
      // A call that comes after the end begins a run of its own.
      expect(answers.filter(({ result }) => result !== undefined).length).toBeGreaterThan(0);
      const runs = new Set(answers.map(({ script }) => script?.run));
      expect(stand.sentWith('all@ask')).toHaveLength(1);
      expect(stand.sentWith('all 1')).toHaveLength(runs.size);
    }, 120_000);

    it('is a task that is killed after the yes, and another process ends both', async () => {
      const steps: Step[] = [
        ['mail', 'task 1'],
        ['contact', 'slow-task@ask'],
        ['mail', 'task 2'],
      ];
      const client = (at: number) => createTaskClient(stand.at(at), stand.headers);
      const { taskId } = await client(1).begin([execution(steps)]);
      const [question] = await stand.store.approvals.list({
        user_id: stand.userId,
        states: ['pending'],
        limit: 1,
      });
      await approve(0, question?.id ?? '');
      await isReached('slow-task@ask');
      await kill(0);
      stand.held.pop()?.destroy();
      await letTimePass();
      const [result] = resultsIn(await client(2).settle(taskId));
      expect(result).toMatchObject({ result: ['ok', 'UNKNOWN_OUTCOME', 'ok'] });
      expect(counts(steps)).toEqual(each(steps));
      await stand.replace(0);
    }, 120_000);
  });
}

await onEachDatabase('scripts', processDeath);
