// Something of the gateway's: what was last seen of it at once, and what it is now as soon as it comes.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { keep, useCached } from './cache.ts';

export interface Resource<T> {
  data: T | undefined;
  error: ApiError | undefined;
  reload: () => void;
  /** For what is known without asking again, such as the outcome of one's own change. */
  set: (data: T) => void;
}

export function useResource<T>(key: string, load: () => Promise<T>): Resource<T> {
  // Each key belongs to one loader, so what lies under it has that loader's type.
  const data = useCached(key) as T | undefined;
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ key: string; error: ApiError }>();
  const reload = () => setAttempt((count) => count + 1);

  useEffect(() => {
    let current = true;
    load().then(
      (loaded) => {
        keep(key, loaded);
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

  const failed = failure?.key === key;
  useEffect(() => {
    if (!failed) return;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [failed]);

  return {
    data,
    error: failed ? failure.error : undefined,
    reload,
    set: (known) => keep(key, known),
  };
}
