// Tests runs that wait for a person, and runs whose process is lost, on each engine of the store: nothing runs twice, and nothing is
// lost. test/scripts/process-death.test.ts kills real processes. decision: 059
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeKey, send } from '../support/policy.ts';
import type { Ran, ScriptStand } from '../support/script-stand.ts';
import { createTaskClient } from '../support/task-client.ts';
import { createDyingStore } from '../support/dying-store.ts';

let stand: ScriptStand;

const ASK_DELETIONS = [{ access: 'destroy', decision: 'ask' }];
const LEASE_MS = 46_000;

const step = (at: number, asked: readonly number[]) =>
  asked.includes(at)
    ? `done.push((await tools.memo_remove({ text: '${at}' })).removed);`
    : `done.push((await tools.memo_add({ text: '${at}' })).text);`;
const inTurn = (asked: readonly number[]) =>
  `const done = []; ${[0, 1, 2].map((at) => step(at, asked)).join('\n')} return done;`;

/** Says yes to each question, and sends the same call again until it has ended. */
async function settle(
  code: string,
  how: 'same' | 'resume' = 'same',
): Promise<{ ran: Ran; questions: number }> {
  let ran = await stand.script(code);
  let questions = 0;
  while (ran.error === 'APPROVAL_REQUIRED' && ran.approval !== undefined) {
    questions++;
    await stand.decide(ran.approval.id, 'approve');
    ran = await (how === 'same' ? stand.script(code) : stand.resume(ran.script?.run ?? ''));
  }
  return { ran, questions };
}

/** `open` makes a stand with a person of its own. */
export function pausesContract(open: () => Promise<ScriptStand>): void {
  beforeEach(async () => {
    stand = await open();
  });
  afterEach(() => stand.close());

  describe('a run that waits for a person', () => {
    it.each([
      ['the first', [0]],
      ['one in the middle', [1]],
      ['the last', [2]],
      ['several', [0, 2]],
      ['all', [0, 1, 2]],
    ])('goes on after the yes to %s of its calls, and repeats nothing', async (_, asked) => {
      await stand.rules(ASK_DELETIONS);
      const wanted = [0, 1, 2].map((at) => (asked.includes(at) ? `-${at}` : `${at}`));
      for (const how of ['same', 'resume'] as const) {
        stand.notes.written.length = 0;
        const { ran, questions } = await settle(`${inTurn(asked)} // ${how}`, how);
        expect(ran).toMatchObject({ result: ['0', '1', '2'] });
        expect(questions).toBe(asked.length);
        expect(stand.notes.written).toStrictEqual(wanted);
      }
    });

    it('lets the calls beside it finish, and asks about all that run at once', async () => {
      await stand.rules(ASK_DELETIONS);
      const code = `const ended = await Promise.all([
      tools.memo_remove({ text: 'a' }), tools.memo_add({ text: 'b' }), tools.memo_remove({ text: 'c' }),
    ]); return ended.length;`;
      const first = await stand.script(code);
      expect(first.message).toContain('2 calls of this script');
      const { body } = await send(
        stand.app,
        stand.user.sessionHeader,
        'GET',
        `/api/script-runs/${first.script?.run}`,
      );
      expect(body).toMatchObject({ state: 'waiting' });
      expect(body.timeline.map(({ state }: { state: string }) => state)).toStrictEqual([
        'waiting',
        'ok',
        'waiting',
      ]);
      for (const { approval } of body.timeline)
        if (approval !== null) await stand.decide(approval.id, 'approve');
      expect(await stand.script(code)).toMatchObject({ result: 3 });
      expect(stand.notes.written.toSorted()).toStrictEqual(['-a', '-c', 'b']);
    });

    it('throws a no into the script, which may catch it', async () => {
      await stand.rules(ASK_DELETIONS);
      const code = `await tools.memo_add({ text: '1' });
      try { await tools.memo_remove({ text: 'x' }); } catch (error) { return error.code; }`;
      const asked = await stand.script(code);
      await stand.decide(asked.approval?.id ?? '', 'deny');
      expect(await stand.script(code)).toMatchObject({ result: 'DENIED' });
      expect(stand.notes.written).toStrictEqual(['1']);
    });

    it('asks anew when nobody answered in time', async () => {
      await stand.rules(ASK_DELETIONS);
      const code = inTurn([1]);
      const first = await stand.script(code);
      await stand.clock.pass(3_601_000);
      const second = await stand.script(code);
      expect(second.approval?.id).not.toBe(first.approval?.id);
      expect(second.script?.run).toBe(first.script?.run);
      await stand.decide(second.approval?.id ?? '', 'approve');
      expect(await stand.script(code)).toMatchObject({ result: ['0', '1', '2'] });
      expect(stand.notes.written).toStrictEqual(['0', '-1', '2']);
    });

    it('belongs to its caller, and does not go on under other rules or with other code', async () => {
      await stand.rules(ASK_DELETIONS);
      const asked = await stand.script(inTurn([1]));
      const resume = (headers: Record<string, string>, more = {}) =>
        send(stand.app, headers, 'POST', '/rest/scripts', {
          tool: 'script_run',
          args: { resume: asked.script?.run, ...more },
        });
      const other = await makeKey(stand.app, stand.user);
      expect((await resume(other.header)).body.error).toContain('There is no such run');
      expect((await resume(stand.key, { code: 'return 1' })).body.error).toContain(
        'The code of the script changed',
      );
      await stand.rules([...ASK_DELETIONS, { tool: 'memo_get', decision: 'block' }]);
      expect((await passing(resume(stand.key))).body.error).toContain(
        'The rules or the limits of this key changed',
      );
      expect(stand.notes.written).toStrictEqual(['0']);
    });

    it('does not go on as a saved script that has changed', async () => {
      await stand.rules(ASK_DELETIONS);
      const save = (code: string) =>
        send(stand.app, stand.key, 'POST', '/rest/scripts', {
          tool: 'script_save',
          args: { name: 'tidy', code },
        });
      await save(inTurn([1]));
      const asked = await send(stand.app, stand.key, 'POST', '/rest/scripts/tidy', {});
      expect(asked).toMatchObject({
        status: 409,
        body: { error: 'APPROVAL_REQUIRED', script: { run: expect.any(String) } },
      });
      await save('return 1');
      const resumed = await send(stand.app, stand.key, 'POST', '/rest/scripts', {
        tool: 'script_run',
        args: { resume: asked.body.script.run },
      });
      expect(resumed.body.error).toContain('The script tidy changed');
    });

    it('goes on by itself as a task, also when it is asked about twice', async () => {
      await stand.rules(ASK_DELETIONS);
      const client = createTaskClient(stand.app, stand.key);
      const task = await client.begin([{ tool: 'script_run', args: { code: inTurn([0, 2]) } }]);
      for (const index of [0, 2]) {
        const shown = await client.get(task.taskId);
        const id =
          Object.keys(shown.inputRequests ?? {})[0] ??
          /approvals\/([\w-]+)/.exec(shown.statusMessage ?? '')?.[1];
        expect(shown.status, String(index)).not.toBe('completed');
        await stand.decide(id ?? '', 'approve');
        await stand.app.deps.executions.none();
      }
      const ended = await client.get(task.taskId);
      expect(ended.status).toBe('completed');
      expect(ended.result?.content[0]?.text).toContain('["0","1","2"]');
      expect(stand.notes.written).toStrictEqual(['-0', '1', '-2']);
    });
  });

  describe('a run whose process is lost', () => {
    // One row for the run, one for each of three calls, and the end.
    const POINTS = [0, 1, 2, 3, 4].flatMap((at) => [false, true].map((isAfter) => [at, isAfter] as const));
    const WRITES = { part: 'scriptRuns', names: ['add', 'append', 'release'] } as const;

    it.each(POINTS)(
      'goes on in another one (write %i, after it: %s), and writes once',
      async (at, isAfter) => {
        const { store, died } = createDyingStore(stand.app.deps.store, { ...WRITES, at, isAfter });
        const dead = await stand.other(store);
        const code = inTurn([]);
        void stand.script(code, {}, stand.key, dead).catch(() => {});
        await died;
        await stand.clock.pass(LEASE_MS * 2);
        // Where its end was stored the same call would be a new one, so the run is asked for by its id.
        const [run] = await stand.app.deps.store.scriptRuns.list(stand.user.id, 1);
        const ran = await passing(run === undefined ? stand.script(code) : stand.resume(run.id));
        expect(ran).toMatchObject({ result: ['0', '1', '2'] });
        expect(stand.notes.written).toStrictEqual(['0', '1', '2']);
      },
    );

    it.each(POINTS.slice(0, -1))(
      'goes on with the same call (write %i, after it: %s), and writes once',
      async (at, isAfter) => {
        const { store, died } = createDyingStore(stand.app.deps.store, { ...WRITES, at, isAfter });
        const dead = await stand.other(store);
        const code = inTurn([]);
        void stand.script(code, {}, stand.key, dead).catch(() => {});
        await died;
        // The process may live, so the call waits until it is known to be lost.
        expect(await passing(stand.script(code))).toMatchObject({ result: ['0', '1', '2'] });
        expect(stand.notes.written).toStrictEqual(['0', '1', '2']);
      },
    );

    it('says UNKNOWN_OUTCOME to the script about a call that may have run, and does not repeat it', async () => {
      const { store, died, die } = createDyingStore(stand.app.deps.store);
      const dead = await stand.other(store);
      const code = `try { await tools.memo_add({ text: 'sent' }); return 'ok'; } catch (error) { return error.code; }`;
      stand.notes.onWrite = die;
      void stand.script(code, {}, stand.key, dead).catch(() => {});
      await died;
      await stand.clock.pass(LEASE_MS * 2);
      stand.notes.onWrite = async () => {};
      expect(await passing(stand.script(code))).toMatchObject({ result: 'UNKNOWN_OUTCOME' });
      expect(stand.notes.written).toStrictEqual(['sent']);
    });

    it('is given back by a gateway that stops, and goes on in another one', async () => {
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      stand.notes.onWrite = () => {
        reach();
        return released;
      };
      const running = stand.script(inTurn([]), {}, stand.key, await stand.other());
      await reached;
      const stopping = stand.stopOthers();
      release();
      await stopping;
      const stopped = await running;
      expect(stopped.error).toContain('The gateway stopped while the script ran. Send exactly the same call');
      const ran = await passing(stand.script(inTurn([])));
      expect(ran).toMatchObject({ result: ['0', '1', '2'], script: { run: stopped.script?.run } });
      expect(stand.notes.written).toStrictEqual(['0', '1', '2']);
    });

    it('is not repeated as a task whose process is lost after the run and before its result is kept', async () => {
      await stand.rules(ASK_DELETIONS);
      const { store, died } = createDyingStore(stand.app.deps.store, {
        part: 'tasks',
        names: ['release'],
        at: 0,
        isAfter: false,
      });
      const dead = await stand.other(store);
      const client = createTaskClient(stand.app, stand.key);
      const task = await client.begin([{ tool: 'script_run', args: { code: inTurn([1]) } }]);
      const row = await stand.app.deps.store.approvals.get(stand.user.id, await pending());
      if (row === null) throw new Error('nothing was asked');
      const decision = { state: 'approved', covers: 'once', decided_at: stand.clock.now() } as const;
      expect(await stand.app.deps.store.approvals.move(row, decision)).toBe(true);
      void createTaskClient(dead, stand.key)
        .get(task.taskId)
        .catch(() => {});
      await died;
      expect(stand.notes.written).toStrictEqual(['0', '-1', '2']);
      await stand.clock.pass(LEASE_MS * 2);
      await client.get(task.taskId);
      await stand.app.deps.executions.none();
      const ended = await client.get(task.taskId);
      expect(ended.result?.content[0]?.text).toContain('["0","1","2"]');
      expect(stand.notes.written).toStrictEqual(['0', '-1', '2']);
    });
  });

  describe('the same call, sent again while its run goes on', () => {
    it('waits for the run on any process, and both say its end', async () => {
      const other = await stand.other();
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      stand.notes.onWrite = () => {
        reach();
        return released;
      };
      const first = stand.script(inTurn([]));
      await reached;
      const asleep = stand.clock.asleep();
      const again = Promise.all([stand.script(inTurn([])), stand.script(inTurn([]), {}, stand.key, other)]);
      // Both wait now for the run.
      await expect.poll(() => stand.clock.asleep()).toBeGreaterThanOrEqual(asleep + 2);
      release();
      const ran = await first;
      expect(ran).toMatchObject({ result: ['0', '1', '2'] });
      expect(await passing(again)).toStrictEqual([ran, ran]);
      expect(stand.notes.written).toStrictEqual(['0', '1', '2']);
    });
  });
}

/** Lets a second pass for each answer of the store, until this has come: no lease ends faster than the store answers. */
async function passing<T>(awaited: Promise<T>): Promise<T> {
  let isOver = false;
  const noted = awaited.finally(() => (isOver = true));
  while (!isOver) {
    await stand.clock.pass(1_000);
    await stand.app.deps.store.scriptRuns.list(stand.user.id, 1);
    // SQLite answers at once, and lets nobody else work.
    await stand.clock.turn();
  }
  return noted;
}

async function pending(): Promise<string> {
  const { store } = stand.app.deps;
  const [row] = await store.approvals.list({ user_id: stand.user.id, states: ['pending'], limit: 1 });
  return row?.id ?? '';
}
