// Starts a server whose app answers every request.
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { Beside } from '../../adapters/node/server.ts';

export const NOTHING_BESIDE: Beside = {
  proxy: { takes: () => false },
  jotFiles: {
    mayTake: () => false,
    answer: () => Promise.resolve(false),
    give: () => Promise.resolve(false),
  },
  clock: createSystemClock(),
};
