// Tells why the gateway refuses a link. reference: Connect links
import { fetchMe } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';

export type Refusal = 'used' | 'invalid' | 'account';

const REFUSALS: Record<string, Refusal> = {
  LINK_CONSUMED: 'used',
  LINK_INVALID: 'invalid',
  ACCOUNT_MISMATCH: 'account',
};

/** Follows the link. Reports a problem with the link, and throws every other error. */
export async function follow(
  link: () => Promise<void>,
  onRefused: (reason: Refusal) => void | Promise<void>,
): Promise<void> {
  try {
    await link();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const refusal = REFUSALS[error.code];
    if (refusal !== undefined) await onRefused(refusal);
    // The session ended. This request makes the portal notice.
    else if (error.code === 'AUTH_REQUIRED') await fetchMe();
    else throw error;
  }
}

/** Tells whether the gateway has no browser. */
export function lacksBrowser(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 503 || error.status === 404);
}
