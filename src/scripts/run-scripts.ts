// Runs scripts: begins them, takes up those that waited or were lost, and ends them. decision: 059
import type { Seal } from '../crypto/seal.ts';
import { describe } from '../http/errors.ts';
import { parseExactIntegers } from '../json/exact-integers.ts';
import type { CallsEnd, KnownCaller, ScriptNote } from '../kit/integration.ts';
import { createKeepAlive } from '../kit/keep-alive.ts';
import type { Registries } from '../kit/registries.ts';
import type { ApprovalLink } from '../policy/model/approvals.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Ports } from '../ports/ports.ts';
import type { ScriptAnswer, ScriptCall, ScriptEnd, ScriptRunner } from '../ports/script-runner.ts';
import type { ScriptRunRecord } from '../ports/scripts.ts';
import { Busy } from '../ports/unavailable.ts';
import { type CallEnd, type CallTool, createDefinitionOf } from './call-tool.ts';
import { openCall, openRun, sealCall, sealRun, type KeptCall, type KeptRun } from './kept-run.ts';
import { createLedger, digestOfCall, type Entry, type Ledger } from './ledger.ts';
import {
  KEPT_END_BYTES,
  LEDGER_BYTES,
  MOST_RUNS,
  RUN_BEAT_MS,
  RUN_KEPT_SECONDS,
  RUN_LEASE_SECONDS,
  RUNS_AT_ONCE,
  SANDBOX,
} from './limits.ts';
import { NO_RUN, toolNameOf } from './names.ts';
import { loadSelectInScript } from './select-in-script.ts';

/** What is to be run. */
export interface Program {
  /** The saved script and its version; null for code that was sent. */
  saved: { name: string; version: number; digest: string } | null;
  code: string;
  /** JSON. */
  input: string;
  timeoutSec: number;
}

export interface RunScripts {
  /** Runs a program, or goes on with the run of the same program that waits or is lost. */
  start(caller: KnownCaller, program: Program): Promise<CallsEnd>;
  /** Goes on with a run. `code` is what the caller takes for its code. */
  resume(caller: KnownCaller, id: string, code: string | undefined): Promise<CallsEnd>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'log' | 'random' | 'store' | 'texts'> & {
  callTool: CallTool;
  gate: Pick<Gate, 'permissionsOf'>;
  registries: Pick<Registries, 'tool'>;
  scriptRunner: ScriptRunner;
  seal: Seal;
};

/** Why a sitting has ended before its script did. */
type Stopped = 'paused' | 'left' | 'too-long' | 'taken' | 'other' | 'access-ended';

/** A run that this process holds. */
interface Sitting {
  row: ScriptRunRecord;
  kept: KeptRun;
  entries: ReadonlyMap<number, Entry>;
}

export function createRunScripts(deps: Needs): RunScripts {
  const { callTool, clock, digest, gate, log, random, registries, scriptRunner, seal, store, texts } = deps;
  const { scriptRuns } = store;
  const keepAlive = createKeepAlive(deps);
  const definitionOf = createDefinitionOf({ digest, texts });
  /** How many scripts of each person run in this process. */
  const running = new Map<string, number>();

  const slotOf = ({ userId, actor }: KnownCaller, { saved, code, input }: Program): string =>
    digest.sha256(JSON.stringify([userId, actor.id, saved, code, input]));

  async function begin(caller: KnownCaller, program: Program): Promise<CallsEnd> {
    const now = clock.now();
    const { saved, code, input, timeoutSec } = program;
    const id = random.uuid();
    const kept: KeptRun = {
      callerName: caller.actor.name,
      code,
      input,
      now: now * 1_000,
      seed: random.uuid(),
      timeoutSec,
      definition: saved?.digest ?? null,
      revision: (await gate.permissionsOf(caller)).revision,
      log: '',
      end: null,
    };
    const place = { id, user_id: caller.userId };
    const row: ScriptRunRecord = {
      ...place,
      caller: caller.actor.id,
      slot: slotOf(caller, program),
      script: saved?.name ?? null,
      script_version: saved?.version ?? null,
      state: 'running',
      version: random.uuid(),
      running_until: now + RUN_LEASE_SECONDS,
      calls: 0,
      created_at: now,
      updated_at: now,
      expires_at: now + RUN_KEPT_SECONDS,
      sealed: await sealRun(seal, place, kept),
    };
    // The person is gone, and with them everything that could be run.
    if (!(await scriptRuns.add(row, MOST_RUNS))) return { kind: 'failed', message: NO_RUN };
    return sit(caller, { row, kept, entries: new Map() });
  }

  /** Takes up a run that waits or whose process is lost. Returns a sentence where it cannot go on. */
  async function goOn(caller: KnownCaller, row: ScriptRunRecord): Promise<CallsEnd> {
    const kept = await openRun(seal, row);
    if (kept === null) return failed('The run cannot be read any more. Run the script again');
    const { revision } = await gate.permissionsOf(caller);
    if (revision !== kept.revision) return failed(changed('The rules or the limits of this key'), row);
    if (row.script !== null) {
      const saved = await registries.tool(caller.userId, toolNameOf(row.script));
      if (saved?.tool.digest !== kept.definition) return failed(changed(`The script ${row.script}`), row);
    }
    const entries = await readEntries(row);
    if (entries === null) return failed('The run cannot be read any more. Run the script again');
    for (const { kept: call } of entries.values()) {
      if (call.tool === null || call.definition === null) continue;
      const found = await registries.tool(caller.userId, call.tool);
      if (found === null || (await definitionOf(found)) !== call.definition)
        return failed(changed(`The tool ${call.tool}`), row);
    }
    const now = clock.now();
    const next = { version: random.uuid(), running_until: now + RUN_LEASE_SECONDS, updated_at: now };
    if (!(await scriptRuns.claim(row, next))) return failed(GOES_ON, row);
    return sit(caller, { row: { ...row, ...next, state: 'running' }, kept, entries });
  }

  async function readEntries(row: ScriptRunRecord): Promise<Map<number, Entry> | null> {
    const entries = new Map<number, Entry>();
    for (const call of await scriptRuns.calls(row.user_id, row.id)) {
      const kept = await openCall(seal, call);
      if (kept === null) return null;
      entries.set(call.position, { place: call.place, kept });
    }
    return entries;
  }

  async function sit(caller: KnownCaller, sitting: Sitting): Promise<CallsEnd> {
    const { row } = sitting;
    const stopBeat = keepAlive(
      RUN_BEAT_MS,
      () => scriptRuns.keep(row, clock.now() + RUN_LEASE_SECONDS),
      'a run of a script was not kept alive',
    );
    try {
      return await runOnce(caller, sitting);
    } finally {
      stopBeat();
    }
  }

  async function runOnce(caller: KnownCaller, { row, kept, entries }: Sitting): Promise<CallsEnd> {
    const halt = new AbortController();
    let stopped: Stopped | undefined;
    const stop = (why: Stopped): void => {
      stopped ??= why;
      if (why !== 'paused') halt.abort();
    };
    const leave = (): void => stop(caller.ended?.aborted === true ? 'access-ended' : 'left');
    const heeded = [caller.signal, caller.ended].filter((signal) => signal !== undefined);
    for (const signal of heeded) {
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    }
    const over = clock.later(kept.timeoutSec * 1_000, () => stop('too-long'));

    const before = Math.max(0, ...[...entries.values()].map(({ kept: call }) => call.ended));
    const from = clock.millis();
    const since = (): number => Math.round(before + clock.millis() - from);
    let bytes = [...entries.values()].reduce((sum, { kept: call }) => sum + sizeOf(call), 0);
    const asked: ApprovalLink[] = [];
    const underWay = new Set<Promise<void>>();

    const ledger: Ledger = createLedger({
      digest,
      entries,
      onLost: stop,
      async write(position, { place, kept: call }) {
        const at = { run_id: row.id, position, user_id: row.user_id };
        const sealed = await sealCall(seal, at, call);
        return scriptRuns.append(row, { ...at, place, expires_at: row.expires_at, sealed }, clock.now());
      },
    });
    /** The calls of a run that has stopped are as they were: the next sitting makes them. */
    const isOpen = (): boolean => stopped === undefined;

    async function makeCall(call: ScriptCall, give: (answer: ScriptAnswer) => void): Promise<void> {
      await ledger.replayed;
      if (!isOpen()) return;
      const started = since();
      const lease = caller.lease?.child();
      const signal = AbortSignal.any([halt.signal, ...heeded]);
      let end: CallEnd;
      try {
        await lease?.waitForSpace(signal)?.catch(ignoreIf(signal));
        const inner: KnownCaller = { ...caller, signal, lease, onProgress: undefined, onAnswer: undefined };
        const run = { id: row.id, waited: ledger.waited(call), stop: signal };
        end = await callTool(inner, call, run);
      } finally {
        lease?.close();
      }
      if ('over' in end) return stop('access-ended');
      const answer = 'answer' in end ? within(end.answer, LEDGER_BYTES - bytes) : null;
      const { name, line } = call;
      const entry: KeptCall = {
        name,
        digest: digestOfCall(digest, call),
        ...end.called,
        line,
        started,
        ended: since(),
        answer,
        approval: 'approval' in end ? end.approval : null,
      };
      bytes += sizeOf(entry);
      if ('approval' in end) {
        asked.push(end.approval);
        stop('paused');
      }
      // What a caller who has left made the gateway break off is not what the tool answers.
      if (answer !== null && !answer.ok && signal.aborted) return;
      await ledger.note(call.index, entry, isOpen() ? give : undefined);
    }

    function takeCall(call: ScriptCall): Promise<ScriptAnswer> {
      const known = ledger.answerOf(call);
      if (known !== undefined) return known;
      return new Promise((resolve) => {
        const made = makeCall(call, (given) => {
          if (isOpen()) resolve(given);
        }).catch((error: unknown) => {
          log.write('error', 'a call of a script failed', describe(error));
          failure ??= error;
          halt.abort();
        });
        underWay.add(made);
        void made.then(() => {
          underWay.delete(made);
          // The others have ended and are stored, so the sandbox can go.
          if (stopped === 'paused' && underWay.size === 0) halt.abort();
        });
      });
    }

    let failure: unknown;
    try {
      const end = await scriptRunner.run({
        code: kept.code,
        input: kept.input,
        now: kept.now,
        seed: kept.seed,
        limits: SANDBOX,
        signal: halt.signal,
        call: takeCall,
        select: await loadSelectInScript(),
      });
      while (underWay.size > 0) await Promise.all(underWay);
      await ledger.written();
      if (failure !== undefined) throw failure;
      if (isOpen() && !ledger.isReplayed() && end.kind !== 'exceeded') stop('other');
      return await finish({ row, kept }, end, stopped, asked);
    } catch (error) {
      // The store or the sandbox has failed. What is in the ledger holds, and the same call goes on from there.
      await scriptRuns
        .release(row, { ...(await nextOf(row, kept)), state: 'waiting' })
        .catch((cause: unknown) => log.write('error', 'a run was not given back', describe(cause)));
      throw error;
    } finally {
      over();
      for (const signal of heeded) signal.removeEventListener('abort', leave);
    }
  }

  async function nextOf(row: ScriptRunRecord, kept: KeptRun) {
    return { version: random.uuid(), updated_at: clock.now(), sealed: await sealRun(seal, row, kept) };
  }

  /** Notes how a sitting has ended, and says it to the caller. */
  async function finish(
    { row, kept }: Pick<Sitting, 'row' | 'kept'>,
    end: ScriptEnd,
    stopped: Stopped | undefined,
    asked: readonly ApprovalLink[],
  ): Promise<CallsEnd> {
    const { log: logged } = end;
    const note: ScriptNote = { run: row.id, ...(logged === '' ? {} : { log: logged }) };
    const close = async (state: ScriptRunRecord['state'], how: KeptRun['end']): Promise<boolean> =>
      scriptRuns.release(row, { ...(await nextOf(row, { ...kept, log: logged, end: how })), state });
    const fail = async (message: string): Promise<CallsEnd> => {
      if (!(await close('failed', { kind: 'failed', message }))) return failed(GOES_ON, row);
      return { kind: 'failed', message, script: note };
    };
    const [first] = asked;
    if (stopped === 'paused' && first !== undefined) {
      if (!(await close('waiting', null))) return failed(GOES_ON, row);
      return { kind: 'asked', message: describePause(row, asked), approval: first, script: note };
    }
    switch (stopped) {
      case 'taken':
        return failed(GOES_ON, row);
      case 'other':
        return fail(OTHER);
      case 'too-long':
        return fail(`The script took longer than ${kept.timeoutSec} seconds, so it was ended`);
      case 'left':
      case 'access-ended':
        await close('cancelled', { kind: 'failed', message: CANCELLED });
        return { kind: 'failed', message: CANCELLED, script: note };
      default:
    }
    switch (end.kind) {
      case 'returned': {
        const json = end.json.length > KEPT_END_BYTES ? null : end.json;
        if (!(await close('done', { kind: 'returned', json }))) return failed(GOES_ON, row);
        return { kind: 'success', result: parseExactIntegers(end.json) ?? null, script: note };
      }
      case 'threw':
        return fail(`The script threw${end.line === null ? '' : ` at line ${end.line}`}: ${end.message}`);
      case 'exceeded':
        return fail(EXCEEDED[end.limit]);
      case 'stopped':
        return fail(CANCELLED);
    }
  }

  /** A run that has ended says again how it has. */
  async function tellEnd(row: ScriptRunRecord): Promise<CallsEnd> {
    const kept = await openRun(seal, row);
    const end = kept?.end ?? null;
    const note: ScriptNote = { run: row.id, ...(kept === null || kept.log === '' ? {} : { log: kept.log }) };
    if (end?.kind === 'returned' && end.json !== null)
      return { kind: 'success', result: parseExactIntegers(end.json) ?? null, script: note };
    const message =
      end?.kind === 'failed' ? end.message : 'The run has ended, and its result was too long to be kept';
    return { kind: 'failed', message, script: note };
  }

  /** The threads of one person must not take the memory of all others. */
  async function counted(userId: string, run: () => Promise<CallsEnd>): Promise<CallsEnd> {
    const now = running.get(userId) ?? 0;
    if (now >= RUNS_AT_ONCE)
      throw new Busy(`${RUNS_AT_ONCE} of your scripts run already. Wait until one of them has ended`);
    running.set(userId, now + 1);
    try {
      return await run();
    } finally {
      const left = (running.get(userId) ?? 1) - 1;
      if (left === 0) running.delete(userId);
      else running.set(userId, left);
    }
  }

  return {
    start: (caller, program) =>
      counted(caller.userId, async () => {
        const open = await scriptRuns.open(caller.userId, slotOf(caller, program), clock.now());
        return open === null ? begin(caller, program) : goOn(caller, open);
      }),

    async resume(caller, id, code) {
      const row = await scriptRuns.get(caller.userId, id);
      if (row === null || row.caller !== caller.actor.id || row.expires_at <= clock.now())
        return failed(NO_RUN);
      if (code !== undefined && (await openRun(seal, row))?.code !== code)
        return failed(changed('The code of the script'), row);
      if (row.state === 'running' && (row.running_until ?? 0) > clock.now()) return failed(GOES_ON, row);
      if (row.state !== 'running' && row.state !== 'waiting') return tellEnd(row);
      return counted(caller.userId, () => goOn(caller, row));
    },
  };
}

const failed = (message: string, row?: Pick<ScriptRunRecord, 'id'>): CallsEnd => ({
  kind: 'failed',
  message,
  ...(row === undefined ? {} : { script: { run: row.id } }),
});

const GOES_ON = 'This run goes on already. Ask for it again in a moment with script_run {resume}';
const CANCELLED = 'The caller ended the script. The calls that it had made are in its run';
const OTHER =
  'The script did not make the same calls again that it had made before it waited, so it was ended. Its calls may depend only on its input and on the answers of tools';

const changed = (what: string): string =>
  `${what} changed since this run began, so it does not go on. Its calls have run: look at what they changed, and run the script again`;

const EXCEEDED = {
  processor: 'The script took more than its 30 seconds of processor time, so it was ended',
  memory: 'The script took more than its 64 MiB of memory, so it was ended',
  output: 'The script returned more than 4 MiB of JSON. Return only what you need',
} satisfies Record<Extract<ScriptEnd, { kind: 'exceeded' }>['limit'], string>;

function describePause({ id }: Pick<ScriptRunRecord, 'id'>, asked: readonly ApprovalLink[]): string {
  const links = [...new Set(asked.map(({ url }) => url))].join(' and ');
  const what = asked.length === 1 ? 'a call of this script' : `${asked.length} calls of this script`;
  return `A person has to approve ${what}. Show them ${links} and, after their yes, send script_run {"resume": "${id}"} or exactly the same call again. What has already run is not repeated.`;
}

/** The size of what the ledger keeps of a call. */
const sizeOf = ({ answer }: KeptCall): number =>
  answer === null ? 0 : answer.ok ? answer.json.length : answer.message.length;

function within(answer: ScriptAnswer, room: number): ScriptAnswer {
  if (!answer.ok || answer.json.length <= room) return answer;
  const message = 'The call ran. Its result does not fit into the 4 MiB that the calls of one run may give';
  return { ok: false, code: 'TOO_LARGE', message, status: null };
}

/** A caller who has left waits for no memory: the call itself says that it was ended. */
const ignoreIf =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
