// Tries again by itself what failed and may pass: soon, then less and less often, and as soon as the network is back.
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../api/client.ts';

const FIRST_MS = 2000;
const LONGEST_MS = 30_000;

/** No answer, or one that says it is not the gateway's last word. */
export function mayPass({ status }: ApiError): boolean {
  return status === 0 || (status >= 502 && status <= 504);
}

/** A failure that is over is undefined; each new one is an error of its own. */
export function useRetry(failure: ApiError | undefined, retry: () => void): void {
  const waited = useRef(0);
  useEffect(() => {
    if (failure === undefined) waited.current = 0;
    if (failure === undefined || !mayPass(failure)) return;
    waited.current = Math.min(waited.current * 2 || FIRST_MS, LONGEST_MS);
    const timer = setTimeout(retry, waited.current);
    window.addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
    };
  }, [failure]);
}
