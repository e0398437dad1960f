// Scrolls a row until its chosen item is in view. The page itself does not scroll.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function useScrollIntoView(
  row: RefObject<HTMLElement | null>,
  selector: string,
  chosen: string,
): void {
  const isNew = useRef(true);
  useLayoutEffect(() => {
    const item = row.current?.querySelector(selector);
    if (!row.current || !item) return;
    // A new row begins with its first item. Measuring would lay out the whole page once more before its first frame.
    const isThere = isNew.current && item === row.current.firstElementChild;
    isNew.current = false;
    if (isThere) return;
    row.current.scrollLeft += middleOf(item) - middleOf(row.current);
  }, [chosen]);
}

/** Scrolls a frame until the item is in view. */
export function scrollWithinFrame(frame: HTMLElement, item: HTMLElement): void {
  const around = frame.getBoundingClientRect();
  const { top, bottom } = item.getBoundingClientRect();
  if (top < around.top || bottom > around.bottom)
    frame.scrollTop += (top + bottom - around.top - around.bottom) / 2;
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

/** How much of something below must be in the window for a person to notice it. */
const SEEN_PX = 160;

/** Scrolls the page to the top of something that the window does not show, such as a result below a form on phones. */
export function showBelow(element: HTMLElement): void {
  if (element.getBoundingClientRect().top <= innerHeight - SEEN_PX) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
}
