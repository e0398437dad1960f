// Tells which of the first steps are done, and loads the panel that shows them.
import { useState } from 'preact/hooks';
import { loadOnce } from '../../shell/lazy.tsx';
import { useNewestCalls } from '../../state/use-newest-calls.ts';
import { hasClient, type Steps } from './steps.ts';

const HIDDEN = 'svc_first_steps_hidden';

const usePanel = loadOnce(() => import('./first-steps.tsx').then((module) => module.FirstSteps));

export async function loadFirstSteps(): Promise<void> {
  if (localStorage.getItem(HIDDEN) === null) await usePanel.ahead();
}

/** Loads the state of the steps. The page waits for it, because steps that appear later would move everything below. */
export function useFirstSteps(): Steps & { Panel: ReturnType<typeof usePanel>['loaded'] } {
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const newest = useNewestCalls((calls) => !hidden && !hasClient(calls));
  const { loaded: Panel, failed } = usePanel(!hidden);
  const isLoaded = newest.data !== undefined || newest.error !== undefined;
  const isKnown = hidden || (isLoaded && (Panel !== undefined || failed !== undefined));

  function hide(): void {
    localStorage.setItem(HIDDEN, '1');
    setHidden(true);
  }

  return { isKnown, hidden, hide, newest, Panel };
}
