// The gateway at the edge: the whole stateless surface on D1 or PostgreSQL, and R2. What needs a process is forwarded.
import { integrations } from '../../integrations/all.ts';
import { createApp } from '../../src/app.ts';
import { ConfigError } from '../../src/config-error.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import { describe } from '../../src/errors.ts';
import { maintainOnce } from '../../src/maintenance.ts';
import type { Bindings, ExecutionContext } from './bindings.ts';
import { type Isolate, openIsolate } from './isolate.ts';
import { createNodeOrigin } from './node-origin.ts';
import { openPorts } from './ports.ts';
import { afterBody } from './after-body.ts';

interface Edge {
  isolate: Isolate;
  atNode: ReturnType<typeof createNodeOrigin>;
}

let edge: Edge | undefined;

function open(bindings: Bindings): Edge {
  if (edge !== undefined) return edge;
  const isolate = openIsolate(bindings);
  return (edge = { isolate, atNode: createNodeOrigin(isolate.config.NODE_ORIGIN, integrations) });
}

async function depsOf(bindings: Bindings, isolate: Isolate): Promise<Deps> {
  return { ...(await createDeps(openPorts(bindings, isolate))), unlockTries: isolate.unlockTries };
}

/** The last of a request: rows that could not be written before, and its connections. */
async function close({ audit, store }: Deps): Promise<void> {
  await audit.flush();
  await store.close();
}

export default {
  async fetch(request: Request, bindings: Bindings, context: ExecutionContext): Promise<Response> {
    try {
      const { isolate, atNode } = open(bindings);
      const forwarded = atNode(request);
      if (forwarded !== null) return await forwarded;
      const deps = await depsOf(bindings, isolate);
      const remoteAddress = request.headers.get('cf-connecting-ip') ?? undefined;
      const answering = Promise.resolve(
        createApp(deps).fetch(request, { incoming: { socket: { remoteAddress } } }),
      );
      // A client that leaves does not take with it what has been begun: a call's audit row, a token that was rotated.
      context.waitUntil(answering);
      const response = await answering;
      return afterBody(response, context, () => close(deps));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      console.error(error.message);
      return Response.json({ error: 'This gateway is not set up right; its log says why' }, { status: 500 });
    }
  },

  async scheduled(_event: unknown, bindings: Bindings): Promise<void> {
    const { isolate } = open(bindings);
    const deps = await depsOf(bindings, isolate);
    try {
      await maintainOnce(deps);
    } catch (error) {
      isolate.log.write('error', 'sweep failed', describe(error));
    } finally {
      await close(deps);
    }
  },
};
