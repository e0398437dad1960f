// States that travel sealed instead of being stored: only a used one leaves a row. decision: 023
import * as z from 'zod';
import { FLOW_SECONDS } from '../auth/limits.ts';
import { USED_STATE_EXTRA_SECONDS } from './limits.ts';
import type { Place, Seal } from '../crypto/seal.ts';
import type { Ports } from '../ports/ports.ts';

/** What a state is for. A state opens for its own purpose only. */
type Purpose = 'sign-in' | 'ticket' | 'request' | 'question';

/** What can be used once. An identity assertion is sealed by nobody: its provider signs it. */
type SingleUse = Purpose | 'assertion';

export interface SealedStates {
  /** The text has only letters, digits, `-` and `_`, and opens for 600 s. */
  seal(purpose: Purpose, id: string, data: unknown): Promise<string>;
  /** Null unless this gateway has sealed the text for the purpose, at most 600 s ago. */
  open(purpose: Purpose, text: string): Promise<{ id: string; data: unknown } | null>;
  /** Returns true for exactly one of all calls with an id, on any process, until it has expired. */
  use(purpose: SingleUse, id: string, expiresAt?: number): Promise<boolean>;
}

/** Half of the longest id is enough to tell it from all others. */
const MARK_CHARACTERS = 32;

const Content = z.object({ id: z.string(), expires_at: z.number(), data: z.unknown() });

export function createSealedStates({
  clock,
  store,
  seal,
}: Pick<Ports, 'clock' | 'store'> & { seal: Seal }): SealedStates {
  return {
    async seal(purpose, id, data) {
      const content = { id, expires_at: clock.now() + FLOW_SECONDS, data };
      return withoutDots(await seal.seal(JSON.stringify(content), placeOf(purpose)));
    },

    async open(purpose, text) {
      const opened = await seal.open(withDots(text), placeOf(purpose));
      if (opened === null) return null;
      const { id, expires_at, data } = Content.parse(JSON.parse(opened));
      return expires_at <= clock.now() ? null : { id, data };
    },

    use(purpose, id, expiresAt = clock.now() + FLOW_SECONDS) {
      return store.leases.acquire(
        `${purpose} ${id.slice(0, MARK_CHARACTERS)}`,
        'used',
        clock.now(),
        expiresAt + USED_STATE_EXTRA_SECONDS,
      );
    },
  };
}

const placeOf = (purpose: Purpose): Place => ['', purpose, 'state'];

// A sealed text is `v1.<key id>.<base64url>`, but a dot separates the state from its ticket.
const KEY_ID_CHARACTERS = 8;
const withoutDots = (sealed: string): string => sealed.split('.').slice(1).join('');
const withDots = (text: string): string =>
  `v1.${text.slice(0, KEY_ID_CHARACTERS)}.${text.slice(KEY_ID_CHARACTERS)}`;
