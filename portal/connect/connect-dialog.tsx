// Connecting one integration, over the page it was asked for on.
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { texts } from '../texts/texts.ts';
import type { WithState } from './state.ts';
import { ConnectWay, type Way } from './ways.tsx';

const words = texts.connect;

interface Props {
  integration: WithState;
  /** The way to begin with, where there are several. */
  way?: Way | undefined;
  onConnected: () => void;
  onClose: () => void;
}

export function ConnectDialog({ integration, way: first = 'live', onConnected, onClose }: Props) {
  const { authType, displayName } = integration;
  const [way, setWay] = useState(first);
  const imports = authType === 'cookie' && way === 'session';
  return (
    <Dialog title={imports ? words.importTitle(displayName) : words.title(displayName)} onClose={onClose}>
      {(close) => (
        <ConnectWay
          integration={integration}
          way={way}
          onWay={setWay}
          onConnected={() => {
            close();
            onConnected();
          }}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}
