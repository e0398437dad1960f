// Runs a script that this process holds, from its ledger on, until it ends, waits for a person or is stopped. decision: 059
import type { Seal } from '../crypto/seal.ts';
import { createReadingOrder, type Place } from '../calls/reading-order.ts';
import { describe } from '../http/errors.ts';
import type { CallsEnd, KnownCaller } from '../kit/integration.ts';
import { createKeepAlive } from '../kit/keep-alive.ts';
import type { ApprovalLink } from '../policy/model/approvals.ts';
import type { Ports } from '../ports/ports.ts';
import type { ScriptAnswer, ScriptCall, ScriptEnd, ScriptRunner } from '../ports/script-runner.ts';
import type { ScriptRunRecord } from '../ports/scripts.ts';
import type { CallEnd, CallTool } from './call-tool.ts';
import { sealCall, sealRun, type KeptCall, type KeptRun } from './kept-run.ts';
import { createLedger, digestOfCall, type Entry, type Ledger } from './ledger.ts';
import { LEDGER_BYTES, RUN_BEAT_MS, RUN_LEASE_SECONDS, SANDBOX } from './limits.ts';
import {
  CANCELLED,
  describeFailure,
  describePause,
  keptJson,
  noteOf,
  OTHER,
  returned,
  STOPPED,
  tooLong,
} from './run-ends.ts';
import { loadSelectInScript } from './select-in-script.ts';

/** A run that this process holds. */
export interface Sitting {
  row: ScriptRunRecord;
  kept: KeptRun;
  entries: ReadonlyMap<number, Entry>;
}

/** Null when another process has taken the run. */
export type Sit = (caller: KnownCaller, sitting: Sitting) => Promise<CallsEnd | null>;

type Needs = Pick<Ports, 'clock' | 'digest' | 'log' | 'random' | 'store'> & {
  callTool: CallTool;
  scriptRunner: ScriptRunner;
  seal: Seal;
};

/** Why a sitting has ended before its script did. */
type Stopped = 'paused' | 'left' | 'too-long' | 'taken' | 'other' | 'access-ended';

export function createSit(deps: Needs): Sit {
  const { callTool, clock, digest, log, random, scriptRunner, seal, store } = deps;
  const { scriptRuns } = store;
  const keepAlive = createKeepAlive(deps);

  async function sit(caller: KnownCaller, { row, kept, entries }: Sitting): Promise<CallsEnd | null> {
    const halt = new AbortController();
    let stopped: Stopped | undefined;
    const stop = (why: Stopped): void => {
      stopped ??= why;
      if (why !== 'paused') halt.abort();
    };
    const leave = (): void => stop(caller.ended?.aborted === true ? 'access-ended' : 'left');
    const heeded = signalsOf(caller);
    for (const signal of heeded) {
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    }

    const before = Math.max(0, ...[...entries.values()].map(({ kept: call }) => call.ended));
    const over = clock.later(Math.max(0, kept.timeoutSec * 1_000 - before), () => stop('too-long'));
    const from = clock.millis();
    const since = (): number => Math.round(before + clock.millis() - from);
    let bytes = [...entries.values()].reduce((sum, { kept: call }) => sum + sizeOf(call), 0);
    const asked: ApprovalLink[] = [];
    const underWay = new Set<Promise<void>>();
    const nextPlace = createReadingOrder();

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

    async function makeCall(
      call: ScriptCall,
      place: Place,
      give: (answer: ScriptAnswer) => void,
    ): Promise<void> {
      await ledger.replayed;
      if (!isOpen()) return;
      const started = since();
      const lease = caller.lease?.child();
      const signal = AbortSignal.any([halt.signal, ...heeded]);
      let end: CallEnd;
      try {
        await lease?.waitForSpace(signal)?.catch(ignoreIf(signal));
        const inner: KnownCaller = { ...caller, signal, lease, onProgress: undefined, onAnswer: undefined };
        const run = { id: row.id, waited: ledger.waited(call), place, stop: signal };
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

    let failure: unknown;
    function takeCall(call: ScriptCall): Promise<ScriptAnswer> {
      const known = ledger.answerOf(call);
      if (known !== undefined) return known;
      const place = nextPlace();
      return new Promise((resolve) => {
        const made = makeCall(call, place, (given) => {
          if (isOpen()) resolve(given);
        }).catch((error: unknown) => {
          log.write('error', 'a call of a script failed', describe(error));
          failure ??= error;
          halt.abort();
        });
        underWay.add(made);
        void made.then(() => {
          // One that never came so far reads nothing.
          place.tell(null);
          underWay.delete(made);
          // The others have ended and are stored, so the sandbox can go.
          if (stopped === 'paused' && underWay.size === 0) halt.abort();
        });
      });
    }

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
      await release(row, kept, 'waiting').catch((cause: unknown) =>
        log.write('error', 'a run was not given back', describe(cause)),
      );
      throw error;
    } finally {
      over();
      for (const signal of heeded) signal.removeEventListener('abort', leave);
    }
  }

  async function release(
    row: ScriptRunRecord,
    kept: KeptRun,
    state: ScriptRunRecord['state'],
  ): Promise<boolean> {
    const next = { version: random.uuid(), updated_at: clock.now(), sealed: await sealRun(seal, row, kept) };
    return scriptRuns.release(row, { ...next, state });
  }

  /** Notes how a sitting has ended, and says it to the caller. */
  async function finish(
    { row, kept }: Pick<Sitting, 'row' | 'kept'>,
    end: ScriptEnd,
    stopped: Stopped | undefined,
    asked: readonly ApprovalLink[],
  ): Promise<CallsEnd | null> {
    const script = noteOf(row, end.log);
    const close = (state: ScriptRunRecord['state'], how: KeptRun['end']): Promise<boolean> =>
      release(row, { ...kept, log: end.log, end: how }, state);
    const fail = async (
      message: string,
      state: 'failed' | 'cancelled' = 'failed',
    ): Promise<CallsEnd | null> =>
      (await close(state, { kind: 'failed', message })) ? { kind: 'failed', message, script } : null;
    const [first] = asked;
    if (stopped === 'paused' && first !== undefined)
      return (await close('waiting', null))
        ? { kind: 'asked', message: describePause(row, asked), approval: first, script }
        : null;
    switch (stopped) {
      case 'taken':
        return null;
      case 'other':
        return fail(OTHER);
      case 'too-long':
        return fail(tooLong(kept.timeoutSec));
      case 'left':
      case 'access-ended':
        return fail(CANCELLED, 'cancelled');
      default:
    }
    // The process ends, and another one can go on.
    if (end.kind === 'stopped')
      return (await close('waiting', null)) ? { kind: 'failed', message: STOPPED, script } : null;
    if (end.kind !== 'returned') return fail(describeFailure(end));
    const isNoted = await close('done', { kind: 'returned', json: keptJson(end.json) });
    return isNoted ? returned(end.json, script) : null;
  }

  return async (caller, sitting) => {
    const stopBeat = keepAlive(
      RUN_BEAT_MS,
      () => scriptRuns.keep(sitting.row, clock.now() + RUN_LEASE_SECONDS),
      'a run of a script was not kept alive',
    );
    try {
      return await sit(caller, sitting);
    } finally {
      stopBeat();
    }
  };
}

/** What ends the work of a caller. */
export const signalsOf = ({ signal, ended }: KnownCaller): AbortSignal[] =>
  [signal, ended].filter((each) => each !== undefined);

/** The size of what the ledger keeps of a call. */
const sizeOf = ({ answer }: KeptCall): number =>
  answer === null ? 0 : answer.ok ? answer.json.length : answer.message.length;

function within(answer: ScriptAnswer, room: number): ScriptAnswer {
  if (!answer.ok || answer.json.length <= room) return answer;
  const message =
    'The call ran. Its result does not fit into the 4 MiB that the calls of one run may give. Ask for less with {select}';
  return { ok: false, code: 'TOO_LARGE', message, status: null };
}

/** A caller who has left waits for no memory: the call itself says that it was ended. */
const ignoreIf =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
