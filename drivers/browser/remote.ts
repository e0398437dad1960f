// The browser port on a Chromium elsewhere: a browser context for each user, over one connection. decision: 073
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, BrowserStartFailed } from '../../src/ports/browser.ts';
import { type CdpConnection, createCdpConnection, type Listener, type Send } from './connection.ts';
import { type DevtoolsSocket, openDevtoolsSocket } from './devtools-socket.ts';
import { keepCookies, restoreCookies } from './kept-cookies.ts';
import { type TargetInfo, watchAll } from './pages.ts';
import { createPerPerson, type PerPersonOptions } from './per-person.ts';
import { type ChromiumSession, startSession } from './session.ts';

/** What one browser context may use of the gateway's proxy. */
export interface ProxyPass {
  /** host:port, as the browser elsewhere reaches the proxy. */
  address: string;
  username: string;
  password: string;
  /** An address that the proxy itself answers once it knows the password. */
  greeting: string;
  revoke(): void;
}

export interface RemoteOptions extends Omit<PerPersonOptions, 'open'> {
  /** The debugging address: http, https, ws or wss. */
  url: string;
  locate: (host: string) => Promise<string>;
  /** Makes a password of its own for each context. */
  proxy: () => Promise<ProxyPass>;
  /** How often the cookies of a running browser are written. */
  keepMs?: number;
}

interface Remote {
  connection: CdpConnection;
  userAgent: string;
  closed: Promise<void>;
  /** Passes the events of one browser context to the listener. */
  listen(contextId: string, listener: Listener): () => void;
  close(): void;
}

const ANSWER_MS = 5_000;
const KEEP_MS = 30_000;
const GREETED_MS = 10_000;
const SCREEN = { width: 1280, height: 800, deviceScaleFactor: 2, mobile: false };
// The proxy carries no UDP, and flags that keep WebRTC in the proxy belong to whoever starts the browser.
const NO_WEBRTC =
  'for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel"]) delete globalThis[name];';
const OF_A_CONTEXT = new Set([
  'Browser.setDownloadBehavior',
  'Storage.getCookies',
  'Storage.setCookies',
  'Target.createTarget',
]);

export function createRemoteChromium({
  url,
  locate,
  proxy,
  keepMs = KEEP_MS,
  ...others
}: RemoteOptions): Browser {
  let remote: Promise<Remote> | null = null;

  /** Returns the connection, and makes another one where the browser has been started again. */
  async function connect(): Promise<Remote> {
    const known = await remote?.catch(() => null);
    if (known && (await answers(known.connection))) return known;
    known?.close();
    const next = openRemote(url, locate);
    remote = next;
    const forget = () => {
      if (remote === next) remote = null;
    };
    next.then(({ closed }) => closed.then(forget), forget);
    return next;
  }

  let connecting: Promise<unknown> = Promise.resolve();
  /** One after the other, so that people who start at once share a connection. */
  function connectInTurn(): Promise<Remote> {
    const next = connecting.then(connect);
    connecting = next.catch(() => {});
    return next;
  }

  const browser = createPerPerson({
    ...others,
    async open(profile, name) {
      const pass = await proxy();
      return connectInTurn()
        .then((found) => openContext(found, { profile, name, pass, keepMs }))
        .catch((error: unknown) => {
          pass.revoke();
          throw error;
        });
    },
  });
  return {
    ...browser,
    async close() {
      await browser.close();
      (await remote?.catch(() => null))?.close();
    },
  };
}

async function answers(connection: CdpConnection): Promise<boolean> {
  const asked = connection
    .to()('Browser.getVersion')
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, sleep(ANSWER_MS, false, { ref: false })]);
}

async function openRemote(url: string, locate: RemoteOptions['locate']): Promise<Remote> {
  const connection: CdpConnection = createCdpConnection(() => socket);
  const socket: DevtoolsSocket = await openDevtoolsSocket(url, locate, (message) =>
    connection.receive(message),
  );
  const closed = socket.closed.then(() => connection.end('the connection to the browser has ended'));
  const browser = connection.to();
  const contexts = new Map<string, Listener>();
  /** The contexts by target. Some events name the target only. */
  const targets = new Map<string, string>();

  const listenerOf = (contextId: string | undefined) =>
    contextId === undefined ? undefined : contexts.get(contextId);

  /** Another gateway, or a page of the browser's own, uses this target. It waits for everyone who attached. */
  async function leave(sessionId: string): Promise<void> {
    await connection
      .to(sessionId)('Runtime.runIfWaitingForDebugger')
      .catch(() => {});
    await browser('Target.detachFromTarget', { sessionId }).catch(() => {});
  }

  connection.listen(null, (method, params) => {
    // Chromium's protocol defines the fields of these events.
    const event = params as {
      sessionId: string;
      targetId?: string;
      frameId?: string;
      targetInfo?: TargetInfo;
    };
    const { targetInfo } = event;
    if (targetInfo !== undefined) {
      const { browserContextId, targetId } = targetInfo;
      const listener = listenerOf(browserContextId);
      if (listener === undefined) {
        if (method === 'Target.attachedToTarget') void leave(event.sessionId);
        return;
      }
      if (browserContextId !== undefined) targets.set(targetId, browserContextId);
      return listener(method, params);
    }
    // The frame of a page has the id of its target.
    const targetId = event.targetId ?? event.frameId ?? '';
    const listener = listenerOf(targets.get(targetId));
    if (method === 'Target.targetDestroyed') targets.delete(targetId);
    listener?.(method, params);
  });

  try {
    const { userAgent } = await browser('Browser.getVersion');
    await watchAll(browser);
    return {
      connection,
      closed,
      // Some sites turn away browsers that say they are headless.
      userAgent: userAgent.replace('HeadlessChrome', 'Chrome'),
      listen(contextId, listener) {
        contexts.set(contextId, listener);
        return () => void contexts.delete(contextId);
      },
      close: () => socket.close(),
    };
  } catch (cause) {
    socket.close();
    throw new BrowserStartFailed('The browser of BROWSER_URL does not answer as Chromium does.', { cause });
  }
}

interface ContextOptions {
  profile: string;
  name: string;
  pass: ProxyPass;
  keepMs: number;
}

async function openContext(
  remote: Remote,
  { profile, name, pass, keepMs }: ContextOptions,
): Promise<ChromiumSession> {
  const { connection, userAgent } = remote;
  const root = connection.to();
  const { browserContextId } = await root('Target.createBrowserContext', {
    // Chromium ends the context when this connection ends, also where the gateway was killed.
    disposeOnDetach: true,
    proxyServer: `http://${pass.address}`,
    // Requests to loopback addresses go through the proxy too.
    proxyBypassList: '<-loopback>',
  });
  const ended = Promise.withResolvers<void>();
  let isOver = false;
  const own = ofContext(connection, browserContextId);
  let stopListening = (): void => {};
  const browser = own.connection.to();
  let keeping: Promise<void> = Promise.resolve();
  const keep = () => (keeping = keeping.then(() => keepCookies(profile, browser)));
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    stopListening();
    pass.revoke();
    own.connection.end('the browser has ended');
    ended.resolve();
  }

  async function quit(): Promise<void> {
    // Without a timer the cookies have not been restored, and nothing may take their place.
    if (timer !== undefined) await keep().catch(() => {});
    clearInterval(timer);
    await root('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
    end();
  }

  void remote.closed.then(end);
  try {
    await greetProxy(remote, browserContextId, pass);
    await restoreCookies(profile, browser);
    stopListening = remote.listen(browserContextId, own.tell);
    timer = setInterval(() => void keep().catch(() => {}), keepMs);
    timer.unref();
  } catch (cause) {
    await quit();
    throw new BrowserStartFailed(
      `The browser of BROWSER_URL could not reach the gateway's proxy at ${pass.address}: check BROWSER_PROXY_URL.`,
      { cause },
    );
  }
  return startSession(
    {
      connection: own.connection,
      userAgent,
      closed: ended.promise,
      kill: end,
      quit,
      startFailed: (cause) =>
        new BrowserStartFailed('The browser of BROWSER_URL did not open a page.', { cause }),
      begin: (send) => send('Target.createTarget', { url: 'about:blank' }),
      prepare: (send, isPage) => [
        send('Emulation.setUserAgentOverride', { userAgent }),
        send('Page.addScriptToEvaluateOnNewDocument', { source: NO_WEBRTC, runImmediately: true }),
        ...(isPage ? [send('Emulation.setDeviceMetricsOverride', SCREEN)] : []),
      ],
    },
    name,
  );
}

/** Sees the whole browser as if the context were all of it. */
function ofContext(connection: CdpConnection, browserContextId: string) {
  let listener: Listener | undefined;
  let ended: string | null = null;
  const root = connection.to();
  const send = (method: Parameters<Send>[0], params?: object) => {
    if (ended !== null) return Promise.reject(new Error(`[chromium] ${method}: ${ended}`));
    // The protocol takes the id beside the other parameters of these methods.
    return root(method, (OF_A_CONTEXT.has(method) ? { ...params, browserContextId } : params) as never);
  };
  const view: CdpConnection = {
    ...connection,
    // Playwright's types name the parameters and the result of each method; both pass unchanged.
    to: (sessionId) => (sessionId === undefined ? (send as Send) : connection.to(sessionId)),
    listen(sessionId, next) {
      if (sessionId === null) listener = next;
      else connection.listen(sessionId, next);
    },
    end: (reason) => void (ended = reason),
  };
  const tell: Listener = (method, params) => listener?.(method, params);
  return { connection: view, tell };
}

/**
 * Opens a page of the proxy, and gives its password when it asks. Chromium then sends the password by itself in this
 * context, also for workers and frames.
 */
async function greetProxy(
  remote: Remote,
  browserContextId: string,
  { greeting, username, password }: ProxyPass,
): Promise<void> {
  const { connection } = remote;
  const root = connection.to();
  const attached = Promise.withResolvers<string>();
  const stopListening = remote.listen(browserContextId, (method, params) => {
    // Chromium's protocol defines the fields of this event.
    if (method === 'Target.attachedToTarget') attached.resolve((params as { sessionId: string }).sessionId);
  });
  const { targetId } = await root('Target.createTarget', { url: 'about:blank', browserContextId });
  const sessionId = await attached.promise;
  const send = connection.to(sessionId);
  const greeted = Promise.withResolvers<void>();
  connection.listen(sessionId, (method, params) => {
    // Chromium's protocol defines the fields of these events.
    const { requestId, authChallenge, responseStatusCode } = params as {
      requestId: string;
      authChallenge?: { source?: string };
      responseStatusCode?: number;
    };
    if (method === 'Fetch.authRequired') {
      const isProxy = authChallenge?.source === 'Proxy';
      const authChallengeResponse = isProxy
        ? { response: 'ProvideCredentials' as const, username, password }
        : { response: 'CancelAuth' as const };
      void send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
    }
    if (method !== 'Fetch.requestPaused') return;
    if (responseStatusCode === 204) greeted.resolve();
    else if (responseStatusCode !== undefined)
      greeted.reject(new Error(`the proxy answered ${responseStatusCode}`));
    void send('Fetch.continueRequest', { requestId }).catch(() => {});
  });
  try {
    const stages = [{ requestStage: 'Request' as const }, { requestStage: 'Response' as const }];
    await send('Fetch.enable', { handleAuthRequests: true, patterns: stages });
    await send('Runtime.runIfWaitingForDebugger');
    const patience = new AbortController();
    const late = sleep(GREETED_MS, undefined, { signal: patience.signal, ref: false }).then(() => {
      throw new Error('the proxy was not reached in time');
    });
    late.catch(() => {});
    const gone = send('Page.navigate', { url: greeting }).then(({ errorText }) => {
      // A page that answers 204 is not loaded, and Chromium calls that aborted.
      if (errorText !== undefined && errorText !== 'net::ERR_ABORTED') throw new Error(errorText);
      return greeted.promise;
    });
    await Promise.race([Promise.all([gone, greeted.promise]), late]).finally(() => patience.abort());
  } finally {
    stopListening();
    connection.forget(sessionId);
    await root('Target.closeTarget', { targetId }).catch(() => {});
  }
}
