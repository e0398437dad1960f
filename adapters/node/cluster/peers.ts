// Lets the workers of one gateway reach each other: what needs a person's browser goes to the worker that has it, and
// /metrics answers for all of them. They talk HTTP over sockets that only this user of the machine can use. decision: 010
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { labelWorkers } from '../../../drivers/metrics/label-workers.ts';
import { STOP_MS } from '../stop-limits.ts';
import type { Integration } from '../../../src/kit/integration.ts';
import { createBrowserUse } from '../../../src/live-view/browser-paths.ts';
import type { Metrics } from '../../../src/ports/metrics.ts';
import { CLIENT_HEADER, forward } from './forward.ts';
import { BROWSER_WORKER, peerAddress, type Role } from './role.ts';

const OWN_METRICS = '/own-metrics';
const METRICS_MS = 2_000;
const CONNECTION = /^\/api\/connections\/[^/]+$/;

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface Peers {
  /** Adds the figures of all workers to what is exposed. */
  share(metrics: Metrics): Metrics;
  /** True when the request goes to the worker with the browsers. `continues`: the caller waits for a 100. */
  takes(incoming: IncomingMessage, outgoing: ServerResponse, continues: boolean): boolean;
  /** Answers what other workers send. */
  listen(answer: Answer): Promise<void>;
  close(): Promise<void>;
}

export function createPeers(role: Role, integrations: readonly Integration[]): Peers {
  const useOf = createBrowserUse(integrations);
  let own: Metrics | null = null;
  let answer: Answer | null = null;

  const server = createServer((incoming, outgoing) => {
    if (incoming.url === OWN_METRICS) return void answerMetrics(outgoing);
    // The caller of the other worker, which limits by address count.
    const value = incoming.headers[CLIENT_HEADER] || undefined;
    Object.defineProperty(incoming.socket, 'remoteAddress', { value, configurable: true });
    answer?.(incoming, outgoing);
  });
  server.requestTimeout = 0;

  async function answerMetrics(outgoing: ServerResponse): Promise<void> {
    const exposed = await own?.expose();
    outgoing.end(exposed?.text ?? '');
  }

  /** Null for a worker that does not answer: it may be starting again. */
  async function metricsOf(number: number): Promise<string | null> {
    const signal = AbortSignal.timeout(METRICS_MS);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { socketPath: peerAddress(role, number), path: OWN_METRICS, agent: false, signal };
    request(options, resolve).on('error', reject).end();
    try {
      return await text(await promise);
    } catch {
      return null;
    }
  }

  /** A disconnected browser sign-in is deleted from the browser, too. */
  function needsBrowser({ method, url = '' }: IncomingMessage): boolean {
    const [pathname = ''] = url.split('?');
    if (!pathname.startsWith('/api/')) return false;
    return useOf(pathname) !== 'none' || (method === 'DELETE' && CONNECTION.test(pathname));
  }

  return {
    share(metrics) {
      own = metrics;
      return {
        ...metrics,
        async expose() {
          const numbers = Array.from({ length: role.of }, (_, index) => index + 1);
          const [{ contentType, text: ours }, ...theirs] = await Promise.all([
            metrics.expose(),
            ...numbers.map((number) => (number === role.number ? null : metricsOf(number))),
          ]);
          const texts = theirs.map((their, index) => (index + 1 === role.number ? ours : their));
          return { contentType, text: labelWorkers(texts) };
        },
      };
    },

    takes(incoming, outgoing, continues) {
      if (role.number === BROWSER_WORKER || !needsBrowser(incoming)) return false;
      if (continues) outgoing.writeContinue();
      void forward(incoming, outgoing, peerAddress(role, BROWSER_WORKER));
      return true;
    },

    async listen(given) {
      answer = given;
      const path = peerAddress(role, role.number);
      // A worker that was killed has left its socket.
      if (process.platform !== 'win32') rmSync(path, { force: true });
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      // Without `exclusive` the primary would listen, and spread the connections over all workers.
      server.once('error', reject).listen({ path, exclusive: true }, resolve);
      await promise;
    },

    async close() {
      const late = setTimeout(() => server.closeAllConnections(), STOP_MS);
      await new Promise((resolve) => void server.close(resolve));
      clearTimeout(late);
    },
  };
}
