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
  /** Set for a list that fills the window, which goes on by itself when the person scrolls down. */
  isLong?: boolean;
  onMore: () => Promise<void>;
}

/** Loads by itself when the person has scrolled here. A search that has stopped goes on only when asked. */
export function More({ searchedUntil, isEmpty, isLong = false, onMore }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const load = useRef(onMore);
  load.current = onMore;
  const isByScrolling = isLong && searchedUntil === undefined;

  useEffect(() => {
    const button = place.current;
    if (button === null || !isByScrolling) return;
    let isLoading = false;
    const seen = new IntersectionObserver(
      (entries) => {
        // One call may tell that the place went out of sight and that it came back.
        if (entries.at(-1)?.isIntersecting !== true || isLoading) return;
        isLoading = true;
        // The button stays for another try.
        load.current().then(
          () => {
            isLoading = false;
            // The rows above have moved the place out of sight, or it is seen anew.
            seen.unobserve(button);
            seen.observe(button);
          },
          () => undefined,
        );
      },
      { rootMargin: '300px' },
    );
    seen.observe(button);
    return () => seen.disconnect();
  }, [isByScrolling]);

  return (
    <div ref={place} class="more">
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
