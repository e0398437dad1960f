// A server on loopback at a free port, whose answers can be given after its address is known.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { listen } from './listen.ts';

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
  const port = await listen(server);
  return {
    port,
    answer: (next) => (current = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
