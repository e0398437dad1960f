// Slow requests, and connections without a request.
import { once } from 'node:events';
import { Agent, request as open } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Banner, Gateway } from '../support/gateway-process.ts';
import { waitUntil } from '../support/wait.ts';

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** Opens a request whose body is half sent; the gateway has read its headers. */
export async function beginUpload({ base, apiKey }: Gateway & Banner) {
  const upload = open(`${base}/mcp`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json', expect: '100-continue' },
  });
  const answered = once(upload, 'response');
  answered.catch(() => {});
  upload.flushHeaders();
  await once(upload, 'continue');
  upload.write(LIST.slice(0, 10));
  return {
    async finish(): Promise<unknown> {
      upload.end(LIST.slice(10));
      const [response] = await answered;
      const text = (await response.setEncoding('utf8').toArray()).join('');
      return { status: response.statusCode, ...JSON.parse(text) };
    },
  };
}

export async function openConnection({ port }: Gateway, firstWords = ''): Promise<Socket> {
  const socket = connect(port, 'localhost');
  await once(socket, 'connect');
  socket.on('error', () => {});
  if (firstWords !== '') {
    socket.write(firstWords);
    await once(socket, 'data');
  }
  return socket;
}

const isRefused = (gateway: Gateway) =>
  openConnection(gateway).then(
    (socket) => {
      socket.destroy();
      return false;
    },
    () => true,
  );

/** Polls until the gateway accepts no more connections. */
export async function untilRefused(gateway: Gateway): Promise<void> {
  await waitUntil(
    'the end of listening',
    () => isRefused(gateway),
    () => `\n${gateway.output.stdout}`,
  );
}
