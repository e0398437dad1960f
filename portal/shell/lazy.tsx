// Loads a page, or a part of a page, when the person first opens it.
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
  const useLoaded = loadOnce(load);
  return function LazyPage(props: Props) {
    const { loaded: Loaded, failed } = useLoaded();
    if (Loaded !== undefined) return <Loaded {...props} />;
    return <Page title={title}>{failed ? <Failed /> : <Skeleton rows={6} />}</Page>;
  };
}

/** Loads a part of a page that is there already. A part above the page shows nothing until it is loaded. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isAbove = false }: { isAbove?: boolean } = {},
): ComponentType<Props> {
  const useLoaded = loadOnce(load);
  return function LazyPart(props: Props) {
    const { loaded: Loaded, failed } = useLoaded();
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (isAbove && !failed) return null;
    return <div class="section">{failed ? <Failed /> : <Skeleton rows={2} />}</div>;
  };
}

/** Makes a hook that loads a component once, as soon as somebody wants it. */
export function loadOnce<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;

  return function useLoaded(wanted = true): {
    loaded: ComponentType<Props> | undefined;
    failed: boolean;
  } {
    const [, setSettled] = useState(0);
    const [failed, setFailed] = useState(false);

    useEffect(() => {
      if (loaded !== undefined || !wanted) return;
      load().then(
        (module) => {
          loaded = module;
          setSettled(1);
        },
        () => setFailed(true),
      );
    }, [wanted]);

    return { loaded, failed };
  };
}

function Failed() {
  useEffect(() => {
    window.addEventListener('online', reloadPortal);
    return () => window.removeEventListener('online', reloadPortal);
  }, []);
  const why = navigator.onLine ? newRelease : `${offline} ${loadsByItself}`;
  return <ErrorNotice message={why} {...(navigator.onLine ? { onRetry: reloadPortal } : {})} />;
}
