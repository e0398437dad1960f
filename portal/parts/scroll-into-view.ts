// Scrolls a row until its chosen item is in view. The page itself does not scroll.
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export function useScrollIntoView(
  row: RefObject<HTMLElement | null>,
  selector: string,
  chosen: string,
): void {
  useLayoutEffect(() => {
    const item = row.current?.querySelector(selector);
    if (!row.current || !item) return;
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
