// Declares what features say of the state of the whole gateway. reference: State of the gateway

/** In the order in which administrators see them, within the same state. */
export const INSTRUMENT_NAMES = [
  'database',
  'pending',
  'files',
  'disk',
  'encryptionKey',
  'address',
  'signIn',
  'sealing',
  'auditPush',
  'backup',
  'mail',
  'browser',
] as const;

/** `good` and `bad` were found out just now. `off` is not set up, and `unchecked` cannot be found out without doing it. */
export const INSTRUMENT_STATES = ['bad', 'good', 'unchecked', 'off'] as const;

export interface Instrument {
  name: (typeof INSTRUMENT_NAMES)[number];
  state: (typeof INSTRUMENT_STATES)[number];
  /** What is set up. It has no secrets, so no addresses of databases. */
  kind?: string;
  /** What is wrong. */
  problem?: string;
  /** What an operator does next. */
  cure?: string;
  /** Unix seconds of what happened last. */
  at?: number;
}
