// Shows that an integration was just connected, until the person closes the message or leaves the page.
import { useEffect, useRef } from 'preact/hooks';
import { fetchConnections, fetchIntegrations } from '../api/integrations.ts';
import { useFocusFallback } from '../parts/focus-fallback.ts';
import { Icon } from '../parts/icon.tsx';
import { Lamp } from '../parts/lamp.tsx';
import { useLocation } from '../router/location.ts';
import { keep } from '../state/cache.ts';
import { useKept } from '../state/use-kept.ts';
import { useResource } from '../state/use-resource.ts';
import { texts } from '../texts/texts.ts';

const CONNECTED = 'just-connected';

export function announceConnected(name: string): void {
  keep(CONNECTED, name);
}

/** Reads #connected=<name>, which the gateway adds after the provider's redirect. reference: Connecting an integration */
export function takeConnectedFromAddress(): void {
  const name = new URLSearchParams(location.hash.slice(1)).get('connected');
  if (name === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  announceConnected(name);
}

export function Toast() {
  const [name, setName] = useKept<string>(CONNECTED, '');
  return (
    <div class="toast-place" role="status">
      {name !== '' && <ConnectedToast key={name} name={name} onClose={() => setName('')} />}
    </div>
  );
}

function ConnectedToast({ name, onClose }: { name: string; onClose: () => void }) {
  const toast = useRef<HTMLDivElement>(null);
  useFocusFallback(toast);
  const { path } = useLocation();
  const integrations = useResource('integrations', fetchIntegrations);
  // Leaving the page closes the message.
  const from = useRef(path);
  useEffect(() => {
    if (path !== from.current) onClose();
  }, [path]);
  const connections = useResource('connections', fetchConnections);
  const integration = integrations.data?.find((each) => each.name === name);
  // Anyone can write a name into the address, so the gateway has to confirm the connection.
  const connected = connections.data?.some((each) => each.name === name && each.connected);
  if (integration === undefined || connected !== true) return null;
  return (
    <div ref={toast} class="toast">
      <Lamp colour="green">{texts.connect.connected(integration.displayName)}</Lamp>
      <button type="button" class="icon-button" aria-label={texts.actions.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
