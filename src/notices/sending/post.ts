// Posts to an address that a person has chosen: through the guard, without redirects, and with a bound for the answer.
import { EgressFailure } from '../../egress/failure.ts';
import type { Egress } from '../../egress/door.ts';
import { ANSWER_BYTES, ATTEMPT_MS } from '../model/limits.ts';
import type { Attempt } from './sent.ts';

export interface Posted {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array<ArrayBuffer>;
}

const GONE = 410;
/** They speak of the receiver at this moment, and not of what was sent. */
const OF_RECEIVER = new Set([401, 403, 404, 405, 408, 425, 429]);

/** `gone` lists the statuses that end an address for good. */
export async function post(
  egress: Pick<Egress, 'fetch'>,
  { url, headers, body }: Posted,
  gone: readonly number[] = [GONE],
): Promise<Attempt> {
  const { host } = new URL(url);
  try {
    const limits = { timeoutMs: ATTEMPT_MS, maxBytes: ANSWER_BYTES, redirects: 'manual' } as const;
    const answer = await egress.fetch(url, { method: 'POST', headers, body, ...limits });
    const { status } = answer;
    await readToBound(answer);
    if (answer.ok) return { kind: 'ok', status };
    if (status >= 300 && status < 400)
      return failed(status, `${host} redirects with status ${status}, and redirects are not followed`, true);
    const isDestination = status >= 500 || OF_RECEIVER.has(status) || gone.includes(status);
    const attempt = failed(status, `${host} answered with status ${status}`, isDestination);
    const retryAfter = secondsOf(answer.headers.get('retry-after'));
    return { ...attempt, isGone: gone.includes(status), retryAfter };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return failed(null, error.message, true);
  }
}

const failed = (status: number | null, error: string, isDestination: boolean) =>
  ({ kind: 'failed', status, error, isDestination }) as const;

/** The status says everything. An answer that ends is read, so that its connection can be used again. */
async function readToBound(answer: Response): Promise<void> {
  try {
    await answer.arrayBuffer();
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
  }
}

function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d{1,6}$/.test(retryAfter.trim()) ? Number(retryAfter) : undefined;
}
