// Opens a channel to the browser: a stream of its messages, and the commands sent to it.
// reference: Live view
import { ApiError } from '../../api/client.ts';
import { type Attached, openEvents, postCommands } from '../../api/live.ts';
import type { Command, Params } from './commands.ts';
import { createSendQueue } from './send-queue.ts';
import { readEvents } from './sse.ts';

/** The gateway sends a keep-alive every 15 s. After three missing ones the connection is dead. */
const MAX_SILENCE_MS = 45_000;

export interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
  sessionId?: string;
}

/** The gateway reports `closed`; `dropped` means that the connection broke. */
export type End =
  | { reason: 'closed'; data: string }
  | { reason: 'dropped' }
  | { reason: 'refused'; error: ApiError };

export interface Channel {
  send: (method: string, params?: Params, sessionId?: string) => void;
  /** Returns the browser's result. Rejects when the browser refuses or the channel ends first. */
  call: (method: string, params?: Params, sessionId?: string) => Promise<unknown>;
  close: () => void;
}

interface Listeners {
  onReady: () => void;
  onMessage: (message: Message) => void;
  onBusy: () => void;
  onEnd: (end: End) => void;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export function openChannel(attached: Attached, { onReady, onMessage, onBusy, onEnd }: Listeners): Channel {
  const abort = new AbortController();
  const waiting = new Map<number, Waiting>();
  let newestId = 0;
  let heard = performance.now();
  let ended = false;

  const sendQueue = createSendQueue({
    maxBatch: attached.maxBatch,
    post: (batch) => postCommands(attached, batch),
    isBusy: (error) => error instanceof ApiError && error.status === 409,
    onBusy,
    onFailed: (error) => end(endOf(error)),
  });
  const watch = setInterval(() => {
    if (performance.now() - heard > MAX_SILENCE_MS) end({ reason: 'dropped' });
  }, MAX_SILENCE_MS / 9);

  function end(how: End | null): void {
    if (ended) return;
    ended = true;
    clearInterval(watch);
    sendQueue.stop();
    abort.abort();
    for (const { reject } of waiting.values()) reject(new Error('the channel has ended'));
    if (how !== null) onEnd(how);
  }

  function receive(data: string): void {
    // The gateway relays the browser's messages, and the browser follows its protocol.
    const message = JSON.parse(data) as Message;
    if (message.id === undefined) return onMessage(message);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(message.error.message));
  }

  async function listen(): Promise<void> {
    try {
      for await (const { event, data } of readEvents(await openEvents(attached, abort.signal))) {
        if (ended) return;
        heard = performance.now();
        if (event === 'ready') onReady();
        else if (event === 'cdp') receive(data);
        else if (event === 'closed') return end({ reason: 'closed', data });
      }
      end({ reason: 'dropped' });
    } catch (error) {
      end(endOf(error));
    }
  }
  void listen();

  function commandOf(method: string, params: Params, sessionId: string | undefined): Command {
    newestId += 1;
    const command = { id: newestId, method, params };
    return sessionId === undefined ? command : { ...command, sessionId };
  }

  function call(method: string, params: Params = {}, sessionId?: string): Promise<unknown> {
    const command = commandOf(method, params, sessionId);
    const answer = new Promise<unknown>((resolve, reject) => {
      if (ended) reject(new Error('the channel has ended'));
      else waiting.set(command.id, { resolve, reject });
    });
    // The gateway carries out its own commands itself. Later input could overtake them, so the queue waits for them.
    sendQueue.add(command, method.startsWith('LiveView.') ? answer : undefined);
    return answer;
  }

  return {
    send(method, params = {}, sessionId) {
      if (method.startsWith('LiveView.')) void call(method, params, sessionId).catch(() => undefined);
      else sendQueue.add(commandOf(method, params, sessionId));
    },
    call,
    close: () => end(null),
  };
}

// No response means that the network is gone. It may come back.
function endOf(error: unknown): End {
  return error instanceof ApiError && error.status !== 0
    ? { reason: 'refused', error }
    : { reason: 'dropped' };
}
