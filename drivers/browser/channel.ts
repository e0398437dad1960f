// A viewer's channel: it attaches its own session to every page, and reports in the protocol's words which
// pages exist.
import type { BrowserChannel, BrowserCommand } from '../../src/ports/browser.ts';
import type { Assistant } from './assistant.ts';
import type { CdpConnection } from './connection.ts';
import type { BrowserPage, Pages } from './pages.ts';
import type { Message } from './pipe.ts';

export interface Channel extends BrowserChannel {
  /** An event of the live view itself. */
  tell(page: BrowserPage | null, method: string, params: object): void;
}

interface Needs {
  connection: CdpConnection;
  pages: Pages;
  assistant: Assistant;
  userAgent: string;
}

// Where the id of an answer starts, in `{"id":-1,…}`. A viewer's own ids are never negative.
const SIGN_AT = 6;
const MINUS = 0x2d;

const encoder = new TextEncoder();

export async function openChannel(
  { connection, pages, assistant, userAgent }: Needs,
  listener: (message: Message) => void,
): Promise<Channel> {
  const browser = connection.to();
  /** Sessions by target id. */
  const sessions = new Map<string, string>();
  /**
   * Ids of our own commands on these sessions. Chromium refuses an id whose answer is still outstanding,
   * possibly for ever.
   */
  let ours = 0;
  let open = true;

  const say = (message: object) => {
    if (open) listener(encoder.encode(JSON.stringify(message)));
  };
  const event = (method: string, params: object) => say({ method, params });
  const infoOf = ({ info }: BrowserPage) => ({ ...info, attached: true });

  /** Reports a dialog even if it opened before the viewer enabled dialog events itself. */
  function enable(sessionId: string): void {
    ours -= 1;
    connection.pass({ id: ours, method: 'Page.enable', params: {}, sessionId });
  }

  async function attach(page: BrowserPage): Promise<void> {
    const { targetId } = page.info;
    const { sessionId } = await browser('Target.attachToTarget', { targetId, flatten: true });
    if (!open) return void browser('Target.detachFromTarget', { sessionId }).catch(() => {});
    sessions.set(targetId, sessionId);
    connection.relay(sessionId, (message) => {
      if (message[SIGN_AT] !== MINUS) listener(message);
    });
    enable(sessionId);
  }

  function announcePage(page: BrowserPage): void {
    const { targetId } = page.info;
    const sessionId = sessions.get(targetId);
    if (sessionId === undefined) return;
    event('Target.targetCreated', { targetInfo: infoOf(page) });
    event('Target.attachedToTarget', { sessionId, targetInfo: infoOf(page), waitingForDebugger: false });
    if (page.dialog !== null) say({ method: 'Page.javascriptDialogOpening', params: page.dialog, sessionId });
  }

  function announceActive(page: BrowserPage | null): void {
    const sessionId = page === null ? undefined : sessions.get(page.info.targetId);
    if (page !== null && sessionId !== undefined)
      event('LiveView.active', { targetId: page.info.targetId, sessionId });
  }

  function announce(): void {
    for (const page of pages.all()) announcePage(page);
    announceActive(pages.active());
  }

  function pageOf(sessionId: string | undefined): BrowserPage | null {
    if (sessionId === undefined) return pages.active();
    return pages.all().find(({ info }) => sessions.get(info.targetId) === sessionId) ?? null;
  }

  function findNamedPage(params: Record<string, unknown>): BrowserPage {
    const page = pages.find(String(params['targetId']));
    if (page === null) throw new Error('No target with given id found');
    return page;
  }

  /** Commands that are answered here, because they concern all pages or are not part of the protocol. */
  const answers: Record<
    string,
    (params: Record<string, unknown>, page: BrowserPage | null) => object | Promise<object>
  > = {
    'Target.getTargets': () => ({ targetInfos: pages.all().map(infoOf) }),
    'Target.attachToTarget': (params) => ({ sessionId: sessions.get(findNamedPage(params).info.targetId) }),
    'Target.activateTarget': (params) => (pages.activate(findNamedPage(params)), {}),
    'Target.closeTarget': (params) =>
      browser('Target.closeTarget', { targetId: findNamedPage(params).info.targetId }),
    'Target.createTarget': async ({ url }) => {
      const made = await browser('Target.createTarget', { url: String(url) });
      // The answer goes out first, so a page that is activated later stays in front.
      await pages.find(made.targetId)?.shown;
      return made;
    },
    'Target.setDiscoverTargets': () => (announce(), {}),
    'Target.setAutoAttach': () => (announce(), {}),
    'Browser.getVersion': async () => ({ ...(await browser('Browser.getVersion')), userAgent }),
    'LiveView.select': async ({ id, index }) => ({
      chosen: await assistant.select(Number(id), Number(index)),
    }),
    'LiveView.paste': async ({ text }, page) => {
      if (page !== null) await assistant.paste(page, String(text));
      return {};
    },
  };

  async function answer({ id, method, params, sessionId }: BrowserCommand): Promise<void> {
    const session = sessionId === undefined ? {} : { sessionId };
    try {
      say({ id, result: await answers[method]?.(params, pageOf(sessionId)), ...session });
    } catch (error) {
      const message = error instanceof Error ? error.message : 'It failed';
      say({ id, error: { code: -32000, message }, ...session });
    }
  }

  const unwatch = pages.watch({
    async opened(page) {
      await attach(page);
      announcePage(page);
    },
    navigated(page) {
      const sessionId = sessions.get(page.info.targetId);
      // A session that was attached while this document loaded may have missed its events.
      if (sessionId !== undefined) enable(sessionId);
    },
    changed: (page) => event('Target.targetInfoChanged', { targetInfo: infoOf(page) }),
    closed(page) {
      const { targetId } = page.info;
      const sessionId = sessions.get(targetId);
      if (sessionId === undefined) return;
      sessions.delete(targetId);
      connection.forget(sessionId);
      event('Target.detachedFromTarget', { sessionId, targetId });
      event('Target.targetDestroyed', { targetId });
    },
    activated: announceActive,
    crashed(page) {
      const sessionId = sessions.get(page.info.targetId);
      if (sessionId !== undefined) event('LiveView.crashed', { sessionId });
    },
  });
  // A page may close while the channel attaches to it.
  await Promise.all(pages.all().map((page) => attach(page).catch(() => {})));
  announce();

  return {
    announce,
    tell(page, method, params) {
      const sessionId = page === null ? undefined : sessions.get(page.info.targetId);
      if (page === null) event(method, params);
      else if (sessionId !== undefined) event(method, { sessionId, ...params });
    },
    send(command) {
      if (Object.hasOwn(answers, command.method)) return void answer(command);
      const page = pageOf(command.sessionId);
      const sessionId = page === null ? undefined : sessions.get(page.info.targetId);
      const { id, method, params } = command;
      if (sessionId === undefined)
        say({ id, error: { code: -32001, message: 'Session with given id not found.' } });
      else connection.pass({ id, method, params, sessionId });
    },
    close() {
      if (!open) return;
      open = false;
      unwatch();
      for (const sessionId of sessions.values()) {
        connection.forget(sessionId);
        void browser('Target.detachFromTarget', { sessionId }).catch(() => {});
      }
    },
  };
}
