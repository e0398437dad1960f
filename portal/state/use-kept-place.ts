// How far down a page a person was, for when they come back to it by whichever way.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { forThisPerson, keep, take } from './cache.ts';

const PLACE = 'place';

interface Place {
  of: string;
  y: number;
}

/** `of` is what the place is in: it means nothing in anything else. */
export function useKeptPlace(of: string, wanted: boolean): void {
  const now = useRef({ of, wanted });
  now.current = { of, wanted };

  useLayoutEffect(() => {
    // Only this lies under the key.
    const kept = take(PLACE) as Place | undefined;
    if (kept?.of === of) window.scrollTo(0, kept.y);

    let y = window.scrollY;
    // Asked when it has scrolled: once the page is left, the window is at the top already.
    const look = () => {
      y = window.scrollY;
    };
    window.addEventListener('scroll', look, { passive: true });
    const leave = forThisPerson((place: Place) => keep(PLACE, place));
    return () => {
      window.removeEventListener('scroll', look);
      if (now.current.wanted) leave({ of: now.current.of, y });
    };
  }, []);
}
