// A reverse proxy that adds headers, for clients that cannot send their own.
import { once } from 'node:events';
import { createServer, request as open, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { listen } from './listen.ts';

export interface HeaderProxy {
  origin: string;
  close(): Promise<void>;
}

/** Starts the proxy. Everything else passes unchanged, including `Host` and `Origin`. */
export async function startHeaderProxy(port: number, headers: Record<string, string>): Promise<HeaderProxy> {
  function forward(inward: IncomingMessage, answer: ServerResponse): void {
    const { method, url: path } = inward;
    const outward = open({
      host: 'localhost',
      port,
      method,
      path,
      headers: { ...inward.headers, ...headers },
    });
    outward.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      pipeline(response, answer, () => {});
    });
    outward.on('error', () => answer.destroy());
    answer.on('close', () => outward.destroy());
    pipeline(inward, outward, () => {});
  }

  const server = createServer(forward);
  const own = await listen(server);
  return {
    origin: `http://localhost:${own}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
