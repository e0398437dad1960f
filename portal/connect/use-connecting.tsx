// What a page needs to let people connect: the dialog to show, and what to press for it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announceConnected } from '../shell/toast.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import type { WithState } from './state.ts';
import type { Way } from './ways.tsx';

export function useConnecting(onChange: () => void): {
  dialog: ComponentChildren;
  connect: (integration: WithState, way?: Way) => void;
} {
  const [{ chosen, way }, setChosen] = useState<{ chosen?: WithState; way?: Way }>({});
  return {
    connect: (integration, by) =>
      setChosen({ chosen: integration, ...(by === undefined ? {} : { way: by }) }),
    dialog: chosen && (
      <ConnectDialog
        key={chosen.name}
        integration={chosen}
        way={way}
        onClose={() => setChosen({})}
        onConnected={() => {
          announceConnected(chosen.name);
          onChange();
        }}
      />
    ),
  };
}
