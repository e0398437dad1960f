// Keeps a viewer while its component is there, and renders its state.
import { useEffect, useState } from 'preact/hooks';
import type { LiveState } from '../remote/state.ts';
import type { Viewer } from '../remote/viewer.ts';

export function useViewer(create: () => Viewer): { viewer: Viewer; state: LiveState } | null {
  const [viewer, setViewer] = useState<Viewer>();
  const [, setChanges] = useState(0);

  useEffect(() => {
    const made = create();
    const stop = made.store.subscribe(() => setChanges((count) => count + 1));
    const look = () => made.pause(document.visibilityState === 'hidden');
    const leave = () => made.close();
    // A page from the back/forward cache has no channel any more.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && location.reload();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    look();
    setViewer(made);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
      made.close();
    };
  }, []);

  return viewer === undefined ? null : { viewer, state: viewer.store.get() };
}
