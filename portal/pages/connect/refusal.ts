// Why a link leads no further, as the gateway's codes have it. spec: Connect-link endpoints
import { fetchMe } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';

export type Refusal = 'used' | 'invalid' | 'account';

const REFUSALS: Record<string, Refusal> = {
  LINK_CONSUMED: 'used',
  LINK_INVALID: 'invalid',
  ACCOUNT_MISMATCH: 'account',
};

/** Follows the link; what is wrong with the link is handed over, what is not is thrown. */
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
    // The session's own end is everybody's matter: whoever asks next finds it.
    else if (error.code === 'AUTH_REQUIRED') await fetchMe();
    else throw error;
  }
}

/** A gateway without a browser of its own: another way has to do. */
export function lacksBrowser(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 503 || error.status === 404);
}
