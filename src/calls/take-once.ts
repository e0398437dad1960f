// The step in which a call with a key gets its turn, or the answer of the call that had it. docs/calls.md; decision: 053
import type { KnownCaller } from '../kit/integration.ts';
import type { Ended, Found, Judged, OnceEffect, Ran } from './effect.ts';
import type { Ending } from './outcome.ts';
import type { Left } from './once/kept.ts';
import type { Once, Turn } from './once/once.ts';

/** What came of the steps after the account. */
export interface Went<E> extends Ended<E>, Partial<Omit<Ran<E>, 'ending'>> {
  /** Nothing ran: the answer is that of an earlier call with the same key. */
  isReplay?: true;
}

export type TakeOnce = <J extends Judged, F extends Found, E extends Ending>(
  caller: KnownCaller,
  effect: OnceEffect<J, F, E>,
  judged: J,
  found: F,
  goOn: (turn: Turn | null) => Promise<Went<E>>,
) => Promise<Went<E>>;

export function createTakeOnce({ once }: { once: Once }): TakeOnce {
  return async function takeOnce(caller, effect, judged, found, goOn) {
    const keyed = effect.callOf(caller, judged, found);
    if (keyed === null) return goOn(null);
    if ('ending' in keyed) return keyed;
    const entered = await once.enter(keyed);
    if (entered.kind === 'turn') return useTurn(entered.turn, goOn);
    const ending = await effect.answer(caller, judged, found, entered);
    return entered.kind === 'kept' ? { ending, isReplay: true } : { ending };
  };
}

async function useTurn<E>(turn: Turn, goOn: (turn: Turn) => Promise<Went<E>>): Promise<Went<E>> {
  let left: Left = { kind: 'nothing' };
  try {
    const went = await goOn(turn);
    if (went.left !== undefined) ({ left } = went);
    return went;
  } catch (error) {
    // A mistake of ours after the beginning: nobody knows what has happened.
    if (turn.hasBegun()) left = { kind: 'doubt' };
    throw error;
  } finally {
    await turn.end(left);
  }
}
