// Shows the dialog that connects an integration.
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Lamp } from '../parts/lamp.tsx';
import { texts } from '../texts/texts.ts';
import type { WithState } from './state.ts';
import { ConnectMethod, type Method } from './methods.tsx';
import { type Target, titleFor } from './target.ts';

const words = texts.connect;

interface Props {
  integration: WithState;
  /** The method to begin with, when there are several. */
  method?: Method | undefined;
  target?: Target | undefined;
  /** Whether an agent has sent the person here. */
  isAsked: boolean;
  onConnected: () => void;
  onClose: () => void;
}

export function ConnectDialog({ integration, method: first, target, isAsked, onConnected, onClose }: Props) {
  const { authType, displayName } = integration;
  const [method, setMethod] = useState(first);
  const imports = authType === 'cookie' && method === 'session';
  return (
    <Dialog
      title={imports ? words.importTitle(displayName) : titleFor(integration, target)}
      onClose={onClose}
    >
      {(close) => (
        <>
          {isAsked && (
            <p class="connect-asked">
              <Lamp colour="amber">{texts.connectLink.lead}</Lamp>{' '}
              <span class="muted">{texts.connectLink.unasked}</span>
            </p>
          )}
          <ConnectMethod
            integration={integration}
            method={method}
            target={target}
            onMethod={setMethod}
            onConnected={() => {
              close();
              onConnected();
            }}
            onCancel={close}
          />
        </>
      )}
    </Dialog>
  );
}
