// What the viewer shows, in one value that changes as a whole.
import type { ApiError } from '../../api/client.ts';
import type { Field, JsDialog, SelectList } from './protocol.ts';
import type { LogIn } from './signed-in.ts';
import { NO_TABS, type Tabs } from './tabs.ts';

export type Phase =
  /** Reaching the gateway, then waiting for its browser. */
  | { name: 'connecting' }
  | { name: 'starting' }
  /** Another window of this person's is starting it. */
  | { name: 'busy' }
  | { name: 'live' }
  | { name: 'reconnecting' }
  | { name: 'taken-over' }
  | { name: 'ended' }
  | { name: 'failed'; error: ApiError };

/** Something the site wanted and does not get, or something it hands over. */
export type Notice =
  | { kind: 'crashed' }
  | { kind: 'upload' }
  | { kind: 'download'; file: string }
  | { kind: 'copied'; text: string }
  | { kind: 'too-long' }
  | { kind: 'no-address' };

export interface LiveState {
  phase: Phase;
  tabs: Tabs;
  /** True while the shown page is on its way. */
  loading: boolean;
  logIn: LogIn;
  field: Field | null;
  cursor: string;
  dialog: JsDialog | null;
  list: SelectList | null;
  notice: Notice | null;
}

export const AT_FIRST: LiveState = {
  phase: { name: 'connecting' },
  tabs: NO_TABS,
  loading: false,
  logIn: { url: '', hosts: [] },
  field: null,
  cursor: 'default',
  dialog: null,
  list: null,
  notice: null,
};

/** What belongs to the page that was shown, gone with it. */
export const NEW_PAGE = {
  field: null,
  cursor: 'default',
  dialog: null,
  list: null,
  loading: false,
} as const;

export interface Store {
  get: () => LiveState;
  change: (changes: Partial<LiveState>) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore(): Store {
  let state = AT_FIRST;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    change(changes) {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
