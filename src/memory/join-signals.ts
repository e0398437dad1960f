// Joins two signals as AbortSignal.any does, at a tenth of its cost. decision: 018

export interface Joined {
  /** Aborts with the first of them. */
  signal: AbortSignal;
  /** Lets go of both. A signal that aborts does it too. */
  leave: () => void;
}

export function joinSignals(one: AbortSignal, other: AbortSignal): Joined {
  const either = new AbortController();
  const leave = () => {
    one.removeEventListener('abort', endWithOne);
    other.removeEventListener('abort', endWithOther);
  };
  const endWith = (signal: AbortSignal) => {
    leave();
    either.abort(signal.reason);
  };
  const endWithOne = () => endWith(one);
  const endWithOther = () => endWith(other);
  if (one.aborted) endWithOne();
  else if (other.aborted) endWithOther();
  else {
    one.addEventListener('abort', endWithOne);
    other.addEventListener('abort', endWithOther);
  }
  return { signal: either.signal, leave };
}
