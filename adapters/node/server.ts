// An HTTP server that stops without dropping what it has begun. design: A8
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { STOP_MS } from '../../src/limits.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

export interface RunningServer {
  port: number;
  /** No new connections; what is in flight finishes, or is cut after ten seconds. */
  stop(): Promise<void>;
}

export async function serve(fetch: Fetch, port: number): Promise<RunningServer> {
  const server = createAdaptorServer({ fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: () => stop(server),
  };
}

async function stop(server: ServerType): Promise<void> {
  if (!('closeIdleConnections' in server)) throw new TypeError('the server is not an HTTP/1.1 server');
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer is out is kept alive by its client: it has to be closed from here.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
