// Shows the overview first, once something is connected or was called. Until then the integrations come first.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { AuditPage } from '../api/audit.ts';
import type { Connection } from '../api/integrations.ts';
import { lazy } from '../shell/lazy.tsx';
import { useJustConnected } from '../shell/toast.tsx';
import { useCached } from '../state/use-cached.ts';
import { beginsWithOverview, rememberOverview, showFirst } from '../state/first-page.ts';
import { NEWEST_CALLS } from '../state/use-newest-calls.ts';
import { texts } from '../texts/texts.ts';
import { IntegrationsPage } from './integrations/page.tsx';
import { loadFirstSteps } from './integrations/use-first-steps.ts';

const Overview = lazy(texts.nav.overview, () =>
  import('./overview/page.tsx').then(({ OverviewPage }) => OverviewPage),
);

export const OverviewRoute = Object.assign(() => <Overview />, { ahead: Overview.ahead });

export const IntegrationsRoute = Object.assign(() => <IntegrationsPage />, { ahead: loadFirstSteps });

/** Both pages load the connections and the newest calls, so this page only listens. */
export function FirstPage() {
  // Only connections and calls are stored under these keys.
  const connections = useCached('connections') as Connection[] | undefined;
  const newest = useCached(NEWEST_CALLS) as AuditPage | undefined;
  const hasSomething =
    connections?.some(({ status }) => status !== undefined) === true ||
    (newest !== undefined && newest.entries.length > 0);
  const isKnown = hasSomething || (connections !== undefined && newest !== undefined);
  // A person who comes back from connecting goes on with the first steps, and no page changes under their hands.
  const wasConnecting = useJustConnected();
  const [decided, setDecided] = useState(wasConnecting ? false : undefined);
  if (decided === undefined && isKnown) setDecided(hasSomething);

  useLayoutEffect(() => {
    if (isKnown) rememberOverview(hasSomething);
  }, [isKnown, hasSomething]);

  const isOverview = decided ?? (isKnown ? hasSomething : beginsWithOverview());
  useLayoutEffect(() => showFirst(isOverview ? '/overview' : '/integrations'), [isOverview]);

  return isOverview ? <Overview /> : <IntegrationsPage />;
}

FirstPage.ahead = () => (beginsWithOverview() ? Overview.ahead() : loadFirstSteps());
