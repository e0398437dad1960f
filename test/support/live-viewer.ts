// A viewer of the live view without a screen: it sends the four requests of the bridge and records the
// stream.
import { getRequestListener } from '@hono/node-server';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { startHttpServer } from './http-server.ts';
import { createTestApp, type Options, type TestApp, type TestUser } from './test-app.ts';

interface Bridge {
  base: string;
  /** The origin of the portal. */
  origin: string;
}

export interface LiveGateway extends Bridge {
  app: TestApp;
  close(): Promise<void>;
}

/** Opens the application behind a real socket, with real browsers. */
export async function openLiveGateway(options: Options = {}): Promise<LiveGateway> {
  const server = await startHttpServer();
  const base = `http://localhost:${server.port}`;
  const app = await createTestApp({
    browsers: true,
    ...options,
    ports: { clock: createSystemClock(), ...options.ports },
    env: { SERVER_PUBLIC_URL: base, ...options.env },
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.answer((request, response) => void listener(request, response));
  return {
    base,
    origin: new URL(app.deps.config.SERVER_PUBLIC_URL).origin,
    app,
    async close() {
      await app.close();
      await server.close();
    },
  };
}

/** Shorter than the time-out of a test, so that a failure names the message that did not come. */
const PATIENCE_MS = 20_000;

/** A message from the browser. */
export interface Said {
  id?: number;
  method?: string;
  // Chromium defines these shapes, and only tests read them.
  params?: any; // oxlint-disable-line typescript/no-explicit-any
  result?: any; // oxlint-disable-line typescript/no-explicit-any
  error?: { code: number; message: string };
  sessionId?: string;
}

export interface Stream {
  status: number;
  headers: Headers;
  /** The names of events in order; a comment appears as `:`. */
  events: string[];
  said: Said[];
  /** The reason in the `closed` event, or null when the stream ended without one. */
  readonly closed: Promise<string | null>;
  /** Resolves with the first message that passes, among past and future messages. */
  wait(passes: (said: Said) => boolean, what?: string): Promise<Said>;
  drop(): void;
}

export interface Viewer {
  key: string;
  headers: Record<string, string>;
  post(
    path: 'attach' | 'commands' | `commands?${string}` | 'detach',
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<Response>;
  attach(): Promise<void>;
  listen(headers?: Record<string, string | undefined>): Promise<Stream>;
  /** Opens a stream that is attached and listening. */
  open(): Promise<Stream>;
  /** Sends one command and returns its response. */
  ask(stream: Stream, method: string, params?: object, sessionId?: string): Promise<Said>;
  click(stream: Stream, at: { x: number; y: number }): Promise<void>;
}

export function createViewer(
  { base, origin }: Bridge,
  user: Pick<TestUser, 'sessionHeader'>,
  prefix = '/api/browser-session/cdp',
): Viewer {
  let count = 0;

  function given(more: Record<string, string | undefined>): Headers {
    const all = { ...viewer.headers, origin, 'content-type': 'application/json', ...more };
    return new Headers(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])) as [
        string,
        string,
      ][],
    );
  }

  const viewer: Viewer = {
    key: '',
    headers: { ...user.sessionHeader },
    post: (path, body, headers = {}) =>
      fetch(`${base}${prefix}/${path}`, {
        method: 'POST',
        headers: given(headers),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async attach() {
      const response = await viewer.post('attach');
      if (response.status !== 201) throw new Error(`attach answered ${response.status}`);
      const { sessionKey } = (await response.json()) as { sessionKey: string };
      viewer.key = sessionKey;
      viewer.headers['x-browser-session'] = sessionKey;
    },
    listen: (headers = {}) => openStream(`${base}${prefix}/events`, given(headers)),
    async open() {
      await viewer.attach();
      return viewer.listen();
    },
    async ask(stream, method, params = {}, sessionId) {
      const id = ++count;
      const command = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) };
      for (;;) {
        const response = await viewer.post('commands', command);
        if (response.status === 202) break;
        if (response.status !== 409)
          throw new Error(`commands answered ${response.status}: ${await response.text()}`);
      }
      return stream.wait((said) => said.id === id, method);
    },
    async click(stream, at) {
      for (const [type, button, clickCount] of [
        ['mouseMoved', 'none', 0],
        ['mousePressed', 'left', 1],
        ['mouseReleased', 'left', 1],
      ] as const)
        await viewer.ask(stream, 'Input.dispatchMouseEvent', { type, ...at, button, clickCount });
    },
  };
  return viewer;
}

async function openStream(url: string, headers: Headers): Promise<Stream> {
  const dropping = new AbortController();
  const response = await fetch(url, { headers, signal: dropping.signal });
  const events: string[] = [];
  const said: Said[] = [];
  const looking = new Set<() => void>();
  const closed = Promise.withResolvers<string | null>();

  function take(block: string): void {
    if (block.startsWith(':')) return void events.push(':');
    const [, event = '', data = ''] = /^event: (.*)\ndata: ([^]*)$/.exec(block) ?? [];
    events.push(event);
    if (event === 'cdp') said.push(JSON.parse(data) as Said);
    if (event === 'closed') closed.resolve((JSON.parse(data) as { reason: string }).reason);
    for (const look of looking) look();
  }

  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    }
  }
  if (response.status === 200)
    void read()
      .catch(() => {})
      .finally(() => closed.resolve(null));

  return {
    status: response.status,
    headers: response.headers,
    events,
    said,
    closed: closed.promise,
    wait(passes, what = 'a message') {
      const found = Promise.withResolvers<Said>();
      const look = () => {
        const one = said.find(passes);
        if (one !== undefined) found.resolve(one);
      };
      looking.add(look);
      look();
      const ended = closed.promise.then((reason) => {
        throw new Error(`the stream was closed (${reason}) before ${what}`);
      });
      const late = setTimeout(() => {
        const last = said.slice(-20).map(({ id, method }) => method ?? `answer ${id}`);
        found.reject(new Error(`${what} did not come; the stream said last: ${last.join(', ')}`));
      }, PATIENCE_MS);
      return Promise.race([found.promise, ended]).finally(() => {
        clearTimeout(late);
        looking.delete(look);
      });
    },
    drop: () => dropping.abort(),
  };
}
