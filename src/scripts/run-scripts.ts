// Begins runs of scripts, and takes up those that wait, or whose process is lost. decision: 059
import type { Seal } from '../crypto/seal.ts';
import type { CallsEnd, KnownCaller } from '../kit/integration.ts';
import { mayHoldOutside } from '../kit/open-world.ts';
import type { Registries } from '../kit/registries.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Ports } from '../ports/ports.ts';
import type { ScriptRunRecord } from '../ports/scripts.ts';
import { Busy } from '../ports/unavailable.ts';
import { createDefinitionOf } from './call-tool.ts';
import { openCall, openRun, sealRun, type KeptRun } from './kept-run.ts';
import type { Entry } from './ledger.ts';
import { MOST_RUNS, RETRY_MS, RUN_KEPT_SECONDS, RUN_LEASE_SECONDS, RUNS_AT_ONCE } from './limits.ts';
import { NO_RUN, toolNameOf } from './names.ts';
import { CANCELLED, changed, failed, tellEnd, UNREADABLE } from './run-ends.ts';
import { signalsOf, type Sit } from './sit.ts';

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
  /** Runs a program, or goes on with the run of the same program that has not ended. */
  start(caller: KnownCaller, program: Program): Promise<CallsEnd>;
  /** Goes on with a run, or says how it has ended. `code` is what the caller takes for its code. */
  resume(caller: KnownCaller, id: string, code: string | undefined): Promise<CallsEnd>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'random' | 'store' | 'texts'> & {
  gate: Pick<Gate, 'outside' | 'permissionsOf'>;
  registries: Pick<Registries, 'tool'>;
  seal: Seal;
  sit: Sit;
};

export function createRunScripts(deps: Needs): RunScripts {
  const { clock, digest, gate, random, registries, seal, sit, store, texts } = deps;
  const { scriptRuns } = store;
  const definitionOf = createDefinitionOf({ digest, texts });
  /** How many scripts of each person run in this process. */
  const running = new Map<string, number>();

  const slotOf = ({ userId, actor }: KnownCaller, { saved, code, input }: Program): string =>
    digest.sha256(JSON.stringify([userId, actor.id, saved, code, input]));

  /** Returns null where another process has taken the run meanwhile. */
  async function begin(caller: KnownCaller, program: Program, id: string): Promise<CallsEnd | null> {
    const now = clock.now();
    const { saved, code, input, timeoutSec } = program;
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
    if (!(await scriptRuns.add(row, MOST_RUNS))) return failed(NO_RUN);
    return sit(caller, { row, kept, entries: new Map() });
  }

  /** Goes on with a run that nobody holds. Returns null where another process has been quicker. */
  async function goOn(caller: KnownCaller, row: ScriptRunRecord): Promise<CallsEnd | null> {
    const kept = await openRun(seal, row);
    const entries = await readEntries(row);
    if (kept === null || entries === null) return refuse(row, kept, UNREADABLE);
    const other = await whatChanged(caller, row, kept, entries);
    if (other !== null) return refuse(row, kept, changed(other));
    await noteReads(caller, entries);
    const held = await claim(row);
    return held === null ? null : sit(caller, { row: held, kept, entries });
  }

  async function claim(row: ScriptRunRecord): Promise<ScriptRunRecord | null> {
    const now = clock.now();
    const next = { version: random.uuid(), running_until: now + RUN_LEASE_SECONDS, updated_at: now };
    return (await scriptRuns.claim(row, next)) ? { ...row, ...next, state: 'running' } : null;
  }

  /** Ends a run that cannot go on, so that the same call begins a new one from then on. Null where another process has been quicker. */
  async function refuse(
    row: ScriptRunRecord,
    kept: KeptRun | null,
    message: string,
  ): Promise<CallsEnd | null> {
    const held = await claim(row);
    if (held === null) return null;
    const sealed =
      kept === null ? row.sealed : await sealRun(seal, row, { ...kept, end: { kind: 'failed', message } });
    const next = { version: random.uuid(), updated_at: clock.now(), state: 'failed', sealed } as const;
    return (await scriptRuns.release(held, next)) ? failed(message, row) : null;
  }

  /** What is left of a run would be judged by other measures than what has run. */
  async function whatChanged(
    caller: KnownCaller,
    { script }: ScriptRunRecord,
    kept: KeptRun,
    entries: ReadonlyMap<number, Entry>,
  ): Promise<string | null> {
    const { revision } = await gate.permissionsOf(caller);
    if (revision !== kept.revision) return 'The rules or the limits of this key';
    if (script !== null) {
      const saved = await registries.tool(caller.userId, toolNameOf(script));
      if (saved?.tool.digest !== kept.definition) return `The script ${script}`;
    }
    for (const { kept: call } of entries.values()) {
      if (call.tool === null || call.definition === null) continue;
      const found = await registries.tool(caller.userId, call.tool);
      if (found === null || (await definitionOf(found)) !== call.definition) return `The tool ${call.tool}`;
    }
    return null;
  }

  /** The script gets the answers of its calls again, and what they have read with them. */
  async function noteReads(caller: KnownCaller, entries: ReadonlyMap<number, Entry>): Promise<void> {
    let read: string | null = null;
    for (const { kept: call } of entries.values()) {
      if (call.tool === null || call.answer === null) continue;
      const found = await registries.tool(caller.userId, call.tool);
      if (found !== null && mayHoldOutside(found)) read = call.tool;
    }
    if (read !== null) await gate.outside.note(caller, await gate.permissionsOf(caller), read);
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

  /**
   * Goes on with a run, or says how it has ended. A run that a process holds is waited for: that process ends it, or is lost and
   * loses it.
   */
  async function join(caller: KnownCaller, id: string): Promise<CallsEnd> {
    const heeded = signalsOf(caller);
    for (;;) {
      const row = await scriptRuns.get(caller.userId, id);
      if (row === null || row.expires_at <= clock.now()) return failed(NO_RUN);
      if (row.state !== 'running' && row.state !== 'waiting') return tellEnd(row, await openRun(seal, row));
      const isHeld = row.state === 'running' && (row.running_until ?? 0) > clock.now();
      const end = isHeld ? null : await counted(caller.userId, () => goOn(caller, row));
      if (end !== null) return end;
      if (heeded.some(({ aborted }) => aborted)) return failed(CANCELLED, row);
      await clock.sleep(RETRY_MS, AbortSignal.any(heeded));
    }
  }

  /** The threads of one person must not take the memory of all others. */
  async function counted<T>(userId: string, run: () => Promise<T>): Promise<T> {
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
    async start(caller, program) {
      const open = await scriptRuns.open(caller.userId, slotOf(caller, program), clock.now());
      if (open !== null) return join(caller, open.id);
      const id = random.uuid();
      return (await counted(caller.userId, () => begin(caller, program, id))) ?? join(caller, id);
    },

    async resume(caller, id, code) {
      const row = await scriptRuns.get(caller.userId, id);
      if (row === null || row.caller !== caller.actor.id) return failed(NO_RUN);
      const kept = code === undefined ? null : await openRun(seal, row);
      if (kept !== null && kept.code !== code) return failed(changed('The code of the script'), row);
      return join(caller, id);
    },
  };
}
