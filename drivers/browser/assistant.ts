// Does what a viewer cannot do by sending keys: finds the focused field, opens native selects, pastes,
// copies, refuses uploads.
import type { CdpConnection } from './connection.ts';
import { type Frame, rectOf } from './frames.ts';
import { BINDING, WORLD } from './helper.ts';
import type { BrowserPage, FrameEvent } from './pages.ts';
import { readReport, type Report } from './reports.ts';

/** An event of the live view itself, about one page. */
export type Tell = (page: BrowserPage, method: string, params: object) => void;

export interface Assistant {
  onFrameEvent: FrameEvent;
  select(id: number, index: number): Promise<boolean>;
  paste(page: BrowserPage, text: string): Promise<void>;
}

/** An object in the helper's isolated world. */
interface Place {
  frame: Frame;
  contextId: number;
}

interface FrameNavigated {
  frame: { id: string };
}

interface BindingCalled {
  name: string;
  payload: string;
  executionContextId: number;
}

export function createAssistant(connection: CdpConnection, tell: Tell): Assistant {
  const focus = new WeakMap<BrowserPage, Place>();
  let selects = 0;
  let opened: (Place & { page: BrowserPage; id: number; number: number }) | null = null;

  async function report(page: BrowserPage, place: Place, said: Report): Promise<void> {
    const { frame, contextId } = place;
    switch (said.kind) {
      case 'cursor':
        return tell(page, 'LiveView.cursor', { cursor: said.cursor });
      case 'copied':
        return tell(page, 'LiveView.copied', { text: said.text });
      case 'focus': {
        const had = focus.get(page);
        if (said.field === null) {
          // Another frame may have the focus by now.
          if (had?.contextId === contextId && had.frame === frame) unfocus(page);
          return;
        }
        focus.set(page, place);
        const rect = await rectOf(connection, frame, contextId, 'liveView.focused()');
        if (rect !== null && focus.get(page) === place)
          tell(page, 'LiveView.focus', { field: { ...said.field, rect } });
        return;
      }
      case 'select': {
        const { number, label, options } = said;
        const id = ++selects;
        opened = { ...place, page, id, number };
        const rect = await rectOf(connection, frame, contextId, 'liveView.opened()');
        return tell(page, 'LiveView.select', { id, rect, label, options });
      }
      case 'selectClosed':
        if (opened !== null && opened.page === page && opened.number === said.number) {
          tell(page, 'LiveView.selectClosed', { id: opened.id });
          opened = null;
        }
    }
  }

  function unfocus(page: BrowserPage): void {
    if (focus.delete(page)) tell(page, 'LiveView.focus', { field: null });
  }

  /** A frame has loaded another document. If the field was in that frame, it is gone. */
  async function leaveFrame(page: BrowserPage, frameId: string): Promise<void> {
    const had = focus.get(page);
    if (had === undefined) return;
    for (let at: Frame | null = had.frame; at !== null; at = at.parent)
      if (at.targetId === frameId) return unfocus(page);
    // A frame in the same process has no session of its own, so it cannot be told apart.
    const { contextId } = had;
    const question = { contextId, expression: 'liveView.focused() !== null', returnByValue: true };
    const still = await connection
      .to(had.frame.sessionId)('Runtime.evaluate', question)
      .then(({ result }) => result.value === true)
      .catch(() => false);
    if (!still && focus.get(page) === had) unfocus(page);
  }

  /** The helper's world in the page itself, used when nothing has the focus. */
  async function findOutermost({ frame }: BrowserPage): Promise<Place> {
    const world = { frameId: frame.targetId, worldName: WORLD };
    const { executionContextId } = await connection.to(frame.sessionId)('Page.createIsolatedWorld', world);
    return { frame, contextId: executionContextId };
  }

  async function ask({ frame, contextId }: Place, expression: string): Promise<unknown> {
    const question = { contextId, expression, returnByValue: true, userGesture: true };
    const { result } = await connection.to(frame.sessionId)('Runtime.evaluate', question);
    return result.value;
  }

  return {
    onFrameEvent(page, frame, method, params) {
      switch (method) {
        case 'Runtime.bindingCalled': {
          // Chromium's protocol defines the fields of these events.
          const { name, payload, executionContextId: contextId } = params as BindingCalled;
          const said = name === BINDING ? readReport(payload) : null;
          // The element may be gone by the time it is looked up.
          if (said !== null) void report(page, { frame, contextId }, said).catch(() => {});
          return;
        }
        case 'Page.javascriptDialogOpening':
          page.dialog = params as { type?: string };
          if (page.leaving && page.dialog.type === 'beforeunload')
            void connection
              .to(frame.sessionId)('Page.handleJavaScriptDialog', { accept: true })
              .catch(() => {});
          return;
        case 'Page.javascriptDialogClosed':
          page.dialog = null;
          return;
        case 'Page.frameNavigated': {
          // Chromium's protocol defines the fields of this event.
          const { id } = (params as FrameNavigated).frame;
          if (id === page.frame.targetId) page.leaving = false;
          // Pages can detect Runtime.enable. Without it a binding lasts only as long as its document.
          void connection
            .to(frame.sessionId)('Runtime.addBinding', { name: BINDING, executionContextName: WORLD })
            .catch(() => {});
          return void leaveFrame(page, id);
        }
        case 'Page.fileChooserOpened':
          return tell(page, 'LiveView.upload', {
            multiple: (params as { mode: string }).mode === 'selectMultiple',
          });
      }
    },

    async select(id, index) {
      if (opened === null || opened.id !== id) return false;
      return (await ask(opened, `liveView.choose(${opened.number}, ${index})`)) === true;
    },

    async paste(page, text) {
      const place = focus.get(page) ?? (await findOutermost(page).catch(() => null));
      const asked = place === null ? true : ask(place, `liveView.paste(${JSON.stringify(text)})`);
      // False means that the page handled the paste itself.
      const untaken = await Promise.resolve(asked).catch(() => true);
      if (untaken !== false) await connection.to(page.frame.sessionId)('Input.insertText', { text });
    },
  };
}
