// Talks to one Chromium: commands with answers for the guard, raw bytes for a viewer's sessions.
import type { CDPSession } from 'playwright-core';
import { type Message, type Pipe, sessionOf } from './pipe.ts';

/** The protocol's types, as Playwright publishes them. */
export type Send = CDPSession['send'];
/** The parameters of an event are checked where they are used. */
export type Listener = (method: string, params: unknown) => void;

export interface CdpConnection {
  /** Sends a command to the browser itself, or to one session. */
  to(sessionId?: string): Send;
  /** Listens to the events of one of the guard's sessions; `null` means the browser itself. */
  listen(sessionId: string | null, listener: Listener): void;
  forget(sessionId: string): void;
  /** Passes every message of this session to the receiver without parsing it. */
  relay(sessionId: string, receiver: (message: Message) => void): void;
  /** Sends a viewer's command, which keeps its own id. */
  pass(command: { id: number; method: string; params: object; sessionId: string }): void;
  receive(message: Message): void;
  /** Fails every command that still waits for an answer. */
  end(reason: string): void;
}

interface Waiting {
  method: string;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Parsed {
  id?: number;
  result?: unknown;
  error?: { message: string };
  method?: string;
  params?: unknown;
}

export function createCdpConnection(pipe: () => Pipe): CdpConnection {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string | null, Listener>();
  const relays = new Map<string, (message: Message) => void>();
  let count = 0;
  let ended: string | null = null;

  function send(sessionId: string | undefined, method: string, params: object | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (ended !== null) return reject(new Error(`[chromium] ${method}: ${ended}`));
      const id = ++count;
      waiting.set(id, { method, resolve, reject });
      pipe().write(JSON.stringify({ id, method, params, sessionId }));
    });
  }

  return {
    // Playwright's types name the method's parameters and result; both are passed through unchanged.
    to: (sessionId) => ((method: string, params?: object) => send(sessionId, method, params)) as Send,
    listen: (sessionId, listener) => void listeners.set(sessionId, listener),
    forget(sessionId) {
      listeners.delete(sessionId);
      relays.delete(sessionId);
    },
    relay: (sessionId, receiver) => void relays.set(sessionId, receiver),
    pass(command) {
      if (ended === null) pipe().write(JSON.stringify(command));
    },
    receive(message) {
      const sessionId = sessionOf(message);
      const receiver = sessionId === null ? undefined : relays.get(sessionId);
      if (receiver !== undefined) return receiver(message);
      const { id, result, error, method, params } = JSON.parse(
        Buffer.from(message).toString('utf8'),
      ) as Parsed;
      if (method !== undefined) return listeners.get(sessionId)?.(method, params);
      const asked = id === undefined ? undefined : waiting.get(id);
      if (id === undefined || asked === undefined) return;
      waiting.delete(id);
      if (error === undefined) asked.resolve(result);
      else asked.reject(new Error(`[chromium] ${asked.method}: ${error.message}`));
    },
    end(reason) {
      ended = reason;
      for (const { method, reject } of waiting.values()) reject(new Error(`[chromium] ${method}: ${reason}`));
      waiting.clear();
    },
  };
}
