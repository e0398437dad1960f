// "Connect", or "Reconnect", where an integration can be.
import { texts } from '../texts.ts';
import { isConnectable, isKnown, type WithState } from './state.ts';

interface Props {
  integration: WithState;
  onConnect: (integration: WithState) => void;
  primary?: boolean;
  /** Among others on a page: their names tell them apart. */
  named?: boolean;
}

export function ConnectButton({ integration, onConnect, primary = false, named = false }: Props) {
  if (!isConnectable(integration)) return null;
  const label = isKnown(integration) ? texts.connect.reconnect : texts.connect.connect;
  return (
    <button
      type="button"
      class={primary ? 'button button-primary' : 'button'}
      aria-label={named ? `${label} ${integration.displayName}` : undefined}
      onClick={() => onConnect(integration)}
    >
      {label}
    </button>
  );
}
