// A server whose app answers everything.
import type { Beside } from '../../adapters/node/server.ts';

export const NOTHING_BESIDE: Beside = {
  proxy: { takes: () => false },
  jotFiles: { mayTake: () => false, answer: () => Promise.resolve(false) },
};
