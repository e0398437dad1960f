// How many executions have begun and have no audit row yet: whoever stops waits for them.
export interface InFlight {
  begin(): void;
  end(): void;
  /** Resolves when there are none. */
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
