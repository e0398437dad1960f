// Connections as they come in. Plain calls of machines, and plain requests for files of jots that memory has, are read and
// answered here, at half the price of Node's HTTP server. At the first request of another kind a connection is the server's,
// for good.
import type { Socket } from 'node:net';
import type { CachedFile } from '../../../src/jots/serving/cached-file.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { JotFiles } from './jot-files.ts';
import { createLastLines } from './common-headers.ts';
import { PlainAnswer } from './plain-answer.ts';
import { type PlainCall, plainCall } from './parse-post.ts';
import { MOST_BYTES } from './plain-head.ts';
import { plainRead, type PlainRead } from './plain-read.ts';
import { createWireForms } from './encoded-file.ts';

export interface Front {
  receive(socket: Socket): void;
  /** Those on which nothing is asked or being sent. */
  closeIdle(): void;
  closeAll(): void;
}

export interface Behind {
  /** Has the app answer. */
  call: (call: PlainCall, answer: PlainAnswer) => void;
  /** Hands a connection to the server. */
  pass: (socket: Socket) => void;
  keepsAlive: () => boolean;
  keepAliveMs: number;
}

const GRACE_MS = 1_000;

export function createFront(
  jotFiles: JotFiles,
  clock: Pick<Clock, 'now'>,
  { call, pass, keepsAlive, keepAliveMs }: Behind,
): Front {
  /** Each with whether it is idle. */
  const connections = new Map<Socket, () => boolean>();
  const wireForm = createWireForms();
  const lastLines = createLastLines(clock, keepAliveMs);

  function receive(socket: Socket): void {
    let answering = false;
    /** The connection ends with what is being answered. */
    let closes = false;
    /** What has come since the request that is being answered. */
    let held: Buffer | null = null;
    /** To the call that is being answered. */
    let answer: PlainAnswer | null = null;
    const line = { socket, lastLines: () => lastLines(closes), done: goOn };

    function read(chunk: Buffer): void {
      if (answering) return hold(chunk);
      const called = plainCall(chunk, socket);
      if (called !== null) {
        begin(called);
        answer = new PlainAnswer(line, called);
        return call(called, answer);
      }
      const asked = plainRead(chunk);
      if (asked === null) return leave(chunk);
      begin(asked);
      void jotFiles.give(asked, send).then((given) => (given ? goOn() : leave(chunk)));
    }

    function begin(request: PlainCall | PlainRead): void {
      answering = true;
      closes = request.closes || !keepsAlive();
    }

    function hold(chunk: Buffer): void {
      held = held === null ? chunk : Buffer.concat([held, chunk]);
      if (held.length > MOST_BYTES) socket.pause();
    }

    function send(file: CachedFile): void {
      const { head, body } = wireForm(file, lastLines(closes));
      if (body === null) socket.write(head);
      else {
        socket.cork();
        socket.write(head);
        socket.write(body);
        socket.uncork();
      }
    }

    function goOn(): void {
      answer = null;
      if (socket.destroyed) return;
      if (closes) return socket.destroySoon();
      // Who does not read what it has asked for is not heard before.
      if (socket.writableNeedDrain) return void socket.once('drain', goOn);
      answering = false;
      if (held === null) return;
      const next = held;
      held = null;
      socket.resume();
      read(next);
    }

    function leave(chunk: Buffer): void {
      forget();
      if (socket.destroyed) return;
      // Nobody is left whom the server would answer.
      if (socket.readableEnded) return void socket.destroy();
      socket.unshift(held === null ? chunk : Buffer.concat([chunk, held]));
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
        // Who waits for a call and says no more has gone: nobody tells that from one who only ends the sending.
        if (!answering || answer !== null) socket.end();
      },
      timeout() {
        // A call takes as long as it takes.
        if (answer === null) socket.destroy();
      },
      // What follows is its close.
      error: () => undefined,
      drain: () => void answer?.emit('drain'),
      close() {
        forget();
        answer?.emit('close');
      },
    };
    connections.set(socket, () => !answering && socket.writableLength === 0);
    // What its client sends at the last moment may be on its way.
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
