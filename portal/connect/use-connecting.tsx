// Gives a page the connect dialog and the function that opens it.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../api/types.ts';
import { announceConnected } from '../shell/toast.tsx';
import { useCached } from '../state/cache.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { isConnectable, withState, type WithState } from './state.ts';
import type { Method } from './methods.tsx';

export function useConnecting(onChange: () => void): {
  dialog: ComponentChildren;
  connect: (integration: WithState, method?: Method) => void;
} {
  const [{ chosen, method }, setChosen] = useState<{ chosen?: WithState; method?: Method }>({});
  // Only connections are stored under this key.
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
    connect: (integration, by = integration.way === 'token' ? 'token' : undefined) =>
      setChosen({ chosen: integration, ...(by === undefined ? {} : { method: by }) }),
    dialog: chosen && (
      <ConnectDialog
        key={chosen.name}
        integration={chosen}
        method={method}
        onClose={() => setChosen({})}
        onConnected={() => tell(chosen.name)}
      />
    ),
  };
}
