// Runs one MCP server as a child process in a process group of its own, from its start to the end of the group.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../../src/ports/clock.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { LocalProcess, ProcessEnd } from '../../src/ports/local-servers.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { readLines } from './json-lines.ts';
import type { StderrLog } from './stderr-log.ts';

export interface Launch {
  /** The name of the server. */
  name: string;
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
}

export interface Needs {
  clock: Pick<Clock, 'sleep'>;
  /** Called with the id of the process group as soon as it exists. */
  onGroup: (group: number) => void;
  stderrLog: (group: number) => StderrLog;
}

export interface Running extends LocalProcess {
  /** Resolves with the reason when the whole group has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends the process while the gateway stops, also when its `end` has begun. */
  endSoon(): Promise<void>;
}

const MIB = 1024 * 1024;
const MAX_LINE_BYTES = 16 * MIB;
/** What waits for a process that does not read. */
const MAX_UNREAD_BYTES = 16 * MIB;
/** The times of the MCP specification's shutdown, in seconds. */
export const TERM_SECONDS = 2;
export const KILL_SECONDS = 5;
/** While the gateway stops. Calls have had three of the ten seconds after which `docker stop` kills it. */
const STOP_SECONDS = [1, 2] as const;
const LAST_WORDS_SECONDS = 1;
/** A descendant that has left the group may keep the pipes open for ever. */
const LAST_OUTPUT_MS = 1_000;
/** The system is short of something that may be free again later. */
const SHORTAGES = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

export async function startProcess(launch: Launch, needs: Needs): Promise<Running> {
  const { clock } = needs;
  const child = await open(launch);
  // `open` resolves only for a process that has an id.
  const group = child.pid ?? 0;
  const stderrLog = needs.stderrLog(group);
  stderrLog.read(child.stderr);
  let onMessage: LocalProcess['onMessage'] = null;
  let onEnd: LocalProcess['onEnd'] = null;
  let end: ProcessEnd | null = null;
  let isTold = false;
  /** Why this side ends the process. */
  let cause: string | null = null;
  let ending: Promise<void> | null = null;

  // The exit reports the end; a broken pipe is only the first sign of it.
  child.stdin.on('error', () => {});
  readLines(child.stdout, MAX_LINE_BYTES, {
    line(line) {
      // Some servers greet on stdout.
      if (/^[{[]/.test(line)) onMessage?.(line);
      else if (line !== '') stderrLog.line(line);
    },
    tooLong() {
      cause ??= `The MCP server ${launch.name} was ended because it sent a line of more than 16 MiB`;
      signalGroup(group, 'SIGKILL');
    },
  });

  const ended = watchExit().then(() => {
    stderrLog.finish();
    end =
      cause === null
        ? { reason: describeExit(launch.name, child), words: stderrLog.lastWords() }
        : { reason: cause, words: '' };
    tellEnd();
    return end;
  });

  async function watchExit(): Promise<void> {
    const closed = once(child, 'close');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    signalGroup(group, 'SIGKILL');
    await Promise.race([closed, clock.sleep(LAST_OUTPUT_MS)]);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }

  function tellEnd(): void {
    if (end === null || onEnd === null || isTold) return;
    isTold = true;
    onEnd(end);
  }

  async function endWithin(seconds: number): Promise<ProcessEnd | null> {
    const late = new AbortController();
    const winner = await Promise.race([ended, clock.sleep(seconds * 1_000, late.signal).then(() => null)]);
    late.abort();
    return winner;
  }

  async function stop(termSeconds: number, killSeconds: number): Promise<void> {
    cause ??= `The MCP server ${launch.name} was ended by the gateway`;
    child.stdin.end();
    if ((await endWithin(termSeconds)) !== null) return;
    signalGroup(group, 'SIGTERM');
    if ((await endWithin(killSeconds)) !== null) return;
    signalGroup(group, 'SIGKILL');
    await ended;
  }

  return {
    ended,
    get onMessage() {
      return onMessage;
    },
    set onMessage(listener) {
      onMessage = listener;
    },
    get onEnd() {
      return onEnd;
    },
    set onEnd(listener) {
      onEnd = listener;
      queueMicrotask(tellEnd);
    },
    async send(message) {
      if (end !== null) throw new Unavailable(`[processes] ${end.reason}`);
      if (/[\r\n]/.test(message)) throw new DriverFailure('[processes] a message must be one line');
      if (child.stdin.writableLength > MAX_UNREAD_BYTES)
        throw new Unavailable(`[processes] The MCP server ${launch.name} does not read what it is sent.`);
      const error = await new Promise((resolve) => child.stdin.write(`${message}\n`, resolve));
      if (!error) return;
      // A process that closes its input is about to end, and its end says why.
      const last = await endWithin(LAST_WORDS_SECONDS);
      throw new Unavailable(
        `[processes] ${last?.reason ?? `The MCP server ${launch.name} takes no more messages.`}`,
      );
    },
    end: () => (ending ??= stop(TERM_SECONDS, KILL_SECONDS)),
    endSoon: () => stop(...STOP_SECONDS),
  };

  async function open({ name, command, args, env, cwd }: Launch): Promise<ChildProcessWithoutNullStreams> {
    try {
      const started = spawn(command, args, { cwd, env, detached: true, stdio: 'pipe' });
      if (started.pid !== undefined) needs.onGroup(started.pid);
      await once(started, 'spawn');
      return started;
    } catch (error) {
      // The error itself is not kept: it holds the arguments, and with them perhaps a person's values.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      if (SHORTAGES.has(code))
        throw new Unavailable(`[processes] The MCP server ${name} cannot be started now (${code}).`);
      throw new DriverFailure(
        `[processes] The command ${command} of the MCP server ${name} cannot be started (${code}).`,
      );
    }
  }
}

function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nothing is left of the group.
  }
}

function describeExit(name: string, { exitCode, signalCode }: ChildProcessWithoutNullStreams): string {
  const how = signalCode === null ? `with exit code ${exitCode}` : `by the signal ${signalCode}`;
  return `The MCP server ${name} ended ${how}`;
}
