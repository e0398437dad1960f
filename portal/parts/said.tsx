// What has just happened, and the way back where there is one.
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { ActionButton } from './action-button.tsx';

export interface Happened {
  words: string;
  undo?: () => Promise<void>;
  /** What the person pressed is gone: the focus comes here instead of getting lost. */
  takesFocus?: boolean;
}

export function Said({ happened }: { happened: Happened | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (happened?.takesFocus) place.current?.focus({ preventScroll: true });
  }, [happened]);
  return (
    <div ref={place} class="said" role="status" tabIndex={-1}>
      {happened?.words}
      {happened?.undo && <ActionButton label={texts.actions.undo} onAct={happened.undo} />}
    </div>
  );
}
