// Opens a stream through /c in a chosen process of a gateway, and reads and writes it piece by piece.
import { once } from 'node:events';
import { type IncomingMessage, request as open } from 'node:http';
import { expect } from 'vitest';
import type { WorkerDoor } from './each-worker.ts';
import type { Gateway } from './gateway-process.ts';

const FIRST_WORD = 'hello';

export interface RawStream {
  response: IncomingMessage;
  /** Ends the body of the request. */
  end(): void;
  write(text: string | Buffer): void;
  /** Resolves with what has arrived once that many characters have. */
  read(characters: number): Promise<string>;
  /** How the response ended: null at its regular end. */
  ended: Promise<Error | null>;
}

/** Opens a raw request in a process and waits for the head of its answer. The upstream repeats what a POST sends. */
export async function openRaw(
  gateway: Gateway,
  door: WorkerDoor,
  token: string,
  method: string,
  path: string,
): Promise<RawStream> {
  const socket = await door.connect();
  const request = open({
    createConnection: () => socket,
    method,
    path: `/c/resend${path}`,
    headers: { host: `localhost:${gateway.port}`, authorization: `Bearer ${token}` },
  });
  request.on('error', () => {});
  // The upstream gets the head of a request together with the first bytes of its body.
  if (method === 'GET') request.end();
  else request.write(FIRST_WORD);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('no response');
  expect(response.statusCode).toBe(200);
  let text = '';
  let look = () => {};
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  const ended = new Promise<Error | null>((resolve) => {
    response.once('error', resolve).once('end', () => resolve(null));
  });
  const raw: RawStream = {
    response,
    ended,
    end: () => void request.end(),
    write: (piece) => void request.write(piece),
    async read(characters) {
      while (text.length < characters) await new Promise<void>((resolve) => (look = resolve));
      const taken = text.slice(0, characters);
      text = text.slice(characters);
      return taken;
    },
  };
  if (method !== 'GET') expect(await raw.read(FIRST_WORD.length)).toBe(FIRST_WORD);
  return raw;
}
