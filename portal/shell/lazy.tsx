// Loads a page when the person first opens it.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Page } from './page.tsx';
import { texts } from '../texts/texts.ts';

const { newRelease, offline, loadsByItself } = texts.failures;

// Reloads the whole portal, because a new release has other file names.
const reloadPortal = () => location.reload();

export function lazy<Props extends object>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;

  return function LazyPage(props: Props) {
    const [, setSettled] = useState(0);
    const [failed, setFailed] = useState(false);

    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (page) => {
          loaded = page;
          setSettled(1);
        },
        () => setFailed(true),
      );
    }, []);

    useEffect(() => {
      if (!failed) return;
      window.addEventListener('online', reloadPortal);
      return () => window.removeEventListener('online', reloadPortal);
    }, [failed]);

    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    const why = navigator.onLine ? newRelease : `${offline} ${loadsByItself}`;
    return (
      <Page title={title}>
        {failed ? (
          <ErrorNotice message={why} {...(navigator.onLine ? { onRetry: reloadPortal } : {})} />
        ) : (
          <Skeleton rows={6} />
        )}
      </Page>
    );
  };
}
