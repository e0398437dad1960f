// Makes a store that is gone from some moment on, as if the process of its gateway had been killed there.
import type { Store } from '../../src/ports/store.ts';

/** The write at which the process is lost: the `at`th of those of this part with these names, before it or right after it. */
export interface Death {
  part: 'deliveries' | 'eventForwards' | 'events' | 'scriptRuns' | 'tasks';
  names: readonly string[];
  at: number;
  isAfter: boolean;
}

export interface DyingStore {
  store: Store;
  /** Resolves at the death. */
  died: Promise<void>;
  die(): Promise<never>;
}

const never = () => new Promise<never>(() => {});

/** Every part dies that knows of calls or of events. Without `death` a test says when. */
export function createDyingStore(store: Store, death?: Death): DyingStore {
  let isDead = false;
  let writes = 0;
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const die = (): Promise<never> => {
    isDead = true;
    resolve();
    return never();
  };
  const isNow = (part: string, name: string): boolean =>
    death?.part === part && death.names.includes(name) && writes++ === death.at;
  const guard = <T extends object>(part: string, from: T): T =>
    new Proxy(from, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          if (isDead) return never();
          const ends = isNow(part, String(name));
          if (ends && death?.isAfter === false) return die();
          const result: unknown = await Reflect.apply(member, target, args);
          return ends ? die() : result;
        };
      },
    });
  return {
    store: {
      ...store,
      approvals: guard('approvals', store.approvals),
      eventForwards: guard('eventForwards', store.eventForwards),
      events: guard('events', store.events),
      executionKeys: guard('executionKeys', store.executionKeys),
      outbox: { ...store.outbox, deliveries: guard('deliveries', store.outbox.deliveries) },
      scriptRuns: guard('scriptRuns', store.scriptRuns),
      tasks: guard('tasks', store.tasks),
    },
    died,
    die,
  };
}
