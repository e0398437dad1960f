// Shows the dialog that connects an integration.
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { texts } from '../texts/texts.ts';
import { isKnown, type WithState } from './state.ts';
import { ConnectMethod, type Method } from './methods.tsx';

const words = texts.connect;

interface Props {
  integration: WithState;
  /** The method to begin with, when there are several. */
  method?: Method | undefined;
  onConnected: () => void;
  onClose: () => void;
}

export function ConnectDialog({ integration, method: first, onConnected, onClose }: Props) {
  const { authType, displayName } = integration;
  const [method, setMethod] = useState(first);
  const imports = authType === 'cookie' && method === 'session';
  return (
    <Dialog title={imports ? words.importTitle(displayName) : titleOf(integration)} onClose={onClose}>
      {(close) => (
        <ConnectMethod
          integration={integration}
          method={method}
          onMethod={setMethod}
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

function titleOf(integration: WithState): string {
  const { displayName, way = 'oauth2' } = integration;
  return isKnown(integration) ? words.replaceTitle[way](displayName) : words.title(displayName);
}
