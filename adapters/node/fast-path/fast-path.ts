// Reads and answers plain requests on the socket itself, at half the price of Node's HTTP server: POST requests to /mcp
// and /rest, and GET requests for jot files that are in memory. At the first request of any other kind, the connection
// goes to Node's server and stays there. `FAST_PATH=off` turns this off.
import type { Socket } from 'node:net';
import type { CachedFile } from '../../../src/jots/serving/cached-file.ts';
import { readRequestId } from '../../../src/http/observe.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { createCommonHeaders } from './common-headers.ts';
import { createFileEncoder } from './encoded-file.ts';
import type { JotFiles } from './jot-files.ts';
import { parseGet, type PlainGet } from './parse-get.ts';
import { MAX_HEAD_BYTES } from './parse-head.ts';
import { createParsePost, type PlainPost } from './parse-post.ts';
import { PlainResponse } from './plain-response.ts';

export interface FastPath {
  receive(socket: Socket): void;
  /** Closes the connections that have no request in progress and no bytes left to send. */
  closeIdle(): void;
  closeAll(): void;
}

/** What the fast path needs from the server behind it. */
export interface ServerBehind {
  /** Lets the app answer a request. */
  handle: (request: PlainPost, response: PlainResponse) => void;
  /** Hands a connection to Node's server. */
  pass: (socket: Socket) => void;
  keepsAlive: () => boolean;
  /** Names a request whose caller has not. */
  nextId: () => string;
  keepAliveMs: number;
}

/** A client that keeps the connection for exactly `keepAliveMs` may have a request on its way at the end of that time. */
const GRACE_MS = 1_000;

export function createFastPath(
  jotFiles: JotFiles,
  clock: Pick<Clock, 'now'>,
  { handle, pass, keepsAlive, nextId, keepAliveMs }: ServerBehind,
): FastPath {
  /** Maps each connection to the function that says whether it is idle. */
  const connections = new Map<Socket, () => boolean>();
  const encodeFile = createFileEncoder();
  const commonHeaders = createCommonHeaders(clock, keepAliveMs);

  function receive(socket: Socket): void {
    let answering = false;
    /** The current response is the last one of the connection. */
    let closes = false;
    /** The bytes that arrived after the current request. */
    let waiting: Buffer | null = null;
    /** The response to the current POST request. */
    let response: PlainResponse | null = null;
    const parsePost = createParsePost(socket);
    const connection = { socket, commonHeaders: () => commonHeaders(closes), done: readNext };

    function read(chunk: Buffer): void {
      if (answering) return queue(chunk);
      const post = parsePost(chunk);
      if (post !== null) {
        begin(post);
        post.requestId = readRequestId(post.headers['x-request-id']) ?? nextId();
        response = new PlainResponse(connection, post);
        return handle(post, response);
      }
      const get = parseGet(chunk);
      if (get === null) return leave(chunk);
      begin(get);
      void jotFiles.give(get, sendFile).then((given) => (given ? readNext() : leave(chunk)));
    }

    function begin(request: PlainPost | PlainGet): void {
      answering = true;
      closes = request.closes || !keepsAlive();
    }

    function queue(chunk: Buffer): void {
      waiting = waiting === null ? chunk : Buffer.concat([waiting, chunk]);
      if (waiting.length > MAX_HEAD_BYTES) socket.pause();
    }

    function sendFile(file: CachedFile, requestId: string): void {
      const { head, body } = encodeFile(file, requestId, commonHeaders(closes));
      if (body === null) socket.write(head, 'latin1');
      else {
        socket.cork();
        socket.write(head, 'latin1');
        socket.write(body);
        socket.uncork();
      }
    }

    function readNext(): void {
      response = null;
      if (socket.destroyed) return;
      if (closes) return socket.destroySoon();
      // The next request waits until the client has read the responses to the earlier requests.
      if (socket.writableNeedDrain) return void socket.once('drain', readNext);
      answering = false;
      if (waiting === null) return;
      const next = waiting;
      waiting = null;
      socket.resume();
      read(next);
    }

    function leave(chunk: Buffer): void {
      forget();
      if (socket.destroyed) return;
      // The client has ended its side, and Node's server would not answer.
      if (socket.readableEnded) return void socket.destroy();
      socket.unshift(waiting === null ? chunk : Buffer.concat([chunk, waiting]));
      pass(socket);
      socket.resume();
    }

    function forget(): void {
      connections.delete(socket);
      socket.setTimeout(0);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
    }

    const listeners = {
      data: read,
      end() {
        closes = true;
        // A half-closed client is treated as gone during a POST request; TCP cannot tell the two apart.
        if (!answering || response !== null) socket.end();
      },
      timeout() {
        // A POST request has no time limit here.
        if (response === null) socket.destroy();
      },
      // The 'close' event follows.
      error: () => undefined,
      drain: () => void response?.emit('drain'),
      close() {
        forget();
        response?.emit('close');
      },
    };
    connections.set(socket, () => !answering && socket.writableLength === 0);
    socket.setTimeout(keepAliveMs + GRACE_MS);
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
  }

  return {
    receive,
    closeIdle() {
      for (const [socket, isIdle] of connections) if (isIdle()) socket.destroy();
    },
    closeAll() {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}
