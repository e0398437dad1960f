// The gateway at the edge: the whole stateless surface on D1 or PostgreSQL, and R2. What needs a process is
// forwarded.
import { integrations } from '../../integrations/all.ts';
import { warnOfNoSealing } from '../../src/record/sealing/sealing.ts';
import { warnOfStrayClients } from '../../src/connections/oauth/stray-clients.ts';
import { warnOfPlainAddress } from '../../src/egress/plain-address.ts';
import { misspeltVariables } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { hintOf } from '../../src/config/misspelt.ts';
import { describe } from '../../src/http/errors.ts';
import { checkKey } from '../../src/maintenance/key-check.ts';
import { maintainOnce, SweepFailed } from '../../src/maintenance/sweep.ts';
import { afterBody } from './after-body.ts';
import { type Bindings, environmentOf, type ExecutionContext } from './bindings.ts';
import { createGateways, type Gateways } from './gateways.ts';
import { type Isolate, openIsolate } from './isolate.ts';
import { createNodeOrigin } from './node-origin.ts';

interface Edge {
  isolate: Isolate;
  atNode: ReturnType<typeof createNodeOrigin>;
  gateways: Gateways;
  /** Whether the encryption key was checked: once in an isolate, by the timer, so that no request waits for it. */
  isKeyChecked: boolean;
}

let edge: Edge | undefined;

const MOST_READ_AWAY = 16 * 1024 ** 2;

/** A refused body is read all the same: otherwise the connection ends, and its caller may lose the answer. */
async function readAway(request: Request): Promise<void> {
  const length = Number(request.headers.get('content-length') ?? Infinity);
  if (request.body === null || request.bodyUsed || length > MOST_READ_AWAY) return;
  // The caller may leave meanwhile.
  await request.body.pipeTo(new WritableStream()).catch(() => {});
}

function open(bindings: Bindings): Edge {
  if (edge !== undefined) return edge;
  const isolate = openIsolate(bindings);
  const atNode = createNodeOrigin(isolate.config, integrations);
  return (edge = { isolate, atNode, gateways: createGateways(bindings, isolate), isKeyChecked: false });
}

export default {
  async fetch(request: Request, bindings: Bindings, context: ExecutionContext): Promise<Response> {
    try {
      const { atNode, gateways, isolate } = open(bindings);
      const forwarded = await atNode(request);
      if (forwarded !== null) return forwarded;
      const gateway = await gateways.borrow();
      const remoteAddress = request.headers.get('cf-connecting-ip') ?? undefined;
      const answering = Promise.resolve(
        gateway.app.fetch(request, { incoming: { socket: { remoteAddress } } }),
      );
      // When a client leaves, work that has begun still finishes: a call's audit row, a rotated token.
      context.waitUntil(answering);
      const response = await answering;
      await readAway(request);
      // After a failure or a reader that left, work may still be under way, so the gateway is not lent again.
      const isOver = response.status < 500;
      return afterBody(response, context, async (isWhole) => {
        await gateway.deps.jots.views.flushIfDue();
        await gateways.giveBack(gateway, isWhole && isOver);
        await isolate.telemetry?.flush();
      });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      console.error(error.message);
      return Response.json(
        { error: 'This gateway is not configured correctly. Its log says why.' },
        { status: 500 },
      );
    }
  },

  async scheduled(_event: unknown, bindings: Bindings): Promise<void> {
    const here = open(bindings);
    const { isolate, gateways } = here;
    const gateway = await gateways.borrow();
    try {
      if (!here.isKeyChecked) {
        warnOfNoSealing(gateway.deps);
        warnOfPlainAddress(gateway.deps);
        for (const misspelt of misspeltVariables(environmentOf(bindings)))
          isolate.log.write('warn', 'unknown variable', {
            variable: misspelt.variable,
            hint: hintOf(misspelt),
          });
        await checkKey(gateway.deps);
        await warnOfStrayClients(gateway.deps);
      }
      here.isKeyChecked = true;
      await maintainOnce(gateway.deps);
    } catch (error) {
      if (!(error instanceof SweepFailed)) isolate.log.write('error', 'sweep failed', describe(error));
    } finally {
      await gateways.giveBack(gateway, false);
      await isolate.telemetry?.close();
    }
  },
};
