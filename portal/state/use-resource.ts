// Loads data from the gateway: returns the cached value at once, and the current value as soon as it arrives.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { changeKept, forThisPerson, keep, keepLater } from './cache.ts';
import { useCached } from './use-cached.ts';
import { useRetry } from './use-retry.ts';

export interface Resource<T> {
  data: T | undefined;
  error: ApiError | undefined;
  reload: () => void;
  /** Reloads, unless a request is already running. */
  look: () => void;
  /** Sets data that is known without a request, such as the result of the person's own change. */
  set: (data: T) => void;
  /** Changes a part of the data, and keeps every other change. */
  change: (change: (data: T) => T) => void;
}

export function useResource<T>(key: string, load: () => Promise<T>): Resource<T> {
  // Each key belongs to one loader, so its value has that loader's type.
  const data = useCached(key) as T | undefined;
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ key: string; error: ApiError }>();
  const isAsking = useRef(false);
  const reload = () => setAttempt((count) => count + 1);

  // An answer that is here already is shown with the next frame, and no skeleton before it.
  useLayoutEffect(() => {
    let current = true;
    isAsking.current = true;
    const keepAnswer = keepLater(key);
    const answer = load().finally(() => {
      if (current) isAsking.current = false;
    });
    answer.then(
      (loaded) => {
        keepAnswer(loaded);
        if (current) setFailure(undefined);
      },
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        // The session ended. The portal shows the sign-in page, so this page shows no error.
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
    // Each key belongs to one loader, so its value has that loader's type.
    change: forThisPerson((change) => changeKept(key, (known) => change(known as T))),
  };
}
