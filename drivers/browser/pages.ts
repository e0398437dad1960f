// Tracks the pages of one browser. The guard pauses each new page until it is prepared, and follows it until
// it closes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CdpConnection, Send } from './connection.ts';
import type { Frame } from './frames.ts';
import { BINDING, HELPER, WORLD } from './helper.ts';

export interface TargetInfo {
  targetId: string;
  browserContextId?: string;
  type: string;
  title: string;
  url: string;
  attached: boolean;
  openerId?: string;
}

export interface BrowserPage {
  info: TargetInfo;
  frame: Frame;
  /** The parameters of Page.javascriptDialogOpening for the dialog that is open. */
  dialog: { type?: string } | null;
  /** The gateway itself navigates the page, so no person has to confirm leaving it. */
  leaving: boolean;
  /** Settles when every viewer knows the page and it is in front. */
  shown: Promise<void>;
}

/** Reports page events to a viewer. */
export interface Watcher {
  /** The page does not run until this promise has settled. */
  opened(page: BrowserPage): Promise<void>;
  changed(page: BrowserPage): void;
  /** The page has loaded another document. */
  navigated(page: BrowserPage): void;
  closed(page: BrowserPage): void;
  activated(page: BrowserPage): void;
  crashed(page: BrowserPage): void;
}

export type FrameEvent = (page: BrowserPage, frame: Frame, method: string, params: unknown) => void;

interface Handlers {
  onFrameEvent: FrameEvent;
  onDownload: (url: string, name: string) => void;
}

/** What differs for a browser that others use too. */
export interface PageSetup {
  /** Makes the first page. Absent where every page of the browser belongs to the person. */
  begin?: (browser: Send) => Promise<unknown>;
  /** More commands for each frame before it runs. */
  prepare?: (send: Send, isPage: boolean) => Promise<unknown>[];
}

export interface Pages {
  all(): BrowserPage[];
  find(targetId: string): BrowserPage | null;
  active(): BrowserPage | null;
  activate(page: BrowserPage): void;
  /** Sets the only listener. The returned function removes it, unless another one has replaced it. */
  watch(watcher: Watcher): () => void;
  start(): Promise<void>;
}

// Stops a page that opens windows without end.
const MAX_PAGES = 20;
const ANSWER_TIMEOUT_MS = 2_000;
const PAUSED = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

const TITLED = new Set(['Page.domContentEventFired', 'Page.loadEventFired', 'Page.navigatedWithinDocument']);

interface Attached {
  sessionId: string;
  targetInfo: TargetInfo;
}

export function createPages(
  connection: CdpConnection,
  { onFrameEvent, onDownload }: Handlers,
  { begin = watchAll, prepare: prepareMore = () => [] }: PageSetup = {},
): Pages {
  const browser = connection.to();
  const pages = new Map<string, BrowserPage>();
  const frames = new Map<string, Frame>();
  let active: BrowserPage | null = null;
  let watcher: Watcher | null = null;

  /** Sends the commands in order. A target that has closed in the meantime is not a failure. */
  async function prepare({ sessionId, parent }: Frame): Promise<void> {
    const send = connection.to(sessionId);
    const script = { source: HELPER, worldName: WORLD, runImmediately: true };
    // Chromium pauses workers too, also where the filter leaves them out. Nobody would resume those.
    const inner = [{ type: 'iframe' }, { type: 'worker' }, { exclude: true }];
    await Promise.allSettled([
      send('Page.enable'),
      send('Page.setInterceptFileChooserDialog', { enabled: true, cancel: true }),
      send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
      send('Page.addScriptToEvaluateOnNewDocument', script),
      send('Target.setAutoAttach', { ...PAUSED, filter: inner }),
      ...(parent === null ? [send('Emulation.setFocusEmulationEnabled', { enabled: true })] : []),
      ...prepareMore(send, parent === null),
      send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  function follow(page: BrowserPage, frame: Frame): void {
    frames.set(frame.sessionId, frame);
    connection.listen(frame.sessionId, (method, params) => {
      // Chromium's protocol defines the fields of each of these events.
      if (method === 'Target.attachedToTarget') {
        const { sessionId, targetInfo } = params as Attached;
        if (targetInfo.type === 'worker') return void letRun(frame, sessionId);
        const inner = { sessionId, targetId: targetInfo.targetId, parent: frame };
        follow(page, inner);
        void prepare(inner);
      } else if (method === 'Target.detachedFromTarget') {
        leave((params as Attached).sessionId);
      } else {
        if (frame.parent === null && method === 'Page.frameNavigated') watcher?.navigated(page);
        if (frame.parent === null && TITLED.has(method)) void look(page).catch(() => {});
        onFrameEvent(page, frame, method, params);
      }
    });
  }

  /** A worker has nothing that the guard prepares. */
  async function letRun(frame: Frame, sessionId: string): Promise<void> {
    const resumed = connection.to(sessionId)('Runtime.runIfWaitingForDebugger');
    await resumed.catch(() => {});
    await connection
      .to(frame.sessionId)('Target.detachFromTarget', { sessionId })
      .catch(() => {});
  }

  /** Chromium reports a new address by itself, but not the title that comes with it. */
  async function look(page: BrowserPage): Promise<void> {
    const { targetInfo } = await browser('Target.getTargetInfo', { targetId: page.info.targetId });
    if (targetInfo.title === page.info.title) return;
    page.info = targetInfo;
    watcher?.changed(page);
  }

  /**
   * The browser always reports a new address. A page that was still loading may have missed the command to
   * report it.
   */
  function heed(page: BrowserPage): void {
    void connection
      .to(page.frame.sessionId)('Page.enable')
      .catch(() => {});
    watcher?.navigated(page);
  }

  function leave(sessionId: string): void {
    frames.delete(sessionId);
    connection.forget(sessionId);
  }

  async function addPage({ sessionId, targetInfo }: Attached): Promise<void> {
    // Attaches a viewer's session to a page that the guard already holds.
    if (pages.has(targetInfo.targetId)) return;
    const frame = { sessionId, targetId: targetInfo.targetId, parent: null };
    const shown = Promise.withResolvers<void>();
    const page: BrowserPage = { info: targetInfo, frame, dialog: null, leaving: false, shown: shown.promise };
    follow(page, frame);
    if (pages.size >= MAX_PAGES) {
      void browser('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => {});
      return;
    }
    pages.set(targetInfo.targetId, page);
    await watcher?.opened(page).catch(() => {});
    const prepared = prepare(frame);
    activate(page);
    shown.resolve();
    // If a page navigates before it has answered a command, Chromium drops the command and may never answer
    // it.
    await Promise.race([prepared, sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false })]);
  }

  function removePage(targetId: string): void {
    const page = pages.get(targetId);
    if (page === undefined) return;
    pages.delete(targetId);
    leave(page.frame.sessionId);
    watcher?.closed(page);
    if (active !== page) return;
    active = null;
    const next = pages.get(page.info.openerId ?? '') ?? [...pages.values()].at(-1);
    if (next !== undefined) activate(next);
    // Makes sure that at least one page exists.
    else void browser('Target.createTarget', { url: 'about:blank' }).catch(() => {});
  }

  function activate(page: BrowserPage): void {
    active = page;
    void connection
      .to(page.frame.sessionId)('Page.bringToFront')
      .catch(() => {});
    watcher?.activated(page);
  }

  return {
    all: () => [...pages.values()],
    find: (targetId) => pages.get(targetId) ?? null,
    active: () => active,
    activate,
    watch(next) {
      watcher = next;
      return () => {
        if (watcher === next) watcher = null;
      };
    },
    async start() {
      const first = Promise.withResolvers<void>();
      connection.listen(null, (method, params) => {
        if (method === 'Target.attachedToTarget')
          void addPage(params as Attached).finally(() => first.resolve());
        if (method === 'Browser.downloadWillBegin') {
          const { url, suggestedFilename } = params as { url: string; suggestedFilename: string };
          onDownload(url, suggestedFilename);
        }
        if (method === 'Target.targetCrashed') {
          const page = pages.get((params as { targetId: string }).targetId);
          if (page !== undefined) watcher?.crashed(page);
        }
        if (method === 'Target.targetDestroyed') removePage((params as { targetId: string }).targetId);
        if (method === 'Target.targetInfoChanged') {
          const { targetInfo } = params as Attached;
          const page = pages.get(targetInfo.targetId);
          if (page === undefined) return;
          const hasLeft = page.info.url !== targetInfo.url;
          page.info = targetInfo;
          watcher?.changed(page);
          if (hasLeft) heed(page);
        }
      });
      await browser('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
      await begin(browser);
      await first.promise;
    },
  };
}

/** Reports every page of the browser, and pauses each new one until it is prepared. */
export async function watchAll(browser: Send): Promise<void> {
  const filter = [{ type: 'page' }, { exclude: true }];
  await browser('Target.setDiscoverTargets', { discover: true, filter });
  await browser('Target.setAutoAttach', { ...PAUSED, filter });
}
