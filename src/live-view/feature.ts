// A person's browser on the gateway. Its routes have state, so an adapter with browsers builds them.
import type { Feature } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';
import { browserSessionOperations } from './browser-session-operations.ts';

export const liveViewFeature = {
  name: 'live-view',
  operations: [browserSessionOperations],
  instruments:
    ({ browser }: Pick<Ports, 'browser'>) =>
    async () => [
      // Only a start would show whether it works.
      { name: 'browser', state: browser === null ? 'off' : 'unchecked' },
    ],
} satisfies Feature;
