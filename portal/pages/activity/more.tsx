// Loads older calls, or goes on with a search that has stopped.
import { useEffect, useRef } from 'preact/hooks';
import { ActionButton } from '../../parts/action-button.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.activity;
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

interface Props {
  /** Set where a search for a filter has stopped, in Unix seconds. */
  searchedUntil: number | undefined;
  isEmpty: boolean;
  onMore: () => Promise<void>;
}

export function More({ searchedUntil, isEmpty, onMore }: Props) {
  return (
    <div class="more">
      {searchedUntil !== undefined && (
        <p class="muted" role="status">
          {isEmpty && `${words.noneSoFar} `}
          {words.searchedUntil(moment.format(searchedUntil * 1000))}
        </p>
      )}
      <ActionButton label={searchedUntil === undefined ? words.more : words.searchOn} onAct={onMore} />
    </div>
  );
}

export function End({ takesFocus }: { takesFocus: boolean }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The pressed button has disappeared, so the focus moves here.
    if (takesFocus) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <p ref={place} class="more muted" tabIndex={-1}>
      {words.end}
    </p>
  );
}
