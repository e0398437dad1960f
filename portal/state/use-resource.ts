// Something of the gateway's: what was last seen of it at once, and what it is now as soon as it comes.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { forThisPerson, keep, keepLater, rekeep, take, useCached } from './cache.ts';
import { useRetry } from './use-retry.ts';

export interface Resource<T> {
  data: T | undefined;
  error: ApiError | undefined;
  reload: () => void;
  /** The same, where it is not being asked for already. */
  look: () => void;
  /** For what is known without asking again, such as the outcome of one's own change. */
  set: (data: T) => void;
  /** The same for a part of it: whatever else has changed since stays so. */
  change: (change: (data: T) => T) => void;
}

const aheadOf = (key: string) => `ahead ${key}`;

/** Asks before the page that needs it is there. */
export function askAhead(key: string, load: () => Promise<unknown>): void {
  const answer = load();
  // Whoever opens the page later than that asks again. What is taken is the failure itself, told to nobody else.
  answer.catch(() => void take(aheadOf(key)));
  keep(aheadOf(key), answer);
}

function takeAhead<T>(key: string): Promise<T> | undefined {
  // Each key belongs to one loader, so what comes for it has that loader's type.
  return take(aheadOf(key)) as Promise<T> | undefined;
}

export function useResource<T>(key: string, load: () => Promise<T>): Resource<T> {
  // Each key belongs to one loader, so what lies under it has that loader's type.
  const data = useCached(key) as T | undefined;
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ key: string; error: ApiError }>();
  const isAsking = useRef(false);
  const reload = () => setAttempt((count) => count + 1);

  useEffect(() => {
    let current = true;
    isAsking.current = true;
    const keepAnswer = keepLater(key);
    const answer = (takeAhead<T>(key) ?? load()).finally(() => {
      if (current) isAsking.current = false;
    });
    answer.then(
      (loaded) => {
        keepAnswer(loaded);
        if (current) setFailure(undefined);
      },
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        // A refused session is not this page's matter: the portal leaves for the sign-in.
        if (current && error.status !== 401) setFailure({ key, error });
      },
    );
    return () => {
      current = false;
    };
  }, [key, attempt]);

  const error = failure?.key === key ? failure.error : undefined;
  useRetry(error, reload);

  return {
    data,
    error,
    reload,
    look: () => {
      if (!isAsking.current) reload();
    },
    set: forThisPerson((known) => keep(key, known)),
    // As above: what lies under it has that loader's type.
    change: forThisPerson((change) => rekeep(key, (known) => change(known as T))),
  };
}
