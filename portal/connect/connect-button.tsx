// Renders "Connect", or the button that gives a connection another credential.
import { useRef } from 'preact/hooks';
import { useFocusFallback } from '../parts/focus-fallback.ts';
import { texts } from '../texts/texts.ts';
import { hasWay, isConnectable, isKnown, type WithState } from './state.ts';

interface Props {
  integration: WithState;
  onConnect: (integration: WithState) => void;
  /** Set on the page of the integration, where a working connection can be replaced too. */
  always?: boolean;
  /** Set on a page with several such buttons, so that each one names its integration. */
  named?: boolean;
}

export function ConnectButton(props: Props) {
  const { integration, always = false } = props;
  return (always ? hasWay : isConnectable)(integration) ? <Button {...props} /> : null;
}

function Button({ integration, onConnect, always = false, named = false }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  // In the gallery, the card moves to another section once it is connected.
  useFocusFallback(button, named ? `.card a[href$="/${encodeURIComponent(integration.name)}"]` : 'h1');
  const label = isKnown(integration)
    ? texts.connect.replace[integration.way ?? 'oauth2']
    : texts.connect.connect;
  return (
    <button
      ref={button}
      type="button"
      class={always && isConnectable(integration) ? 'button button-primary' : 'button'}
      aria-label={named ? `${label} ${integration.displayName}` : undefined}
      onClick={() => onConnect(integration)}
    >
      {label}
    </button>
  );
}
