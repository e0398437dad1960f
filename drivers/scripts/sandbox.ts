// One QuickJS that runs one script: what the script can reach, and when it is over.
import { Intrinsics, JSException, QuickJS, type JSValueHandle } from 'quickjs-wasi';
import type { ScriptAnswer, ScriptCall } from '../../src/ports/script-runner.ts';
import {
  MAX_CODE_CHARACTERS,
  MAX_HANDED_CHARACTERS,
  MAX_MESSAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_REJECTIONS,
  QUICKJS_STACK,
} from './limits.ts';
import type { Answer, End, Start } from './messages.ts';
import { PRELUDE, PRELUDE_FILE, SCRIPT_FILE } from './prelude.ts';
import { stripTypes } from './strip-types.ts';

/** Garbage collection shows in WeakRef, and real time in Performance: both would make two runs differ. */
const INTRINSICS = Intrinsics.ALL & ~Intrinsics.WEAK_REF & ~Intrinsics.PERFORMANCE;

export interface Doors {
  call: (call: ScriptCall) => void;
  log: (text: string) => void;
  select: (value: string, expression: string) => ScriptAnswer;
  /** Asked often while the script computes. True ends the run: its processor time is used up. */
  isOver: () => boolean;
}

export interface Sandbox {
  /** Each returns the end of the run, or null while it waits for answers. */
  start: (code: string, input: string) => End | null;
  settle: (answer: Answer) => End | null;
}

/** Ends the run from within a function that the script calls. */
class TooMuch extends Error {}

export async function createSandbox(
  { module, now, chance, limits }: Pick<Start, 'module' | 'now' | 'chance' | 'limits'>,
  doors: Doors,
): Promise<Sandbox> {
  let isOver = false;
  let waiting = 0;
  let outcome: End | null = null;
  const rejected = new Map<number, { promise: JSValueHandle; reason: JSValueHandle }>();

  const vm = await QuickJS.create({
    wasm: module,
    intrinsics: INTRINSICS,
    memoryLimit: limits.memory,
    maxStackSize: QUICKJS_STACK,
    timezoneOffset: 0,
    interruptHandler: () => (isOver ||= doors.isOver()),
    onUnhandledRejection(promise, reason, isHandled) {
      const id = promise.identity;
      const known = rejected.get(id);
      if (isHandled) {
        known?.promise.dispose();
        known?.reason.dispose();
        rejected.delete(id);
      } else if (known === undefined && rejected.size < MAX_REJECTIONS)
        rejected.set(id, { promise: promise.dup(), reason: reason.dup() });
    },
    wasi: (memory) => ({
      clock_time_get(_clock: number, _precision: bigint, place: number) {
        new DataView(memory.buffer).setBigUint64(place, BigInt(now) * 1_000_000n, true);
        return 0;
      },
      random_get(place: number, length: number) {
        new Uint8Array(memory.buffer, place, length).fill(0);
        return 0;
      },
      // QuickJS writes nothing that anybody reads.
      fd_write: () => 8,
    }),
  });

  /** Reads a text of the script. Its length is known before it is copied. */
  const textOf = (handle: JSValueHandle | undefined, most: number): string => {
    if (handle?.isString !== true) throw new Error('The sandbox expected a text');
    if (handle.length > most) throw new TooMuch();
    return handle.toString().toWellFormed();
  };

  const lineOf = (stack: string): number | null => {
    const line = new RegExp(`\\b${SCRIPT_FILE}:(\\d{1,7})`).exec(stack)?.[1];
    return line === undefined ? null : Number(line);
  };

  const door = (name: string, run: (args: JSValueHandle[]) => JSValueHandle | undefined): JSValueHandle =>
    vm.newFunction(name, (...args) => run(args) ?? vm.undefined);

  const calls = door('call', ([index, name, args, options, stack]) => {
    const call: ScriptCall = {
      index: index?.toNumber() ?? 0,
      name: shorten(textOf(name, MAX_HANDED_CHARACTERS), MAX_NAME_CHARACTERS),
      args: textOf(args, MAX_HANDED_CHARACTERS),
      options: options?.isNull === false ? textOf(options, MAX_HANDED_CHARACTERS) : null,
      line: lineOf(textOf(stack, MAX_HANDED_CHARACTERS)),
    };
    waiting++;
    doors.call(call);
    return undefined;
  });
  const logs = door('log', ([text]) => {
    doors.log(textOf(text, limits.log + 1_000));
    return undefined;
  });
  const selects = door('select', ([value, expression]) =>
    vm.newString(
      JSON.stringify(
        doors.select(textOf(value, MAX_HANDED_CHARACTERS), textOf(expression, MAX_HANDED_CHARACTERS)),
      ),
    ),
  );
  const returned = door('returned', ([json]) => {
    outcome =
      (json?.length ?? 0) > limits.output
        ? { kind: 'exceeded', limit: 'output' }
        : { kind: 'returned', json: textOf(json, limits.output) };
    return undefined;
  });
  const threw = door('threw', ([message, stack]) => {
    outcome = {
      kind: 'threw',
      message: textOf(message, MAX_MESSAGE_CHARACTERS),
      line: lineOf(textOf(stack, MAX_HANDED_CHARACTERS)),
    };
    return undefined;
  });

  const inside = vm.callFunction(
    vm.evalCode(PRELUDE, PRELUDE_FILE),
    vm.undefined,
    calls,
    logs,
    selects,
    returned,
    threw,
    vm.newNumber(limits.parallel),
    vm.newNumber(limits.log),
    vm.hostToHandle(chance),
  );
  const [start, settle, report] = ['start', 'settle', 'threw'].map((name) => inside.getProp(name));

  /** Does a step of the script, and says whether that was its last. */
  function step(work: () => void): End | null {
    try {
      work();
      vm.executePendingJobs();
      if (waiting > 0) return null;
      if (outcome?.kind === 'threw' || outcome?.kind === 'exceeded') return outcome;
      const [unhandled] = rejected.values();
      if (unhandled !== undefined) {
        outcome = null;
        tell(unhandled.reason);
      }
      return (
        outcome ?? {
          kind: 'threw',
          message: 'The script waits for a promise that nothing settles',
          line: null,
        }
      );
    } catch (error) {
      if (isOver) return { kind: 'exceeded', limit: 'processor' };
      return endOf(error);
    }
  }

  /** Lets the sandbox describe what was thrown, because reading it may run code of the script. */
  function tell(thrown: JSValueHandle): void {
    if (report === undefined) throw new Error('The sandbox has no report');
    vm.callFunction(report, vm.undefined, thrown).dispose();
  }

  function endOf(error: unknown): End {
    if (error instanceof TooMuch) return { kind: 'exceeded', limit: 'memory' };
    // QuickJS itself did not come back: its memory cannot be used any more.
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError)
      return { kind: 'threw', message: 'RangeError: The script is nested too deeply', line: null };
    if (!(error instanceof JSException)) throw error;
    return { kind: 'exceeded', limit: 'memory' };
  }

  function compile(code: string): JSValueHandle | End {
    const whole = `(async () => {${code}\n})`;
    try {
      return vm.evalCode(whole, SCRIPT_FILE);
    } catch (error) {
      if (!(error instanceof JSException) || isOver) throw error;
      const stripped = error.name === 'SyntaxError' ? stripTypes(whole) : null;
      if (stripped !== null && 'message' in stripped) return { kind: 'threw', ...stripped };
      if (stripped !== null && stripped.code !== whole) return vm.evalCode(stripped.code, SCRIPT_FILE);
      throw error;
    }
  }

  return {
    start(code, input) {
      if (code.length > MAX_CODE_CHARACTERS) {
        const message = `SyntaxError: The script has more than ${MAX_CODE_CHARACTERS} characters`;
        return { kind: 'threw', message, line: null };
      }
      let end: End | null = null;
      const next = step(() => {
        try {
          const body = compile(code);
          if ('kind' in body) end = body;
          else if (start !== undefined)
            vm.callFunction(start, vm.undefined, body, vm.newString(input)).dispose();
        } catch (error) {
          // Code that cannot be read, or that ends its function and throws.
          if (!(error instanceof JSException) || isOver || isOutOfMemory(error)) throw error;
          tell(error.handle);
        }
      });
      return end ?? next;
    },
    settle({ index, answer }) {
      return step(() => {
        if (settle === undefined) throw new Error('The sandbox has no settle');
        waiting--;
        const args = answer.ok
          ? [vm.true, vm.newString(answer.json)]
          : [
              vm.false,
              vm.newString(answer.message),
              vm.newString(answer.code),
              answer.status === null ? vm.null : vm.newNumber(answer.status),
            ];
        vm.callFunction(settle, vm.undefined, vm.newNumber(index), ...args).dispose();
        for (const arg of args) arg.dispose();
      });
    },
  };
}

const isOutOfMemory = (error: JSException): boolean =>
  error.name === 'InternalError' && error.message === 'out of memory';

const shorten = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text);
