// What a page needs to let people connect: the dialog to show, and what to press for it.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../api/types.ts';
import { announceConnected } from '../shell/toast.tsx';
import { useCached } from '../state/cache.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { isConnectable, withState, type WithState } from './state.ts';
import type { Way } from './ways.tsx';

export function useConnecting(onChange: () => void): {
  dialog: ComponentChildren;
  connect: (integration: WithState, way?: Way) => void;
} {
  const [{ chosen, way }, setChosen] = useState<{ chosen?: WithState; way?: Way }>({});
  // Only these lie under the key.
  const connections = useCached('connections') as Connection[] | undefined;

  function tell(name: string): void {
    announceConnected(name);
    onChange();
  }

  const [now] = chosen && connections ? withState([chosen], connections) : [];
  const isDoneElsewhere =
    now !== undefined && !isConnectable(now) && chosen !== undefined && isConnectable(chosen);
  useEffect(() => {
    if (!isDoneElsewhere) return;
    setChosen({});
    tell(chosen.name);
  }, [isDoneElsewhere]);

  return {
    connect: (integration, by) =>
      setChosen({ chosen: integration, ...(by === undefined ? {} : { way: by }) }),
    dialog: chosen && (
      <ConnectDialog
        key={chosen.name}
        integration={chosen}
        way={way}
        onClose={() => setChosen({})}
        onConnected={() => tell(chosen.name)}
      />
    ),
  };
}
