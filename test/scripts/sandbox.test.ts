// Checks what a script can do in the sandbox, and that the same answers give the same run.
import { afterAll, describe, expect, it } from 'vitest';
import type { ScriptAnswer, ScriptCall } from '../../src/ports/script-runner.ts';
import { echo, LIMITS, run, runner, valueOf } from './sandbox.ts';

afterAll(() => runner.close());

describe('what a script can do', () => {
  it('returns JSON, with null for undefined', async () => {
    expect(await valueOf('return { ...input, more: [1, null, "ü\u2028"] }')).toEqual({
      count: 2,
      more: [1, null, 'ü\u2028'],
    });
    expect(await valueOf('let nothing')).toBeNull();
  });

  it('calls tools by both names, with the line of the call', async () => {
    const [flat, dotted, indexed] = [
      { index: 0, name: 'github_list_issues', args: { page: 1 }, options: null, line: 2 },
      { index: 1, name: 'github.list_issues', args: {}, options: null, line: 3 },
      { index: 2, name: 'my-api.get', args: {}, options: '{"account":"work"}', line: 4 },
    ];
    const code = `
const a = await tools.github_list_issues({ page: 1 })
const b = await tools.github.list_issues()
return [a, b, await tools['my-api'].get({}, { account: 'work' })]`;
    expect(await valueOf(code)).toEqual([flat, dotted, indexed]);
  });

  it('makes no call when JavaScript itself asks tools for a member', async () => {
    const names: string[] = [];
    const call = async (given: ScriptCall) => {
      names.push(given.name);
      return echo(given);
    };
    const code = `
await tools; await tools.github
JSON.stringify(tools)
try { String(tools.github) } catch {}
return Object.keys(tools)`;
    expect(await valueOf(code, { call })).toEqual([]);
    expect(names).toEqual([]);
  });

  it('throws the failure of a tool at its await', async () => {
    const code = `try { await tools.fail() } catch (e) { return [e instanceof Error, e.message, e.code, e.status] }`;
    expect(await valueOf(code)).toEqual([true, 'fail failed', 'UPSTREAM', 404]);
    expect(await run('\n\nawait tools.fail()')).toMatchObject({
      kind: 'threw',
      message: 'fail failed',
      line: 3,
    });
  });

  it('selects at once, and throws what select says', async () => {
    expect(await valueOf('return select([1, 2], "[0]")')).toEqual(['[0]', [1, 2]]);
    const select = async () => ({
      ok: false as const,
      message: 'wrong',
      code: 'INVALID_ARGUMENT',
      status: null,
    });
    expect(await run('\nselect(1, "x")', { select })).toMatchObject({
      kind: 'threw',
      message: 'wrong',
      line: 2,
    });
  });

  it('has a fixed clock, fixed chance and nothing of the outside', async () => {
    const code = `
const seen = Object.getOwnPropertyNames(globalThis)
const outside = ['process', 'require', 'fetch', 'performance', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'setTimeout',
  'Intl', 'WeakRef', 'FinalizationRegistry', 'Worker', 'navigator', 'gc', 'print', 'std', 'os', 'module', 'Buffer']
return [outside.filter((name) => seen.includes(name)), new Date().toISOString(), new Date().getTimezoneOffset(), Math.random()]`;
    const [seen, date, offset, chance] = Object.values(Object(await valueOf(code)));
    expect([seen, date, offset]).toEqual([[], '2026-01-02T00:00:00.000Z', 0]);
    expect(await valueOf('return Math.random()')).toBe(chance);
    expect(await valueOf('return Math.random()', { seed: 'other' })).not.toBe(chance);
  });

  it('strips types and keeps lines', async () => {
    expect(await valueOf('const x: number = input.count\ntype Row = { a: 1 }\nreturn x as unknown')).toBe(2);
    expect(await run('\ninterface A { b: number }\nthrow new TypeError("no" as string)')).toMatchObject({
      message: 'TypeError: no',
      line: 3,
    });
    expect(await run('\n\nenum Color { red }')).toMatchObject({
      message: 'SyntaxError: TypeScript enum is not supported in strip-only mode',
      line: 3,
    });
    expect(await run('\nconst x = ;')).toMatchObject({ kind: 'threw', line: 2 });
  });

  it.each([
    ['return () => 1', 'a function'],
    ['return { a: [tools.github] }', 'a function in "0"'],
    ['return { a: 1n }', 'a BigInt in "a"'],
    ['return { a: tools.github_list() }', 'a promise, which has to be awaited in "a"'],
    ['return new Map()', 'a Map'],
  ])('says what of %s is not JSON', async (code, what) => {
    const message = `TypeError: The script returned ${what}. It can return JSON only`;
    expect(await run(code)).toMatchObject({ kind: 'threw', message });
  });

  it('keeps a log of bounded length, also when the script throws', async () => {
    const end = await run('console.log("a", { b: 1 }, 2n, new Error("c"))\nconsole.warn("d"); throw 1');
    expect(end).toMatchObject({
      kind: 'threw',
      message: 'The script threw 1',
      log: 'a {"b":1} 2n Error: c\n[warn] d\n',
    });
    const full = await run('for (let i = 0; i < 1e5; i++) console.log("line " + i)');
    expect(full.log.length).toBeLessThan(LIMITS.log + 100);
    expect(full.log.endsWith('\n[the log is full, later lines are left out]\n')).toBe(true);
    const one = await run('console.log("x".repeat(1e7))');
    expect(one.log.length).toBeLessThan(LIMITS.log + 100);
  });

  it('ends after every call has its answer, and tells a failure that nobody awaits', async () => {
    const made: string[] = [];
    const call = async (given: ScriptCall) => {
      const answer = await echo(given);
      made.push(given.name);
      return answer;
    };
    expect(await valueOf('for (let i = 0; i < 20; i++) tools["t" + i](); return 1', { call })).toBe(1);
    expect(made).toHaveLength(20);
    expect(await run('tools.fail(); return 1')).toMatchObject({
      kind: 'threw',
      message: 'fail failed',
      line: 1,
    });
    expect(await valueOf('await Promise.allSettled([tools.fail()]); return 1')).toBe(1);
  });

  it('says so when nothing can go on', async () => {
    const message = 'The script waits for a promise that nothing settles';
    expect(await run('await new Promise(() => {})')).toEqual({ kind: 'threw', message, line: null, log: '' });
  });
});

describe('the calls of a script', () => {
  it('wait for a place', async () => {
    let most = 0;
    const open: (() => void)[] = [];
    const call = async (given: ScriptCall) => {
      const answered = new Promise<void>((resolve) => {
        open.push(resolve);
      });
      most = Math.max(most, open.length);
      // All calls that the script has made by now are open.
      if (open.length === LIMITS.parallel)
        setImmediate(() => setImmediate(() => open.splice(0).forEach((resolve) => resolve())));
      await answered;
      return echo(given);
    };
    const code = 'return (await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.a({ i })))).length';
    expect(await valueOf(code, { call })).toBe(1_000);
    expect(most).toBe(LIMITS.parallel);
  });

  it('and the log are the same for the same answers in the same order', async () => {
    const code = `
const pick = async (n) => {
  const { index } = await tools['first' + n]({ n, chance: Math.random() })
  console.log(n, index, Date.now())
  if (Math.random() < 0.7) await tools.next({ n, chance: Math.random() })
}
await Promise.all([1, 2, 3, 4].map(pick))
await Promise.race([tools.x(), tools.y()]).then(({ name }) => tools['after_' + name]())`;

    /** Gives the answers in the order, which names the calls that are open. */
    async function play(order: (open: readonly number[]) => number | undefined) {
      const open = new Map<number, () => void>();
      const calls: ScriptCall[] = [];
      const settled: number[] = [];
      const give = (): void => {
        const index = order([...open.keys()]);
        const answer = index === undefined ? undefined : open.get(index);
        if (index === undefined || answer === undefined) return;
        open.delete(index);
        settled.push(index);
        answer();
        give();
      };
      const end = await run(code, {
        call: (given) => {
          calls.push(given);
          return new Promise<ScriptAnswer>((resolve) => {
            open.set(given.index, () => void echo(given).then(resolve));
            // All calls that the script has made by now are open.
            setImmediate(() => setImmediate(give));
          });
        },
      });
      return { end, calls, settled };
    }

    const last = await play((open) => open.at(-1));
    const recorded = [...last.settled];
    const again = await play((open) => (open.includes(recorded[0] ?? -1) ? recorded.shift() : undefined));
    expect(again).toEqual(last);
    expect(last.calls.length).toBeGreaterThan(6);
  });
});
