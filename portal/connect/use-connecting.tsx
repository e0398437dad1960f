// What a page needs to let people connect: the dialog to show, and what to press for it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announceConnected } from '../shell/toast.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import type { WithState } from './state.ts';

export function useConnecting(onChange: () => void): {
  dialog: ComponentChildren;
  connect: (integration: WithState) => void;
} {
  const [chosen, setChosen] = useState<WithState>();
  return {
    connect: setChosen,
    dialog: chosen && (
      <ConnectDialog
        key={chosen.name}
        integration={chosen}
        onClose={() => setChosen(undefined)}
        onConnected={() => {
          announceConnected(chosen.name);
          onChange();
        }}
      />
    ),
  };
}
