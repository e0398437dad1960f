// Calls with a key: one row for each, and what came of it for a day.
import type { Feature } from '../../kit/feature.ts';
import type { Ports } from '../../ports/ports.ts';
import { createOnce } from './once.ts';
import { sealedKeys } from './sealed-keys.ts';

/** Each page of an export is read when the one before it was sent. */
const PAGE = 500;

type Needs = Pick<Ports, 'clock' | 'store'>;

export const onceFeature = {
  name: 'once',
  parts: { once: createOnce },
  sealed: [sealedKeys],
  personal: {
    export:
      (deps: Needs) =>
      ({ id }) => ({ executionKeys: () => listKeys(deps, id) }),
  },
} satisfies Feature;

async function* listKeys({ clock, store }: Needs, userId: string): AsyncGenerator<object, void, undefined> {
  for (let after: string | null = null; ;) {
    const rows = await store.executionKeys.list(userId, clock.now(), after, PAGE);
    for (const { caller, integration, tool, state, created_at, expires_at } of rows)
      yield { caller, integration, tool, state, created_at, expires_at };
    after = rows.at(-1)?.id ?? null;
    if (rows.length < PAGE) return;
  }
}
