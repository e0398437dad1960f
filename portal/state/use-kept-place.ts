// Remembers the scroll position of a page, and restores it when the person returns.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { forThisPerson, keep, take } from './cache.ts';

const PLACE = 'place';

interface Place {
  /** The list that was scrolled. */
  of: string;
  y: number;
}

/** Restores the position only in the same list, which `of` names. */
export function useKeptPlace(of: string, wanted: boolean): void {
  const now = useRef({ of, wanted });
  now.current = { of, wanted };

  useLayoutEffect(() => {
    // Only this hook uses the key.
    const kept = take(PLACE) as Place | undefined;
    if (kept?.of === of) window.scrollTo(0, kept.y);

    let y = window.scrollY;
    // Reads the position on every scroll. When the person leaves the page, the window is at the top already.
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
