// Connects the person and the remote browser: its events become state, and the person's actions become commands.
import type { ApiError } from '../../api/client.ts';
import type { Attached } from '../../api/live.ts';
import { copyText } from '../../parts/copy-text.ts';
import type { Channel } from '../wire/channel.ts';
import type { Params } from '../wire/commands.ts';
import { createConnection } from './connection.ts';
import { createEvents } from './events.ts';
import { createNavigation, type Navigation } from './navigation.ts';
import { setWindowSize } from './window-size.ts';
import { createScreencast, type Paint, type Size } from './screencast.ts';
import { learnLogIn } from './signed-in.ts';
import { createStore, NEW_PAGE, type Phase, type Store } from './state.ts';
import { activeTab, chooseTab, NO_TABS, type Tabs } from './tabs.ts';

export interface Viewer extends Omit<Navigation, 'go'> {
  store: Store;
  /** Returns false, and says why, when the text is not a website's address. */
  go: (address: string) => boolean;
  /** Sends a command to the shown page. */
  send: (method: string, params: Params) => void;
  choose: (sessionId: string) => void;
  closeTab: (sessionId: string) => void;
  paste: (text: string) => void;
  dismiss: () => void;
  answer: (accept: boolean, promptText: string) => void;
  pick: (index: number) => void;
  paint: (paint: Paint | null) => void;
  resize: (size: Size, isTouch: boolean) => void;
  /** Stops the screencast while nobody looks. */
  pause: (paused: boolean) => void;
  restart: () => void;
  attached: () => Attached | null;
  close: () => void;
}

interface Options {
  base: string;
  /** The label of the account that the viewer shows. Empty without one. */
  account: string;
  /** Sends the browser to the login page, and returns its address. */
  begin: (attached: Attached) => Promise<string>;
}

/** Characters. docs/live-view.md */
const MAX_PASTE_LENGTH = 64 * 1024;

export function createViewer({ base, account, begin }: Options): Viewer {
  const store = createStore();
  let painter: Paint | null = null;
  let size: Size = { width: 1280, height: 800, density: 1 };
  let isTouch = false;
  let paused = false;
  let touched = false;
  /** The page that was open when the connection broke. */
  let resumeAt = '';

  const connection = createConnection({
    base,
    account,
    begin: async (attached) => {
      store.change({ logIn: { url: await begin(attached), hosts: [] } });
    },
    onPhase: (name) => store.change({ phase: { name } }),
    onReady: (channel) => {
      const { phase, tabs } = store.get();
      resumeAt = phase.name === 'reconnecting' ? (activeTab(tabs)?.url ?? '') : '';
      store.change({
        tabs: NO_TABS,
        ...NEW_PAGE,
        phase: phase.name === 'reconnecting' ? phase : { name: 'starting' },
      });
      // The first command starts the browser, which then reports its pages.
      channel.send('Target.setDiscoverTargets', { discover: true });
    },
    onMessage: (message) => onMessage(message),
    onOver: (end) => store.change({ phase: phaseAfter(end) }),
  });

  const channel = (): Channel | null => connection.channel();
  const navigation = createNavigation(channel, () => store.get().tabs.active);
  const screencast = createScreencast(
    (method, params, sessionId) => channel()?.send(method, params, sessionId),
    (image, metadata) => painter?.(image, metadata),
  );

  function setTabs(next: Tabs): void {
    const before = store.get().tabs;
    for (const { sessionId } of next.all.filter((tab) => !before.all.includes(tab))) {
      const isNew = !before.all.some((tab) => tab.sessionId === sessionId);
      if (isNew) setWindowSize(channel(), sessionId, size, isTouch);
    }
    const isOther = next.active !== before.active;
    store.change({ tabs: next, ...(isOther ? NEW_PAGE : {}) });
    if (isOther) {
      show();
      resume();
    }
    const main = next.all.find(({ openerId }) => openerId === null);
    const { logIn } = store.get();
    if (!touched && main !== undefined && logIn.url !== '')
      store.change({ logIn: learnLogIn(logIn, main.url) });
  }

  // A browser that started again, such as after a gateway restart, has lost the page that was open.
  function resume(): void {
    if (resumeAt !== '' && activeTab(store.get().tabs)?.url === 'about:blank') navigation.go(resumeAt);
    resumeAt = '';
  }

  function show(): void {
    const tab = activeTab(store.get().tabs);
    if (tab === undefined || paused) return screencast.stop();
    channel()?.send('Target.activateTarget', { targetId: tab.targetId });
    screencast.show(tab.sessionId, size);
  }

  const onMessage = createEvents({
    store,
    screencast,
    setTabs,
    onCopied: (text) => {
      void copyText(text).then((copied) => {
        if (!copied) store.change({ notice: { kind: 'copied', text } });
      });
    },
  });

  function send(method: string, params: Params): void {
    const { active } = store.get().tabs;
    if (active !== '') channel()?.send(method, params, active);
  }

  return {
    store,
    ...navigation,
    go(address) {
      const goes = navigation.go(address);
      if (!goes) store.change({ notice: { kind: 'no-address' } });
      else if (store.get().notice?.kind === 'no-address') store.change({ notice: null });
      return goes;
    },
    send(method, params) {
      // Moving the mouse is not an action.
      touched ||= params['type'] !== 'mouseMoved';
      send(method, params);
    },
    choose: (sessionId) => setTabs(chooseTab(store.get().tabs, sessionId)),
    closeTab(sessionId) {
      const tab = store.get().tabs.all.find((each) => each.sessionId === sessionId);
      if (tab !== undefined) channel()?.send('Target.closeTarget', { targetId: tab.targetId });
    },
    paste(text) {
      if (text.length > MAX_PASTE_LENGTH) store.change({ notice: { kind: 'too-long' } });
      else send('LiveView.paste', { text });
    },
    dismiss: () => store.change({ notice: null }),
    answer(accept, promptText) {
      send('Page.handleJavaScriptDialog', accept ? { accept, promptText } : { accept });
      store.change({ dialog: null });
    },
    pick(index) {
      const { list } = store.get();
      if (list !== null && index >= 0) send('LiveView.select', { id: list.id, index });
      store.change({ list: null });
    },
    paint(paint) {
      painter = paint;
    },
    resize(next, touches) {
      if (next.width === size.width && next.height === size.height && touches === isTouch) return;
      size = next;
      isTouch = touches;
      const { all, active } = store.get().tabs;
      for (const { sessionId } of all) setWindowSize(channel(), sessionId, size, isTouch);
      if (active !== '') show();
    },
    pause(now) {
      if (paused === now) return;
      paused = now;
      show();
    },
    restart: connection.restart,
    attached: connection.attached,
    close() {
      screencast.stop();
      connection.close();
    },
  };
}

type Over = { reason: 'closed'; data: string } | { reason: 'refused'; error: ApiError };

function phaseAfter(end: Over): Phase {
  if (end.reason === 'refused') return { name: 'failed', error: end.error };
  return { name: end.data.includes('taken-over') ? 'taken-over' : 'ended' };
}
