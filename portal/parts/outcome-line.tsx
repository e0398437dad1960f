// Announces what has just happened, with an Undo button where the person can undo it.
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { ActionButton } from './action-button.tsx';
import { OutsideLink } from './outside-link.tsx';

export interface Outcome {
  words: string;
  undo?: () => Promise<void>;
  /** A page of another site, where the person can go on. */
  link?: { href: string; label: string };
  /** Set when the outcome is not what the person hoped for. */
  isBad?: boolean;
  /** Set when the pressed button disappears, so that the focus moves here. */
  takesFocus?: boolean;
}

export function OutcomeLine({ outcome }: { outcome: Outcome | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome?.takesFocus) place.current?.focus({ preventScroll: true });
  }, [outcome]);
  return (
    <div
      ref={place}
      class={outcome?.isBad ? 'outcome-line outcome-bad' : 'outcome-line'}
      role="status"
      tabIndex={-1}
    >
      {outcome?.words}
      {outcome?.link && <OutsideLink href={outcome.link.href}>{outcome.link.label}</OutsideLink>}
      {outcome?.undo && <ActionButton label={texts.actions.undo} onAct={outcome.undo} />}
    </div>
  );
}
