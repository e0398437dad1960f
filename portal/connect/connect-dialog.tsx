// Connecting one integration, over the page it was asked for on. On phones it rises from below.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../texts.ts';
import type { WithState } from './state.ts';
import { ConnectWay } from './ways.tsx';

const words = texts.connect;

interface Props {
  integration: WithState;
  onConnected: () => void;
  onClose: () => void;
}

export function ConnectDialog({ integration, onConnected, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = () => dialog.current?.close();

  useLayoutEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>
        {integration.authType === 'cookie'
          ? words.importTitle(integration.displayName)
          : words.title(integration.displayName)}
      </h2>
      <ConnectWay
        integration={integration}
        onConnected={() => {
          close();
          onConnected();
        }}
        onCancel={close}
      />
    </dialog>
  );
}
