// Counts what needs the person, beside the links of the navigation: connections, and calls that wait for approval.
import type { Connection } from '../api/integrations.ts';
import { useLocation } from '../router/location.ts';
import { useCached } from '../state/use-cached.ts';
import { useWaiting } from '../state/use-approvals.ts';
import { useConnections } from '../state/use-connections.ts';
import { texts } from '../texts/texts.ts';

export function Attention() {
  const { path } = useLocation();
  // Only connections are stored under this key.
  const connections = useCached('connections') as Connection[] | undefined;
  const count = connections?.filter(({ status }) => status === 'reconnect').length ?? 0;
  // These pages load the connections themselves.
  const isLoaded = path === '/' || path === '/overview' || path.startsWith('/integrations');
  return (
    <>
      {!isLoaded && <Load />}
      <Badge count={count} words={texts.nav.attention} />
    </>
  );
}

/** A question that the person has asked in the portal is answered where it was asked. */
export function WaitingBadge() {
  const waiting = useWaiting().data?.filter(({ caller }) => caller.kind !== 'session');
  return <Badge count={waiting?.length ?? 0} words={texts.nav.waiting} />;
}

function Badge({ count, words }: { count: number; words: (count: number) => string }) {
  if (count === 0) return null;
  return (
    <span class="badge">
      <span aria-hidden="true">{count > 99 ? texts.nav.many : count}</span>
      <span class="visually-hidden">{words(count)}</span>
    </span>
  );
}

function Load() {
  useConnections();
  return null;
}
