// Starts a server on a free loopback port whose listener can be set after its address is known.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { listen } from './listen.ts';

export interface HttpServer {
  port: number;
  /** Replaces the listener for all later requests. */
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
