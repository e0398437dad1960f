// Counts the connections that need the person, beside the link to the integrations.
import type { Connection } from '../api/types.ts';
import { useLocation } from '../router/location.ts';
import { useCached } from '../state/cache.ts';
import { useConnections } from '../state/use-connections.ts';
import { texts } from '../texts/texts.ts';

export function Attention() {
  const { path } = useLocation();
  // Only connections are stored under this key.
  const connections = useCached('connections') as Connection[] | undefined;
  const count = connections?.filter(({ status }) => status === 'reconnect').length ?? 0;
  // These pages load the connections themselves.
  const isLoaded = path === '/' || path.startsWith('/integrations/');
  return (
    <>
      {!isLoaded && <Load />}
      {count > 0 && (
        <span class="badge">
          <span aria-hidden="true">{count}</span>
          <span class="visually-hidden">{texts.nav.attention(count)}</span>
        </span>
      )}
    </>
  );
}

function Load() {
  useConnections();
  return null;
}
