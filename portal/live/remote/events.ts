// Turns events of the browser into changes of the state.
import type { Message } from '../wire/channel.ts';
import type { BrowserEvents } from './protocol.ts';
import type { Screencast } from './screencast.ts';
import { NEW_PAGE, type Store } from './state.ts';
import { activeTab, addTab, chooseTab, removeTab, setTabUrl, type Tabs, updateTab } from './tabs.ts';

interface Needs {
  store: Store;
  screencast: Screencast;
  setTabs: (tabs: Tabs) => void;
  onCopied: (text: string) => void;
}

type Handlers = { [Name in keyof BrowserEvents]: (params: BrowserEvents[Name], sessionId: string) => void };

export function createEvents({ store, screencast, setTabs, onCopied }: Needs): (message: Message) => void {
  const tabs = () => store.get().tabs;
  /** Runs a handler only for events of the shown page. */
  const ifShown =
    <P>(then: (params: P) => void) =>
    (params: P, sessionId: string) => {
      if (sessionId === tabs().active) then(params);
    };

  const handlers: Handlers = {
    'Target.attachedToTarget': ({ sessionId, targetInfo }) => setTabs(addTab(tabs(), sessionId, targetInfo)),
    'Target.targetInfoChanged': ({ targetInfo }) => {
      const shown = activeTab(tabs());
      setTabs(updateTab(tabs(), targetInfo));
      // Events of a loading page may get lost. The browser always reports this one.
      if (shown?.targetId === targetInfo.targetId && shown.url !== targetInfo.url) screencast.expect();
    },
    'Target.detachedFromTarget': ({ sessionId }) => setTabs(removeTab(tabs(), sessionId)),
    'Page.screencastFrame': (frame, sessionId) => {
      screencast.onFrame(frame, sessionId);
      if (store.get().phase.name !== 'live') store.change({ phase: { name: 'live' } });
    },
    'Page.frameNavigated': ({ frame }, sessionId) => {
      if (frame.parentId !== undefined) return;
      setTabs(setTabUrl(tabs(), sessionId, frame.url));
      if (sessionId !== tabs().active) return;
      store.change({ field: null, list: null, cursor: 'default' });
      if (store.get().notice?.kind === 'crashed') store.change({ notice: null });
      screencast.expect();
    },
    'Page.navigatedWithinDocument': ({ url, frameId }, sessionId) => {
      const tab = tabs().all.find((each) => each.sessionId === sessionId);
      // The main frame has the id of its page.
      if (tab?.targetId === frameId) setTabs(setTabUrl(tabs(), sessionId, url));
    },
    'Page.frameStartedLoading': ifShown(() => store.change({ loading: true })),
    'Page.frameStoppedLoading': ifShown(() => {
      store.change({ loading: false });
      screencast.expect();
    }),
    'Page.javascriptDialogOpening': ifShown((dialog) => store.change({ dialog })),
    'Page.javascriptDialogClosed': ifShown(() => store.change({ dialog: null })),
    'LiveView.active': ({ sessionId }) => setTabs(chooseTab(tabs(), sessionId)),
    'LiveView.focus': ifShown(({ field }) => store.change({ field })),
    'LiveView.cursor': ifShown(({ cursor }) => store.change({ cursor })),
    'LiveView.copied': ifShown(({ text }) => onCopied(text)),
    'LiveView.select': ifShown((list) => store.change({ list })),
    'LiveView.selectClosed': ({ id }) => store.get().list?.id === id && store.change({ list: null }),
    'LiveView.crashed': ifShown(() => store.change({ ...NEW_PAGE, notice: { kind: 'crashed' } })),
    'LiveView.upload': () => store.change({ notice: { kind: 'upload' } }),
    'LiveView.download': ({ name }) => store.change({ notice: { kind: 'download', file: name } }),
  };

  return function onMessage({ method = '', params, sessionId = '' }) {
    if (!Object.hasOwn(handlers, method)) return;
    // The browser's protocol defines the parameters of each event name.
    const handle = handlers[method as keyof BrowserEvents] as (params: unknown, sessionId: string) => void;
    handle(params, sessionId === '' ? sessionIn(params) : sessionId);
  };
}

// The gateway's own events carry the session of the page in their parameters.
function sessionIn(params: unknown): string {
  const isNamed = typeof params === 'object' && params !== null && 'sessionId' in params;
  return isNamed && typeof params.sessionId === 'string' ? params.sessionId : '';
}
