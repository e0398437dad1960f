// "Connect", or "Reconnect", where an integration can be.
import { useRef } from 'preact/hooks';
import { useFocusHeir } from '../parts/focus-heir.ts';
import { texts } from '../texts/texts.ts';
import { isConnectable, isKnown, type WithState } from './state.ts';

interface Props {
  integration: WithState;
  onConnect: (integration: WithState) => void;
  primary?: boolean;
  /** Among others on a page: their names tell them apart. */
  named?: boolean;
}

export function ConnectButton(props: Props) {
  return isConnectable(props.integration) ? <Button {...props} /> : null;
}

function Button({ integration, onConnect, primary = false, named = false }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  // Among others its integration goes on in another place.
  useFocusHeir(button, named ? `.card a[href$="/${encodeURIComponent(integration.name)}"]` : 'h1');
  const label = isKnown(integration) ? texts.connect.reconnect : texts.connect.connect;
  return (
    <button
      ref={button}
      type="button"
      class={primary ? 'button button-primary' : 'button'}
      aria-label={named ? `${label} ${integration.displayName}` : undefined}
      onClick={() => onConnect(integration)}
    >
      {label}
    </button>
  );
}
