// Counts the executions that have no audit row yet, so that a gateway that stops can wait for them.
export interface InFlight {
  begin(): void;
  end(): void;
  /** Resolves when no execution is in flight. */
  none(): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    begin: () => void count++,
    end() {
      if (--count > 0) return;
      for (const goOn of waiting) goOn();
      waiting = [];
    },
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
