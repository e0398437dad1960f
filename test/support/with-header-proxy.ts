// A reverse proxy that adds headers: for clients that cannot be told to send any.
import { once } from 'node:events';
import { createServer, request as open, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface HeaderProxy {
  origin: string;
  close(): Promise<void>;
}

/** Everything else goes through as it came, `Host` and `Origin` too. */
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has this kind of address.
  const address = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
