// Retries after a temporary failure: soon, then less and less often, and as soon as the network or the gateway is back.
import { useEffect, useRef } from 'preact/hooks';
import { isLineUp, whenLineChanges } from '../api/line.ts';
import type { ApiError } from '../api/client.ts';

const FIRST_WAIT_MS = 2000;
const MAX_WAIT_MS = 30_000;

/** Tells whether a retry may succeed: no response arrived, or the status is 502 to 504. */
export function isTemporary({ status }: ApiError): boolean {
  return status === 0 || (status >= 502 && status <= 504);
}

/** Pass `undefined` when nothing failed, and a new error object for each new failure. */
export function useRetry(failure: ApiError | undefined, retry: () => void): void {
  const waited = useRef(0);
  useEffect(() => {
    if (failure === undefined) waited.current = 0;
    if (failure === undefined || !isTemporary(failure)) return;
    waited.current = Math.min(waited.current * 2 || FIRST_WAIT_MS, MAX_WAIT_MS);
    const timer = setTimeout(retry, waited.current);
    window.addEventListener('online', retry);
    const ignore = whenLineChanges(() => isLineUp() && retry());
    return () => {
      clearTimeout(timer);
      ignore();
      window.removeEventListener('online', retry);
    };
  }, [failure]);
}
