// Lets a token of somebody else count once, on any process. decision: 022, 054
import { ID_TOKEN_TOLERANCE_SECONDS, USED_STATE_EXTRA_SECONDS } from '../../login/limits.ts';
import type { Ports } from '../../ports/ports.ts';

/** Half of a digest is enough to tell it from all others. */
const MARK_CHARACTERS = 32;

/** Returns true for exactly one of all calls with the same issuer and id. */
export type UseOnce = (token: { from: string; jti: string; exp: number }) => Promise<boolean>;

export function createUseOnce({ clock, digest, store }: Pick<Ports, 'clock' | 'digest' | 'store'>): UseOnce {
  return function useOnce({ from, jti, exp }) {
    const mark = digest.sha256(JSON.stringify([from, jti])).slice(0, MARK_CHARACTERS);
    // A token is accepted for a while after it has expired.
    const end = Math.ceil(exp) + ID_TOKEN_TOLERANCE_SECONDS + USED_STATE_EXTRA_SECONDS;
    return store.leases.acquire(`machine ${mark}`, 'used', clock.now(), end);
  };
}
