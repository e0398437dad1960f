// Starts a server whose app answers every request.
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { Beside } from '../../adapters/node/server.ts';

export const NO_HANDLERS: Beside = {
  proxy: { takes: () => false },
  jotFiles: { give: () => Promise.resolve(false) },
  clock: createSystemClock(),
};
