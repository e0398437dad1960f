// The gateways of an isolate: built once, and lent to one request at a time. What one request has begun another cannot
// wait for on this platform, so no two ever share one, and a gateway with work under way is not lent again.
import { createApp } from '../../src/app.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import type { Bindings } from './bindings.ts';
import type { Isolate } from './isolate.ts';
import { openPorts } from './ports.ts';

export interface Gateway {
  deps: Deps;
  app: ReturnType<typeof createApp>;
}

export interface Gateways {
  borrow(): Promise<Gateway>;
  /** The last of a request: rows that could not be written before, and its connections. */
  giveBack(gateway: Gateway, isDone: boolean): Promise<void>;
}

// Each takes up to 1 MB of the isolate's 128.
const MOST_IDLE = 32;

export function createGateways(bindings: Bindings, isolate: Isolate): Gateways {
  const idle: Gateway[] = [];

  async function build(): Promise<Gateway> {
    const deps = await createDeps(openPorts(bindings, isolate), isolate.shared);
    return { deps, app: createApp(deps) };
  }

  return {
    borrow: async () => idle.pop() ?? build(),
    async giveBack(gateway, isDone) {
      const { audit, clock, store } = gateway.deps;
      await audit.flush();
      // What forgets itself with the turn of the event loop would never do so: timers end with their request.
      await clock.turn();
      await store.close();
      if (isDone && idle.length < MOST_IDLE) idle.push(gateway);
    },
  };
}
