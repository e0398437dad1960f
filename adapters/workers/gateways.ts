// The gateways of an isolate: each is built once and lent to one request at a time. On this platform one
// request cannot wait for work that another began, so two requests never share a gateway, and a gateway with
// unfinished work is not lent again.
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
  /** Ends a request: writes the rows that could not be written before, and closes its connections. */
  giveBack(gateway: Gateway, isDone: boolean): Promise<void>;
}

// Each gateway takes up to 1 MB of the isolate's 128.
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
      const { audit, callDetails, clock, executions, store } = gateway.deps;
      // A yes of the person has perhaps started a call.
      await executions.none();
      await Promise.all([audit.flush(), callDetails.flush()]);
      // A cache that expires with the turn of the event loop would never expire here: timers end with their
      // request.
      await clock.turn();
      await store.close();
      if (isDone && idle.length < MOST_IDLE) idle.push(gateway);
    },
  };
}
