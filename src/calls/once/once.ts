// Lets exactly one of any number of calls with the same key run, and keeps for a day what came of it. decision: 053
import type { Place, Seal } from '../../crypto/seal.ts';
import { describe } from '../../http/errors.ts';
import { createKeepAlive } from '../../kit/keep-alive.ts';
import type { ExecutionKey } from '../../ports/execution-keys.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Kept, type Left, readKept, writeKept } from './kept.ts';
import { KEY_RUN_BEAT_MS, KEY_RUN_SECONDS, KEY_SECONDS, KEYS_PER_PERSON } from './limits.ts';

/** A call with a key. */
export interface KeyedCall {
  userId: string;
  /** The id of the actor. */
  caller: string;
  integration: string;
  /** The id of the import; empty for a built-in integration. */
  importId: string;
  tool: string;
  key: string;
  /** The canonical text of the arguments and the account. Another text is another call. */
  content: string;
  /** Whether a person may have to approve the call before it begins. */
  asks: boolean;
}

/** What a call reads that does not get its turn. */
export type KeyError = 'IN_PROGRESS' | 'KEY_REUSED' | 'RESULT_GONE' | 'UNKNOWN_OUTCOME';

/** The turn of a call. `end` must follow. */
export interface Turn {
  /**
   * Makes a key for one request of the call, for a provider that takes one. The request is its method and path. Nobody learns
   * the caller's key from it, and a call of another person or day has another one.
   */
  providerKey: (request: string) => string;
  /** Whether something may have been sent. */
  hasBegun(): boolean;
  /** Comes before anything is sent. Rejects when another call has taken the key. */
  begin(): Promise<void>;
  /** Notes what the call leaves. It never rejects: the answer of the call is worth more than this note. */
  end(left: Left): Promise<void>;
}

export type Entered = { kind: 'turn'; turn: Turn } | NoTurn;

export type NoTurn =
  | { kind: 'kept'; kept: Kept }
  | { kind: 'refused'; error: KeyError; message: string }
  | { kind: 'full'; message: string };

export interface Once {
  enter(call: KeyedCall): Promise<Entered>;
}

/** The place that what is kept is bound to. */
export const placeOfKept = ({ user_id, integration, id }: ExecutionKey): Place => [
  user_id,
  integration,
  `execution-key:${id}`,
];

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'log' | 'random' | 'store'> & { seal: Seal };

const MAX_TRIES = 5;

export function createOnce({ clock, config, digest, log, random, seal, store }: Needs): Once {
  const { executionKeys } = store;
  const keepAlive = createKeepAlive({ clock, log });

  function rowOf({
    userId,
    caller,
    integration,
    importId,
    tool,
    key,
    content,
    asks,
  }: KeyedCall): ExecutionKey {
    const now = clock.now();
    return {
      id: digest.sha256(JSON.stringify([userId, caller, integration, importId, tool, key])),
      user_id: userId,
      caller,
      integration,
      tool,
      digest: digest.sha256(content),
      state: asks ? 'asking' : 'running',
      run: random.uuid(),
      running_until: now + KEY_RUN_SECONDS,
      created_at: now,
      expires_at: now + KEY_SECONDS,
      sealed: null,
    };
  }

  async function keep(row: ExecutionKey, left: Kept): Promise<void> {
    const text = writeKept(left);
    const sealed = text === null ? null : await seal.seal(text, placeOfKept(row));
    await executionKeys.move(row, { run: row.run, state: 'done', running_until: null, sealed });
    if (sealed !== null) await executionKeys.trim(row.user_id, config.PERSON_MAX_RESULT_BYTES);
  }

  /** The row is that of this process. */
  function turnOf(claimed: ExecutionKey): Turn {
    let row = claimed;
    const { id, run, created_at } = row;
    let requests = 0;
    const stop = keepAlive(
      KEY_RUN_BEAT_MS,
      () => executionKeys.keepRunning(id, run, clock.now() + KEY_RUN_SECONDS),
      'a call with a key was not kept alive',
    );
    return {
      providerKey: (request) =>
        digest.hmac(config.SESSION_SECRET, `provider key ${id} ${created_at} ${++requests} ${request}`),
      hasBegun: () => row.state === 'running',
      async begin() {
        if (row.state === 'running') return;
        const begun = { run, state: 'running', running_until: clock.now() + KEY_RUN_SECONDS } as const;
        if (!(await executionKeys.move(row, begun)))
          throw new Error('Another call has taken the key meanwhile. Nothing was sent. Send the call again');
        row = { ...row, ...begun };
      },
      async end(left) {
        stop();
        try {
          if (left.kind === 'nothing') await executionKeys.release(id, run);
          else if (left.kind === 'doubt')
            await executionKeys.move(row, { run, state: 'unknown', running_until: null });
          else await keep(row, left);
        } catch (error) {
          log.write('error', 'the end of a call with a key was not noted', describe(error));
        }
      },
    };
  }

  /** Returns null when somebody else has changed the row meanwhile. */
  async function answerFrom(found: ExecutionKey, call: ExecutionKey): Promise<Entered | null> {
    const { state, running_until, sealed, tool } = found;
    const isLost = running_until !== null && running_until <= call.created_at;
    // Nothing was sent for a call that was lost while it asked.
    if (state === 'asking' && isLost) {
      const { run, running_until: until } = call;
      const taken = await executionKeys.move(found, { run, state: 'asking', running_until: until });
      if (!taken) return null;
      // The digest is another one where the lost call was another one.
      await executionKeys.release(found.id, run);
      return null;
    }
    if (found.digest !== call.digest) return refuse('KEY_REUSED', REUSED);
    if (state === 'unknown' || (state === 'running' && isLost))
      return refuse('UNKNOWN_OUTCOME', describeDoubt(tool));
    if (state !== 'done') return refuse('IN_PROGRESS', IN_PROGRESS);
    const text = sealed === null ? null : await seal.open(sealed, placeOfKept(found));
    const kept = text === null ? null : readKept(text);
    return kept === null ? refuse('RESULT_GONE', GONE) : { kind: 'kept', kept };
  }

  return {
    async enter(call) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const row = rowOf(call);
        const claim = await executionKeys.claim(row, KEYS_PER_PERSON);
        if (claim === 'claimed') return { kind: 'turn', turn: turnOf(row) };
        if (claim === 'free') continue;
        if (claim === 'full' || claim === null) return { kind: 'full', message: describeFull() };
        const entered = await answerFrom(claim, row);
        if (entered !== null) return entered;
      }
      return refuse('IN_PROGRESS', IN_PROGRESS);
    },
  };
}

const refuse = (error: KeyError, message: string): Entered => ({ kind: 'refused', error, message });

const IN_PROGRESS =
  'The call with this key is under way, and was not run a second time. Repeat it in a moment for its result';
const REUSED =
  'This key was used for a call with other arguments or another account. Take a new key for another call';
const GONE =
  'The call with this key has run to its end, and was not run again. Its result is not kept: read what it changed with a tool that reads';
// Formatted when somebody is told: the tables for numbers would slow every start.
const describeFull = (): string =>
  `You have used ${KEYS_PER_PERSON.toLocaleString('en')} keys within a day. Wait until the oldest are a day old, or send calls that may be repeated without a key`;

const describeDoubt = (tool: string): string =>
  `It is not known whether the call of ${tool} with this key took effect, so it is not repeated. Look first whether it did. If it did not, send it again with a new key`;
