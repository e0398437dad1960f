// Attacks the sandbox: time, memory, its bridge, and everything behind it.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { createQuickJsRunner } from '../../drivers/scripts/quickjs.ts';
import type { ScriptCall } from '../../src/ports/script-runner.ts';
import { Busy } from '../../src/ports/unavailable.ts';
import { echo, LIMITS, run, runner, valueOf } from './sandbox.ts';

afterAll(() => runner.close());

describe('a script that uses too much', () => {
  it.each([
    ['a loop', 'while (true) {}'],
    ['a loop in a job', 'await null; while (true) {}'],
    ['a loop that catches', 'for (;;) try { while (true) {} } catch {} finally { while (true) {} }'],
    ['a loop in a getter of the result', 'return { get a() { while (true) {} } }'],
    ['a loop in toJSON', 'return { toJSON() { while (true) {} } }'],
    ['a loop in a trap of the result', 'return new Proxy({}, { ownKeys() { while (true) {} } })'],
    ['a loop in an error', 'throw { get message() { while (true) {} } }'],
    ['a loop in a rejection', 'Promise.reject({ get message() { while (true) {} } }); return 1'],
    ['a loop in a line of the log', 'console.log({ toJSON() { while (true) {} } })'],
    ['a loop in arguments', 'await tools.a({ toJSON() { while (true) {} } })'],
    [
      'jobs without end',
      'const next = () => Promise.resolve().then(next); await next(); await new Promise(() => {})',
    ],
    ['a catastrophic expression', 'return /^(a+)+$/.test("a".repeat(50) + "b")'],
    ['a catastrophic replacement', 'return ("a".repeat(50) + "b").replace(/(a*)*c/g, "")'],
    ['a search that cannot be interrupted', 'return "a".repeat(4e6).indexOf("a".repeat(2e6) + "b")'],
    ['a join of holes', 'return (new Array(4e9 - 1) + "").length'],
    ['a comparator without end', '[3, 2, 1].sort(() => { while (true) {} })'],
    ['code after its function', '}); while (true) {} (async () => {'],
  ])('is ended: %s', async (_, code) => {
    expect(await run(code)).toMatchObject({ kind: 'exceeded' });
  });

  it.each([
    ['arrays', 'const all = []; for (;;) all.push(new Array(1000).fill(1))'],
    [
      'arrays that catch',
      'const all = []; for (;;) try { for (;;) all.push(new Array(1000).fill(1)) } catch {}',
    ],
    ['one text', 'return "x".repeat(2 ** 30 - 1).length'],
    ['a buffer', 'return new ArrayBuffer(2 ** 31 - 1).byteLength'],
    ['calls that wait', 'for (;;) tools.a({ text: "x".repeat(1e5) })'],
    ['an answer that grows', 'let all = []; for (;;) { all.push(await tools.a({ text: "x".repeat(1e6) })) }'],
  ])('is ended for its memory: %s', async (_, code) => {
    expect(await run(code)).toMatchObject({ kind: 'exceeded', limit: 'memory' });
  });

  it('may not return too much', async () => {
    expect(await run('return "x".repeat(2e5)')).toMatchObject({ kind: 'exceeded', limit: 'output' });
  });

  it.each([
    ['a text that doubles', 'let text = "ab"; for (;;) text += text'],
    ['arguments', 'await tools.a({ text: "x".repeat(2e7) })'],
    ['recursion', 'const f = () => f(); f()'],
    ['a deep value', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a'],
    ['deep JSON', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))'],
    ['a deep expression', 'return new RegExp("(?:".repeat(1e5) + ")".repeat(1e5))'],
    ['deep code', 'return eval("(".repeat(1e5) + ")".repeat(1e5))'],
    ['deep code of the script', `return ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['a large integer', 'return 2n ** (2n ** 31n)'],
  ])('gets an error: %s', async (_, code) => {
    expect(await run(code)).toMatchObject({ kind: 'threw' });
  });

  it('can make 10,000 promises and calls, and read a script of a mebibyte', async () => {
    expect(
      await valueOf('return (await Promise.all(Array.from({ length: 1e4 }, async (_, i) => i))).length'),
    ).toBe(10_000);
    const filler = `/*${'x'.repeat(1024 * 1024 - 100)}*/`;
    expect(await valueOf(`${filler}return 1`)).toBe(1);
    expect(await run(`${filler}${filler}`)).toMatchObject({ kind: 'threw', line: null });
  });
});

describe('a script that wants out', () => {
  it.each([
    ['return [].constructor.constructor("return typeof process + typeof require + typeof fetch")()'],
    [
      'return tools.constructor === undefined && Object.getPrototypeOf(tools.github).constructor("return typeof process")() + "undefinedundefined"',
    ],
    [
      'try { tools.a(Symbol()) } catch (e) { return e.constructor.constructor("return typeof process")() + "undefinedundefined" }',
    ],
    [
      'try { await tools.fail() } catch (e) { return e.constructor.constructor("return typeof process")() + "undefinedundefined" }',
    ],
    [
      'const leak = (e, frames) => frames; Error.prepareStackTrace = leak; const frames = new Error().stack; return [].concat(frames).map((f) => typeof f.getThis?.()?.process)[0] + "undefinedundefined"',
    ],
    [
      'let host; try { (function f() { f() })() } catch (e) { host = e.constructor.constructor } return host("return typeof process")() + "undefinedundefined"',
    ],
    ['return (await import("node:fs").catch(() => "undefined")) + "undefinedundefined"'],
    ['return await (async () => {}).constructor("return typeof process")() + "undefinedundefined"'],
  ])('finds nothing of Node: %s', async (code) => {
    expect(await valueOf(code)).toBe('undefinedundefinedundefined');
  });

  it.each([
    ['Object.prototype.then = function (f) { f(1) }'],
    ['Promise.prototype.then = () => { throw 1 }'],
    ['Object.defineProperty(Promise.prototype, "constructor", { get() { throw 1 } })'],
    ['Array.prototype.push = Array.prototype[Symbol.iterator] = () => { throw 1 }'],
    ['JSON.stringify = JSON.parse = () => { throw 1 }'],
    ['Object.prototype.toJSON = () => 1'],
    ['Object.prototype.get = Object.prototype.set = () => 1'],
    [
      'for (const key of ["index", "name", "resolve", "args"]) Object.defineProperty(Object.prototype, key, { set() { throw 1 } })',
    ],
    ['globalThis.Promise = globalThis.Error = globalThis.Proxy = globalThis.Reflect = undefined'],
    ['for (const key of Reflect.ownKeys(globalThis)) try { delete globalThis[key] } catch {}'],
    ['String.prototype.slice = Function.prototype.call = Function.prototype.apply = () => { throw 1 }'],
    ['Error.stackTraceLimit = 0; Error.prepareStackTrace = () => "script.js:999999999999"'],
  ])('harms itself at most, and the next run not at all: %s', async (code) => {
    const calls: ScriptCall[] = [];
    const call = async (given: ScriptCall) => {
      calls.push(given);
      return echo(given);
    };
    const saved = 'const saved = tools;';
    const end = await run(`${saved}${code};\nreturn await saved.a({ x: 1 }).then?.((v) => v, () => 2)`, {
      call,
    });
    expect(['returned', 'threw']).toContain(end.kind);
    for (const each of calls) expect(each).toMatchObject({ index: 0, name: 'a' });
    expect(await valueOf('return await tools.b()')).toMatchObject({ name: 'b' });
  });

  it('cannot change tools, and may hide them', async () => {
    expect(await run('tools.a = 1')).toMatchObject({ message: 'TypeError: tools cannot be changed' });
    expect(await valueOf('const tools = { a: 1 }; return tools.a')).toBe(1);
  });

  it('keeps names such as __proto__ as data', async () => {
    const call = async () => ({ ok: true as const, json: '{"__proto__":{"polluted":1},"constructor":2}' });
    const code = `const answer = await tools.a(JSON.parse('{"__proto__":{"x":1}}'));
return [Object.hasOwn(answer, '__proto__'), ({}).polluted === undefined, JSON.stringify(answer)]`;
    expect(await valueOf(code, { call })).toEqual([
      true,
      true,
      '{"__proto__":{"polluted":1},"constructor":2}',
    ]);
  });

  it('leaves nothing behind for the next run', async () => {
    await run('globalThis.left = 1; Object.prototype.left = 1');
    expect(await valueOf('return typeof left')).toBe('undefined');
  });
});

describe('a run that is stopped', () => {
  it.each([
    ['while it computes', 'console.log("begun"); await tools.a(); while (true) {}'],
    ['while it waits', 'await tools.a(); await tools.wait()'],
  ])('ends %s', async (_, code) => {
    const stop = new AbortController();
    const call = async (given: ScriptCall) => {
      setImmediate(() => stop.abort());
      return given.name === 'wait' ? new Promise<never>(() => {}) : echo(given);
    };
    const limits = { ...LIMITS, processor: 30_000 };
    expect(await run(code, { signal: stop.signal, call, limits })).toMatchObject({ kind: 'stopped' });
    expect(await run('return 1', { signal: stop.signal })).toEqual({ kind: 'stopped', log: '' });
  });

  it('fails when the gateway fails to answer', async () => {
    const call = () => Promise.reject(new Error('the store is away'));
    await expect(run('await tools.a()', { call })).rejects.toThrow('the store is away');
  });
});

describe('many runs at once', () => {
  it('take turns, wait for a thread, and leave no thread behind', async () => {
    const own = createQuickJsRunner({ threads: 2, computing: 1 });
    const stop = new AbortController();
    const given = {
      input: 'null',
      now: 0,
      seed: '',
      limits: { ...LIMITS, processor: 60_000 },
      signal: stop.signal,
      call: echo,
      select: () => ({ ok: true as const, json: 'null' }),
    };
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const endless = own.run({ ...given, code: 'while (true) {}' });
    // The second computes beside the first, which has no end.
    const end = await own.run({
      ...given,
      code: 'let sum = 0; for (let i = 0; i < 3e6; i++) sum += i; await tools.a(); return sum',
    });
    expect(end).toMatchObject({ kind: 'returned', json: '4499998500000' });
    const others = Array.from({ length: 70 }, () => own.run({ ...given, code: 'while (true) {}' }));
    const settled = Promise.allSettled(others);
    stop.abort();
    expect(await endless).toMatchObject({ kind: 'stopped' });
    const refused = (await settled).filter((each) => each.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const each of refused) expect(each.reason).toBeInstanceOf(Busy);
    console.log(`event loop, p99: ${(delay.percentile(99) / 1e6).toFixed(0)} ms`);
    delay.disable();
    await own.close();
    expect(
      process.getActiveResourcesInfo().filter((name) => name === 'Worker' || name === 'MessagePort'),
    ).toEqual([]);
  });
});
