// Connects to the debugging address of a browser elsewhere, by the same messages that the pipe carries. decision: 073
import { WebSocket } from 'undici';
import { BrowserStartFailed } from '../../src/ports/browser.ts';
import type { Message, Pipe } from './pipe.ts';

export interface DevtoolsSocket extends Pipe {
  /** Settles when the connection has ended, for any reason. */
  closed: Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
const encoder = new TextEncoder();

/**
 * `locate` returns an address of a host. Chromium answers only requests that name an address or localhost, so the name of
 * another host is not sent without TLS.
 */
export async function openDevtoolsSocket(
  given: string,
  locate: (host: string) => Promise<string>,
  onMessage: (message: Message) => void,
): Promise<DevtoolsSocket> {
  const url = new URL(given);
  const shown = url.host;
  try {
    if (!/^(https|wss):$/.test(url.protocol)) url.hostname = asHost(await locate(url.hostname));
    const socket = new WebSocket(url.protocol.startsWith('http') ? await findSocket(url) : url);
    const closed = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const late = setTimeout(() => opened.reject(new Error('no answer in time')), CONNECT_MS);
    socket.addEventListener('open', () => opened.resolve());
    socket.addEventListener('error', ({ error }) => opened.reject(error ?? new Error('no connection')));
    socket.addEventListener('close', () => {
      opened.reject(new Error('the connection was closed'));
      closed.resolve();
    });
    // Chromium sends text only.
    socket.addEventListener('message', ({ data }) => onMessage(encoder.encode(String(data))));
    await opened.promise
      .finally(() => clearTimeout(late))
      .catch((error: unknown) => {
        socket.close();
        throw error;
      });
    return {
      closed: closed.promise,
      write(message) {
        if (socket.readyState === WebSocket.OPEN) socket.send(message);
      },
      close: () => socket.close(),
    };
  } catch (cause) {
    // The address may hold a token.
    throw new BrowserStartFailed(
      `The browser at ${shown} of BROWSER_URL cannot be reached. Start Chromium there with --remote-debugging-port, and check the network between.`,
      { cause },
    );
  }
}

/** Asks which address speaks the protocol. The answer names a host as the browser sees it, so only its path counts. */
async function findSocket(url: URL): Promise<URL> {
  const asked = new URL(url);
  asked.pathname = `${url.pathname.replace(/\/+$/, '')}/json/version`;
  const response = await fetch(asked, { signal: AbortSignal.timeout(CONNECT_MS), redirect: 'error' });
  const { webSocketDebuggerUrl: found } = Object(await response.json());
  if (typeof found !== 'string') throw new Error('the answer names no webSocketDebuggerUrl');
  const socket = new URL(url);
  const { pathname, search } = new URL(found);
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  socket.pathname = pathname;
  if (search !== '') socket.search = search;
  return socket;
}

const asHost = (address: string): string => (address.includes(':') ? `[${address}]` : address);
