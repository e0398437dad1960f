// One running Chromium: the guard over its pages, its cookies, and the channel of its viewer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserChannel, BrowserCookie, BrowserSession } from '../../src/ports/browser.ts';
import { createAssistant } from './assistant.ts';
import { type Channel, openChannel } from './channel.ts';
import { type CdpConnection, createCdpConnection, type Send } from './connection.ts';
import { type Launch, launchChromium, startFailed } from './launch.ts';
import { createPages, type PageSetup } from './pages.ts';

export interface ChromiumSession extends BrowserSession {
  /** When the browser was last used, in milliseconds of the monotonic clock. */
  usedAt(): number;
  /** The browser has been asked to end. */
  isEnding(): boolean;
  /** Deletes the cookies of these domains. Rejects when the browser keeps some of them. */
  forget(domains: readonly string[]): Promise<void>;
}

const START_MS = 30_000;
const NAVIGATE_MS = 10_000;
const SWAP_MS = 250;
const END_MS = 3_000;

/** What a session drives: a process of this machine, or a part of a browser elsewhere. */
export interface Driven extends PageSetup {
  connection: CdpConnection;
  userAgent: string;
  /** Settles when the browser has ended. The connection has ended before. */
  closed: Promise<void>;
  kill(): void;
  /** Asks the browser to end by itself. */
  quit(): Promise<unknown>;
  /** Turns the reason of a start that failed into an error for the operator. */
  startFailed(cause: unknown): Error;
}

/** `profile` is the name of the profile, and `launch.profile` its folder. */
export function openSession(launch: Omit<Launch, 'onMessage'>, profile: string): Promise<ChromiumSession> {
  const connection = createCdpConnection(() => chromium.pipe);
  const chromium = launchChromium({ ...launch, onMessage: (message) => connection.receive(message) });
  return startSession(
    {
      connection,
      userAgent: launch.userAgent,
      closed: chromium.exited.then(() => connection.end('the browser has ended')),
      kill: () => chromium.kill(),
      // Chromium writes persistent cookies to disk by itself; session cookies end with the process.
      quit: () => connection.to()('Browser.close'),
      startFailed: (cause) => Object.assign(startFailed(launch.path, chromium.lastWords()), { cause }),
    },
    profile,
  );
}

export async function startSession(driven: Driven, profile: string): Promise<ChromiumSession> {
  const { connection, closed, userAgent } = driven;
  let used = performance.now();
  let ending = false;
  let channel: Channel | null = null;
  /** Settles when the channel that was requested last is open. */
  let opening: Promise<unknown> = Promise.resolve();
  const assistant = createAssistant(connection, (page, method, params) =>
    channel?.tell(page, method, params),
  );
  const pages = createPages(
    connection,
    {
      onFrameEvent: assistant.onFrameEvent,
      onDownload: (url, name) => channel?.tell(null, 'LiveView.download', { url, name }),
    },
    driven,
  );
  const browser = connection.to();

  const tooLate = setTimeout(() => driven.kill(), START_MS);
  try {
    await Promise.race([pages.start(), closed.then(() => Promise.reject(new Error('[chromium] it ended')))]);
  } catch (cause) {
    driven.kill();
    await closed;
    throw driven.startFailed(cause);
  } finally {
    clearTimeout(tooLate);
  }

  async function openNext(listener: Parameters<ChromiumSession['openChannel']>[0]): Promise<BrowserChannel> {
    used = performance.now();
    channel?.close();
    const own = await openChannel({ connection, pages, assistant, userAgent }, listener);
    channel = own;
    return {
      announce: () => own.announce(),
      send(command) {
        used = performance.now();
        own.send(command);
      },
      close: () => own.close(),
    };
  }

  return {
    userAgent,
    profile,
    closed,
    usedAt: () => used,
    isEnding: () => ending,

    async navigate(url) {
      used = performance.now();
      const page = pages.active();
      if (page === null) return void (await browser('Target.createTarget', { url }));
      const send = connection.to(page.frame.sessionId);
      page.leaving = true;
      if (page.dialog !== null) await send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
      // A viewer that attaches while the page still loads may get no answer, so the site has some time to respond.
      const patience = new AbortController();
      const gone = go(send, url).catch(() => {});
      await Promise.race([gone, sleep(NAVIGATE_MS, undefined, { signal: patience.signal }).catch(() => {})]);
      patience.abort();
    },

    async cookies() {
      used = performance.now();
      const { cookies } = await browser('Storage.getCookies', {});
      return cookies.map(({ name, value, domain, path, expires, secure, httpOnly, sameSite }) => ({
        name,
        value,
        domain,
        path,
        expires,
        secure,
        httpOnly,
        ...(sameSite === undefined ? {} : { sameSite }),
      }));
    },

    async setCookies(cookies) {
      used = performance.now();
      const given = cookies.map(asGiven);
      try {
        await browser('Storage.setCookies', { cookies: given });
      } catch {
        // If Chromium refuses one cookie, it sets none of them.
        const apart = given.map((cookie) => browser('Storage.setCookies', { cookies: [cookie] }));
        const refused = (await Promise.allSettled(apart)).filter((each) => each.status === 'rejected');
        const [first] = refused;
        if (first === undefined) return;
        const what = `${refused.length} of ${given.length} cookies`;
        throw new Error(`[chromium] did not take ${what}`, { cause: first.reason });
      }
    },

    async forget(domains) {
      const find = async () => {
        const { cookies } = await browser('Storage.getCookies', {});
        return cookies.filter(({ domain }) => domains.some((own) => isRelated(domain, own)));
      };
      // A cookie that has expired is deleted as it is set.
      const over = (await find()).map(({ name, domain, path, secure, partitionKey }) => ({
        ...asGiven({ name, value: '', domain, path, secure, expires: 1, httpOnly: false }),
        ...(partitionKey === undefined ? {} : { partitionKey }),
      }));
      if (over.length === 0) return;
      await browser('Storage.setCookies', { cookies: over });
      const left = (await find()).length;
      if (left > 0) throw new Error(`[chromium] kept ${left} of ${over.length} cookies`);
    },

    openChannel(listener) {
      const next = opening.then(() => openNext(listener));
      opening = next.catch(() => {});
      return next;
    },

    async close() {
      ending = true;
      void driven.quit().catch(() => {});
      const late = setTimeout(() => driven.kill(), END_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

/** Whether a cookie's domain is the other one, below it, or a parent of it. A top-level domain is no parent. */
function isRelated(domain: string, own: string): boolean {
  const host = domain.replace(/^\./, '');
  return host === own || host.endsWith(`.${own}`) || (host.includes('.') && own.endsWith(`.${host}`));
}

/** The browser's own first page may arrive late and then replace the page that is loading. */
async function go(send: Send, url: string): Promise<void> {
  const { errorText, isDownload } = await send('Page.navigate', { url });
  if (errorText !== 'net::ERR_ABORTED' || isDownload === true) return;
  // While one page replaces another, there is no page to notify.
  await sleep(SWAP_MS);
  const { targetInfo } = await send('Target.getTargetInfo');
  if (targetInfo.url === 'about:blank') await send('Page.navigate', { url });
}

/** A cookie domain without a leading dot means that host only, and only a URL can express that. */
export function asGiven<C extends BrowserCookie>({ domain, path, expires, secure, ...cookie }: C) {
  const place = domain.startsWith('.')
    ? { domain, path }
    : { url: `${secure ? 'https' : 'http'}://${domain}${path}`, path };
  return { ...cookie, ...place, secure, ...(expires === -1 ? {} : { expires }) };
}
