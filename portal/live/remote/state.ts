// Holds everything the viewer shows, in one value that changes as a whole.
import type { ApiError } from '../../api/client.ts';
import type { Field, JsDialog, SelectList } from './protocol.ts';
import type { LogIn } from './signed-in.ts';
import { NO_TABS, type Tabs } from './tabs.ts';

export type Phase =
  /** Connecting to the gateway, then waiting for its browser. */
  | { name: 'connecting' }
  | { name: 'starting' }
  /** Another window of this person is starting the browser. */
  | { name: 'busy' }
  | { name: 'live' }
  | { name: 'reconnecting' }
  | { name: 'taken-over' }
  | { name: 'ended' }
  | { name: 'failed'; error: ApiError };

/** A message about a request of the site that the viewer cannot fulfil, or about a text the site copied. */
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
  /** True while the shown page loads. */
  loading: boolean;
  logIn: LogIn;
  field: Field | null;
  cursor: string;
  dialog: JsDialog | null;
  list: SelectList | null;
  notice: Notice | null;
}

export const INITIAL_STATE: LiveState = {
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

/** Resets everything that belongs to the page that was shown before. */
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
  let state = INITIAL_STATE;
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
