// A page that is fetched when it is first opened.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failed } from '../parts/failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Page } from './page.tsx';
import { texts } from '../texts/texts.ts';

const { newRelease, offline, loadsByItself } = texts.failures;

// A new release has other file names: only a reload finds them.
const again = () => location.reload();

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
      window.addEventListener('online', again);
      return () => window.removeEventListener('online', again);
    }, [failed]);

    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    const why = navigator.onLine ? newRelease : `${offline} ${loadsByItself}`;
    return (
      <Page title={title}>
        {failed ? (
          <Failed message={why} {...(navigator.onLine ? { onRetry: again } : {})} />
        ) : (
          <Skeleton rows={6} />
        )}
      </Page>
    );
  };
}
