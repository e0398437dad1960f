// Gives a page the connect dialog and the function that opens it.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../api/integrations.ts';
import { announceConnected } from '../session/news.ts';
import { useCached } from '../state/use-cached.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { isConnectable, withState, type WithState } from './state.ts';
import type { Method } from './methods.tsx';
import { isForTeam, keptFor, type Target } from './target.ts';

interface Chosen {
  chosen?: WithState;
  method?: Method;
  target?: Target;
  isAsked?: boolean;
}

export function useConnecting(onChange: () => void): {
  dialog: ComponentChildren;
  /** Without a target it is the only account, or one that the person names. */
  connect: (integration: WithState, method?: Method, target?: Target, isAsked?: boolean) => void;
} {
  const [{ chosen, method, target, isAsked = false }, setChosen] = useState<Chosen>({});
  // Only connections are stored under this key.
  const connections = useCached('connections') as Connection[] | undefined;

  function tell(name: string): void {
    // The page says how the connection of the team does.
    if (!isForTeam(target)) announceConnected(name);
    onChange();
  }

  const [now] = chosen && connections ? withState([chosen], connections) : [];
  const isDoneElsewhere =
    now !== undefined &&
    !isConnectable(now) &&
    chosen !== undefined &&
    isConnectable(chosen) &&
    !isForTeam(target);
  useEffect(() => {
    if (!isDoneElsewhere) return;
    setChosen({});
    tell(chosen.name);
  }, [isDoneElsewhere]);

  return {
    connect: (integration, by = integration.way === 'token' ? 'token' : undefined, account, asked = false) =>
      setChosen({
        chosen: integration,
        ...(by === undefined ? {} : { method: by }),
        ...(account === undefined ? {} : { target: account }),
        isAsked: asked,
      }),
    dialog: chosen && (
      <ConnectDialog
        key={keptFor(chosen.name, target)}
        integration={chosen}
        method={method}
        target={target}
        isAsked={isAsked}
        onClose={() => setChosen({})}
        onConnected={() => tell(chosen.name)}
      />
    ),
  };
}
