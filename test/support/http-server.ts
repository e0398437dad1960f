// A server on loopback at a free port, whose answers can be given after its address is known.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

export interface HttpServer {
  port: number;
  /** From now on. */
  answer(listener: RequestListener): void;
  close(): Promise<void>;
}

export async function startHttpServer(
  listener: RequestListener = (_, response) => response.end(),
): Promise<HttpServer> {
  let current = listener;
  const server = createServer((request, response) => current(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    answer: (next) => (current = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
