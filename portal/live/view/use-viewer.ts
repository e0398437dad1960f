// A viewer for as long as its component is there, and what it shows now.
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
    // A page that the window has kept aside has nothing behind it any more.
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
