// Renders "Connect" or "Reconnect" for an integration that can be connected.
import { useRef } from 'preact/hooks';
import { useFocusFallback } from '../parts/focus-fallback.ts';
import { texts } from '../texts/texts.ts';
import { isConnectable, isKnown, type WithState } from './state.ts';

interface Props {
  integration: WithState;
  onConnect: (integration: WithState) => void;
  primary?: boolean;
  /** Set on a page with several such buttons, so that each one names its integration. */
  named?: boolean;
}

export function ConnectButton(props: Props) {
  return isConnectable(props.integration) ? <Button {...props} /> : null;
}

function Button({ integration, onConnect, primary = false, named = false }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  // In the gallery, the card moves to another section once it is connected.
  useFocusFallback(button, named ? `.card a[href$="/${encodeURIComponent(integration.name)}"]` : 'h1');
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
