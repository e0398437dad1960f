// Bounds one exchange: its signal aborts when the time is over, and when one of its callers leaves.
import type { Clock } from '../ports/clock.ts';

export interface TimeLimit {
  readonly signal: AbortSignal;
  isOver: () => boolean;
  isLeft: () => boolean;
  /** Lets go of the timer and of the callers. */
  close: () => void;
}

type Callers = readonly (AbortSignal | null | undefined)[];

/** A signal of `AbortSignal.timeout` cannot be let go: it keeps a timer, and what listens to it, until the time is over. */
export function openTimeLimit(
  { later }: Pick<Clock, 'later'>,
  milliseconds: number,
  callers: Callers,
): TimeLimit {
  const controller = new AbortController();
  let isOver = false;
  const end = (reason: unknown): void => {
    close();
    controller.abort(reason);
  };
  // Clocks count parts of milliseconds, and timers do not take them.
  const stopTimer = later(Math.ceil(milliseconds), () => {
    isOver = true;
    end(new DOMException('The time is over', 'TimeoutError'));
  });
  const leave = ({ target }: Event): void => end(target instanceof AbortSignal ? target.reason : undefined);
  function close(): void {
    stopTimer();
    for (const caller of callers) caller?.removeEventListener('abort', leave);
  }
  const gone = callers.find((caller) => caller?.aborted === true);
  if (gone !== undefined) end(gone?.reason);
  else for (const caller of callers) caller?.addEventListener('abort', leave);
  return {
    signal: controller.signal,
    isOver: () => isOver,
    isLeft: () => callers.some((caller) => caller?.aborted === true),
    close,
  };
}
