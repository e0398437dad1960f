// Tries published escapes of other sandboxes, and what an engine may leak: frames, errors of the host, files and threads.
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createQuickJsRunner } from '../../drivers/scripts/quickjs.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { ScriptCall } from '../../src/ports/script-runner.ts';
import { Busy } from '../../src/ports/unavailable.ts';
import { echo, LIMITS, run, valueOf } from './sandbox.ts';

/** Collects what a value of the host would give away. */
const LOOK = `const found = [];
const look = (value) => {
  try { found.push(value.constructor.constructor('return typeof process + typeof require')()) } catch { found.push('nothing') }
};
`;

describe('published escapes', () => {
  it.each([
    [
      'CVE-2023-29017: frames of an error that nobody handles',
      `Error.prepareStackTrace = (error, frames) => { look(frames); look(error) };
async function fail() { eval('1 = 1') }
await fail().catch(look)`,
    ],
    [
      'CVE-2023-30547: a trap that exhausts the stack',
      `const deep = () => { new Error().stack; deep() };
try { throw new Proxy({}, { getPrototypeOf: deep }) } catch (error) { look(error) }
try { throw new Proxy({}, { getPrototypeOf: deep }) instanceof Error } catch (error) { look(error) }
try { deep() } catch (error) { look(error) }`,
    ],
    [
      'CVE-2023-32314: a name that is no text',
      `const error = new Error();
error.name = { toString: new Proxy(() => '', { apply(target, self, args) { look(args); look(target); throw args } }) };
try { error.stack; String(error) } catch (thrown) { look(thrown) }
console.log(error)`,
    ],
    [
      'CVE-2023-37466: a species of promises',
      `const fail = async () => { const deep = () => { new Error().stack; deep() }; deep() };
const promise = fail();
promise.constructor = { [Symbol.species]: function (executor) { look(executor); executor(look, look) } };
promise.then();
const call = tools.fail();
call.constructor = promise.constructor;
call.then();
await fail().catch(look); await tools.fail().catch(look)`,
    ],
    [
      'CVE-2023-37903: a function that formats values',
      `const shown = { [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) { look(inspect); look(options) },
  toString() { look(this); return '' }, [Symbol.toPrimitive](hint) { look(arguments); return '' } };
console.log(shown, [shown], new Proxy({}, { get: (target, key, self) => (look(self), undefined) }));
try { select(shown, shown) } catch (error) { look(error) }
try { await tools.a(shown, shown) } catch (error) { look(error) }`,
    ],
    [
      'errors, promises and functions of the host',
      `for (const each of [tools.a(), tools, tools.a, console, console.log, select, input]) look(each);
try { tools.a(1n) } catch (error) { look(error) }
try { tools.a(() => {}) } catch (error) { look(error) }
try { select(1n) } catch (error) { look(error) }
try { new tools.a() } catch (error) { look(error) }
try { Reflect.apply(tools.a, null, { length: 2 ** 32 }) } catch (error) { look(error) }
try { (function f() { look(f.caller); look(arguments.callee.caller) })() } catch (error) { look(error) }
await import('node:fs').catch(look);
await tools.fail().catch(look)`,
    ],
  ])('reach nothing: %s', async (_, code) => {
    const found = await valueOf(`${LOOK}${code}\nreturn found`);
    expect(Array.isArray(found) && found.length > 0).toBe(true);
    for (const each of Object(found)) expect(['undefinedundefined', 'nothing']).toContain(each);
  });

  it.each([
    ['Object.defineProperty(Promise, Symbol.species, { get() { throw 1 } })'],
    ['Object.defineProperty(Promise, Symbol.species, { value: function (f) { f(() => {}, () => {}) } })'],
    ['Object.defineProperty(Array, Symbol.species, { get() { throw 1 } })'],
    ['Object.defineProperty(RegExp, Symbol.species, { get() { throw 1 } })'],
    ['Array.prototype.constructor = { [Symbol.species]: function () { return { length: 1e9 } } }'],
  ])('change no call: %s', async (code) => {
    const calls: ScriptCall[] = [];
    const call = async (given: ScriptCall) => {
      calls.push(given);
      return echo(given);
    };
    const script = `${code};\nreturn [await tools.a({ x: [1, 2] }), await Promise.all([tools.b()])].map((each) => each).length`;
    expect(['returned', 'threw']).toContain((await run(script, { call })).kind);
    expect(calls[0]).toEqual({ index: 0, name: 'a', args: '{"x":[1,2]}', options: null, line: 2 });
  });
});

describe('what surrounds the script', () => {
  it('is in no frame, so that a script cannot answer its own calls', async () => {
    const frames = `Error.prepareStackTrace = (error, frames) => frames;
const seen = [];
const see = () => { for (const frame of [].concat(new Error().stack)) seen.push(typeof frame.getFunction) };
Object.defineProperty(Object.prototype, 'then', { get: see, configurable: true });
const target = {};
Error.captureStackTrace(target); seen.push(typeof target.stack);
await tools.a(); see();
delete Object.prototype.then;
return [...new Set(seen)]`;
    expect(await valueOf(frames)).toEqual(['string', 'undefined']);
  });

  it.each([
    ['a name', 'await tools["x".repeat(5e6)]()'],
    ['an expression', 'select(1, "x".repeat(5e6))'],
  ])('does not show its errors, whose stack names files: %s', async (_, code) => {
    const caught = `let seen; try { ${code} } catch (error) { seen = error }
for (let i = 0; i < 1e6; i++) console.log(String(seen?.stack)); return String(seen?.stack)`;
    const end = await run(caught);
    expect(end).toMatchObject({ kind: 'exceeded', limit: 'memory' });
    expect(end.log).not.toMatch(/node|\.ts|file:/);
  });

  it('shows no file and no frame of the host in any error', async () => {
    const code = `const stacks = [];
const keep = (error) => stacks.push(String(error?.stack));
await tools.fail().catch(keep);
try { select(1, 'x') } catch (error) { keep(error) }
try { tools.a(1n) } catch (error) { keep(error) }
try { null.x } catch (error) { keep(error) }
try { eval('(') } catch (error) { keep(error) }
await import('node:fs').catch(keep);
const deep = () => deep(); try { deep() } catch (error) { keep(error) }
return stacks`;
    const select = () => ({ ok: false as const, message: 'no', code: 'INVALID_ARGUMENT', status: null });
    const stacks = await valueOf(code, { select });
    expect(stacks).toHaveLength(7);
    expect(JSON.stringify(stacks)).not.toMatch(/node_modules|\.ts\b|file:|wasm/);
  });

  it('bounds the calls at one time, also those that a getter makes', async () => {
    let open = 0;
    let most = 0;
    const call = async (given: ScriptCall) => {
      most = Math.max(most, ++open);
      const answer = await echo(given);
      open--;
      return answer;
    };
    const code = `let count = 0;
Object.defineProperty(Object.prototype, 'then', { get() { if (count++ < 500) tools.more() }, configurable: true });
await tools.a(); delete Object.prototype.then; return count`;
    await run(code, { call });
    expect(most).toBeLessThanOrEqual(LIMITS.parallel);
  });
});

describe('the text of a script', () => {
  it.each([
    ['a mark of byte order', '\uFEFFreturn 1', 1],
    ['a line separator after a comment', '// comment\u2028return 2', 2],
    ['a paragraph separator after a comment', '// comment\u2029return 3', 3],
    ['both in a text', "return 'a\u2028b\u2029c'", 'a\u2028b\u2029c'],
    ['types after a mark', '\uFEFFconst x: number = 4\r\nreturn x', 4],
    ['a comment at its end', 'return 5 // end', 5],
    ['half a character', 'return "\uD800".length', 1],
    ['a zero', 'return "\0".length', 1],
  ])('may hold %s', async (_, code, value) => {
    expect(await valueOf(code)).toBe(value);
  });

  it.each([
    ['a shebang', '#!/usr/bin/env node\nreturn 1', 1],
    ['an end in the middle', 'const x = 1\nreturn x +', 2],
    ['an open comment', 'return 1 /*', 1],
    ['an open text', 'return `', 1],
    ['an import', 'import fs from "node:fs"', 1],
  ])('is refused with its line: %s', async (_, code, line) => {
    expect(await run(code)).toMatchObject({
      kind: 'threw',
      message: expect.stringMatching(/^SyntaxError/),
      line,
    });
  });

  it.each([
    ['\n', 3],
    ['\r\n', 3],
    ['\u2028', 3],
    ['\u2029', 3],
  ])('counts its lines, whatever ends them: %j', async (end, line) => {
    expect(await run(`${end}${end}throw new Error('x')`)).toMatchObject({ kind: 'threw', line });
  });
});

describe('threads', () => {
  /** The names of all threads of this process, where the system tells them. */
  const scriptThreads = (): number | null => {
    if (process.platform !== 'linux') return null;
    const names = readdirSync('/proc/self/task').map((task) => {
      try {
        return readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim();
      } catch {
        return '';
      }
    });
    return names.filter((name) => name === 'script').length;
  };

  it('have all ended when their runs have, however those end', async () => {
    const own = createQuickJsRunner({ threads: 3, computing: 2 });
    let begun = 0;
    let ended = 0;
    const count = (worker: Worker): void => {
      begun++;
      worker.on('exit', () => ended++);
    };
    process.on('worker', count);
    const stop = new AbortController();
    const start = (code: string, given = {}) =>
      own.run({
        code,
        input: 'null',
        now: 0,
        seed: '',
        limits: { ...LIMITS, processor: 200 },
        signal: new AbortController().signal,
        call: echo,
        select: () => ({ ok: true, json: 'null' }),
        ...given,
      });
    const runs = [
      start('return 1'),
      start('throw 1'),
      start('return ('),
      start('while (true) {}'),
      start('const all = []; for (;;) all.push(new Array(1000).fill(1))', { limits: LIMITS }),
      start('return "a".repeat(4e6).indexOf("a".repeat(2e6) + "b")'),
      start('await tools.a()', { call: () => Promise.reject(new Error('the store is away')) }),
      start('select(1, "")', { select: () => Promise.reject(new Error('the store is away')) }),
      start('tools.a(); while (true) {}', {
        limits: LIMITS,
        signal: stop.signal,
        call: () => {
          stop.abort();
          return new Promise(() => {});
        },
      }),
    ];
    const kinds = (await Promise.allSettled(runs)).map((each) =>
      each.status === 'fulfilled' ? each.value.kind : 'failed',
    );
    expect(kinds).toEqual([
      'returned',
      'threw',
      'threw',
      'exceeded',
      'exceeded',
      'exceeded',
      'failed',
      'failed',
      'stopped',
    ]);
    await own.close();
    process.off('worker', count);
    expect([begun, ended]).toEqual([9, 9]);
    if (process.platform === 'linux') await expect.poll(scriptThreads).toBe(0);
  });

  it.each([
    ['ends', 'process.exit(3)'],
    ['ends as if all were well', 'process.exit(0)'],
    ['fails', 'throw new Error("a defect")'],
    ['cannot be read', '('],
    [
      'takes more memory than its heap',
      'const all = []; for (;;) all.push(Array.from({ length: 1000 }, (_, i) => ({ i })))',
    ],
  ])('fail their run alone: one %s', async (_, code) => {
    const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    const own = createQuickJsRunner({ workerUrl });
    const given = { input: 'null', now: 0, seed: '', limits: LIMITS, signal: new AbortController().signal };
    const ended = own.run({ ...given, code: '', call: echo, select: () => ({ ok: true, json: 'null' }) });
    if (code.startsWith('const')) expect(await ended).toEqual({ kind: 'exceeded', limit: 'memory', log: '' });
    else await expect(ended).rejects.toBeInstanceOf(DriverFailure);
    expect(process.exitCode ?? 0).toBe(0);
    await own.close();
  });

  it('pass their turn while they do native work that does not ask', async () => {
    const own = createQuickJsRunner({ threads: 3, computing: 1 });
    const stop = new AbortController();
    const given = {
      input: 'null',
      now: 0,
      seed: '',
      limits: LIMITS,
      select: () => ({ ok: true as const, json: '1' }),
    };
    // It searches for minutes.
    const code = 'await tools.begun(); return "a".repeat(1.6e7).indexOf("a".repeat(8e6) + "b")';
    const begun = Promise.withResolvers<void>();
    const call = async (made: ScriptCall) => {
      begun.resolve();
      return echo(made);
    };
    const native = own.run({ ...given, code, call, signal: stop.signal });
    await begun.promise;
    let over = false;
    void native.then(() => {
      over = true;
    });
    const other = { ...given, signal: new AbortController().signal, call: echo };
    expect(await own.run({ ...other, code: 'return 2' })).toMatchObject({ kind: 'returned', json: '2' });
    expect(over).toBe(false);
    stop.abort();
    expect(await native).toMatchObject({ kind: 'stopped' });
    await own.close();
  });

  it('are killed on a Node that does not tell their processor time', async () => {
    const known = Object.getOwnPropertyDescriptor(Worker.prototype, 'cpuUsage');
    Reflect.deleteProperty(Worker.prototype, 'cpuUsage');
    try {
      const code = 'return "a".repeat(1.6e7).indexOf("a".repeat(8e6) + "b")';
      expect(await run(code, { limits: { ...LIMITS, processor: 200 } })).toMatchObject({
        kind: 'exceeded',
        limit: 'processor',
      });
    } finally {
      if (known !== undefined) Object.defineProperty(Worker.prototype, 'cpuUsage', known);
    }
  });
});

describe('a full house', () => {
  it('refuses the next, and takes it when there is room', async () => {
    const own = createQuickJsRunner({ threads: 1, computing: 1 });
    const stop = new AbortController();
    const given = { input: 'null', now: 0, seed: '', limits: LIMITS, call: echo };
    const select = () => ({ ok: true as const, json: 'null' });
    const waiting = Array.from({ length: 65 }, () =>
      own.run({ ...given, select, code: 'while (true) {}', signal: stop.signal }),
    );
    const next = { ...given, select, code: 'return 1', signal: new AbortController().signal };
    await expect(own.run(next)).rejects.toBeInstanceOf(Busy);
    stop.abort();
    await Promise.all(waiting);
    expect(await own.run(next)).toMatchObject({ kind: 'returned' });
    await own.close();
  });
});
