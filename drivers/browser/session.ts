// One running Chromium: the guard over its pages, its cookies, and the channel of whoever watches.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserChannel, BrowserCookie, BrowserSession } from '../../src/ports/browser.ts';
import { createAssistant } from './assistant.ts';
import { type Channel, openChannel } from './channel.ts';
import { createCdpConnection, type Send } from './connection.ts';
import { type Launch, launchChromium, startFailed } from './launch.ts';
import { createPages } from './pages.ts';

export interface ChromiumSession extends BrowserSession {
  /** When it was last used, in milliseconds of the monotonic clock. */
  usedAt(): number;
  /** It has been asked to end. */
  isEnding(): boolean;
}

const START_MS = 30_000;
const NAVIGATE_MS = 10_000;
const SWAP_MS = 250;
const END_MS = 3_000;

export async function openSession(launch: Omit<Launch, 'onMessage'>): Promise<ChromiumSession> {
  let used = performance.now();
  let ending = false;
  let channel: Channel | null = null;
  /** Settles when the channel that was asked for last is there. */
  let opening: Promise<unknown> = Promise.resolve();
  const connection = createCdpConnection(() => chromium.pipe);
  const assistant = createAssistant(connection, (page, method, params) =>
    channel?.tell(page, method, params),
  );
  const pages = createPages(connection, {
    onFrameEvent: assistant.onFrameEvent,
    onDownload: (url, name) => channel?.tell(null, 'LiveView.download', { url, name }),
  });
  const chromium = launchChromium({ ...launch, onMessage: (message) => connection.receive(message) });
  const closed = chromium.exited.then(() => connection.end('the browser has ended'));
  const browser = connection.to();

  const tooLate = setTimeout(() => chromium.kill(), START_MS);
  try {
    await Promise.race([pages.start(), closed.then(() => Promise.reject(new Error('[chromium] it ended')))]);
  } catch (cause) {
    chromium.kill();
    await closed;
    throw Object.assign(startFailed(launch.path, chromium.lastWords()), { cause });
  } finally {
    clearTimeout(tooLate);
  }

  async function openNext(listener: Parameters<ChromiumSession['openChannel']>[0]): Promise<BrowserChannel> {
    used = performance.now();
    channel?.close();
    const own = await openChannel({ connection, pages, assistant, userAgent: launch.userAgent }, listener);
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
    userAgent: launch.userAgent,
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
      // Who attaches to a page on its way may not be heard by it: the site has a while to answer.
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
        // Where it refuses one, Chromium takes none of them.
        const apart = given.map((cookie) => browser('Storage.setCookies', { cookies: [cookie] }));
        const refused = (await Promise.allSettled(apart)).filter((each) => each.status === 'rejected');
        const [first] = refused;
        if (first === undefined) return;
        const what = `${refused.length} of ${given.length} cookies`;
        throw new Error(`[chromium] did not take ${what}`, { cause: first.reason });
      }
    },

    openChannel(listener) {
      const next = opening.then(() => openNext(listener));
      opening = next.catch(() => {});
      return next;
    },

    async close() {
      ending = true;
      // By itself it writes down what it keeps; session cookies die with it.
      void browser('Browser.close').catch(() => {});
      const late = setTimeout(() => chromium.kill(), END_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

/** The browser's own first page may be late, and then takes the place of the one that is under way. */
async function go(send: Send, url: string): Promise<void> {
  const { errorText, isDownload } = await send('Page.navigate', { url });
  if (errorText !== 'net::ERR_ABORTED' || isDownload === true) return;
  // While one page takes the place of another, there is none to be told.
  await sleep(SWAP_MS);
  const { targetInfo } = await send('Target.getTargetInfo');
  if (targetInfo.url === 'about:blank') await send('Page.navigate', { url });
}

/** A domain without a dot in front means that host alone, and only an address says so. */
function asGiven({ domain, path, expires, secure, ...cookie }: BrowserCookie) {
  const place = domain.startsWith('.')
    ? { domain, path }
    : { url: `${secure ? 'https' : 'http'}://${domain}${path}`, path };
  return { ...cookie, ...place, secure, ...(expires === -1 ? {} : { expires }) };
}
